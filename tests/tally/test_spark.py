"""What only Spark can get wrong: sessions that meet, files that change, lines it takes in silence."""

import gzip
import json
import random
import shutil
import sys
from importlib.util import find_spec

import numpy as np
import pytest

import karat
from karat.engine import ENGINES
from karat.engine.spark_session import check_installed, reason, running
from karat.errors import InputError
from karat.table.kinds import as_number
from karat.table.options import TableOptions
from karat.tally.scores.depths import depths
from karat.tally.scores.rankings import rankings
from karat.tally.votes.confusion import confusions
from karat.tally.votes.patterns import patterns
from support.tables import left_out

pytestmark = [
    pytest.mark.spark,
    pytest.mark.xdist_group("spark"),
    pytest.mark.skipif(
        not (find_spec("pyspark") and shutil.which("java")),
        reason="no Spark here: pip install pyspark pyarrow, and install a Java 17 runtime",
    ),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.usefixtures("spark_session"),
]
ROWS = {"item": ["i", "j", "k"], "truth": ["x", "y", "x"], "a": ["x", "x", None]}


def values(place, relation, column: int = 0) -> list:
    return place.query(f"select c{column} as v from {relation.name}")["v"].tolist()


def test_tables_do_not_meet_and_the_users_session_stays_as_it_was(spark_session, table, tmp_path):
    spark_session.range(3).createOrReplaceTempView("answers")
    before = spark_session.conf.getAll
    path = tmp_path / "rows.csv"
    path.write_text("truth,a\nx,y\n")
    file = table(str(path), TableOptions(), engine="spark")
    frame = table(
        spark_session.createDataFrame([("p", "p"), ("p", "p")], ["truth", "a"]),
        TableOptions(),
        engine="spark",
    )
    assert [confusions(one)["a"].cell(*cell) for one, cell in ((file, "xy"), (frame, "pp"))] == [
        1,
        2,
    ]
    assert spark_session.table("answers").count() == 3
    assert spark_session.conf.getAll == before
    views = spark_session.sql("show views in global_temp").collect()
    assert [view.viewName for view in views] == ["answers"]
    spark_session.catalog.dropTempView("answers")


def test_a_file_that_changed_is_read_anew(opened, tmp_path):
    path, found = tmp_path / "rows.csv", []
    for text in ("a\nx\n", "a\ny\n"):
        path.write_text(text)
        place, relation = opened("spark", str(path))
        place.keep("kept", f"select * from {relation.name}")
        found.append((place, place.query("select c0 as v from kept")["v"].tolist()))
    assert [kept for _, kept in found] == [["x"], ["y"]]


FAULTS = {
    "few.csv": (b"a,b\n1,x\n2\n", "few.csv, line 3: 1 values where the header has 2 names"),
    "many.csv": (
        b'a,b\n"1\n1",x\n2,y,z\n',
        "many.csv, line 4: 3 values where the header has 2 names",
    ),
    "open.csv": (b'a,b\n1,x\n2,"y\n3,z\n', "open.csv, line 3: a quote is opened and never closed"),
    "after.csv": (
        b'a,b\n1,x\n2,"y"k\n',
        "after.csv, line 3: a quote is opened and never closed, or closed before",
    ),
    "latin.csv": ("a,b\n1,x\n2,é\n".encode("latin1"), "latin.csv, line 3: not UTF-8 text"),
    "bad name[1].csv": (b"a,b\n1\n", "bad name[1].csv, line 2: 1 values"),
    "bad.csv.gz": (gzip.compress(b"a,b\n1,x\n2\n"), "bad.csv.gz, line 3: 1 values"),
    "no.csv.gz": (b"a,b\n1,x\n", "no.csv.gz: "),
    "empty.csv": (b"\n1,x\n", "empty.csv, line 1: the header line is empty"),
    "_begins.csv": (b"a,b\n1,x\n", "rename the file"),
    "a.jsonl": (b'{"a": 1}\n{"a": \n', "a.jsonl, line 2: not valid JSON"),
    "a.parquet": (b"PAR1", "a.parquet: "),
}


def read_all(opened, path) -> None:
    place, relation = opened("spark", str(path))
    place.keep("kept", f"select * from {relation.name}")


@pytest.mark.parametrize("name", FAULTS)
def test_a_bad_file_is_named_with_its_line(name, opened, tmp_path):
    data, message = FAULTS[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_all(opened, tmp_path / name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lenient_reading_leaves_lines_out(opened, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('a,b\n1,5" disk\n2\n3,x\n')
    assert values(*opened("spark", str(path), lenient=True)) == ["1", "3"]


@pytest.mark.parametrize("last", ["p\tq", '"p\tp"\t"q\nq"'])
def test_a_row_of_empty_cells_is_a_row(last, opened, tmp_path):
    """Whether Spark reads line by line or not."""
    path = tmp_path / "rows.tsv"
    path.write_bytes(f"a\tb\r\n1\t\r\n\t\r\n\r\n{last}\r\n".encode())
    found = [
        [values(*opened(engine, str(path)), column) for column in (0, 1)]
        for engine in ("duckdb", "spark")
    ]
    assert found[0] == found[1]
    assert len(found[0][0]) == 3


def test_labels_come_back_as_they_were_written(opened, as_text, tmp_path):
    chance = random.Random(1999)  # noqa: S311
    labels = [
        "".join(chance.choices("ab \",;|\t\n\r'\\#é日😀\u2028\x85", k=chance.randint(1, 6)))
        for _ in range(3000)
    ]
    columns = {"a": labels[::2], "b": labels[1::2]}
    path = tmp_path / "rows.csv"
    path.write_bytes(as_text(columns, ",", "\r\n").encode())
    place, relation = opened("spark", str(path))
    one_end = [[label.replace("\r\n", "\n") for label in column] for column in columns.values()]
    assert [
        values(place, relation, k) for k in (0, 1)
    ] == one_end  # Spark knows one end of a line inside of quotes


def test_files_keep_their_order(opened, tmp_path):
    """Spark itself begins with the largest."""
    for number, rows in enumerate((1, 2, 3)):
        (tmp_path / f"{number}.csv").write_text("a\n" + f"{number}\n" * rows)
    place, relation = opened("spark", str(tmp_path / "*.csv"))
    found = place.query(f"select c0 as v, {place.row} as place from {relation.name}")
    assert found["v"][np.argsort(found["place"])].tolist() == ["0", "1", "1", "2", "2", "2"]


def test_files_with_other_columns_are_refused(opened, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    for name in "ab":
        pq.write_table(pa.table({name: [1]}), tmp_path / f"{name}.parquet")
    with pytest.raises(InputError, match="they differ in 'a', 'b'"):
        opened("spark", str(tmp_path / "*.parquet"))


def test_json_lines_keep_the_order_of_their_columns(opened, tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = [
        {"z`": 1, "a b": "x", "B": True},
        {"z`": None, "a b": "", "B": False, "deep": {"n": 1}, "c": 0.5},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for engine in ("duckdb", "spark"):
        place, relation = opened(engine, str(path))
        assert relation.columns == ("z`", "a b", "B", "deep", "c")
        assert [values(place, relation, k) for k in range(3)] == [
            ["1", None],
            ["x", None],
            ["true", "false"],
        ]


@pytest.mark.parametrize("kind", ["dict", "polars", "lazy", "arrow", "relation", "categories"])
def test_frames_in_memory(kind, opened):
    pa, pl, duckdb = (pytest.importorskip(name) for name in ("pyarrow", "polars", "duckdb"))
    small = pa.table(ROWS | {"g": pa.array([1, 2, None], pa.uint8()), "void": pa.nulls(3)})
    frame = {
        "dict": lambda: ROWS,
        "polars": lambda: pl.DataFrame(ROWS),
        "lazy": lambda: pl.LazyFrame(ROWS),
        "arrow": lambda: small,
        "relation": lambda: duckdb.connect().from_arrow(small),
        "categories": lambda: pl.DataFrame(ROWS).with_columns(
            pl.col("truth", "a").cast(pl.Categorical)
        ),
    }[kind]()
    place, relation = opened("spark", frame)
    assert relation.columns[:3] == tuple(ROWS)
    assert [values(place, relation, k) for k in range(3)] == list(ROWS.values())


def test_mixed_and_missing_values_of_a_pandas_frame(opened):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({0: [1, "x", None], "n": [1.0, None, 3.0]}, index=[7, 8, 9])
    place, relation = opened("spark", frame)
    assert relation.columns == ("0", "n")
    assert relation.stored == ("text", "fraction")
    assert [values(place, relation, k) for k in (0, 1)] == [["1", "x", None], [1.0, None, 3.0]]


NUMBERS = {
    "1": 1,
    "1.5": 1.5,
    " 1 ": 1,
    "1e3": 1000,
    "-inf": -np.inf,
    "+1": 1,
    ".5": 0.5,
    "5.": 5,
    "9e99": 9e99,
    "-0": 0,
}
WORDS = [
    "3D",
    "2f",
    "1_000",
    "0x10",
    "0x1p3",
    "1,5",
    "½",
    "\N{ARABIC-INDIC DIGIT ONE}",
    "1 000",
    "e",
    "-",
    "inf.",
    "d",
]


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_agree_what_a_number_is(engine, opened):
    place, relation = opened(engine, {"text": [*NUMBERS, *WORDS]})
    found = place.query(
        f"select c0 as text, {as_number('c0', 'text')} as number from {relation.name}"
    )
    assert dict(
        zip(found["text"], np.ma.filled(found["number"], np.inf), strict=True)
    ) == NUMBERS | dict.fromkeys(WORDS, np.inf)


def test_engines_agree_on_repeated_answers(table):
    rows = [
        ("i", "m", "x"),
        ("i", "m", None),
        ("i", "m", None),
        ("j", "m", None),
        ("j", "m", "y"),
        ("k", "m", "x"),
    ]
    long = {
        name: [row[side] for row in rows] for side, name in enumerate(("item", "model", "answer"))
    }
    for repeats in ("first", "majority"):
        one, other = (
            table(long | {"truth": ["x"] * 6}, TableOptions(repeats=repeats), engine=name)
            for name in ("duckdb", "spark")
        )
        assert patterns(one).digest() == patterns(other).digest()


def test_what_is_missing_is_said_with_its_remedy(monkeypatch, spark_session):
    with pytest.raises(
        InputError, match=r"Spark runs at 'local\[2\]' already, not at 'spark://far:7077'"
    ):
        running("spark://far:7077")
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(InputError, match=r"pip install pyspark pyarrow"):
        check_installed()
    monkeypatch.undo()
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr(type(spark_session), "getActiveSession", classmethod(lambda _: None))
    with pytest.raises(InputError, match="install Java 17"):
        running(None)


def test_a_cluster_that_is_not_there_is_named():
    """Spark gives up after a minute, and then says of every call what it says here."""
    from py4j.protocol import Py4JError

    place = ENGINES["spark"](master="spark://far:7077")
    with (
        pytest.raises(
            InputError, match="Spark at spark://far:7077 has stopped, or was never started"
        ),
        place._explained("the data"),
    ):
        raise Py4JError("java.lang.IllegalStateException: methods on a stopped SparkContext.")


def test_a_python_that_workers_do_not_have_is_named():
    report = (
        'Job aborted.\nCaused by: java.io.IOException: Cannot run program "/far/python": error=2, No such file\n'
        "Caused by: java.io.IOException: error=2, No such file or directory\n"
    )
    assert reason(report).startswith("they find no /far/python; PYSPARK_PYTHON is the path")


def test_rankings_are_those_of_the_embedded_engine():
    rows = {
        "item": list("abcd"),
        "query": ["q", "q", "q", "r"],
        "truth": [0, 1, 1, 1],
        "s": [0.5, 0.5, None, 0.1],
    }
    found = [
        karat.read(rows, engine=engine).counter.count(rankings)["s"]
        for engine in ("duckdb", "spark")
    ]
    assert [one.digest() for one in found] == [found[0].digest()] * 2
    assert (found[0].place.tolist(), found[0].relevant.tolist()) == ([1, 1], [2, 1])  # b before a


def test_lists_are_cut_as_by_the_embedded_engine():
    rows = {
        "item": list("abcd"),
        "query": ["q", "q", "q", "r"],
        "a": [0.5, 0.5, None, 0.1],
        "b": [3.5, 1, 2, None],
    }
    one, other = (
        karat.read(rows, engine=engine).counter.count(depths, [1, 2])
        for engine in ("duckdb", "spark")
    )
    assert {cut: part.digest() for cut, part in other.items()} == {
        cut: part.digest() for cut, part in one.items()
    }
    assert one[1].digest() != one[2].digest()


def test_columns_that_hold_no_answers_are_left_out_by_spark_too(tmp_path):
    animals = ["cat", "dog", "fox"] * 4
    table = {
        "truth": animals,
        "a": animals,
        "when": [f"{day:02d}.03.2024" for day in range(1, 13)],
        "No.": list(range(1, 13)),
    }
    path = tmp_path / "table.csv"
    lines = [table, *zip(*table.values(), strict=True)]
    path.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    found = left_out(str(path), engine="spark", master="local[2]")
    assert found.keys() == {"when", "No."}
    assert found == left_out(table)
