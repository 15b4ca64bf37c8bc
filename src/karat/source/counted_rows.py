"""Rows that Python makes, a page at a time: equal ones are counted together, and many are laid aside on disk.

So the memory that a million pages need is that of their distinct rows. Where the user names the column of pages, or
that of places, these are told apart.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from karat.errors import InputError, RoleError
from karat.source.origin import Source
from karat.source.spill import Sheet

PAGE, PLACE, COUNT = "page", "place", "count"
MOST = 500_000
"""How many distinct rows are held in memory before they are laid aside."""
Row = tuple[str | None, ...]


class Page:
    """The rows of one page, and a name for each of them where it is wanted."""

    __slots__ = ("name", "places", "rows")

    def __init__(self, name: str, rows: Iterable[Row], places: Iterable[str] | None = None) -> None:
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
    """Return the rows of all pages with their number; the page and the place of each, if these were asked for."""
    if unknown := sorted(asked - {page, PLACE, *columns}):
        raise RoleError(
            f"{origin} has no column {unknown[0]!r}; its rows can be told apart by {page!r} and {PLACE!r}"
        )
    if clash := sorted(set(columns) & {COUNT, *({page, PLACE} & asked)}):
        raise InputError(
            f"{origin}: karat has a column {clash[0]!r} of its own; rename the one of this name"
        )
    heap = _Heap([*({page} & asked), *({PLACE} & asked), *columns, COUNT], most or MOST)
    for one in pages:
        keys: list[Iterable[str]] = [repeat(one.name)] if page in asked else []
        if PLACE in asked:
            places = one.places or map(str, range(1, 1 << 60))
            keys.append(f"{one.name}/{place}" for place in places)
        heap.add(zip(*keys, *_turned(one.rows, len(columns)), strict=False) if keys else one.rows)
    roles: dict[str, Any] = {"count": COUNT} if PLACE not in asked else {"item": PLACE}
    return heap.source(origin, roles)


def _turned(rows: Iterable[Row], width: int) -> Sequence[Sequence[str | None]]:
    columns = list(zip(*rows, strict=True))
    return columns or [()] * width


class _Heap:
    def __init__(self, columns: Sequence[str], most: int) -> None:
        self._columns = columns
        self._most = most
        self._number: Counter[Row] = Counter()
        self._sheet = Sheet(columns)

    def add(self, rows: Iterable[Row]) -> None:
        self._number.update(rows)
        if len(self._number) > self._most:
            self._lay_aside()

    def _lay_aside(self) -> None:
        self._sheet.write([*row, number] for row, number in self._number.items())
        self._number.clear()

    def source(self, origin: str, roles: Mapping[str, Any]) -> Source:
        if self._sheet.is_begun:
            self._lay_aside()
            return self._sheet.source(origin, roles)
        if not self._number:
            raise InputError(
                f"{origin} holds nothing that could be counted; karat needs at least one item"
            )
        *parts, _ = zip(*((*row, None) for row in self._number), strict=True)
        columns = {
            name: np.array(part, object)
            for name, part in zip(self._columns[:-1], parts, strict=True)
        }
        columns[COUNT] = np.fromiter(self._number.values(), np.int64, len(self._number))
        return Source(origin, "frame", data=columns, roles=roles)
