"""Rows that Python makes, a page at a time: equal ones are counted together, and many are spilled to disk.

So the memory that a million pages need is that of their distinct rows. Where the user names the column of pages, or
that of places, rows of different pages or places are kept separate.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count, repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, RoleError
from karat.source.origin import Source
from karat.source.spill import SpilledRows

PAGE, PLACE, COUNT = "page", "place", "count"
MOST = 500_000
"""How many distinct rows are held in memory before they are spilled to disk."""
Row = tuple[str | None, ...]


class Page:
    """The rows of one page, and a name for each of them where it is wanted; or the number of each row of many pages."""

    __slots__ = ("name", "places", "rows")

    def __init__(
        self,
        name: str,
        rows: Iterable[Row] | Mapping[Row, int],
        places: Iterable[str] | None = None,
    ) -> None:
        self.name = name
        self.rows = rows
        self.places = places


def counted_rows(
    pages: Iterable[Page],
    columns: Sequence[str],
    *,
    origin: str,
    asked: frozenset[str],
    page: str = PAGE,
    most: int | None = None,
) -> Source:
    """Return the rows of all pages with their number; with the page and the place of each, if these are requested."""
    _check_columns(columns, page, asked, origin)
    keys = [name for name in (page, PLACE) if name in asked]
    counts = _RowCounts([*keys, *columns, COUNT], most or MOST)
    for one in pages:
        names: list[Iterable[str]] = []
        if page in asked:
            names.append(repeat(one.name))
        if PLACE in asked:
            places = one.places or map(str, count(1))
            names.append(f"{one.name}/{place}" for place in places)
        if names:
            counts.add(zip(*names, *_transposed(one.rows, len(columns)), strict=False))
        else:
            counts.add(one.rows)
    roles = {"item": PLACE} if PLACE in asked else {"count": COUNT}
    return counts.source(origin, roles)


def _check_columns(columns: Sequence[str], page: str, asked: frozenset[str], origin: str) -> None:
    unknown = asked - {page, PLACE, *columns}
    if unknown:
        raise RoleError(
            f"{origin} has no column {min(unknown)!r}; its rows are identified by {page!r} and {PLACE!r}"
        )
    own = {COUNT, *({page, PLACE} & asked)}
    clash = own & set(columns)
    if clash:
        raise InputError(
            f"{origin}: karat has a column {min(clash)!r} of its own; rename the one of this name"
        )


def _transposed(rows: Iterable[Row], width: int) -> Sequence[Sequence[str | None]]:
    columns = list(zip(*rows, strict=True))
    return columns or [()] * width


class _RowCounts:
    """How often each row comes; on disk, with partial counts, when there are many."""

    def __init__(self, columns: Sequence[str], most: int) -> None:
        self._columns = columns
        self._most = most
        self._number: Counter[Row] = Counter()
        self._spilled = SpilledRows(columns)

    def add(self, rows: Iterable[Row] | Mapping[Row, int]) -> None:
        self._number.update(rows)
        if len(self._number) > self._most:
            self._spill()

    def _spill(self) -> None:
        self._spilled.write([*row, number] for row, number in self._number.items())
        self._number.clear()

    def source(self, origin: str, roles: Mapping[str, Any]) -> Source:
        if self._spilled.is_begun:
            self._spill()
            return self._spilled.source(origin, roles)
        if not self._number:
            raise InputError(
                f"{origin} holds nothing that could be counted; karat needs at least one item"
            )
        columns: dict[str, npt.NDArray[Any]] = {}
        for place, name in enumerate(self._columns[:-1]):
            columns[name] = np.array([row[place] for row in self._number], object)
        columns[COUNT] = np.fromiter(self._number.values(), np.int64, len(self._number))
        return Source(origin, "frame", data=columns, roles=roles)
