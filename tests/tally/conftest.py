"""The same rows through every engine and every kind of input."""

import csv
import gzip
import io
import json
import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from karat.engine import ENGINES
from karat.source.recognise import recognise
from karat.table.build import build
from karat.table.options import TableOptions
from karat.table.table import Table
from karat.tally.votes.confusion import Confusion, confusions
from karat.tally.votes.pairs import Pairs, pairs
from karat.tally.votes.patterns import Patterns, patterns

if TYPE_CHECKING:
    from collections.abc import Callable

DUCKDB = (
    "csv",
    "tsv",
    "csv.gz",
    "csv.zst",
    "jsonl",
    "parquet",
    "pandas",
    "polars",
    "arrow",
    "numpy",
    "relation",
)
SPARK = ("csv", "parquet", "pyspark", "pandas")
READY = bool(find_spec("pyspark") and (os.environ.get("JAVA_HOME") or shutil.which("java")))
ON_SPARK = (
    pytest.mark.spark,
    pytest.mark.xdist_group("spark"),
    pytest.mark.skipif(
        not READY,
        reason="no Spark here: pip install pyspark pyarrow, and install a Java 17 runtime",
    ),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
)
INPUTS = [
    *(pytest.param(("duckdb", kind), id=f"duckdb-{kind}") for kind in DUCKDB),
    *(pytest.param(("spark", kind), id=f"spark-{kind}", marks=ON_SPARK) for kind in SPARK),
]
QUICK = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "1",
}
"""Spark as one wants it for sixty rows: nothing is compiled, nothing is spread."""

Columns = dict[str, list[Any]]


def pytest_collection_modifyitems(config, items):
    """Leave out what would only take time.

    Spark takes a second for a table: it counts the cases whose SQL is new, each in the kinds that are new. Parts and
    shuffled rows are counted afresh, and concern the counts, not how they were read: there a few kinds will do.
    """
    idle = {item: None for item in items if not worth_it(item)}
    items[:] = [item for item in items if item not in idle]
    config.hook.pytest_deselected(items=list(idle))


def worth_it(item: Any) -> bool:
    params = getattr(item, "callspec", None) and item.callspec.params
    if not params or not hasattr(params.get("case"), "spark"):
        return True
    (engine, kind), case = params["read"], params["case"]
    again = "again" in item.fixturenames
    if engine == "spark":
        return kind in case.spark and (not again or (kind, case.name) == ("csv", "keys"))
    return not again or kind in {"csv", "jsonl", "pandas", "arrow"}


class Rows(Protocol):
    """Rows as a person writes them down, and what the user says about them."""

    name: str
    columns: Columns
    reading: TableOptions


@dataclass(frozen=True)
class Counted:
    """All tallies of a table, counted once."""

    table: Table
    confusions: dict[str, Confusion]
    by_keys: Confusion
    """Of the first system."""
    patterns: Patterns
    """With all keys."""
    pairs: Pairs
    """Of the first two systems."""


class Reader:
    """Hands the rows of a case to one engine as one kind of input."""

    def __init__(self, engine: str, kind: str, folder: Path) -> None:
        self.engine, self.kind, self.folder = engine, kind, folder
        self._counted: dict[str, Counted] = {}
        self._made = 0

    def __call__(self, case: Rows) -> Counted:
        """The tallies of a case; they are counted once."""
        if case.name not in self._counted:
            self._counted[case.name] = count(self.table(case))
        return self._counted[case.name]

    def table(self, case: Rows) -> Table:
        self._made += 1
        data = given(case.columns, self.kind, self.folder / f"{self._made}.{self.kind}")
        return table_of(data, case.reading, engine=self.engine)


def count(table: Table) -> Counted:
    first, second, *_ = table.systems
    keys = "".join(table.keys)
    return Counted(
        table,
        confusions(table),
        confusions(table, keys=keys)[first],
        patterns(table, keys=keys),
        pairs(table, first, second),
    )


def table_of(data: Any, reading: TableOptions, *, engine: str = "duckdb", **options: Any) -> Table:
    """The table behind anything karat reads."""
    source = recognise(data)
    place = ENGINES[engine](paths=source.paths, **options)
    return build(place, place.open(source), reading)


def given(columns: Columns, kind: str, path: Path) -> Any:
    """The columns as one kind of input."""
    make: dict[str, Callable[[], Any]] = {
        "numpy": lambda: columns,
        "pandas": lambda: pytest.importorskip("pandas").DataFrame(columns),
        "polars": lambda: pytest.importorskip("polars").DataFrame(columns),
        "arrow": lambda: pytest.importorskip("pyarrow").table(columns),
        "relation": lambda: relation(columns),
        "pyspark": lambda: pyspark_frame(columns),
    }
    if kind in make:
        return make[kind]()
    write(columns, kind, path)
    return str(path)


def write(columns: Columns, kind: str, path: Path) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(
            pytest.importorskip("pyarrow").table(columns), path
        )
    elif kind == "csv.zst":
        with pytest.importorskip("pyarrow").output_stream(str(path), compression="zstd") as file:
            file.write(delimited(columns, ",").encode())
    elif kind == "csv.gz":
        path.write_bytes(gzip.compress(delimited(columns, ",").encode()))
    elif kind == "jsonl":
        rows = zip(*columns.values(), strict=True)
        lines = (
            json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) for row in rows
        )
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        path.write_bytes(delimited(columns, "\t" if kind == "tsv" else ",").encode())


def delimited(
    columns: Columns, delimiter: str, end: str = "\n", quoting: int = csv.QUOTE_MINIMAL
) -> str:
    """The columns as Python's csv module writes them; None is an empty cell."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return out.getvalue()


def relation(columns: Columns) -> Any:
    import duckdb

    connection = duckdb.connect()
    return connection.from_arrow(pytest.importorskip("pyarrow").table(columns))


def pyspark_frame(columns: Columns) -> Any:
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession().createDataFrame(
        pytest.importorskip("pyarrow").table(columns)
    )


@pytest.fixture(scope="session")
def spark_session():
    """The one Spark of a test run, as karat starts it."""
    from karat.engine.spark_session import running

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        session = running("local[2]")
    for setting, value in QUICK.items():
        session.conf.set(setting, value)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def readers(tmp_path_factory):
    """One reader for each engine and kind of input."""
    made: dict[tuple[str, str], Reader] = {}

    def reader(engine: str, kind: str) -> Reader:
        if (engine, kind) not in made:
            made[engine, kind] = Reader(engine, kind, tmp_path_factory.mktemp(f"{engine}-{kind}"))
        return made[engine, kind]

    return reader


@pytest.fixture(params=INPUTS)
def read(request, readers) -> Reader:
    """Every engine with every kind of input it takes."""
    if request.param[0] == "spark":
        request.getfixturevalue("spark_session")
    return readers(*request.param)


@pytest.fixture
def again(read):
    """The tallies of other rows, counted afresh."""
    return lambda case: count(read.table(case))


@pytest.fixture
def reference(readers) -> Reader:
    """The columns as they are, through DuckDB: what every other way must agree with."""
    return readers("duckdb", "numpy")


@pytest.fixture(scope="session")
def opened():
    """An engine, and a relation it opened."""

    def open_with(engine: str, data: Any, **options: Any) -> Any:
        source = recognise(data)
        place = ENGINES[engine](paths=source.paths, **options)
        return place, place.open(source)

    return open_with


@pytest.fixture(scope="session")
def table():
    """A table from anything karat reads, for tests that bring their own rows."""
    return table_of


@pytest.fixture(scope="session")
def as_text():
    """Columns as the text of a delimited file."""
    return delimited
