"""A look at a table as a reader sees it: its first rows, and how many different values its columns hold."""

from typing import Any

from karat.table.table import Table

NAMES = {"item": "item", "t": "truth", "g": "group", "c": "cluster", "w": "weight", "n": "count", "r": "run"}

MOST_SYSTEMS = 6


def first_rows(table: Table, number: int) -> tuple[dict[str, Any], ...]:
    """Return the first rows under the names that the user knows."""
    found = table.engine.query(f"select * from answers limit {number:d}")
    shown = [*NAMES, *(f"s{k}" for k in range(MOST_SYSTEMS))]
    names = NAMES | {f"s{k}": name for k, name in enumerate(table.systems)}
    columns = {names[short]: values.tolist() for short, values in found.items() if short in shown}
    rows = zip(*columns.values(), strict=True)
    return tuple({name: _shown(value, table, name) for name, value in zip(columns, row, strict=True)} for row in rows)


def distinct(table: Table) -> dict[str, int]:
    """Return how many different values the items, the truth and each system's answers have."""
    short = {name: f"s{k}" for k, name in enumerate(table.systems)} | ({"truth": "t"} if table.has_truth else {})
    short |= {"item": "item"} if any(use.role == "item" for use in table.uses) else {}
    counts = ", ".join(f"count(distinct {column}) as {column}" for column in short.values())
    found = table.engine.query(f"select {counts} from answers")
    return {name: int(found[column][0]) for name, column in short.items()}


def _shown(value: Any, table: Table, name: str) -> Any:
    if value is None or isinstance(value, float):
        return value
    if table.coded is not None and name in table.systems:
        return table.coded[int(value)]
    return str(value)
