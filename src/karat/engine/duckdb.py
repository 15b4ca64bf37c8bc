"""The embedded engine: files larger than memory, frames without a copy, no server."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path
from threading import RLock
from typing import Any

import duckdb as library
import numpy as np
import numpy.typing as npt

from karat.engine import Arrays, OpenedSource, Stored, Watch, share_of, unwatched
from karat.engine.after_fork import keep_in_forks
from karat.engine.arrow_stream import StreamError, whole_numbers
from karat.engine.cells import cell
from karat.engine.duckdb_errors import REPORTED, explained
from karat.engine.memory import memory_for_counting
from karat.errors import InputError
from karat.scratch import remove_with, scratch_folder
from karat.source.files.delimited import Header, check_same, first_line, header
from karat.source.files.jsonlines import bad_lines, first_bad_line
from karat.source.origin import Source

CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}
WHOLE = {
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
}
FEW_COLUMNS = 32
"""Up to how many columns are turned into rows one by one."""


def duckdb(
    *,
    paths: Iterable[str] = (),
    lenient: bool = False,
    master: str | None = None,
    watch: Watch = unwatched,
) -> "DuckDB":
    """Count inside this process, in memory where it fits and on disk where it does not."""
    del master  # another engine's option
    return DuckDB(paths, lenient=lenient, watch=watch)


class DuckDB:
    """A private DuckDB that reaches the named files and nothing else."""

    name = "duckdb"
    row = "row_number() over ()"
    hash = "hash"
    ordered = True

    def __init__(
        self, paths: Iterable[str], *, lenient: bool = False, watch: Watch = unwatched
    ) -> None:
        self.lock = RLock()
        self._lenient = lenient
        self._watch = watch
        self._opened = 0
        self._origins: dict[str, None] = {}
        self._exact = True
        self._delimited = False
        self._left_out: dict[tuple[str, ...], int] = {}
        spill = scratch_folder()
        remove_with(self, spill)
        self._connection = library.connect(config=CLOSED)
        keep_in_forks(self, self._connection)
        limit = memory_for_counting()
        if limit is not None:
            self._connection.execute("set memory_limit = ?", [f"{limit}B"])
        if watch is not unwatched:
            # In a notebook DuckDB refuses this without a package of widgets.
            self._connection.execute("set enable_progress_bar = true")
            self._connection.execute("set enable_progress_bar_print = false")
        for setting, value in {
            "allowed_paths": list(paths),
            "temp_directory": str(spill),
            "disabled_optimizers": "",
            "allowed_configs": ["disabled_optimizers"],
            "enable_external_access": False,
            "lock_configuration": True,
        }.items():
            self._connection.execute(f"set {setting} = ?", [value])

    def open(self, source: Source) -> OpenedSource:
        """Open a source under a canonical name."""
        self._origins[source.origin] = None
        try:
            columns, rows = getattr(self, f"_open_{source.reader}")(source)
        except REPORTED as error:
            raise explained(error, source.origin) from None
        name = f"r{self._opened}"
        self._opened += 1
        types = [str(one) for one in rows.types]
        stored = tuple(map(_stored, types))
        self._trust_statistics(source, stored)
        if source.reader == "csv":
            # All is text, in columns c0, c1, ...; an empty cell, quoted or not, was read as missing.
            rows.create_view(name)
        else:
            cells = ", ".join(_cell(number, one) for number, one in enumerate(types))
            names = ", ".join(f"c{number}" for number in range(len(columns)))
            rows.create_view(f"{name}_raw")
            self.view(name, f"select {cells} from {name}_raw as f({names})")
        is_columnar = source.reader in {"parquet", "frame"}
        return OpenedSource(name, source.origin, tuple(columns), stored, columnar=is_columnar)

    def _trust_statistics(self, source: Source, stored: tuple[Stored, ...]) -> None:
        """Let the statistics in Parquet files save a scan, unless there are fractions.

        Their minimum and maximum leave NaN out, so that a query for NaN would be answered wrongly.
        """
        has_fractions = not {"fraction", "nested"}.isdisjoint(stored)
        if source.reader != "parquet" or has_fractions:
            self._exact = False
        disabled = "" if self._exact else "statistics_propagation"
        self._connection.execute("set disabled_optimizers = ?", [disabled])

    def _open_csv(self, source: Source) -> tuple[tuple[str, ...], library.DuckDBPyRelation]:
        self._delimited = True
        # Several threads drop the last line of a file without a word where it is longer than 32 MB; one refuses it.
        # The last line of plain files was looked at already; compressed ones are unpacked by one thread anyway.
        is_compressed = any(path.endswith((".gz", ".zst")) for path in source.paths)
        head = check_same({path: self._header(path, source) for path in source.paths})
        rows = self._connection.read_csv(
            list(source.paths),  # type: ignore[arg-type]
            columns={f"c{number}": "VARCHAR" for number in range(len(head.names))},
            header=True,
            sep=head.delimiter,
            quotechar='"',
            escapechar='"',
            comment="",
            auto_detect=False,
            parallel=not is_compressed,
            ignore_errors=self._lenient,
            store_rejects=self._lenient,
        )
        return head.names, rows

    def _header(self, path: str, source: Source) -> Header:
        line = first_line(path)
        if line is None:
            rows = self._connection.read_csv(
                path, columns={"line": "VARCHAR"}, header=False, sep="\x1d", quotechar="", escapechar="",
                comment="", auto_detect=False, max_line_size=50_000_000, strict_mode=False,
            )  # fmt: skip
            line = next((row[0] for row in rows.limit(1).fetchall()), None)
        if not line:
            raise InputError(f"{path}, line 1: the header line is empty; name the columns there")
        return header(line, origin=path, delimiter=source.options.get("delimiter"))

    def _open_json(self, source: Source) -> tuple[list[str], library.DuckDBPyRelation]:
        if self._lenient:
            return self._open_objects(source)
        rows = self._connection.read_json(
            list(source.paths),  # type: ignore[arg-type]
            format="newline_delimited",
            sample_size=-1,
            maximum_depth=1,
            convert_strings_to_integers=False,
        )
        if rows.columns == ["json"]:
            # No line is an object, or one has the single key "json".
            for path in source.paths:
                fault = first_bad_line(path)
                if fault:
                    raise InputError(fault)
        return rows.columns, rows

    def _open_objects(self, source: Source) -> tuple[list[str], library.DuckDBPyRelation]:
        """Open the lines that are JSON objects, and remember how many are not: the engine makes them null."""
        lines = self._connection.read_json(
            list(source.paths),  # type: ignore[arg-type]
            format="newline_delimited",
            records="false",
            ignore_errors=True,
        )
        objects = lines.filter("json_type(json) = 'OBJECT'")
        self._left_out[source.paths] = len(lines) - len(objects)
        keys = objects.project("json_keys(json) as names, row_number() over () as place")
        key_sets = keys.aggregate("names, min(place) as place", "names").order("place").fetchall()
        names = list(dict.fromkeys(chain.from_iterable(key_set for key_set, _ in key_sets)))
        if not names:
            raise InputError(
                f"{source.origin}: no line is a JSON object with names; karat needs {{name: value, ...}}"
            )
        cells = []
        for number, name in enumerate(names):
            pointer = "/" + name.replace("~", "~0").replace("/", "~1")
            value = library.FunctionExpression(
                "json_extract",
                library.ColumnExpression("json"),
                library.ConstantExpression(pointer),
            )
            cells.append(value.alias(f"c{number}"))
        return names, objects.select(*cells)

    def _open_parquet(self, source: Source) -> tuple[list[str], library.DuckDBPyRelation]:
        rows = self._connection.read_parquet(list(source.paths))
        return rows.columns, rows

    def _open_frame(self, source: Source) -> tuple[list[str], library.DuckDBPyRelation]:
        data = source.data
        if isinstance(data, library.DuckDBPyRelation):
            # A relation belongs to the connection that made it, so its columns are handed over.
            data = data.fetchnumpy()
        names = _names(data)
        if isinstance(data, dict):
            # DuckDB would rename columns that differ only in case.
            data = {f"c{number}": column for number, column in enumerate(data.values())}
        self._connection.register(f"given{self._opened}", data)
        return names, self._connection.table(f"given{self._opened}")

    def view(self, name: str, sql: str) -> None:
        """Give a query a name."""
        self._run(f"create or replace temp view {name} as {sql}")

    def keep(self, name: str, sql: str) -> None:
        """Run a query once and keep its rows, on disk where memory does not hold them."""
        self._run(f"create or replace temp table {name} as {sql}")

    def put(self, name: str, columns: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """Lay a few small columns beside the data."""
        self._connection.register(name, dict(columns))

    def query(self, sql: str) -> Arrays:
        """Run a query and return its columns."""
        return self._run(sql).fetchnumpy()

    def frequencies(self, sql: str, size: int) -> npt.NDArray[np.int64]:
        """Count how often each number occurs: faster than to group by it, where there are very many."""
        number = np.zeros(size, np.int64)
        try:
            with self._watch(self.progress):
                for codes in whole_numbers(self._connection.sql(sql)):
                    number += np.bincount(codes, minlength=size)
        except (library.Error, StreamError) as error:
            raise explained(error, " or ".join(self._origins)) from None
        return number

    def cells(self, rows: str, columns: Sequence[str], *, beside: Sequence[str] = ()) -> str:
        """Return SQL for a row a cell."""
        others = "".join(f"{name}, " for name in beside)
        if len(columns) <= FEW_COLUMNS:
            # Each column is read for itself, which is quicker than to make lists.
            parts = []
            for k, column in enumerate(columns):
                place = f"cast({k} as bigint) as k"
                parts.append(f"select {others}{place}, {column} as v from {rows}")
            return " union all ".join(parts)
        # Inside a query of its own the list is planned once; beside `unnest` 5,000 columns would take seconds.
        listed = f"select {others}[{', '.join(columns)}] as cells from {rows}"
        places = f"unnest(range({len(columns)})) as k"
        return f"select {others}{places}, unnest(cells) as v from ({listed}) as listed"

    def each(self, function: Callable[[Any], Any], things: Iterable[Any]) -> Iterator[Any]:
        """Call a function for one thing after another."""
        done = 0
        with self._watch(lambda: share_of(done, things)):
            for thing in things:
                yield function(thing)
                done += 1

    def progress(self) -> float | None:
        """Return the progress of the running query."""
        share = self._connection.query_progress() / 100
        return share if 0 <= share <= 1 else None

    def rejected(self) -> tuple[str, ...]:
        """Return what lenient reading of text files left out."""
        return (*self._rejected_rows(), *self._rejected_lines())

    def _rejected_lines(self) -> Iterator[str]:
        for paths, number in self._left_out.items():
            if not number:
                continue
            lines = list(chain.from_iterable(map(bad_lines, paths)))
            yield from lines
            without_place = number - len(lines)
            yield from repeat(
                f"{', '.join(paths)}: a line that is not a JSON object", without_place
            )

    def _rejected_rows(self) -> tuple[str, ...]:
        if not self._lenient or not self._delimited:
            return ()
        rows = self._connection.execute(
            "select file_path, line, error_message from reject_errors join reject_scans using (scan_id, file_id)"
            " order by 1, 2"
        ).fetchall()
        faults: dict[tuple[str, int], str] = {}
        for path, line, what in rows:  # the engine may have several complaints about a line
            faults.setdefault((path, line), f"{Path(path)}, line {line}: {what}")
        return tuple(faults.values())

    def _run(self, sql: str) -> library.DuckDBPyConnection:
        try:
            with self._watch(self.progress):
                return self._connection.execute(sql)
        except library.Error as error:
            raise explained(error, " or ".join(self._origins)) from None


def _names(data: Any) -> list[str]:
    """Return the names of a frame's columns as its owner wrote them."""
    if isinstance(data, dict):
        return [str(name) for name in data]
    return [str(name) for name in getattr(data, "column_names", None) or data.columns]


def _stored(kind: str) -> Stored:
    if kind in WHOLE:
        return "whole"
    if kind in {"FLOAT", "DOUBLE"} or kind.startswith("DECIMAL"):
        return "fraction"
    if kind == "BOOLEAN":
        return "boolean"
    if kind.startswith(("STRUCT", "MAP", "UNION")) or kind.endswith("]"):
        return "nested"
    return "text"


def _cell(number: int, kind: str) -> str:
    text = f"json_extract_string(c{number}, '$')" if kind == "JSON" else None
    return cell(number, _stored(kind), text=text)
