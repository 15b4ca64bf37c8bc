"""Does a killed run ever leave half a file? Every command that writes, killed with SIGKILL at random moments.

    python bench/robustness/killed_writers.py [KILLS] [COMMAND...]

A third of the runs are killed after any share of their time, a third in the last third of it, and a third as soon as a
file is there that is not finished. Shares are drawn by a seed; a run that ends before its moment is no kill. Afterwards
each file must be as before or the new one, and after one more run nothing else may be left.
"""

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from common import header

from support.kills import WRITERS, Killed, Writer

KILLS = 50


COLUMNS = ("kills", "in writing", "old file", "new file", "broken", "unswept", "ended before")
TRIES = 4
"""Times the kills: at most so many runs are started."""


def killed_runs(writer: Writer, kills: int, seed: str) -> Iterator[Killed]:
    """Kill so many runs of a command, and yield each; also those that ended before."""
    drawn = random.Random(seed)  # noqa: S311 (moments, not secrets)
    struck = 0
    for attempt in range(TRIES * kills):
        if attempt % 3 == 0:
            one = writer.killed_while_writing()
        else:
            share = drawn.uniform(0, 1) if attempt % 3 == 1 else drawn.uniform(2 / 3, 1.05)
            one = writer.killed_after(share * writer.seconds)
        yield one
        struck += not one.finished
        if struck == kills:
            return


def killed(name: str, kills: int) -> bool:
    """Kill a command so many times, print what was found, and return whether all was well."""
    with tempfile.TemporaryDirectory() as folder:
        writer = Writer(name, Path(folder))
        found = list(killed_runs(writer, kills, name))
    struck = [one for one in found if not one.finished]
    new = sum(one.is_new for one in struck)
    broken = sum(not one.whole for one in found)
    unswept = sum(bool(one.left_over) for one in found)
    counts = [
        len(struck),
        sum(one.in_writing for one in struck),
        len(struck) - new,
        new,
        broken,
        unswept,
        len(found) - len(struck),
    ]
    cells = [f"{count:{len(column)}}" for column, count in zip(COLUMNS, counts, strict=True)]
    print(f"  {name:<17} {writer.seconds:5.2f} s  {'  '.join(cells)}", flush=True)
    for path in sorted({path for one in found for path in one.left_over}):
        print(f"    left over: {path}")
    return not broken and not unswept


def main() -> None:
    """Kill all commands, or those that are named."""
    given = sys.argv[1:]
    kills = int(given.pop(0)) if given and given[0].isdigit() else KILLS
    header("Killed at random moments, a command leaves the old file or the new one, and no litter")
    print(f"  command              run   {'  '.join(COLUMNS)}")
    well = [killed(name, kills) for name in given or WRITERS]
    sys.exit(not all(well))


if __name__ == "__main__":
    main()
