"""Patterns of 1e7 rows x 6 systems from Parquet, against DuckDB's own plain scan of the same columns."""

import sys
from pathlib import Path

import duckdb

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line, made

import karat
from karat.tally.votes.patterns import patterns

ROWS = 10_000_000
COLUMNS = ("truth", *(f"system{k}" for k in range(6)))


def write(path: Path, answer: str) -> None:
    """Write a truth and six systems that agree with it four times in five."""
    columns = ", ".join(
        f"case when random() < 0.8 then truth else {answer} end as {name}" for name in COLUMNS[1:]
    )
    rows = f"select {answer} as truth from range({ROWS})"
    duckdb.connect().execute(
        f"copy (select truth, {columns} from ({rows})) to '{path}' (format parquet)"
    )


def compare(kind: str, answer: str, plain: str, limit: float) -> None:
    path = made(f"{kind}.parquet", lambda part: write(part, answer))
    sums = ", ".join(plain.format(name) for name in COLUMNS)
    connection = duckdb.connect()
    scan = clock(lambda: connection.execute(f"select {sums} from '{path}'").fetchall())
    table = karat.read(path).counter.table  # type: ignore[attr-defined]
    count = clock(lambda: patterns(table))
    whole = clock(lambda: patterns(karat.read(path, duplicate_check=False).counter.table))  # type: ignore[attr-defined]
    print(f" {kind}")
    line("plain scan of the same columns", scan)
    line(f"patterns, once it is read ({len(patterns(table).number):,} distinct)", count)
    line(
        "reading (roles, kinds, checks) and patterns",
        whole,
        f"{whole[1] / scan[1]:.1f}x the CPU of the scan (claim: {limit}x)",
    )


header(f"patterns of {ROWS:.0e} rows x 6 systems from Parquet")
compare("yesno", "cast(random() < 0.5 as tinyint)", "sum({})", 4)
compare(
    "strings",
    "['cat', 'dog', 'horse', 'cow'][1 + cast(floor(random() * 4) as int)]",
    "sum(length({}))",
    4,
)
