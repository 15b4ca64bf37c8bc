"""What the table says of items beside their labels and answers: for people who look at them, never for a number."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from karat.table.table import Table, Use
from karat.tally.sql import has_item_names
from karat.tally.tally import tally

SHOWN = {"group", "cluster"}
"""Roles of columns that describe an item."""
NO_ANSWERS = ("free text", "describes the item", "another item", "another group")
"""Why columns were left out that cannot be a system's answers. Others may be: they are not shown."""


@tally(needs="rows")
def item_fields(table: Table, names: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """Return the other columns of some items by their names.

    No answers and no other truths are among them: what a checker sees must not tell what a system said. So a column
    that was left out because systems were named is none of them: it may be another system's.
    """
    columns = [use.column for use in table.uses if _is_field(table, use)]
    if not columns:
        return [{} for _ in names]
    item = next((use.column for use in table.uses if use.role == "item"), None)
    if item is None or not has_item_names(table):
        values = _stored(table, columns)
        keys = [str(number) for number in range(1, len(values[columns[0]]) + 1)]
    else:
        values = _stored(table, [item, *columns])
        keys = [str(value) for value in values[item]]
    places = {name: place for place, name in enumerate(keys)}
    fields = []
    for name in names:
        place = places[name]
        fields.append({column: values[column][place] for column in columns})
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
    """Return cells as plain values; nothing where there is none."""
    hidden = np.ma.getmaskarray(values).tolist()
    cells = np.ma.getdata(values).tolist()
    return ["" if no_value else cell for cell, no_value in zip(cells, hidden, strict=True)]
