"""Tests run in a fork of this process: the libraries are loaded once, karat in each fork, as it is or with a mutant."""

import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import coverage
import pytest
from hypothesis import Phase, settings
from mutants import ROOT, Place, mutated

QUICK = "not slow and not spark and not browser and not shared"
SLOW = "slow and not spark and not browser and not shared"
SECONDS = 20
"""A quick test may take ten times as long as without a mutant, and this many seconds more."""
SLOW_SECONDS = 300
COLLECTION = 120
"""Seconds until the first test must have begun."""
NOTHING_COLLECTED = 5


@dataclass(kw_only=True)
class Observed:
    """What the quick tests of some files do: how long each that passes takes, and which execute a line of a file."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    """By path and line: tests, or the file of the tests where a line runs for all of them; "" in an import."""

    def of(self, file: str) -> "Observed":
        """Return what was observed of one file of tests, and of imports."""
        found = Observed()
        found.seconds = {test: took for test, took in self.seconds.items() if file_of(test) == file}
        for path, lines in self.lines.items():
            own = {}
            for line, tests in lines.items():
                of_file = {test for test in tests if not test or file_of(test) == file}
                if of_file:
                    own[line] = of_file
            found.lines[path] = own
        return found

    def add(self, other: "Observed") -> None:
        """Take in what was observed of other files."""
        self.seconds |= other.seconds
        for path, lines in other.lines.items():
            for line, tests in lines.items():
                self.lines.setdefault(path, {}).setdefault(line, set()).update(tests)


class Observer:
    """A plug-in of pytest: lines by the test that executes them."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.modules = modules
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        rooms = sorted({str(ROOT / "src" / Path(*name.split(".")[:2])) for name in modules})
        self.coverage = coverage.Coverage(data_file=None, config_file=False, source=rooms)
        self.coverage.start()

    def pytest_collection(self) -> None:
        """Import every module, so that what an import does is no test's."""
        for name in self.modules:
            import_module(name)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        """What the import of a file of tests does is done for all its tests."""
        self.coverage.switch_context(file_of(collector.nodeid))
        report = yield
        self.coverage.switch_context("")
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Lines that a test executes are that test's."""
        self.coverage.switch_context(item.nodeid)
        start = time.perf_counter()
        answer = yield
        self.seconds[item.nodeid] = time.perf_counter() - start
        return answer

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Iterator[None]:
        """A fixture made once is made for all tests of the file."""
        if fixturedef.scope == "function":
            return (yield)
        self.coverage.switch_context(file_of(request._pyfuncitem.nodeid))  # noqa: SLF001
        answer = yield
        self.coverage.switch_context(request._pyfuncitem.nodeid)  # noqa: SLF001
        return answer

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails or is skipped as it is kills nothing."""
        if not report.passed:
            self.failed.add(report.nodeid)

    def observed(self) -> Observed:
        """Return what was seen."""
        self.coverage.stop()
        data = self.coverage.get_data()
        found = Observed()
        found.seconds = {
            test: took for test, took in self.seconds.items() if test not in self.failed
        }
        for path in data.measured_files():
            contexts = data.contexts_by_lineno(path)
            found.lines[str(Path(path).relative_to(ROOT))] = {
                line: set(tests) for line, tests in contexts.items()
            }
        return found


def file_of(nodeid: str) -> str:
    """Return the file of a test."""
    return nodeid.partition("::")[0]


class Chosen:
    """A plug-in of pytest: tests in an order, each within its time; the first that fails is written down."""

    def __init__(self, killer: Path, seconds: dict[str, float] | None) -> None:
        self.killer = killer
        self.seconds = seconds

    def pytest_collection(self) -> None:
        """One failing example of a property is enough: the smallest is not looked for."""
        phases = [Phase.explicit, Phase.generate]
        settings.register_profile("mutants", settings.get_profile("karat"), phases=phases)
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the tests that were chosen, if some were."""
        if self.seconds is None:
            return
        known = {item.nodeid: item for item in items}
        items[:] = [known[test] for test in self.seconds if test in known]

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Begin the time of a test."""
        self.killer.write_text(f"no end of {item.nodeid}", encoding="utf-8")
        limit = SLOW_SECONDS
        if self.seconds is not None:
            limit = SECONDS + 10 * self.seconds[item.nodeid]
        signal.setitimer(signal.ITIMER_REAL, limit)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write down what failed."""
        if report.failed:
            self.killer.write_text(report.nodeid, encoding="utf-8")


def observe(files: Sequence[str], modules: Sequence[str]) -> Observed:
    """Run the tests of some files, karat as it is. The process has karat loaded afterwards."""
    observer = Observer(modules)
    os.environ["HYPOTHESIS_PROFILE"] = "quick"  # the lines are the same, with fewer examples
    _pytest(["-m", QUICK, *files], observer)
    return observer.observed()


def killer_of(seconds: dict[str, float], place: Place | None) -> str | None:
    """Run quick tests, given with the time each takes, until one fails; return its name, None where all pass."""
    files = sorted({file_of(test) for test in seconds})
    return _killer(place, ["-m", QUICK, *files], seconds)


def slow_killer_of(files: Sequence[str], place: Place) -> str | None:
    """Run the slow tests of some files until one fails; return its name, None where all pass."""
    return _killer(place, ["-m", SLOW, *files], None)


def _killer(
    place: Place | None, arguments: Sequence[str], seconds: dict[str, float] | None
) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        killer = Path(folder) / "killer"
        killer.write_text("import or collection", encoding="utf-8")

        def run() -> int:
            if place:
                _import_mutated(place)
            return _pytest(["-x", *arguments], Chosen(killer, seconds))

        child = os.fork()
        if child == 0:
            _in_child(run, Path(folder))
        status = os.waitpid(child, 0)[1]
        _end_group(child)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == NOTHING_COLLECTED:
            return None
        return killer.read_text(encoding="utf-8") if status else None


def _import_mutated(place: Place) -> None:
    """Have one module imported from the changed tree, whatever is compiled on disk."""
    path = str(ROOT / place.path)
    as_it_is = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, name: str) -> Any:
        if self.get_filename(name) == path:
            return compile(mutated(place), path, "exec", dont_inherit=True)
        return as_it_is(self, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def _in_child(run: Callable[[], int], folder: Path) -> None:
    """Run in a process group of its own, say nothing, and end without what Python does at its end."""
    status = 1
    try:
        os.setpgrp()
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # even code in C that never returns is ended
        signal.alarm(COLLECTION)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        status = run()
    finally:
        os._exit(status)


def _end_group(child: int) -> None:
    """End what a test started and left running."""
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        return


def _pytest(arguments: Sequence[str], plugin: object) -> int:
    os.chdir(ROOT)
    quiet = ["-q", "-s", "-p", "no:cacheprovider"]
    quiet += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis is loaded already
    return int(pytest.main([*quiet, *arguments], plugins=[plugin]))
