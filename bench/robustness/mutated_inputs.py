"""What does karat do with damaged files? Every format it reads, mutated by seeds; each ends in a number or in words.

    python bench/robustness/mutated_inputs.py [MUTATIONS] [FORMAT...]

Each format has a process of its own with a limit on memory, so that a crash, a hang or a bomb is counted as well. Of
everything that is no `KaratError` the first seed is printed, and the place it was raised.
"""

import json
import multiprocessing
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from common import header

from karat.errors import KaratError
from support.every_input import EVERY_INPUT as INPUTS
from support.mutations import damage

MUTATIONS = 100
SECONDS = 20
"""How long one reading may take."""
MEMORY = 4 << 30
"""How much address space a process may have, beside what it has at the start."""
READ, REFUSED = "read", "refused"


def attempts(name: str, first: int, last: int, log: Path) -> None:
    """Read damaged files and log how each reading ended, seed by seed: a crash leaves the seed before it."""
    warnings.simplefilter("error")
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, _too_long)
    with log.open("w") as out:
        for seed in range(first, last):
            out.write(json.dumps([seed, *attempt(name, seed)]) + "\n")
            out.flush()


def attempt(name: str, seed: int) -> tuple[str, str, float]:
    """Return how a reading ended, where, and after how many seconds."""
    folder = Path(tempfile.mkdtemp())
    start = time.perf_counter()
    signal.alarm(SECONDS)
    try:
        damage(INPUTS[name], folder, f"{name} {seed}")
        INPUTS[name].read(folder)
    except KaratError as error:
        ending, where = REFUSED, str(error).replace(str(folder), "")
    except Exception as error:  # noqa: BLE001 (it is what is looked for)
        ending = type(error).__name__
        where = f"{_place(error)}: {str(error)[:150]}"
    else:
        ending, where = READ, ""
    finally:
        signal.alarm(0)
        shutil.rmtree(folder, ignore_errors=True)
    return ending, where, time.perf_counter() - start


def _too_long(*_: object) -> None:
    raise TimeoutError(f"more than {SECONDS} s")


def _place(error: BaseException) -> str:
    """Return the innermost line of karat that an error went through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "karat" in Path(frame.filename).parts]
    frame = (own or frames)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno}"


def outcomes(name: str, mutations: int) -> list[tuple[int, str, str, float]]:
    """Return the endings of all seeds; after a crash a new process goes on with the next seed."""
    found: list[tuple[int, str, str, float]] = []
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        while len(found) < mutations:
            worker = context.Process(target=attempts, args=(name, len(found), mutations, log))
            worker.start()
            worker.join()
            found += [tuple(json.loads(line)) for line in log.read_text().splitlines()]
            if len(found) < mutations:
                found.append((len(found), f"crash {worker.exitcode}", "", 0.0))
    return found


def main(arguments: list[str]) -> int:
    """Print a line a format, and below it what is neither a number nor words."""
    mutations = int(arguments[0]) if arguments else MUTATIONS
    names = arguments[1:] or list(INPUTS)
    header("Damaged files end in a number or in words", "lxml", "pyarrow")
    print(f"  {'format':<28} {'mutations':>9} {'read':>7} {'refused':>7} {'other':>7}  slowest")
    total = broken = 0
    for name in names:
        found = outcomes(name, mutations)
        endings = Counter(ending for _, ending, _, _ in found)
        others = [one for one in found if one[1] not in {READ, REFUSED}]
        slowest = max(one[3] for one in found)
        print(
            f"  {name:<28} {len(found):>9,} {endings[READ]:>7,} {endings[REFUSED]:>7,} "
            f"{len(others):>7,}  {slowest:.1f} s",
            flush=True,
        )
        first: dict[tuple[str, str], list[tuple[int, str, str, float]]] = {}
        for one in others:
            first.setdefault((one[1], one[2].partition(": ")[0]), []).append(one)
        for (ending, _), same in first.items():
            print(f"    {len(same):,} x {ending}, seed {same[0][0]}, {same[0][2]}")
        total += len(found)
        broken += len(others)
    print(f"  {broken:,} of {total:,} ({broken / total:.2%}) are neither read nor refused")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
