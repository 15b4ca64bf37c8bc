"""The columns that describe items, for people who look at them; no number is computed from them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from karat.table.table import Table, Use
from karat.tally.sql import has_item_names
from karat.tally.tally import tally

SHOWN = {"group", "cluster"}
"""Roles of columns that describe an item."""
NO_ANSWERS = ("free text", "describes the item", "another item", "another group")
"""Reasons for leaving a column out that show that it holds no system's answers; others are not shown."""


@tally(needs="rows")
def item_fields(table: Table, names: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """Return the columns that describe some items, given the items' names.

    What a checker sees must not show what a system answered, so answers and other truths are not among them; nor is a
    column that was left out because the user named the systems: it may be another system's.
    """
    columns = [use.column for use in table.uses if _is_field(table, use)]
    if not columns:
        return [{} for _ in names]
    item_columns = [use.column for use in table.uses if use.role == "item"]
    if item_columns and has_item_names(table):
        item = item_columns[0]
        values = _stored(table, [item, *columns])
        all_names = [str(value) for value in values[item]]
    else:
        values = _stored(table, columns)
        all_names = [str(number) for number in range(1, len(values[columns[0]]) + 1)]
    row_of = {name: row for row, name in enumerate(all_names)}
    fields = []
    for name in names:
        row = row_of[name]
        fields.append({column: values[column][row] for column in columns})
    return fields


def _stored(table: Table, columns: Sequence[str]) -> dict[str, list[Any]]:
    """Return the cells of columns as the engine has them, in the order of its rows."""
    cells = [f"c{table.relation.columns.index(name)}" for name in columns]
    stored = table.engine.query(f"select {', '.join(cells)} from {table.relation.name}")
    return {name: _plain(stored[cell]) for name, cell in zip(columns, cells, strict=True)}


def _is_field(table: Table, use: Use) -> bool:
    if use.column not in table.relation.columns:
        return False
    if use.role in SHOWN:
        return True
    return use.role == "left out" and use.why in NO_ANSWERS


def _plain(values: Any) -> list[Any]:
    """Return cells as plain values, the empty text where a cell is empty."""
    hidden = np.ma.getmaskarray(values).tolist()
    cells = np.ma.getdata(values).tolist()
    return ["" if no_value else cell for cell, no_value in zip(cells, hidden, strict=True)]
