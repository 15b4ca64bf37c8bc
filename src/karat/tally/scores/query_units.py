"""The clusters and the weights of queries."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import InputError
from karat.table.labels import factorise, ordered
from karat.table.table import Table
from karat.tally.digest import digest, joined
from karat.tally.sql import key_columns, key_values, named_rows
from karat.tally.tally import tally

SQL = "select g, {keys} from {rows} as rows where g is not null group by g, {keys}"
WHAT = {"c": "cluster", "w": "weight"}


@dataclass(frozen=True, slots=True, eq=False)
class QueryUnits:
    """For each query its cluster and its weight, where queries have them."""

    queries: tuple[str, ...]
    cluster: npt.NDArray[np.int64] | None = None
    """From 0 up; None where every query is independent of the others."""
    weight: npt.NDArray[np.float64] | None = None
    """None where all queries weigh the same."""

    def of(self, queries: Sequence[str]) -> "QueryUnits":
        """Return the clusters and weights of some queries, in their order."""
        place_of_query = {name: place for place, name in enumerate(self.queries)}
        places = np.array([place_of_query[name] for name in queries], np.int64)
        return QueryUnits(
            tuple(queries),
            None if self.cluster is None else self.cluster[places],
            None if self.weight is None else self.weight[places],
        )

    def digest(self) -> str:
        """Return a short hash of the clusters and weights."""
        parts: list[npt.NDArray[np.generic]] = []
        if self.cluster is not None:
            parts.append(self.cluster)
        if self.weight is not None:
            parts.append(self.weight)
        return digest([joined(self.queries), *parts])


@tally(needs="ranked lists")
def query_units(table: Table) -> QueryUnits:
    """Return the cluster and the weight of each query; all documents of a query must have the same."""
    keys = key_columns(table, "cw")
    counted = table.engine.query(SQL.format(keys=", ".join(keys), rows=named_rows(table).name))
    query = key_values(table, "g", counted)["g"]
    names = ordered(set(query.tolist()))
    place_of_query = {name: place for place, name in enumerate(names)}
    places = np.array([place_of_query[name] for name in query.tolist()], np.int64)
    _check_one_each(table, keys, counted, query, places)
    cluster = None
    if "c" in keys:
        cluster = np.empty(len(names), np.int64)
        cluster[places] = _codes(key_values(table, "c", counted)["c"])
    weight = None
    if "w" in keys:
        weight = np.empty(len(names))
        weight[places] = np.ma.getdata(counted["w"]).astype(np.float64)
    return QueryUnits(tuple(names), cluster, weight)


def _codes(clusters: npt.NDArray[np.object_]) -> npt.NDArray[np.int64]:
    """Return a number for each cluster that does not depend on the order of the rows."""
    codes, different = factorise(clusters)
    names = [str(name) for name in different]
    place_of_name = {name: place for place, name in enumerate(ordered(names))}
    return np.array([place_of_name[name] for name in names], np.int64)[codes]


def _check_one_each(
    table: Table,
    keys: Sequence[str],
    counted: Arrays,
    query: npt.NDArray[np.object_],
    places: npt.NDArray[np.int64],
) -> None:
    """Refuse a query whose documents are in several clusters, or have several weights."""
    times = np.bincount(places)
    if times.max(initial=0) < 2:
        return
    first = int(times.argmax())
    rows = np.flatnonzero(places == first)
    for key in keys:
        values = ordered({str(value) for value in np.ma.getdata(counted[key])[rows].tolist()})
        if len(values) > 1:
            what = WHAT[key]
            raise InputError(
                f"{table.origin}: the documents of query {query[rows[0]]!r} have several {what}s, such as "
                f"{values[0]!r} and {values[1]!r}; rankings are averaged over queries, so that "
                f"--{what} must name a column with one value a query"
            )
