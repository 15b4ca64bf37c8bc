"""The same data give the same bytes: from every format, wide or long, shuffled, on every engine and number of threads.

Each command answers from the table as it was made, and from each of its other forms; but for the names of the files, no
byte differs.
"""

import csv
import gzip
import json
import os
import shutil
from importlib.util import find_spec

import duckdb
import numpy as np
import pytest

from karat.engine import duckdb as engine

RANDOM = np.random.default_rng(11)
NUMBER = 90
SYSTEMS = ("zeta", "alpha", "mid")
"""Not in the order of their names."""
CLASSES = np.array(["cat", "dog", "eel"])
CLASS = RANDOM.integers(0, 3, NUMBER)
POSITIVE = RANDOM.integers(0, 2, NUMBER)


def noisy(share):
    return np.where(RANDOM.random(NUMBER) < share, RANDOM.integers(0, 3, NUMBER), CLASS)


ITEMS = [f"i{k:03d}" for k in range(NUMBER)]
LABELS = {"item": ITEMS, "truth": CLASSES[CLASS].tolist()}
LABELS |= {name: CLASSES[noisy(0.2 + 0.1 * k)].tolist() for k, name in enumerate(SYSTEMS)}
SCORES = {"item": ITEMS, "truth": POSITIVE.tolist()}
SCORES |= {
    # Rounded, so that there are ties.
    name: np.round(RANDOM.normal(size=NUMBER) + POSITIVE * (2 - 0.5 * k), 1).tolist()
    for k, name in enumerate(SYSTEMS)
}
COMMANDS = {
    "score": (LABELS, "score {} --json"),
    "score by class": (LABELS, "score {} --per class --csv"),
    "score of scores": (SCORES, "score {} --kind score --md"),
    "compare": (LABELS, "compare {} --ranks --draws 200 --json"),
    "compare areas": (SCORES, "compare {} --kind score --measure roc-area --json"),
    "stability": (LABELS, "stability {} --label-error 0.05 --draws 200 --json"),
    "consensus": (LABELS, "consensus {} --draws 20 --json"),
    "consensus of items": (LABELS, "consensus {} --per item --csv"),
    "skew": (SCORES, "skew {} --kind score --to 0.1 --draws 50 --json"),
    "audit": (LABELS, "audit {} --claim alpha,mid --seed 3 --json"),
    "plot": (LABELS, "plot scores {} -o out.svg"),
    "report": (LABELS, "report {} --date 2020-01-01 --title t -o out.json"),
    "tally": (LABELS, "tally {} -o out.tally"),
}
IN_THE_ORDER_OF_THE_FILE = {"consensus of items"}


def rows_of(data):
    return [dict(zip(data, cells, strict=True)) for cells in zip(*data.values(), strict=True)]


def write_text(path, rows, delimiter=",", opened=open):
    with opened(path, "wt", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        table.writeheader()
        table.writerows(rows)


def as_csv(folder, data):
    write_text(folder / "table.csv", rows_of(data))
    return "table.csv"


def shuffled(folder, data):
    rows = rows_of(data)
    order = np.random.default_rng(5).permutation(len(rows))
    write_text(folder / "table.csv", [rows[place] for place in order])
    return "table.csv"


def as_tsv(folder, data):
    write_text(folder / "table.tsv", rows_of(data), delimiter="\t")
    return "table.tsv"


def as_gzip(folder, data):
    write_text(folder / "table.csv.gz", rows_of(data), opened=gzip.open)
    return "table.csv.gz"


def as_jsonl(folder, data):
    lines = [json.dumps(row) for row in rows_of(data)]
    (folder / "table.jsonl").write_text("\n".join(lines) + "\n")
    return "table.jsonl"


def as_parquet(folder, data):
    as_csv(folder, data)
    with duckdb.connect() as connection:
        types = "{'item': 'varchar'}"
        connection.execute(
            f"copy (select * from read_csv('{folder}/table.csv', types={types})) to '{folder}/table.parquet'"
        )
    return "table.parquet"


def as_long(folder, data):
    rows = []
    for row in rows_of(data):
        for name in SYSTEMS:
            answer = {"item": row["item"], "system": name, "truth": row["truth"]}
            rows.append(answer | {"answer": row[name]})
    write_text(folder / "table.csv", rows)
    return "table.csv"


FORMS = {
    "shuffled": shuffled,
    "tsv": as_tsv,
    "gzip": as_gzip,
    "jsonl": as_jsonl,
    "parquet": as_parquet,
    "long": as_long,
    "one thread": as_csv,
    "six threads": as_csv,
}
THREADS = {"one thread": 1, "six threads": 6}
ON_SPARK = pytest.mark.skipif(
    not (find_spec("pyspark") and (os.environ.get("JAVA_HOME") or shutil.which("java"))),
    reason="no Spark here: pip install pyspark pyarrow, and install a Java 17 runtime",
)


@pytest.fixture
def answered(run, tmp_path, monkeypatch):
    """Write a table in some form, run a command on it; return what it wrote, without the names of files."""

    def answer(command, form, *, data, more=""):
        folder = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        name = form(folder, data)
        done = run(*command.format(name).split(), *more.split())
        assert done.code == 0, done.err
        written = list(folder.glob("out.*"))
        content = written[0].read_bytes() if written else done.out.encode()
        if content.startswith(b"{"):
            return without_origins(json.loads(content))
        return content.replace(name.encode(), b"table")

    return answer


def without_origins(found):
    """JSON without what names files."""
    if isinstance(found, dict):
        return {name: without_origins(one) for name, one in found.items() if name != "origin"}
    if isinstance(found, list):
        return [without_origins(one) for one in found]
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_every_form_of_a_table_gives_the_same_bytes(answered, monkeypatch, command):
    data, words = COMMANDS[command]
    expected = answered(words, as_csv, data=data)
    for name, form in FORMS.items():
        if name == "shuffled" and command in IN_THE_ORDER_OF_THE_FILE:
            continue
        if name in THREADS:
            monkeypatch.setitem(engine.CLOSED, "threads", THREADS[name])
        assert answered(words, form, data=data) == expected, name


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@ON_SPARK
@pytest.mark.parametrize("command", COMMANDS)
def test_spark_gives_the_same_bytes(answered, command):
    data, words = COMMANDS[command]
    assert answered(words, as_csv, data=data, more="--engine spark --master local[2]") == answered(
        words, as_csv, data=data
    )
