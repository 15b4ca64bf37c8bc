"""Frames in memory and Spark's results, through Arrow; pandas is not needed."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from karat.errors import InputError


def to_arrow(data: Any, origin: str) -> tuple[list[str], Any]:
    """Return the names of a frame in memory, and its columns as an Arrow table with the names c0, c1, ..."""
    import pyarrow as pa  # noqa: PLC0415 (optional)

    try:
        columns = _columns(data)
        plain = [_plain(column) for _, column in columns]
    except pa.ArrowException as error:
        raise InputError(f"{origin} cannot be handed to Spark: {error}") from None
    names = [name for name, _ in columns]
    canonical = [f"c{number}" for number in range(len(plain))]
    return names, pa.table(plain, names=canonical)


def _columns(data: Any) -> list[tuple[str, Any]]:
    import pyarrow as pa  # noqa: PLC0415 (optional)

    if type(data).__module__.startswith("pandas"):
        columns = []
        for number, name in enumerate(data.columns):  # two columns may have one name
            columns.append((str(name), _column(data.iloc[:, number])))
        return columns
    if isinstance(data, Mapping):
        return [(str(name), _column(values)) for name, values in data.items()]
    if type(data).__name__ == "LazyFrame":
        data = data.collect()
    table = pa.table(data)
    return list(zip(table.column_names, table.columns, strict=True))


def _column(values: Any) -> Any:
    """Return one column, as text if its values are of several types."""
    import pyarrow as pa  # noqa: PLC0415 (optional)

    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if _is_absent(value) else str(value) for value in values])


def _is_absent(value: Any) -> bool:
    """Return whether a value is missing: None, or NaN, the only value that differs from itself."""
    return value is None or bool(value != value)  # noqa: PLR0124


def _plain(column: Any) -> Any:
    """Return a column in one of the few types that Spark shares with Arrow."""
    import pyarrow as pa  # noqa: PLC0415 (optional)

    kind = column.type
    if pa.types.is_dictionary(kind):
        parts = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        return pa.chunked_array([_plain(part.dictionary).take(part.indices) for part in parts])
    if pa.types.is_integer(kind):
        return column.cast(pa.int64())
    if pa.types.is_floating(kind):
        return column.cast(pa.float64())
    if pa.types.is_null(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.large_string())
    return column


def to_numpy(column: Any) -> np.ndarray[Any, Any]:
    """Return a column of a result, masked where values are missing."""
    import pyarrow as pa  # noqa: PLC0415 (optional)

    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    if not column.null_count:
        return column.to_numpy()  # type: ignore[no-any-return]
    empty = None
    if pa.types.is_primitive(column.type):
        empty = False if pa.types.is_boolean(column.type) else 0
    filled = column if empty is None else column.fill_null(empty)
    return np.ma.MaskedArray(filled.to_numpy(), column.is_null().to_numpy())
