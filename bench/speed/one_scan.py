"""Scores of large, wide and very wide tables: CPU, peak memory and queries, beside a plain scan of the same bytes."""

import subprocess
import sys
from pathlib import Path

import duckdb

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, made

MEASURED = """
import resource, sys, time
import karat
from karat.engine.duckdb import DuckDB
queries = []
run = DuckDB._run
def counted(self, sql):
    queries.append(sql)
    return run(self, sql)
DuckDB._run = counted
start = time.process_time()
rows = karat.read(sys.argv[1], duplicate_check=sys.argv[2] == "check").score().rows()
used = resource.getrusage(resource.RUSAGE_SELF)
print(f"{time.process_time() - start:.2f} {used.ru_maxrss / 2**20:.2f} {len(queries)} {len(rows)}")
"""
LABEL = "['cat', 'dog', 'horse', 'cow', 'hen', 'goat'][1 + cast(floor(random() * 6) as int)]"
TABLES = {
    "1e7 items x 6 systems, Parquet": (10_000_000, 6, "parquet"),
    "1e7 items x 6 systems, CSV": (10_000_000, 6, "csv"),
    "10,000 items x 500 systems, CSV": (10_000, 500, "csv"),
    "200 items x 5,000 systems, CSV": (200, 5_000, "csv"),
}


def write(path: Path, items: int, systems: int, kind: str) -> None:
    """Write the names of items, a truth, and systems that agree with it four times in five."""
    answers = ", ".join(
        f"case when random() < 0.8 then truth else {LABEL} end as system{k}" for k in range(systems)
    )
    rows = f"select 'item' || i as item, {LABEL} as truth from range({items}) as r(i)"
    form = "format parquet" if kind == "parquet" else "header"
    connection = duckdb.connect()
    connection.execute("select setseed(0.5)")
    connection.execute(f"copy (select item, truth, {answers} from ({rows})) to '{path}' ({form})")


def scan(path: Path) -> float:
    """Return the CPU seconds of a plain scan: the lengths of all cells, summed."""
    connection = duckdb.connect()
    rows = f"'{path}'" if path.suffix == ".parquet" else f"read_csv('{path}', all_varchar=true)"
    names = [row[0] for row in connection.execute(f"describe select * from {rows}").fetchall()]
    sums = ", ".join(f"sum(length({name}))" for name in names)
    return clock(lambda: connection.execute(f"select {sums} from {rows}").fetchall())[1]


header("scores of large and wide tables: queries, CPU and peak memory of a process of its own")
for name, (items, systems, kind) in TABLES.items():
    path = made(
        f"scan_{items}_{systems}.{kind}",
        lambda part, items=items, systems=systems, kind=kind: write(part, items, systems, kind),
    )
    plain = scan(path)
    for check in ("check", "no check"):
        found = subprocess.run(  # noqa: S603
            [sys.executable, "-c", MEASURED, str(path), check],
            capture_output=True,
            text=True,
            check=True,
        )
        cpu, memory, queries, _ = found.stdout.split()
        print(
            f"  {name:34} {check:>8} of items' names: {queries:>3} queries, {cpu:>6} s CPU, {memory} GiB; "
            f"{float(cpu) / plain:.1f}x the plain scan of {plain:.2f} s CPU"
        )
