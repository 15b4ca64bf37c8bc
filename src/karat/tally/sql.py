"""Pieces of SQL that several tallies share, and what a query's columns of keys mean."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import OptionError, TallyError
from karat.table.distinct_rows import Rows
from karat.table.labels import Labels, factorise
from karat.table.table import Table

BLOCK = "substr(md5(cast({name} as string)), 1, 2)"
"""Two hexadecimal digits, the same on every engine: 256 blocks."""
PRIME = 2**31 - 1
STIRRED = "(({whole} % {prime} + 104729) * ({whole} % {prime} + 104729) % {prime} * 48271 + 12345) % {prime}"
DRAWN = """
case when {is_whole} then ({stirred}) * ({stirred}) % {prime} < {number}
  else md5(cast(item as string)) < '{digits:08x}' end
"""
"""Arithmetic of whole numbers alone, which no engine does differently: squared, stirred, and squared again."""
MIXING = 1_234_567.891
"""Makes of fractions that differ in their last digits numbers that differ in their first."""
MOST_ROWS = 20_000_000
"""Rows that one query may bring."""
MOST_CODES = 2**21
"""Up to how many codes are counted one by one, in an array that has a place for each."""
NO_GROUP = "(no group)"
"""The group of items that have none."""


def named_rows(table: Table) -> Rows:
    """Return the rows with the names of their items."""
    return Rows("answers", "n" if "n" in table.keys else "1")


def alike(table: Table, *, rows_each: int = 0) -> Iterator[list[int]]:
    """Return the places of systems whose answers are stored in the same type: their cells are counted together.

    `rows_each` is how many rows one system may bring, where these are very many: then only so many systems together
    as memory holds.
    """
    together: dict[str, list[int]] = {}
    for place, stored in enumerate(table.stored):
        kind = "whole" if table.threshold is not None else stored
        together.setdefault(kind, []).append(place)
    most = max(1, MOST_ROWS // max(1, rows_each))
    for places in together.values():
        for start in range(0, len(places), most):
            yield places[start : start + most]


def numbers(counted: Arrays, name: str = "n") -> npt.NDArray[np.int64]:
    """Return a counted column as whole numbers."""
    return np.ma.getdata(counted[name]).astype(np.int64)


def answer_sql(table: Table, system: int) -> str:
    """Return SQL for a system's answer: the stored value, or yes and no from a threshold on."""
    if table.threshold is None:
        return f"s{system}"
    threshold = repr(table.threshold)
    return f"case when s{system} >= {threshold} then 1 when s{system} < {threshold} then 0 end"


def block_sql(table: Table) -> str:
    """Return SQL for the block of an item, or of a cluster of items.

    A block holds those whose names begin with the same two digits when hashed, so that nothing but chance decides what
    is in a block together.
    """
    if "c" in table.keys:
        return BLOCK.format(name="c")
    if not has_item_names(table):
        raise TallyError("blocks of items need the items' names; name their column with --item")
    return BLOCK.format(name="item")


def drawn_sql(table: Table, share: float) -> str:
    """Return SQL for whether an item is one of this share of all, which its name alone decides, as if by chance.

    Neighbouring names have nothing to do with each other, so that no order of the items matters. Whole numbers, also
    those written as text, are drawn by arithmetic, which costs a fifth of a hash.
    """
    is_whole = "length(item) between 1 and 15 and translate(item, '0123456789', '') = ''"
    if _item_is_number(table):
        is_whole = "item between 0 and 999999999999999 and item = floor(item)"
    return DRAWN.format(
        is_whole=is_whole,
        stirred=STIRRED.format(whole="try_cast(item as bigint)", prime=PRIME),
        prime=PRIME,
        number=round(share * PRIME),
        digits=round(share * (2**32 - 1)),
    )


def chance_of_scores_sql(names: Sequence[str]) -> str:
    """Return SQL for a number from 0 to below 1 that the scores of an item decide, as if by chance."""
    mixed = []
    for place, name in enumerate(names, 1):
        # Whatever its size, a score becomes a fraction between -1 and 1; a missing one 2.
        within = f"greatest(least(cast({name} as double), 1e300), -1e300)"
        mixed.append(f"coalesce({within} / (1e0 + abs({within})), 2e0) * {place * MIXING:.16e}")
    whole = f"({' + '.join(mixed)})"
    number = f"cast(floor(({whole} - floor{whole}) * {PRIME}) as bigint)"
    stirred = f"({STIRRED.format(whole=number, prime=PRIME)})"
    return f"{stirred} * {stirred} % {PRIME} / {PRIME}e0"


def _item_is_number(table: Table) -> bool:
    """Return whether the names of items are stored as numbers."""
    relation = table.relation
    names = [use.column for use in table.uses if use.role == "item"]
    kinds = [
        relation.stored[relation.columns.index(name)] for name in names if name in relation.columns
    ]
    return bool(kinds) and kinds[0] in {"whole", "fraction"}


def has_item_names(table: Table) -> bool:
    """Return whether a column names the items."""
    return any(use.role == "item" for use in table.uses)


def cells_of(
    table: Table, places: Sequence[int], *, beside: Sequence[str], rows: Rows | None = None
) -> str:
    """Return SQL for a row an answer of some systems stored in the same type, and how many items it represents."""
    rows = rows or table.rows
    numbered = list(beside)
    if rows.number != "1":
        numbered.append(rows.number)
    answers = [answer_sql(table, place) for place in places]
    return table.engine.cells(rows.name, answers, beside=numbered)


def by_place(places: npt.NDArray[Any], size: int) -> list[npt.NDArray[np.int64]]:
    """Return for each place of a column of cells the counted rows that belong to it."""
    codes = np.ma.getdata(places).astype(np.int64)
    ends = np.bincount(codes, minlength=size).cumsum()
    return np.split(np.argsort(codes, kind="stable"), ends[:-1])


def key_values(
    table: Table, keys: str, counted: Mapping[str, npt.NDArray[Any]]
) -> dict[str, npt.NDArray[Any]]:
    """Return the counted keys: weights as numbers, all others as text, so that they are the same from any file."""
    values: dict[str, npt.NDArray[Any]] = {}
    for key in key_columns(table, keys):
        if key in {"w", "e"}:
            values[key] = counted[key].astype(object)
        else:
            values[key] = _texts(counted[key], absent=NO_GROUP if key == "g" else "")
    return values


def key_columns(table: Table, keys: str) -> list[str]:
    """Return the requested keys that the table has."""
    # The count n is what is summed, and never a key.
    return [key for key in keys if key in table.keys and key != "n"]


def _texts(values: npt.NDArray[Any], *, absent: str) -> npt.NDArray[Any]:
    codes, distinct = factorise(values)
    whole = Labels(whole=True)
    # A missing value has the code -1, and so finds the last of the texts.
    texts = [whole.label(value) for value in distinct]
    return np.array([*texts, absent], dtype=object)[codes]


def judged_labels(table: Table) -> Labels:
    """Return the labels that yes and no mean where scores are compared with a threshold."""
    positive = table.labels.positive
    if positive is None and not table.has_truth:
        # Without a truth nothing else names the label that a high score means.
        positive = "yes"
    if positive is None:
        raise OptionError("a high score speaks for one label; name it with --positive")
    pair = table.labels.pair or (positive, f"not {positive}")
    return replace(table.labels, pair=pair)
