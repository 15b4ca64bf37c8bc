"""Five questions on a standalone Spark cluster of two workers: their time, and the memory of the driver.

    python bench/speed/spark_cluster.py [ROWS...]

The cluster (a master and two workers, each with one core) runs on the loopback address, for as long as this script. For
each number of rows a driver of its own asks the questions; each is timed against one plain aggregate of the same
columns. The memory is the peak of the driver's Python and of its Java so far, and what Java holds after a collection of
garbage: its heap grows to what it is allowed (1 GiB here) before anything is collected.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))
sys.path.append(str(Path(__file__).parents[2] / "tests"))
import duckdb
from common import header, made

import karat
from karat.engine.spark_session import running
from support.spark_cluster import HOST, cluster

ROWS = (1_000_000, 10_000_000)
TWICE = 1_000_000
"""Up to so many rows each question is asked twice, and the second time counts."""
MIB = 1 << 20
LABELS = "['cat', 'dog', 'horse', 'cow'][1 + cast(floor(random() * 4) as int)]"
SYSTEMS = tuple(f"system{k}" for k in range(4))
QUESTIONS = {
    "score": ("labels", lambda bench: bench.score()),
    "compare": ("labels", lambda bench: bench.compare()),
    "stability": ("labels", lambda bench: bench.stability(label_error=0.02)),
    "consensus": ("labels", lambda bench: bench.consensus()),
    "skew": ("scores", lambda bench: bench.skew(to=0.01, draws=200)),
}


def labels_of(rows: int) -> str:
    """Return a query for a truth and four systems that agree with it four times in five."""
    answers = ", ".join(
        f"case when random() < 0.8 then truth else {LABELS} end as {name}" for name in SYSTEMS
    )
    items = f"select i as item, {LABELS} as truth from range({rows}) as r(i)"
    return f"select item, truth, {answers} from ({items})"


def scores_of(rows: int) -> str:
    """Return a query for a truth of yes and no, and the scores of two detectors."""
    items = f"select i as item, cast(random() < 0.1 as int) as truth from range({rows}) as r(i)"
    scores = "round(truth + random() * 2, 3) as one, round(truth + random() * 3, 3) as two"
    return f"select item, truth, {scores} from ({items})"


def copy(query: str, path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute("select setseed(0.5)")
        connection.execute(f"copy ({query}) to '{path}' (format parquet, row_group_size 500000)")


def files(rows: int) -> dict[str, Path]:
    """Return the tables, made if they are not there yet."""
    found = {}
    for name, query in {"labels": labels_of(rows), "scores": scores_of(rows)}.items():
        found[name] = made(
            f"spark_{name}_{rows}.parquet", lambda path, query=query: copy(query, path)
        )
    return found


class Driver:
    """The process that asks, and how much memory it has taken."""

    def __init__(self, master: str) -> None:
        self.session = running(master)
        context: Any = self.session.sparkContext
        self.scheduler = context._jsc.sc().dagScheduler()  # noqa: SLF001
        self.java = context._jvm.java.lang  # noqa: SLF001
        self.java_process = context._gateway.proc.pid  # noqa: SLF001

    def timed(self, work: Any) -> tuple[float, int]:
        """Return the seconds and the number of jobs that some work takes."""
        start, jobs = time.perf_counter(), self.scheduler.numTotalJobs()
        work()
        return time.perf_counter() - start, self.scheduler.numTotalJobs() - jobs

    def aggregate(self, path: Path) -> None:
        """Look at every cell of a table once."""
        frame = self.session.read.parquet(str(path))
        sums = [f"sum(length(cast({name} as string)))" for name in frame.columns]
        frame.selectExpr(*sums).collect()

    def memory(self) -> str:
        """Return the peaks so far, and what Java holds."""
        self.java.System.gc()
        runtime = self.java.Runtime.getRuntime()
        held = (runtime.totalMemory() - runtime.freeMemory()) / MIB
        own, other = (peak(process) for process in (os.getpid(), self.java_process))
        return f"Python {own:4.0f} MiB, Java {other:5.0f} MiB, of which {held:3.0f} are held"


def peak(process: int) -> float:
    """Return the most memory that a process has had, in MiB."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    sizes = dict(line.split(":", 1) for line in lines)
    return int(sizes["VmHWM"].split()[0]) / 1024


def ask(master: str, rows: int) -> None:
    """Ask all questions of tables of so many rows."""
    driver = Driver(master)
    tables = files(rows)
    for path in tables.values():
        driver.aggregate(path)  # the workers start, and the bytes are in memory
    scans = {
        name: driver.timed(lambda path=path: driver.aggregate(path))[0]
        for name, path in tables.items()
    }
    seen = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in scans.items())
    print(f"  {rows:.0e} rows; plain aggregate: {seen}; driver: {driver.memory()}", flush=True)
    for name, (table, question) in QUESTIONS.items():

        def read_and_ask(path: Path = tables[table], question: Any = question) -> None:
            question(karat.read(path, engine="spark"))

        seconds, jobs = driver.timed(read_and_ask)
        if rows <= TWICE:
            seconds, jobs = driver.timed(read_and_ask)
        print(
            f"    {name:10} {seconds:6.1f} s, {jobs:3} jobs, {seconds / scans[table]:4.1f}x the "
            f"aggregate; driver: {driver.memory()}",
            flush=True,
        )
    driver.session.stop()


def main() -> None:
    """Start a cluster, and a driver for each number of rows."""
    given = [int(float(word)) for word in sys.argv[1:]]
    header("five questions on a Spark cluster of two workers", "pyspark")
    environment = {**os.environ, "SPARK_LOCAL_IP": HOST}
    with tempfile.TemporaryDirectory() as folder, cluster(Path(folder), memory="3g") as started:
        for rows in given or ROWS:
            files(rows)  # here, since to write them takes memory
            words = [sys.executable, __file__, "--ask", started.url, str(rows)]
            subprocess.run(words, env=environment, check=True)  # noqa: S603


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ask"]:
        ask(sys.argv[2], int(sys.argv[3]))
    else:
        main()
