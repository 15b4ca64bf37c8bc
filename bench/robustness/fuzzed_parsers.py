"""Does any input break a parser? Each of karat's parsers, and the command line, fuzzed towards code not yet reached.

    python bench/robustness/fuzzed_parsers.py [CASES] [SECONDS] [--keep FOLDER [--write]] [PARSER...]

Atheris (libFuzzer) changes inputs and keeps those that reach code no other reached; `make fuzz` installs it. Each
parser has a process of its own, up to so many cases and seconds; there are as many at once as cores. What is no
`KaratError`, takes more than ten seconds or needs more than 4 GiB is a finding; the first input of each is written to a
folder, whose name is printed. Parsers that end with "counted" also count what was read, by the engine; they are fuzzed
only where they are named, or all of them by the word "counted".

With `--keep` a run goes on where the last one with that folder stopped: inputs that reached new code are kept there,
and the cases of all runs are added up, until each parser has had as many as were asked for. `--write` makes
docs/fuzzing.md of all that such a folder records.
"""

import io
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

try:
    import atheris
except ImportError:
    print("skipped: atheris is not installed; `make fuzz` does that, on Linux with x86-64")
    sys.exit()

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from common import header
from fuzzing_record import FINDING, PAGE, Fuzzed, Record, page

# It names each module that it instruments.
with redirect_stderr(io.StringIO()), atheris.instrument_imports(include=["karat"]):
    from karat.errors import KaratError
    from support.parsers import USAGE, is_own, parsers

if TYPE_CHECKING:
    from support.parsers import Parser

CASES = 10_000
SECONDS = 60
SLOW = 10
"""How many seconds one case may take."""
MEMORY = 4096
"""How many MiB a process may have."""
LONGEST = 4096
"""How many bytes a case has at most."""
SWEPT_EVERY = 200
"""After how many cases the files are deleted that karat keeps to the end of a run."""
COUNTED = ", counted"
LOG = "log"
PROCESSES = os.cpu_count() or 1


class Attempts:
    """Runs one case after another, and writes down what was not expected."""

    def __init__(self, parser: "Parser", found: Path) -> None:
        self.parser = parser
        self.found = found
        self.cases = 0
        self.seen: Counter[str] = Counter()

    def __call__(self, data: bytes) -> None:
        """Try one case."""
        self.cases += 1
        if self.cases % SWEPT_EVERY == 0:
            _sweep()
        error = self._error(data)
        # The first time may be slow, since code that is loaded then is instrumented.
        if isinstance(error, TimeoutError):
            error = self._error(data)
        if error is not None:
            self._note(error, data)

    def _error(self, data: bytes) -> Exception | None:
        signal.alarm(SLOW)
        try:
            self.parser.read(data)
        except (KaratError, *USAGE):
            return None
        except Exception as error:  # noqa: BLE001 (it is what is looked for)
            return error
        finally:
            signal.alarm(0)
        return None

    def _note(self, error: Exception, data: bytes) -> None:
        place = _place(error)
        self.seen[place] += 1
        if self.seen[place] == 1:
            path = self.found / str(len(list(self.found.iterdir())))
            path.write_bytes(data)
            print(f"{FINDING}{place}: {str(error)[:120]!r} ({path.name})", flush=True)


def fuzz(parser: "Parser", folder: Path, corpus: Path, options: Sequence[str]) -> None:
    """Fuzz one parser in this process, which ends with it."""
    with (folder / LOG).open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.stdin = Path(os.devnull).open()  # noqa: SIM115 (until the process ends)
    tempfile.tempdir = str(folder / "scratch")
    for number, seed in enumerate(parser.seeds):
        (corpus / f"seed{number}").write_bytes(seed)
    warnings.simplefilter("error")
    signal.signal(signal.SIGALRM, _too_long)
    with atheris.instrument_imports(include=["karat"]):
        atheris.Setup([sys.argv[0], *options, str(corpus)], Attempts(parser, folder / "found"))
        atheris.Fuzz()


def _too_long(*_: object) -> None:
    raise TimeoutError(f"more than {SLOW} s")


def _sweep() -> None:
    for path in Path(tempfile.gettempdir()).glob("karat-*/run-*/*"):
        shutil.rmtree(path, ignore_errors=True)


def _place(error: BaseException) -> str:
    """Return what was raised, and the innermost line of karat that it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "karat" in Path(frame.filename).parts]
    frame = (own or frames)[-1]
    return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"


@dataclass(frozen=True)
class Run:
    """What one run asks for, and where it works."""

    cases: int
    seconds: float
    root: Path
    """Where cases are files, in memory if possible."""
    kept: Path
    """Where inputs are written that were findings."""
    record: Record

    def fuzzed(self, name: str, parser: "Parser") -> Fuzzed:
        """Fuzz a parser; a process that dies of a case is followed by another one."""
        folder = self.root / name.replace(" ", "_")
        corpus = (self.record.folder or self.root) / name.replace(" ", "_") / "corpus"
        for made in (folder / "found", folder / "scratch", corpus):
            made.mkdir(parents=True, exist_ok=True)
        result = Fuzzed()
        missing = self.cases - self.record.so_far(name, "cases")
        start = time.monotonic()
        end = start + self.seconds
        while result.cases < missing and time.monotonic() < end - 1:
            options = [
                f"-runs={missing - result.cases}",
                f"-max_total_time={int(end - time.monotonic())}",
                f"-seed={self.record.so_far(name, 'processes') + result.processes + 1}",
                f"-max_len={LONGEST}",
                f"-rss_limit_mb={MEMORY}",
                f"-artifact_prefix={folder / 'found'}/",
                "-timeout=0",
                "-print_final_stats=1",
            ]
            code = _exit_code(parser, folder, corpus, options, seconds=end - time.monotonic())
            output = (folder / LOG).read_text(errors="replace")
            result.take(output)
            if code:
                errors = [line for line in output.splitlines() if "ERROR" in line]
                result.findings.append(f"exit code {code}: {errors[-1:]}")
        result.seconds = time.monotonic() - start
        if result.findings:
            result.inputs = self.kept / folder.name
            shutil.copytree(folder / "found", result.inputs)
        return result


def _exit_code(
    parser: "Parser", folder: Path, corpus: Path, options: Sequence[str], *, seconds: float
) -> int | None:
    context = multiprocessing.get_context("fork")
    process = context.Process(target=fuzz, args=(parser, folder, corpus, options))
    process.start()
    process.join(seconds + 6 * SLOW)
    if process.is_alive():
        process.kill()
        process.join()
    return process.exitcode


def fuzz_all(chosen: Mapping[str, "Parser"], run: Run) -> Fuzzed:
    """Fuzz the parsers, print a line for each, and return the sum."""
    total = Fuzzed()
    with ThreadPoolExecutor(PROCESSES) as pool:
        found = {name: pool.submit(run.fuzzed, name, parser) for name, parser in chosen.items()}
        for name, submitted in found.items():
            one = submitted.result()
            run.record.add(name, one)
            _print(name, one, run.record.so_far(name, "cases"))
            total.cases += one.cases
            total.paths += one.paths
            total.findings += one.findings
    return total


def _print(name: str, one: Fuzzed, so_far: int) -> None:
    rate = one.cases / max(one.seconds, 1e-9)
    print(
        f"  {name:<32} {one.cases:>9,} {rate:>8,.0f} {one.covered:>6,} {one.paths:>9,} {len(one.findings):>8} "
        f"{so_far:>10,}",
        flush=True,
    )
    for finding in one.findings:
        print(f"    {finding}", flush=True)
    if one.inputs:
        print(f"    their inputs are in {one.inputs}", flush=True)


def hours_left(chosen: Mapping[str, "Parser"], run: Run) -> float:
    """Return how long it would take until each parser has had its cases, as fast as so far."""
    hours = 0.0
    for name in chosen:
        had = run.record.parsers[name]
        if had["cases"]:
            missing = max(run.cases - had["cases"], 0)
            hours += missing * had["seconds"] / had["cases"] / 3600
    return hours / PROCESSES


@dataclass
class Words:
    """What the command was given."""

    cases: int = CASES
    seconds: float = SECONDS
    keep: Path | None = None
    write: bool = False
    names: list[str] = field(default_factory=list)


def read_words(given: Sequence[str]) -> Words:
    """Return what the command was given."""
    words = Words()
    left = list(given)
    numbers = [int(word) for word in left if word.isdigit()]
    words.cases, words.seconds = [*numbers, *[CASES, SECONDS][len(numbers) :]]
    left = [word for word in left if not word.isdigit()]
    if "--keep" in left:
        place = left.index("--keep")
        words.keep = Path(left[place + 1])
        words.keep.mkdir(parents=True, exist_ok=True)
        del left[place : place + 2]
    words.write = "--write" in left
    words.names = [word for word in left if word != "--write"]
    return words


def chosen_of(every: Mapping[str, "Parser"], names: Sequence[str]) -> dict[str, "Parser"]:
    """Return the parsers that are named; without names those of karat's own."""
    if names == ["counted"]:
        names = [name for name in every if name.endswith(COUNTED) and not is_own(name)]
    elif not names:
        names = [name for name in every if not name.endswith(COUNTED)]
    return {name: every[name] for name in names}


def main(given: Sequence[str]) -> int:
    """Print a line a parser, and below it what was found."""
    words = read_words(given)
    header("No input breaks a parser", "atheris", "lxml")
    print(
        f"  {'parser':<32} {'cases':>9} {'a second':>8} {'edges':>6} {'new paths':>9} {'findings':>8} {'all runs':>10}"
    )
    kept = Path(tempfile.mkdtemp(prefix="karat-fuzz-"))
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        chosen = chosen_of(parsers(Path(folder)), words.names)
        run = Run(words.cases, words.seconds, Path(folder), kept, Record(words.keep))
        total = fuzz_all(chosen, run)
    print(f"  {total.cases:,} cases, {total.paths:,} new paths, {len(total.findings):,} findings")
    enough = sum(run.record.so_far(name, "cases") >= words.cases for name in chosen)
    print(
        f"  {enough} of {len(chosen)} parsers have had {words.cases:,} cases; the others would take "
        f"{hours_left(chosen, run):,.1f} hours more at this speed"
    )
    if words.write:
        PAGE.write_text(page(run.record), encoding="utf-8")
    return 1 if total.findings else 0


def _memory() -> str | None:
    """Return a folder in memory, where there is one: cases are files."""
    memory = Path("/dev/shm")  # noqa: S108 (a folder of its own is made in it)
    return str(memory) if memory.is_dir() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
