"""Does a killed run ever leave half a file? Every command that writes, killed with SIGKILL at random moments.

    python bench/robustness/killed_writers.py [KILLS] [COMMAND...]

Moments are drawn by a seed, two thirds of them in the last third of a run, where files are written. A run that ends
before its moment is no kill, and another moment is drawn. Afterwards each file must be as before or the new one, and
after one more run nothing else may be left.
"""

import random
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from common import header

from support.kills import WRITERS, Killed, Writer

KILLS = 50


TRIES = 4
"""Times the kills: at most so many runs are started."""


def shares(seed: str) -> Iterator[float]:
    """Yield after which share of their time runs are killed."""
    drawn = random.Random(seed)  # noqa: S311 (moments, not secrets)
    while True:
        yield drawn.uniform(0, 1)
        yield drawn.uniform(2 / 3, 1.05)
        yield drawn.uniform(2 / 3, 1.05)


def killed_runs(writer: Writer, kills: int, seed: str) -> list[Killed]:
    """Kill so many runs of a command; runs that ended before are in the list, too."""
    found: list[Killed] = []
    for share in islice(shares(seed), TRIES * kills):
        found.append(writer.killed_after(share * writer.seconds))
        if sum(not one.finished for one in found) == kills:
            break
    return found


def killed(name: str, kills: int) -> bool:
    """Kill a command so many times, print what was found, and return whether all was well."""
    with tempfile.TemporaryDirectory() as folder:
        writer = Writer(name, Path(folder))
        found = killed_runs(writer, kills, name)
    broken = sum(not one.whole for one in found)
    unswept = sum(bool(one.left_over) for one in found)
    struck = [one for one in found if not one.finished]
    new = sum(one.is_new for one in struck)
    old = len(struck) - new
    ended = len(found) - len(struck)
    print(
        f"  {name:<17} {writer.seconds:5.2f} s {len(struck):6} {old:9} {new:9} {broken:7} {unswept:8} {ended:12}",
        flush=True,
    )
    for path in sorted({path for one in found for path in one.left_over}):
        print(f"    left over: {path}")
    return not broken and not unswept


def main() -> None:
    """Kill all commands, or those that are named."""
    given = sys.argv[1:]
    kills = int(given.pop(0)) if given and given[0].isdigit() else KILLS
    header("Killed at random moments, a command leaves the old file or the new one, and no litter")
    print("  command              run   kills  old file  new file  broken  unswept  ended before")
    well = [killed(name, kills) for name in given or WRITERS]
    sys.exit(not all(well))


if __name__ == "__main__":
    main()
