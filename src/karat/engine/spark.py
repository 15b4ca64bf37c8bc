"""The engine for data that outgrows the machine: Spark, on this computer or on a cluster.

Every table lives in a Spark session of its own, made from the user's or from one that is started here. Sessions
share the cluster and nothing else, so two tables never meet, and the user's views and settings stay as they are.
"""

import json
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays, OpenedSource, Stored, Watch, share_of, unwatched
from karat.engine.cells import cell
from karat.engine.spark_arrow import to_arrow, to_numpy
from karat.engine.spark_files import names, texts, union, uri
from karat.engine.spark_session import (
    check_installed,
    reason,
    release,
    release_in_background,
    running,
    twin,
)
from karat.engine.spark_workers import ON_WORKERS, on_workers, parts
from karat.errors import InputError, KaratError
from karat.source.files.bad_row import first_bad_row
from karat.source.files.delimited import Header, check_same, header
from karat.source.files.jsonlines import first_bad_line
from karat.source.origin import Source
from karat.words import listing

WHOLE = {"tinyint", "smallint", "int", "bigint"}
NESTED = ("struct", "array", "map", "variant")
NOT_INSTALLED = "ModuleNotFoundError"
STOPPED = "stopped SparkContext"
GONE = "Spark at {place} has stopped, or was never started; check the master's name, and that its page shows workers"
SAMPLE = 100
"""How many lines of a JSON file are read for the order of its columns; Spark itself sorts them."""


def spark(
    *,
    paths: Iterable[str] = (),
    lenient: bool = False,
    master: str | None = None,
    session: Any = None,
    watch: Watch = unwatched,
) -> "Spark":
    """Count where the data is: in a PySpark frame's session, in the one given or running, or in a new one."""
    del paths  # Spark keeps no list of the files it may reach
    return Spark(session, master=master, lenient=lenient, watch=watch)


class Spark:
    """A private Spark session that holds one table."""

    name = "spark"
    row = "monotonically_increasing_id() + 1"
    """The position where a source is one partition; in a larger one it only grows with the position."""
    hash = "xxhash64"
    ordered = False

    def __init__(
        self, session: Any, *, master: str | None, lenient: bool, watch: Watch = unwatched
    ) -> None:
        self.lock = RLock()
        self._given = session
        self._watch = watch
        self._master = master
        self._lenient = lenient
        self._opened = 0
        self._token = f"karat_{uuid4().hex}"
        self._own: Any = None
        self._texts: dict[str, Header | None] = {}
        self._kept: dict[str, Any] = {}
        weakref.finalize(self, release_in_background, self._kept).atexit = False

    def open(self, source: Source) -> OpenedSource:
        """Open a source under a canonical name."""
        check_installed()
        name = f"r{self._opened}"
        with self._explained(source.origin, source.paths):
            columns, rows = getattr(self, f"_open_{source.reader}")(source)
            # Spark shares what it keeps between equal queries, also when the file behind them has changed since.
            rows = rows.toDF(*names(columns)).where(f"'{self._token}' is not null")
            kinds = [field.dataType.simpleString() for field in rows.schema.fields]
            cells = [cell(number, _stored(kind)) for number, kind in enumerate(kinds)]
            rows.selectExpr(*cells).createOrReplaceTempView(name)
        self._opened += 1
        stored = tuple(_stored(kind) for kind in kinds)
        is_columnar = source.reader in {"parquet", "frame"}
        return OpenedSource(name, source.origin, tuple(columns), stored, columnar=is_columnar)

    def _open_csv(self, source: Source) -> tuple[tuple[str, ...], Any]:
        heads = {path: self._header(path, source) for path in source.paths}
        head = check_same(heads)
        self._texts |= heads
        options = {
            "schema": texts(names(head.names)),
            "sep": head.delimiter,
            "header": True,
            "quote": '"',
            "escape": '"',
            "multiLine": self._spanning(source),
            "maxColumns": len(head.names) + 1_000,
            "unescapedQuoteHandling": "STOP_AT_DELIMITER" if self._lenient else "RAISE_ERROR",
            "mode": self._mode,
        }
        read = self._session().read
        parts = [read.csv(uri(path), **options) for path in source.paths]
        return head.names, union(parts)

    def _header(self, path: str, source: Source) -> Header:
        rows = self._session().read.text(uri(path)).take(1)
        line = rows[0][0] if rows else ""
        if not line:
            raise InputError(f"{path}, line 1: the header line is empty; name the columns there")
        return header(line, origin=path, delimiter=source.options.get("delimiter"))

    def _spanning(self, source: Source) -> bool:
        """Return whether a row may go over several lines; if none does, Spark reads a file in many places at once.

        Refuse what Spark would read in silence: bytes that are not UTF-8, and a quote that is never closed.
        """
        from pyspark.sql.functions import expr  # noqa: PLC0415 (optional)

        lines = self._session().read.text([uri(path) for path in source.paths])
        quotes = "length(value) - length(replace(value, '\"', '')) as quotes"
        # Spark would skip a blank line, which is a row of empty cells.
        blank = "value rlike '^[ \t]+$' as blank"
        lines = lines.selectExpr(
            "_metadata.file_path as file", "is_valid_utf8(value) as valid", quotes, blank
        )
        counted = (
            "min(valid) as valid",
            "sum(quotes) % 2 = 1 as odd",
            "max(blank or quotes % 2 = 1) as spanning",
        )
        files = lines.groupBy("file").agg(*map(expr, counted)).collect()
        if any(file.odd or not file.valid for file in files):
            self._raise_fault(source.paths)
        return any(file.spanning for file in files)

    def _open_json(self, source: Source) -> tuple[list[str], Any]:
        self._texts |= dict.fromkeys(source.paths)
        read = self._session().read
        paths = [uri(path) for path in source.paths]
        inferred = read.json(paths, primitivesAsString=True, mode=self._mode)
        columns = self._in_order(inferred.columns, paths[0])
        schema = texts(columns)
        parts = [read.json(path, schema=schema, mode=self._mode) for path in paths]
        return columns, union(parts)

    def _in_order(self, names: list[str], path: str) -> list[str]:
        """Return the columns as the file has them: in the order of the first lines, the rest by name."""
        seen: dict[str, None] = {}
        for line in self._session().read.text(path).take(SAMPLE):
            try:
                seen |= dict.fromkeys(json.loads(line[0]))
            except (ValueError, TypeError):
                continue  # lenient reading leaves the line out
        in_lines = [name for name in seen if name in names]
        others = [name for name in names if name not in seen]
        return in_lines + others

    @property
    def _mode(self) -> str:
        return "DROPMALFORMED" if self._lenient else "FAILFAST"

    def _open_parquet(self, source: Source) -> tuple[list[str], Any]:
        parts = {path: self._session().read.parquet(uri(path)) for path in source.paths}
        (first, head), *others = parts.items()
        for path, part in others:
            if part.columns != head.columns:
                odd = set(part.columns) ^ set(head.columns)
                why = f"they differ in {listing(sorted(odd))}" if odd else "the order differs"
                raise InputError(
                    f"{path} does not have the columns of {first}: {why}; read them one at a time"
                )
        return head.columns, union(list(parts.values()))

    def _open_frame(self, source: Source) -> tuple[list[str], Any]:
        data = source.data
        if not type(data).__module__.startswith("pyspark."):
            columns, table = to_arrow(data, source.origin)
            return columns, self._session().createDataFrame(table)
        session = self._session(data.sparkSession)
        name = f"{self._token}_{self._opened}"
        # A frame belongs to its session; only a global view, for a moment, brings it into another.
        data.toDF(*names(data.columns)).createGlobalTempView(name)
        session.table(f"global_temp.{name}").createOrReplaceTempView(name)
        session.catalog.dropGlobalTempView(name)
        return data.columns, session.table(name)

    def _session(self, home: Any = None) -> Any:
        if self._own is None:
            self._own = twin(home or self._given or running(self._master))
        return self._own

    def view(self, name: str, sql: str) -> None:
        """Give a query a name."""
        with self._explained("the data"):
            self._session().sql(sql).createOrReplaceTempView(name)

    def keep(self, name: str, sql: str) -> None:
        """Run a query once and keep its rows, on disk where memory does not hold them."""
        from pyspark import StorageLevel  # noqa: PLC0415 (optional)

        with self._explained("the data"), self._watch(self.progress):
            rows = self._session().sql(sql).persist(StorageLevel.MEMORY_AND_DISK)
            if name in self._kept:
                release({name: self._kept.pop(name)})
            self._kept[name] = rows
            rows.count()
            rows.createOrReplaceTempView(name)

    def put(self, name: str, columns: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """Lay a few small columns beside the data."""
        with self._explained("the data"):
            table = to_arrow(columns, "the data")[1].rename_columns(list(columns))
            self._session().createDataFrame(table).createOrReplaceTempView(name)

    def query(self, sql: str) -> Arrays:
        """Run a query and return its columns."""
        with self._explained("the data"), self._watch(self.progress):
            table = self._session().sql(sql).toArrow()
        return {name: to_numpy(table.column(name)) for name in table.column_names}

    def frequencies(self, sql: str, size: int) -> npt.NDArray[np.int64]:
        """Count how often each number occurs."""
        found = self.query(f"select code, count(*) as n from ({sql}) as codes group by code")
        number = np.zeros(size, np.int64)
        number[found["code"]] = found["n"]
        return number

    def cells(self, rows: str, columns: Sequence[str], *, beside: Sequence[str] = ()) -> str:
        """Return SQL for a row a cell."""
        others = "".join(f"{name}, " for name in beside)
        listed = f"select {others}array({', '.join(columns)}) as cells from {rows}"
        return f"select {others}posexplode(cells) as (k, v) from ({listed}) as listed"

    def each(self, function: Callable[[Any], Any], things: Iterable[Any]) -> Iterator[Any]:
        """Call a function on the workers, and yield the results in order."""
        check_installed()
        with self._explained(ON_WORKERS):
            context = self._session().sparkContext
        done = 0
        with self._watch(lambda: share_of(done, things)):
            for part in parts(things, context.defaultParallelism):
                with self._explained(ON_WORKERS):
                    outcomes = on_workers(context, function, part)
                for outcome in outcomes:
                    if isinstance(outcome, KaratError):
                        raise outcome
                    yield outcome
                done += len(part)

    def progress(self) -> float | None:
        """Return nothing: Spark does not report the progress of a query."""
        return None

    def rejected(self) -> tuple[str, ...]:
        """Return nothing: Spark leaves lines out without saying which."""
        return ()

    @contextmanager
    def _explained(self, origin: str, paths: Iterable[str] = ()) -> Iterator[None]:
        """Turn the engine's report into one message, and keep it from being printed as well."""
        from py4j.protocol import Py4JError  # noqa: PLC0415 (optional)
        from pyspark.errors import PySparkException  # noqa: PLC0415
        from pyspark.logger import PySparkLogger  # noqa: PLC0415

        log = PySparkLogger.getLogger("SQLQueryContextLogger")
        before = log.disabled
        log.disabled = True
        try:
            yield
        except (PySparkException, Py4JError) as error:
            text = unquote(str(error))
            if STOPPED in text:
                raise InputError(GONE.format(place=self._master or "this computer")) from None
            suspects = [path for path in self._texts if path in paths or Path(path).name in text]
            self._raise_fault(suspects)
            cause = reason(text)
            if cause.startswith(NOT_INSTALLED):
                cause += (
                    "; install it where they run, or set PYSPARK_PYTHON to a Python that has it"
                )
            raise InputError(f"{origin}: {cause}") from None
        finally:
            log.disabled = before

    def _raise_fault(self, paths: Iterable[str]) -> None:
        """Raise the first bad line, if reading the files again finds one."""
        for path in paths:
            fault = self._first_fault(path)
            if fault:
                raise InputError(fault) from None

    def _first_fault(self, path: str) -> str | None:
        head = self._texts[path]
        if head is None:
            return first_bad_line(path)
        return first_bad_row(path, head, lenient=self._lenient)


def _stored(kind: str) -> Stored:
    if kind in WHOLE:
        return "whole"
    if kind in {"float", "double"} or kind.startswith("decimal"):
        return "fraction"
    if kind == "boolean":
        return "boolean"
    return "nested" if kind.startswith(NESTED) else "text"
