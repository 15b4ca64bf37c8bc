"""The vote of 1e7 rows x 6 systems from Parquet to precision and recall, against a plain scan of the bytes."""

import sys
from pathlib import Path

import duckdb
import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line, made

import karat
from karat.measure.consensus.summed_votes import summed_consensus
from karat.measure.consensus.votes import Consensus
from karat.tally.votes.covotes import covotes

ROWS, LIMIT = 10_000_000, 3
SYSTEMS = tuple(f"system{k}" for k in range(6))


def write(path: Path) -> None:
    """Write six systems that agree four times in five with a truth that is not written."""
    columns = ", ".join(
        f"case when random() < 0.8 then truth else 1 - truth end as {name}" for name in SYSTEMS
    )
    rows = f"select cast(random() < 0.5 as tinyint) as truth from range({ROWS})"
    duckdb.connect().execute(f"copy (select {columns} from ({rows})) to '{path}' (format parquet)")


def write_confidences(path: Path) -> None:
    """Write six systems whose confidences are near a truth that is not written."""
    columns = ", ".join(f"0.4 * truth + 0.6 * random() as {name}" for name in SYSTEMS)
    rows = f"select cast(random() < 0.5 as tinyint) as truth from range({ROWS})"
    duckdb.connect().execute(f"copy (select {columns} from ({rows})) to '{path}' (format parquet)")


def voted(path: Path) -> Consensus:
    """Return the paper's vote, from the sums of votes and of their products."""
    return summed_consensus(karat.read(path).counter.count(covotes))


def plainly(path: Path, connection: duckdb.DuckDBPyConnection) -> np.ndarray:
    """Return the same precisions from the columns themselves, by SQL, row by row."""
    share = f"(1 + {' + '.join(SYSTEMS)}) / {len(SYSTEMS) + 2}"
    sums = ", ".join(f"sum({share} * {name}) / sum({name})" for name in SYSTEMS)
    return np.array(connection.execute(f"select {sums} from '{path}'").fetchall()[0])


def measured(what: str, path: Path) -> None:
    """Print how long a scan takes, and how much longer the vote does."""
    connection = duckdb.connect()
    sums = ", ".join(f"sum({name})" for name in SYSTEMS)
    scan = clock(lambda: connection.execute(f"select {sums} from '{path}'").fetchall(), times=5)
    whole, reading = clock(lambda: voted(path), times=3), clock(lambda: karat.read(path), times=3)
    count = clock(karat.read(path).counter.covotes, times=3)
    apart = float(np.abs(voted(path).precision[: len(SYSTEMS)] - plainly(path, connection)).max())
    line(f"{what}: the sum of every column ({path.stat().st_size / 1e6:.0f} MB)", scan)
    ratio = f"{whole[1] / scan[1]:.1f}x the scan's CPU (claim: {LIMIT}x), {whole[0] / scan[0]:.1f}x its time"
    line("  read, covotes and consensus", whole, ratio)
    line(
        "    reading alone: roles, kinds, checks",
        reading,
        f"{reading[1] / scan[1]:.1f}x the scan's CPU",
    )
    line(
        "    covotes alone",
        count,
        f"{count[1] / scan[1]:.1f}x; largest difference from SQL {apart:.1e}",
    )


def main() -> None:
    header(
        f"consensus of {ROWS:.0e} rows x {len(SYSTEMS)} systems from Parquet: yes/no within {LIMIT}x of a scan"
    )
    measured("yes and no", made("votes.parquet", write))
    measured("confidences", made("confidences.parquet", write_confidences))


main()
