"""A Parquet table of 1e8 rows, tallied out of core: peak memory, and what the duplicate check costs."""

import subprocess
import sys
from pathlib import Path

import duckdb

sys.path.append(str(Path(__file__).parents[1]))
from common import header, made

ROWS = 100_000_000
MEASURED = """
import sys, time, resource, karat
start = time.perf_counter()
bench = karat.read(sys.argv[1], duplicate_check=sys.argv[2] == "check")
read = time.perf_counter() - start
rows = bench.score(measure="accuracy").rows()
print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB, read {read:.1f} s, "
      f"score {time.perf_counter() - start - read:.1f} s, {rows[0]['trials']:,} items")
"""


def write(path: Path) -> None:
    rows = f"select i as item, cast(random() < 0.5 as tinyint) as truth from range({ROWS}) as t(i)"
    systems = ", ".join(
        f"case when random() < 0.8 then truth else 1 - truth end as system{k}" for k in range(6)
    )
    duckdb.connect().execute(
        f"copy (select item, truth, {systems} from ({rows})) to '{path}' (format parquet)"
    )


header(
    f"{ROWS:.0e} rows x 6 systems from Parquet, out of core (claim: less than 2 GiB without the duplicate check)"
)
path = made("rows1e8.parquet", write)
for check in ("none", "check"):
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", MEASURED, str(path), check],
        check=True,
        capture_output=True,
        text=True,
    )
    print(f"  duplicate check: {check:<6} {done.stdout.strip()}")
