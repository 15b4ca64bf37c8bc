"""Does any input break a parser? Each of karat's parsers, and the command line, fuzzed towards code not yet reached.

    python bench/robustness/fuzzed_parsers.py [CASES] [SECONDS] [PARSER...]

Atheris (libFuzzer) changes inputs and keeps those that reach code no other reached; `make fuzz` installs it. Each
parser has a process of its own, up to so many cases and seconds. What is no `KaratError`, takes more than ten seconds
or needs more than 4 GiB is a finding; the first input of each is written to a folder, whose name is printed.
Parsers that end with "counted" also count what was read, by the engine; they are fuzzed only where they are named.
"""

import io
import multiprocessing
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
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

# It names each module that it instruments.
with redirect_stderr(io.StringIO()), atheris.instrument_imports(include=["karat"]):
    from karat.errors import KaratError
    from support.parsers import USAGE, parsers

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
FINDING = "finding: "
COUNTED = ", counted"


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


def fuzz(parser: "Parser", folder: Path, log: Path, options: Sequence[str]) -> None:
    """Fuzz one parser in this process, which ends with it."""
    with log.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.stdin = Path(os.devnull).open()  # noqa: SIM115 (until the process ends)
    tempfile.tempdir = str(folder / "scratch")
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
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


@dataclass
class Fuzzed:
    """What fuzzing one parser has shown."""

    cases: int = 0
    paths: int = 0
    """Inputs that reached what none before them did."""
    covered: int = 0
    """Edges between pieces of code that were reached."""
    findings: list[str] = field(default_factory=list)

    def take(self, output: str) -> None:
        """Add what one process printed."""
        self.cases += _last(r"number_of_executed_units: *(\d+)", output) or _last(
            r"^#(\d+)", output
        )
        self.paths += _last(r"new_units_added: *(\d+)", output)
        self.covered = max(self.covered, _last(r"cov: (\d+)", output))
        for line in output.splitlines():
            if line.startswith(FINDING):
                self.findings.append(line.removeprefix(FINDING))


def _last(pattern: str, text: str) -> int:
    found = re.findall(pattern, text, re.MULTILINE)
    return int(found[-1]) if found else 0


def fuzzed(parser: "Parser", cases: int, seconds: float, folder: Path) -> Fuzzed:
    """Fuzz a parser; a process that dies of a case is followed by another one."""
    result = Fuzzed()
    (folder / "found").mkdir(parents=True)
    (folder / "scratch").mkdir()
    log = folder / "log"
    end = time.monotonic() + seconds
    seed = 0
    while result.cases < cases and time.monotonic() < end - 1:
        seed += 1
        options = [
            f"-runs={cases - result.cases}",
            f"-max_total_time={int(end - time.monotonic())}",
            f"-seed={seed}",
            f"-max_len={LONGEST}",
            f"-rss_limit_mb={MEMORY}",
            f"-artifact_prefix={folder / 'found'}/",
            "-timeout=0",
            "-print_final_stats=1",
        ]
        code = _exit_code(parser, folder, log, options, seconds=end - time.monotonic())
        output = log.read_text(errors="replace")
        result.take(output)
        if code:
            errors = [line for line in output.splitlines() if "ERROR" in line]
            result.findings.append(f"exit code {code}: {errors[-1:]}")
    return result


def _exit_code(
    parser: "Parser", folder: Path, log: Path, options: Sequence[str], *, seconds: float
) -> int | None:
    context = multiprocessing.get_context("fork")
    process = context.Process(target=fuzz, args=(parser, folder, log, options))
    process.start()
    process.join(seconds + 6 * SLOW)
    if process.is_alive():
        process.kill()
        process.join()
    return process.exitcode


def fuzz_all(chosen: Mapping[str, "Parser"], cases: int, seconds: float, root: Path) -> Fuzzed:
    """Fuzz each parser, print a line for it, and return the sum."""
    kept = Path(tempfile.mkdtemp(prefix="karat-fuzz-"))
    total = Fuzzed()
    for name, parser in chosen.items():
        start = time.monotonic()
        one = fuzzed(parser, cases, seconds, root / name.replace(" ", "_"))
        rate = one.cases / (time.monotonic() - start)
        print(
            f"  {name:<32} {one.cases:>9,} {rate:>8,.0f} {one.covered:>6,} {one.paths:>9,} {len(one.findings):>8}",
            flush=True,
        )
        for finding in one.findings:
            print(f"    {finding}", flush=True)
        if one.findings:
            found = root / name.replace(" ", "_") / "found"
            shutil.copytree(found, kept / name.replace(" ", "_"))
            print(f"    their inputs are in {kept / name.replace(' ', '_')}", flush=True)
        total.cases += one.cases
        total.paths += one.paths
        total.findings += one.findings
    return total


def main(arguments: list[str]) -> int:
    """Print a line a parser, and below it what was found."""
    numbers = []
    while arguments and arguments[0].isdigit():
        numbers.append(int(arguments.pop(0)))
    cases, seconds = [*numbers, *[CASES, SECONDS][len(numbers) :]]
    header("No input breaks a parser", "atheris", "lxml")
    print(
        f"  {'parser':<32} {'cases':>9} {'a second':>8} {'edges':>6} {'new paths':>9} {'findings':>8}"
    )
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        every = parsers(Path(folder))
        names = arguments or [name for name in every if not name.endswith(COUNTED)]
        total = fuzz_all({name: every[name] for name in names}, cases, seconds, Path(folder))
    print(f"  {total.cases:,} cases, {total.paths:,} new paths, {len(total.findings):,} findings")
    return 1 if total.findings else 0


def _memory() -> str | None:
    """Return a folder in memory, where there is one: cases are files."""
    memory = Path("/dev/shm")  # noqa: S108 (a folder of its own is made in it)
    return str(memory) if memory.is_dir() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
