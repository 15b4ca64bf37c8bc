"""Does a killed run ever leave half a file? Every command that writes, killed with SIGKILL at random moments.

    python bench/robustness/killed_writers.py [KILLS] [COMMAND...]

Moments are drawn by a seed, two thirds of them in the last third of a run, where files are written. Afterwards each
file must be as before or the new one, and after one more run nothing else may be left.
"""

import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from common import header

from support.kills import WRITERS, Writer

KILLS = 50


def moments(kills: int, seconds: float, seed: str) -> list[float]:
    """Return after how many seconds runs are killed."""
    drawn = random.Random(seed)  # noqa: S311 (moments, not secrets)
    early = [drawn.uniform(0, seconds) for _ in range(kills // 3)]
    return early + [drawn.uniform(2 / 3, 1.05) * seconds for _ in range(kills - len(early))]


def killed(name: str, kills: int) -> bool:
    """Kill a command so many times, print what was found, and return whether all was well."""
    with tempfile.TemporaryDirectory() as folder:
        writer = Writer(name, Path(folder))
        found = [writer.killed_after(when) for when in moments(kills, writer.seconds, name)]
    broken = sum(not one.whole for one in found)
    unswept = sum(bool(one.left_over) for one in found)
    new = sum(one.is_new for one in found)
    finished = sum(one.finished for one in found)
    print(
        f"  {name:<17} {writer.seconds:5.1f} s {kills:6} {finished:9} {new:9} {broken:7} {unswept:8}",
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
    print("  command             run  kills  finished  new file  broken  unswept")
    well = [killed(name, kills) for name in given or WRITERS]
    sys.exit(not all(well))


if __name__ == "__main__":
    main()
