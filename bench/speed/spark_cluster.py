"""Five questions on a standalone Spark cluster of two workers, against one plain aggregate of the same columns.

The cluster (a master and two workers, each with one core) runs on the loopback address, for as long as this script.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyspark

sys.path.append(str(Path(__file__).parents[1]))
from common import header, made

import karat
from karat.engine.spark_session import running

ROWS = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
MASTER = "spark://127.0.0.1:7177"
WORKERS = 2
CLASS = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
DEPLOY = "org.apache.spark.deploy"
LABELS = "['cat', 'dog', 'horse', 'cow'][1 + cast(floor(random() * 4) as int)]"
SYSTEMS = tuple(f"system{k}" for k in range(4))


def write_labels(path: Path) -> None:
    """Write a truth and four systems that agree with it four times in five."""
    answers = ", ".join(
        f"case when random() < 0.8 then truth else {LABELS} end as {name}" for name in SYSTEMS
    )
    rows = f"select i as item, {LABELS} as truth from range({ROWS}) as r(i)"
    copy(f"select item, truth, {answers} from ({rows})", path)


def write_scores(path: Path) -> None:
    """Write a truth of yes and no, and the scores of two detectors."""
    rows = f"select i as item, cast(random() < 0.1 as int) as truth from range({ROWS}) as r(i)"
    scores = "round(truth + random() * 2, 3) as one, round(truth + random() * 3, 3) as two"
    copy(f"select item, truth, {scores} from ({rows})", path)


def copy(rows: str, path: Path) -> None:
    connection = duckdb.connect()
    connection.execute("select setseed(0.5)")
    connection.execute(f"copy ({rows}) to '{path}' (format parquet, row_group_size 500000)")


@contextmanager
def cluster() -> Iterator[None]:
    """Run a master and its workers."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    host, port = MASTER.removeprefix("spark://").split(":")
    master = [CLASS, f"{DEPLOY}.master.Master", "--host", host, "--port", port, "--webui-port", "0"]
    worker = [CLASS, f"{DEPLOY}.worker.Worker", "--host", host, "--cores", "1", "--memory", "3g"]
    processes = [subprocess.Popen(master, **quiet)]  # type: ignore[call-overload]  # noqa: S603
    time.sleep(5)
    for _ in range(WORKERS):
        command = [*worker, "--webui-port", "0", MASTER]
        processes.append(subprocess.Popen(command, **quiet))  # type: ignore[call-overload]  # noqa: S603
    time.sleep(5)
    try:
        yield
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()


def measure() -> None:
    session = running(MASTER)
    scheduler = session.sparkContext._jsc.sc().dagScheduler()  # noqa: SLF001
    labels = made(f"spark_labels_{ROWS}.parquet", write_labels)
    scores = made(f"spark_scores_{ROWS}.parquet", write_scores)

    def plain(path: Path) -> object:
        frame = session.read.parquet(str(path))
        sums = [f"sum(length(cast({name} as string)))" for name in frame.columns]
        return frame.selectExpr(*sums).collect()

    def timed(work: object) -> tuple[float, int]:
        start, jobs = time.perf_counter(), scheduler.numTotalJobs()
        work()  # type: ignore[operator]
        return time.perf_counter() - start, scheduler.numTotalJobs() - jobs

    for path in (labels, scores):
        plain(path)  # the workers start, and the bytes are in memory
    scans = {path: timed(lambda path=path: plain(path))[0] for path in (labels, scores)}
    questions = {
        "score": (labels, lambda bench: bench.score()),
        "compare": (labels, lambda bench: bench.compare()),
        "stability": (labels, lambda bench: bench.stability(label_error=0.02)),
        "consensus": (labels, lambda bench: bench.consensus()),
        "skew": (scores, lambda bench: bench.skew(to=0.01, draws=200)),
    }
    print(f"  plain aggregate: labels {scans[labels]:.2f} s, scores {scans[scores]:.2f} s")
    for name, (path, ask) in questions.items():

        def read_and_ask(path: Path = path, ask: object = ask) -> None:
            ask(karat.read(path, engine="spark"))  # type: ignore[operator]

        first, _ = timed(read_and_ask)
        seconds, jobs = timed(read_and_ask)
        print(
            f"  {name:10} {seconds:6.2f} s, {jobs:3} jobs, {seconds / scans[path]:.1f}x the "
            f"aggregate (asked for the first time {first:.2f} s)",
            flush=True,
        )
    session.stop()


if __name__ == "__main__":
    header(f"five questions of {ROWS:.0e} rows on a Spark cluster of {WORKERS} workers", "pyspark")
    with cluster():
        measure()
