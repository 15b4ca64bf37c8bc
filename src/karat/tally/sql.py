"""Pieces of SQL that several tallies share, and what a query's columns of keys mean."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import OptionError, TallyError
from karat.table.labels import Labels, factorise
from karat.table.table import Table

BLOCK = "substr(md5(cast({name} as string)), 1, 2)"
"""Two hexadecimal digits, the same on every engine: 256 blocks."""
NO_GROUP = "(no group)"
"""The group of items that have none."""


def frequency(table: Table) -> str:
    """Return SQL for how many items the rows of a group stand for."""
    if "n" in table.keys:
        return "sum(n)"
    return "count(*)"


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


def has_item_names(table: Table) -> bool:
    """Return whether a column names the items."""
    return any(use.role == "item" for use in table.uses)


def key_columns(table: Table, keys: str) -> str:
    """Return SQL for the requested keys that the table has, each followed by a comma."""
    return "".join(f"{key}, " for key in _keys(table, keys))


def key_values(
    table: Table, keys: str, counted: Mapping[str, npt.NDArray[Any]]
) -> dict[str, npt.NDArray[Any]]:
    """Return the counted keys: weights as numbers, all others as text, so that they are the same from any file."""
    values: dict[str, npt.NDArray[Any]] = {}
    for key in _keys(table, keys):
        if key in {"w", "e"}:
            values[key] = counted[key].astype(object)
        else:
            values[key] = _texts(counted[key], absent=NO_GROUP if key == "g" else "")
    return values


def _keys(table: Table, keys: str) -> list[str]:
    # The count n is what is summed, and never a key.
    return [key for key in keys if key in table.keys and key != "n"]


def _texts(values: npt.NDArray[Any], *, absent: str) -> npt.NDArray[Any]:
    codes, distinct = factorise(values)
    whole = Labels(whole=True)
    # A missing value has the code -1, and so finds the last of the texts.
    texts = [whole.label(value) for value in distinct]
    return np.array([*texts, absent], dtype=object)[codes]


def judged_labels(table: Table) -> Labels:
    """Return what yes and no stand for where scores are compared with a threshold."""
    positive = table.labels.positive
    if positive is None and not table.has_truth:
        # Without a truth there is no other word for what a high score speaks for.
        positive = "yes"
    if positive is None:
        raise OptionError("a high score speaks for one label; name it with --positive")
    pair = table.labels.pair or (positive, f"not {positive}")
    return replace(table.labels, pair=pair)
