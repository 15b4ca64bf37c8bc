"""What is known of queries beside their documents: a table with a row a query."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.files.correct import rows
from karat.words import listing

NAMES = ("query", "query_id", "qid", "topic")
"""How the column of queries may be called."""


def query_columns(
    path: str, query: npt.NDArray[Any], *, taken: Collection[str], faults: Faults
) -> dict[str, npt.NDArray[Any]]:
    """Return the other columns of a table of queries, for rows that each belong to a query."""
    by_query: dict[str, Mapping[str, Any]] = {}
    names: list[str] = []
    key = ""
    for place, row in rows(path, faults):
        if not names:
            names = [str(name) for name in row]
            key = _key(names, path)
        name = str(row[key])
        if name in by_query:
            raise InputError(f"{place}: query {name!r} occurs twice; a query has one row")
        by_query[name] = row
    _check_all_there(query, by_query, path)
    columns = {}
    for name in names:
        if name == key:
            continue
        if name in taken:
            raise InputError(
                f"{path} has a column {name!r}, which is called as a run is or as karat calls its own; rename it"
            )
        values = {query_name: row[name] for query_name, row in by_query.items()}
        columns[name] = _column(values, query)
    return columns


def _key(names: Sequence[str], path: str) -> str:
    """Return the column that names the queries."""
    for name in names:
        if name.lower() in NAMES:
            return name
    raise InputError(
        f"{path} has no column of queries; it has {listing(names)}. Call the one with the names of the queries "
        "'query'"
    )


def _check_all_there(
    query: npt.NDArray[Any], by_query: Mapping[str, Mapping[str, Any]], path: str
) -> None:
    absent = sorted({str(name) for name in query.tolist()} - set(by_query))
    if absent:
        raise InputError(
            f"{path} has no row for {len(absent):,} of the queries that were judged, such as {absent[0]!r}; add them"
        )


def _column(values: Mapping[str, Any], query: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the value of each row's query: numbers where all are, or texts."""
    try:
        numbers = {name: float(value) for name, value in values.items()}
    except (TypeError, ValueError):
        return np.array([values[str(name)] for name in query.tolist()], object)
    return np.array([numbers[str(name)] for name in query.tolist()])
