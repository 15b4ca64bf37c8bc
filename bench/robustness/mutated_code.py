"""Would the tests notice a fault? One small change of the code at a time, and the tests that execute it.

    python bench/robustness/mutated_code.py [SAMPLE] [SEED] [--slow]

A mutant is one changed place of a function in doubt, measure, tally or verdict: a comparison, an operator, a number, a
condition, or a returned value. All quick tests run once, so that it is known which of them execute which line. Those of
the changed line run, the nearest files first; what a file does when it is imported is tried by all tests that execute
it. With --slow the slow tests of the nearest four files run, too, where all these pass. The mutant is killed if a test
fails, or takes ten times as long and 20 seconds more (a slow one: 5 minutes). The documentation and the examples in
docstrings are no tests here, nor is what needs Spark, a browser or the real data. The sample is drawn by a seed.
Survivors are printed. Those known to change nothing that can be seen stand in `equivalent_mutants.py`, with the reason;
they count neither way. As a control, the tests that killed the first mutants run on the code as it is.
"""

import hashlib
import os
import pickle
import random
import sys
import time
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from common import DATA, header
from equivalent_mutants import DRAWN_IN_BLOCKS, EQUIVALENT, IN_BLOCKS, SIZE_OF_BLOCKS
from forked_tests import Observed, file_of, killer_of, observe, slow_killer_of
from mutants import ROOT, Place, places

SOURCE = ROOT / "src" / "karat"
ROOMS = ("doubt", "measure", "tally", "verdict")
NO_TESTS = ("docs", "data")
"""Folders whose tests do not count: the documentation's, and those of the real data, which not everyone has."""
SAMPLE = 300
SEED = 30
FIRST = 4
"""The tests of so many files run first, those that are nearest to the mutant; most mutants end there."""
CONTROLS = 20
PROCESSES = min(2, os.cpu_count() or 1)
FORKS = get_context("fork")
Task = tuple[Place, dict[str, float], bool]
"""A mutant, the quick tests that execute it with the time each takes, and whether slow ones are to run."""


def modules() -> list[str]:
    """Return the names of all modules of the rooms."""
    paths = [path for room in ROOMS for path in sorted((SOURCE / room).rglob("*.py"))]
    names = [".".join(path.relative_to(SOURCE.parent).with_suffix("").parts) for path in paths]
    return [name.removesuffix(".__init__") for name in names]


def observed() -> Observed:
    """Return what quick tests execute; those of a file run again where it or the code has changed since."""
    code = hashlib.sha256()
    for path in sorted(SOURCE.rglob("*.py")):
        code.update(path.read_bytes())
    found = Observed()
    folders: dict[Path, dict[str, Path]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if any(path.is_relative_to(ROOT / "tests" / folder) for folder in NO_TESTS):
            continue
        digest = code.copy()
        digest.update(path.read_bytes())
        saved = DATA / f"observed-{digest.hexdigest()[:16]}.pickle"
        if saved.exists():
            found.add(pickle.loads(saved.read_bytes()))  # noqa: S301 (written below)
        else:
            folders.setdefault(path.parent, {})[str(path.relative_to(ROOT))] = saved
    with FORKS.Pool(PROCESSES, maxtasksperchild=1) as pool:
        for part in pool.imap_unordered(_observed_in, folders.values(), chunksize=1):
            found.add(part)
    return found


def _observed_in(files: dict[str, Path]) -> Observed:
    found = observe(list(files), modules())
    DATA.mkdir(exist_ok=True)
    for file, saved in files.items():
        saved.write_bytes(pickle.dumps(found.of(file)))
    return found


def tests_of(place: Place, known: Observed) -> dict[str, float]:
    """Return the tests that execute a place with the time each takes, the fastest first."""
    lines = known.lines.get(place.path, {})
    executed = set().union(*(lines.get(line, set()) for line in place.lines))
    if "" in executed:
        executed = set().union(*lines.values())
    tests = {
        test: took
        for test, took in known.seconds.items()
        if test in executed or file_of(test) in executed
    }
    return dict(sorted(tests.items(), key=lambda test: test[1]))


def try_one(place: Place, tests: dict[str, float], *, slow: bool) -> str | None:
    """Return which test kills a mutant: the nearest run first, then the others, then slow ones of the nearest files."""
    files = nearest(place, tests)
    for part in (files[:FIRST], files[FIRST:]):
        seconds = {test: took for test, took in tests.items() if file_of(test) in part}
        killer = killer_of(seconds, place) if seconds else None
        if killer:
            return killer
    return slow_killer_of(files[:FIRST], place) if slow and files else None


def nearest(place: Place, tests: dict[str, float]) -> list[str]:
    """Return the files of some tests, and those that bear the mutant's name: these first, then those of its folder."""
    named = {str(path.relative_to(ROOT)) for path in named_for(place)}
    seconds = dict.fromkeys(named, 0.0)
    for test, took in tests.items():
        seconds[file_of(test)] = seconds.get(file_of(test), 0.0) + took
    folder = Path("tests", *Path(place.path).parent.parts[2:])

    def distance(file: str) -> tuple[bool, bool, float]:
        return file not in named, not Path(file).is_relative_to(folder), seconds[file]

    return sorted(seconds, key=distance)


def named_for(place: Place) -> list[Path]:
    """Return the files of tests that bear the name of the mutant's file."""
    return sorted((ROOT / "tests").rglob(f"test_{Path(place.path).stem}*.py"))


def _try(task: Task) -> tuple[Place, int, str | None]:
    place, tests, slow = task
    return place, len(tests), try_one(place, tests, slow=slow)


def try_all(tasks: list[Task]) -> dict[Place, str | None]:
    """Try all mutants, and print those that no test notices."""
    start = time.perf_counter()
    killers: dict[Place, str | None] = {}
    with FORKS.Pool(PROCESSES, initializer=load_libraries) as pool:
        for place, tests, killer in pool.imap_unordered(_try, tasks, chunksize=1):
            killers[place] = killer
            if not killer:
                print(f"  survived {tests} tests: {place}", flush=True)
            if len(killers) % 10 == 0:
                killed = sum(1 for killer in killers.values() if killer)
                took = time.perf_counter() - start
                print(f"  {killed} of {len(killers)} killed, {took:.0f} s", flush=True)
    return killers


def load_libraries() -> None:
    """Import what takes time and is not karat; a fork has it at once."""
    import duckdb  # noqa: F401
    import pandas as pd  # noqa: F401
    import scipy.optimize
    import scipy.stats  # noqa: F401
    import sklearn.metrics  # noqa: F401


def control(killers: dict[Place, str | None], known: Observed) -> None:
    """Run the tests that killed mutants on the code as it is: one that fails would have killed anything."""
    tests = [killer for killer in killers.values() if killer in known.seconds][:CONTROLS]
    failed = killer_of({test: known.seconds[test] for test in tests}, None)
    if failed:
        message = f"{failed} fails without a mutant"
        raise RuntimeError(message)
    print(f"  {len(set(tests))} tests that killed pass on the code as it is")


def reason(place: Place) -> str | None:
    """Return why a mutant changes nothing that can be seen, where that is known."""
    text = (ROOT / place.path).read_text(encoding="utf-8").splitlines()[place.line - 1].strip()
    if SIZE_OF_BLOCKS.fullmatch(text) and Path(place.path).stem not in DRAWN_IN_BLOCKS:
        return IN_BLOCKS
    return EQUIVALENT.get((place.path, place.function, place.what, text))


def main() -> None:
    """Try a sample of the mutants."""
    numbers = [int(given) for given in sys.argv[1:] if given != "--slow"]
    sample = numbers[0] if numbers else SAMPLE
    seed = numbers[1] if len(numbers) > 1 else SEED
    header("Small faults in the code are noticed by the tests that execute it", "pytest")
    possible = []
    for room in ROOMS:
        for path in sorted((SOURCE / room).rglob("*.py")):
            possible += list(places(path))
    chosen = random.Random(seed).sample(possible, min(sample, len(possible)))  # noqa: S311 (no secret)
    known = observed()
    slow = "--slow" in sys.argv
    killers = try_all([(place, tests_of(place, known), slow) for place in chosen])
    control(killers, known)
    survivors = [place for place, killer in killers.items() if not killer]
    for place in survivors:
        if reason(place):
            print(f"  equivalent: {place}: {reason(place)}")
    equivalent = sum(bool(reason(place)) for place in survivors)
    killed = len(chosen) - len(survivors)
    counted = len(chosen) - equivalent
    by_kept = sum("/golden/test_kept_" in killer for killer in killers.values() if killer)
    print(f"  of those that were killed {by_kept} were first killed by kept answers")
    print(
        f"seed {seed}: {killed} of {counted} killed ({killed / counted:.1%}); {equivalent} of {len(chosen)} change "
        f"nothing that can be seen; {len(possible):,} possible mutants"
    )


if __name__ == "__main__":
    main()
