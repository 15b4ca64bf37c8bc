"""Tables of many classes: a line per class, or only the worst and the largest if there are very many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from karat.measure.outcomes import outcomes
from karat.measure.quantity import Quantity
from karat.result.base import Row
from karat.result.layout import UNDEFINED

MOST = 10
"""So many of the worst and of the largest classes are shown."""


def class_tables(
    rows: Sequence[Row], quantities: Sequence[Quantity]
) -> dict[str, list[dict[str, Any]]]:
    """Return a table per system (and group): a line per class with every measure and its interval."""
    by_name = {quantity.name: quantity for quantity in quantities}
    classes: dict[tuple[str, str | None], dict[str | None, list[Row]]] = {}
    for row in rows:
        own = classes.setdefault((row["system"], row.get("group")), {})
        own.setdefault(row["label"], []).append(row)
    tables: dict[str, list[dict[str, Any]]] = {}
    for (system, group), own in classes.items():
        heading = system if group is None else f"{system}, {group}"
        lines = [_line(label, of_class, by_name) for label, of_class in own.items()]
        tables |= _shown(heading, lines)
    return tables


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a table, and by what the worst and the largest are chosen."""

    cells: dict[str, Any]
    goodness: float
    items: float


def _line(label: str | None, rows: Sequence[Row], by_name: Mapping[str, Quantity]) -> _Line:
    """Return the line of a class: every measure with its interval."""
    cells: dict[str, Any] = {"label": label}
    for row in rows:
        adds = outcomes(by_name[row["measure"]])
        if adds is not None and adds.of_class:
            cells["items"] = row["trials"]
    goodness = []
    for row in rows:
        cells[row["measure"]] = _value(row)
        if row["value"] is not None:
            goodness.append(_goodness(row, by_name))
    methods = dict.fromkeys(row["method"] for row in rows)
    cells["level"] = rows[0]["level"]
    cells["method"] = ", ".join(methods)
    return _Line(cells, min(goodness, default=0.0), cells.get("items", 0))


def _goodness(row: Row, by_name: Mapping[str, Quantity]) -> float:
    """Return where a value lies between the worst end of its range, 0, and the best, 1."""
    quantity = by_name[row["measure"]]
    width = quantity.high - quantity.low
    if not isfinite(width):
        return 1.0
    part = (float(row["value"]) - quantity.low) / width
    if quantity.lower_is_better:
        return 1 - part
    return part


def _value(row: Row) -> str:
    value = UNDEFINED if row["value"] is None else f"{row['value']:.3f}"
    return f"{value} {row['low']:.3f}–{row['high']:.3f}"  # noqa: RUF001


def _shown(heading: str, lines: Sequence[_Line]) -> dict[str, list[dict[str, Any]]]:
    """Return all lines, or the worst and the largest of many; of classes of one size none is the largest."""
    if len(lines) <= 2 * MOST:
        return {heading: [line.cells for line in lines]}
    many = f"of {len(lines):,} classes"
    worst = sorted(lines, key=lambda line: line.goodness)[:MOST]
    shown = {f"{heading}: the {MOST} worst {many}": [line.cells for line in worst]}
    if len({line.items for line in lines}) > 1:
        largest = sorted(lines, key=lambda line: -line.items)[:MOST]
        shown[f"{heading}: the {MOST} largest {many}"] = [line.cells for line in largest]
    return shown
