"""The vote of 1e7 rows x 6 yes/no systems from Parquet to precision and recall, against a plain scan of the bytes."""

import sys
from pathlib import Path

import duckdb
import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line, made

import karat
from karat.measure.votes import Consensus, consensus
from karat.tally.patterns import Patterns

ROWS, LIMIT = 10_000_000, 3
SYSTEMS = tuple(f"system{k}" for k in range(6))


def write(path: Path) -> None:
    """Write six systems that agree four times in five with a truth that is not written."""
    columns = ", ".join(f"case when random() < 0.8 then truth else 1 - truth end as {name}" for name in SYSTEMS)
    rows = f"select cast(random() < 0.5 as tinyint) as truth from range({ROWS})"
    duckdb.connect().execute(f"copy (select {columns} from ({rows})) to '{path}' (format parquet)")


def counted(path: Path) -> Patterns:
    return karat.read(path).counter.patterns()


def voted(tally: Patterns) -> Consensus:
    """Return the paper's vote: the codes are places in the labels '0' and '1', missing is unknown."""
    return consensus(np.where(tally.answers < 0, np.nan, tally.answers == tally.labels.index("1")), tally.number)


def plainly(path: Path, connection: duckdb.DuckDBPyConnection) -> np.ndarray:
    """Return the same precisions from the columns themselves, by SQL, row by row."""
    share = f"(1 + {' + '.join(SYSTEMS)}) / {len(SYSTEMS) + 2}"
    sums = ", ".join(f"sum({share} * {name}) / sum({name})" for name in SYSTEMS)
    return np.array(connection.execute(f"select {sums} from '{path}'").fetchall()[0])


def main() -> None:
    header(f"consensus of {ROWS:.0e} rows x {len(SYSTEMS)} yes/no systems from Parquet: within {LIMIT}x of a scan")
    path, connection = made("votes.parquet", write), duckdb.connect()
    sums = ", ".join(f"sum({name})" for name in SYSTEMS)
    scan = clock(lambda: connection.execute(f"select {sums} from '{path}'").fetchall(), times=5)
    whole = clock(lambda: voted(counted(path)), times=5)
    bench, tally = karat.read(path), counted(path)
    reading = clock(lambda: karat.read(path), times=5)
    count = clock(bench.counter.patterns, times=5)
    vote = clock(lambda: voted(tally), times=5)
    apart = float(np.abs(voted(tally).precision[: len(SYSTEMS)] - plainly(path, connection)).max())
    line(f"plain scan: the sum of every column ({path.stat().st_size / 1e6:.0f} MB)", scan)
    ratio = f"{whole[1] / scan[1]:.1f}x the scan's CPU (claim: {LIMIT}x), {whole[0] / scan[0]:.1f}x its time"
    line("read, patterns and consensus", whole, ratio)
    line("  reading alone: roles, kinds, checks", reading)
    line("  patterns alone", count, f"{count[1] / scan[1]:.1f}x the scan's CPU")
    line(f"  consensus of {len(tally.number):,} patterns alone", vote, f"largest difference from SQL {apart:.1e}")


main()
