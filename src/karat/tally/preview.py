"""A look at a table as a reader sees it: its first rows, and how many different values its columns hold."""

from dataclasses import replace
from typing import Any

from karat.table.layout import SHORT
from karat.table.table import Table, Use
from karat.tally.tally import tally

NAMES = {
    "item": "item",
    "t": "truth",
    "g": "group",
    "c": "cluster",
    "w": "weight",
    "n": "count",
    "r": "run",
}

MOST_SYSTEMS = 6


@tally(needs="rows")
def first_rows(table: Table, number: int) -> tuple[dict[str, Any], ...]:
    """Return the first rows under the names that the user knows."""
    found = table.engine.query(f"select * from answers limit {number:d}")
    shown = [*NAMES, *(f"s{k}" for k in range(MOST_SYSTEMS))]
    names = NAMES | {f"s{k}": name for k, name in enumerate(table.systems)}
    columns = {names[short]: values.tolist() for short, values in found.items() if short in shown}
    rows = zip(*columns.values(), strict=True)
    return tuple(
        {name: _shown(value, table, name) for name, value in zip(columns, row, strict=True)}
        for row in rows
    )


@tally(needs="rows")
def uses(table: Table) -> tuple[Use, ...]:
    """Return what each column is used for, with how many different values it has."""
    places = [_place(table, use) for use in table.uses]
    exact: dict[tuple[str, str], int] = {}
    for rows in dict.fromkeys(place[0] for place in places if place):
        cells = list(dict.fromkeys(place[1] for place in places if place and place[0] == rows))
        counts = ", ".join(
            f"count(distinct {cell}) as n{number}" for number, cell in enumerate(cells)
        )
        found = table.engine.query(f"select {counts} from {rows}")
        exact |= {(rows, cell): int(found[f"n{number}"][0]) for number, cell in enumerate(cells)}
    return tuple(
        use if place is None else replace(use, distinct=exact[place])
        for use, place in zip(table.uses, places, strict=True)
    )


def _place(table: Table, use: Use) -> tuple[str, str] | None:
    """Return the rows and the cell that hold the values of a column, if they are to be counted."""
    if use.role == "system" and use.column in table.systems:
        return "answers", f"s{table.systems.index(use.column)}"
    if use.role == "item" or use.role in SHORT:
        return "answers", SHORT.get(use.role, use.role)
    if use.distinct is None or use.role == "system" or use.column not in table.relation.columns:
        return None
    return table.relation.name, f"c{table.relation.columns.index(use.column)}"


def _shown(value: Any, table: Table, name: str) -> Any:
    if value is None or isinstance(value, float):
        return value
    if table.coded is not None and name in table.systems:
        return table.coded[int(value)]
    return str(value)
