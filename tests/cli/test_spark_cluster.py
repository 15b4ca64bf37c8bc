"""A real Spark cluster, a master and two workers on this machine: every command gives the bytes of DuckDB.

The cluster and the process that asks it are started here, at ports that are free, and are killed at the end. What was
done where is read from the log of events that Spark itself writes.
"""

import inspect
import os
import shutil
import sys
from importlib.util import find_spec
from random import Random

import duckdb
import numpy as np
import pytest

from karat import cli
from support.same_bytes import COMMANDS, as_csv, compared

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.xdist_group("spark"),
    pytest.mark.skipif(sys.platform == "win32", reason="Spark's scripts and signals are POSIX's"),
    pytest.mark.skipif(
        not (find_spec("pyspark") and (os.environ.get("JAVA_HOME") or shutil.which("java"))),
        reason="no Spark here: pip install pyspark pyarrow, and install a Java 17 runtime",
    ),
]
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    # Nothing begins before both workers are there.
    "spark.cores.max": "2",
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.driver.extraJavaOptions": JAVA,
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    # So that a small file makes many tasks, between which a worker can be killed.
    "spark.sql.files.maxPartitionBytes": "8k",
    "spark.sql.files.openCostInBytes": "0",
}


@pytest.fixture(scope="module")
def spark_cluster(tmp_path_factory):
    from support.spark_cluster import cluster

    with cluster(tmp_path_factory.mktemp("cluster"), java=JAVA) as started:
        yield started


@pytest.fixture(scope="module")
def of_python():
    from support.spark_driver import python_tasks

    return python_tasks


@pytest.fixture(scope="module")
def driver(spark_cluster, tmp_path_factory):
    from support.spark_driver import SparkDriver

    started = SparkDriver(tmp_path_factory.mktemp("driver"), spark_cluster.url, SETTINGS)
    yield started
    started.stop()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_cluster_gives_the_bytes_of_duckdb(driver, run, tmp_path, monkeypatch, command):
    data, words = COMMANDS[command]
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        name = as_csv(folder, data)
    words = words.format(name).split()
    monkeypatch.chdir(here)
    done, ended = run(*words), driver.run(words, there)
    assert (done.code, ended.code) == (0, 0), (done.err, ended.err)
    assert compared(there, ended.out, name) == compared(here, done.out, name)


def write_pages(folder):
    chance = Random(4)  # noqa: S311 (no secret)
    for system, share in {"truth": 0.0, "swift": 0.1, "slow": 0.2}.items():
        (folder / system).mkdir()
        for number in range(200):
            letters = ["abcdefgh "[(number * k) % 9] for k in range(1, 60)]
            read = [
                "xyz"[k % 3] if chance.random() < share else one for k, one in enumerate(letters)
            ]
            (folder / system / f"{number:03d}.txt").write_text("".join(read))


def write_bad_pages(folder):
    write_pages(folder)
    (folder / "swift" / "007.txt").unlink()
    (folder / "slow" / "100.txt").write_bytes(b"abc\n\xe9\n")


def write_graphs(folder):
    chance = Random(5)  # noqa: S311 (no secret)
    for system, share in {"truth": 0.0, "swift": 0.1, "slow": 0.2}.items():
        (folder / system).mkdir()
        for number in range(200):
            labels = ["y" if chance.random() < share else "x" for _ in range(4)]
            nodes = [f"N, s{k}, {label}, 1.0" for k, label in enumerate(labels)]
            edges = [f"E, s{k}, s{k + 1}, Right, 1.0" for k in range(3)]
            (folder / system / f"{number:03d}.lg").write_text("\n".join([*nodes, *edges]) + "\n")


def write_images(folder):
    image = pytest.importorskip("PIL.Image")
    random = np.random.default_rng(6)
    for system, share in {"truth": 0.0, "swift": 0.1, "slow": 0.2}.items():
        (folder / system).mkdir()
        for number in range(40):
            marked = (np.indices((11, 8)).sum(axis=0) + number) % 3 == 0
            marked ^= random.random(marked.shape) < share
            image.fromarray(np.where(marked, 255, 0).astype(np.uint8)).save(
                folder / system / f"{number:02d}.png"
            )


FOLDERS = "truth swift slow"
OF_FILES = [
    (write_pages, f"score {FOLDERS} --format text --json"),
    (write_pages, "consensus - swift slow --format words --json"),
    (write_pages, f"score {FOLDERS} --format text --cluster page --csv"),
    (write_pages, f"score {FOLDERS} --format text --measure cer --json"),
    (write_bad_pages, f"score {FOLDERS} --format text --lenient --json"),
    (write_bad_pages, f"score {FOLDERS} --format text --json"),
    (write_graphs, f"graph {FOLDERS} --json"),
    (write_graphs, f"score {FOLDERS} --graphs --unit object --json"),
    (write_images, f"score {FOLDERS} --json"),
    (write_images, f"score {FOLDERS} --using unit=object --json"),
]
"""Questions about files that no query reads, and who writes these."""


def test_every_command_that_takes_an_engine_is_in_the_matrix():
    taking = [
        name
        for name in cli.COMMANDS
        if "engine" in inspect.signature(cli.COMMANDS[name]).parameters
    ]
    asked = {words.split(" {}")[0] for _, words in COMMANDS.values()}
    asked |= {words.split()[0] for _, words in OF_FILES}
    asked = {words.removesuffix(" scores").replace(" ", "-") for words in asked}
    assert set(taking) <= asked


@pytest.mark.parametrize(
    ("write", "words"),
    OF_FILES,
    ids=lambda words: words.replace(f" {FOLDERS}", "") if isinstance(words, str) else "",
)
def test_files_are_parsed_by_the_workers(
    driver, of_python, run, tmp_path, monkeypatch, write, words
):
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    done = run(*words.split())
    before = len(driver.events())
    ended = driver.run(words.split(), tmp_path)
    assert (ended.code, ended.out, ended.err) == (done.code, done.out, done.err)
    is_refused = write is write_bad_pages and "--lenient" not in words
    assert done.code == (2 if is_refused else 0)
    if is_refused:
        return
    executors = of_python(driver.events()[before:])
    assert len(executors) == 2
    # One image shows by its first bytes what all of them are.
    assert len(ended.opened) <= 1


LABELS = (
    "hash(i) % 3 as truth, case when hash(i, 1) % 5 < 4 then hash(i) % 3 else hash(i, 2) % 3 end as a, "
    "case when hash(i, 3) % 5 < 3 then hash(i) % 3 else hash(i, 4) % 3 end as b"
)
SCORES = (
    "hash(i) % 2 as truth, (hash(i, 1) % 1000 + 300 * (hash(i) % 2)) / 1000 as a, "
    "(hash(i, 2) % 1000 + 200 * (hash(i) % 2)) / 1000 as b"
)


TASK_END = "SparkListenerTaskEnd"
LOST = {"ExecutorLostFailure", "Resubmitted"}
"""Why tasks are done again: they ran on the worker that was killed, or what they had made was there."""


@pytest.mark.parametrize(
    ("moment", "columns", "number", "words"),
    [
        ("gathering", LABELS, 200_000, "score table.parquet --json"),
        ("counting", SCORES, 100_000, "score table.parquet --kind score --measure roc-area --json"),
    ],
)
def test_a_worker_killed_in_a_tally_changes_no_byte(
    driver, spark_cluster, run, tmp_path, monkeypatch, moment, columns, number, words
):
    rows = f"select i as item, {columns} from range({number}) as t(i)"
    form = "(format parquet, row_group_size 2048)"
    duckdb.execute(f"copy ({rows}) to '{tmp_path}/table.parquet' {form}")
    monkeypatch.chdir(tmp_path)
    done = run(*words.split())
    before = len(driver.events())
    ended = driver.run(words.split(), tmp_path, kill_in=moment, group=spark_cluster.kill_target())
    spark_cluster.add_worker()
    assert (ended.code, ended.out) == (done.code, done.out) == (0, done.out)
    assert ended.left > 0
    ends = [event for event in driver.events()[before:] if event["Event"] == TASK_END]
    assert LOST & {event["Task End Reason"]["Reason"] for event in ends}
