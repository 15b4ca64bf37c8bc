"""A preview of a table as a reader sees it: its first rows, and how many different values its columns hold."""

from dataclasses import dataclass, replace
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
"""What the canonical columns are called in a preview."""
MOST_SYSTEMS = 6


@tally(needs="rows")
def first_rows(table: Table, number: int) -> tuple[dict[str, Any], ...]:
    """Return the first rows under the names that the user knows."""
    source = "answers"
    if not table.engine.ordered:
        # Of a cluster's workers, whoever is first would show its part of the file.
        source = f"(select *, {table.engine.row} as row from answers) as numbered order by row"
    stored = table.engine.query(f"select * from {source} limit {number:d}")
    systems = {f"s{place}": name for place, name in enumerate(table.systems[:MOST_SYSTEMS])}
    names = {**NAMES, **systems}
    columns = {names[short]: stored[short].tolist() for short in stored if short in names}
    rows = []
    for values in zip(*columns.values(), strict=True):
        row = dict(zip(columns, values, strict=True))
        rows.append({name: _shown(value, table, name) for name, value in row.items()})
    return tuple(rows)


def _shown(value: Any, table: Table, name: str) -> Any:
    if value is None or isinstance(value, float):
        return value
    if table.coded is not None and name in table.systems:
        return table.coded[int(value)]
    return str(value)


@dataclass(frozen=True, slots=True)
class _Cell:
    """Where the values of a column are: the rows, and the cell in them."""

    rows: str
    cell: str


@tally(needs="rows")
def uses(table: Table) -> tuple[Use, ...]:
    """Return what each column is used for, with how many different values it has."""
    cells = [_cell(table, use) for use in table.uses]
    distinct = _distinct(table, [cell for cell in cells if cell is not None])
    counted = []
    for use, cell in zip(table.uses, cells, strict=True):
        if cell is None:
            counted.append(use)
        else:
            counted.append(replace(use, distinct=distinct[cell]))
    return tuple(counted)


def _distinct(table: Table, cells: list[_Cell]) -> dict[_Cell, int]:
    """Count the different values of every cell, with one query for each set of rows."""
    by_rows: dict[str, list[_Cell]] = {}
    for cell in dict.fromkeys(cells):
        by_rows.setdefault(cell.rows, []).append(cell)
    distinct: dict[_Cell, int] = {}
    for rows, own in by_rows.items():
        counts = [f"count(distinct {cell.cell}) as n{place}" for place, cell in enumerate(own)]
        counted = table.engine.query(f"select {', '.join(counts)} from {rows}")
        for place, cell in enumerate(own):
            distinct[cell] = int(counted[f"n{place}"][0])
    return distinct


def _cell(table: Table, use: Use) -> _Cell | None:
    """Return the cell that holds the values of a column, if they are to be counted."""
    if use.role == "system" and use.column in table.systems:
        place = table.systems.index(use.column)
        return _Cell("answers", f"s{place}")
    if use.role == "item":
        return _Cell("answers", "item")
    if use.role in SHORT:
        return _Cell("answers", SHORT[use.role])
    columns = table.relation.columns
    is_counted = use.distinct is not None and use.role != "system"
    if not is_counted or use.column not in columns:
        return None
    return _Cell(table.relation.name, f"c{columns.index(use.column)}")
