"""Many classes on one screen: a line per class, and of very many the worst and the largest."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from karat.measure.outcomes import outcomes
from karat.measure.quantity import Quantity
from karat.result.base import Row
from karat.result.layout import UNDEFINED

MOST = 10
"""How many of the worst and of the largest classes are shown."""


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
        head = system if group is None else f"{system}, {group}"
        tables |= _cut(head, [_line(label, same, by_name) for label, same in own.items()])
    return tables


def _line(
    label: str | None, same: Sequence[Row], by_name: Mapping[str, Quantity]
) -> dict[str, Any]:
    line: dict[str, Any] = {"label": label}
    for row in same:
        adds = outcomes(by_name[row["measure"]])
        if adds is not None and adds.of_class:
            line["items"] = row["trials"]
    for row in same:
        line[row["measure"]] = _value(row)
    line["level"] = same[0]["level"]
    line["method"] = ", ".join(dict.fromkeys(row["method"] for row in same))
    known = [row for row in same if row["value"] is not None]
    line["worst"] = min((_goodness(row, by_name) for row in known), default=0.0)
    return line


def _goodness(row: Row, by_name: Mapping[str, Quantity]) -> float:
    """Return where a value lies between the worst end of its range, 0, and the best, 1."""
    quantity = by_name[row["measure"]]
    width = quantity.high - quantity.low
    if not isfinite(width):
        return 1.0
    part = (float(row["value"]) - quantity.low) / width
    return 1 - part if quantity.lower_is_better else part


def _value(row: Row) -> str:
    value = UNDEFINED if row["value"] is None else f"{row['value']:.3f}"
    return f"{value} {row['low']:.3f}–{row['high']:.3f}"  # noqa: RUF001


def _cut(head: str, lines: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return all lines, or the worst and the largest of many; `worst` only served to find them."""
    shown = {head: lines}
    if len(lines) > 2 * MOST:
        worst = sorted(lines, key=lambda line: line["worst"])[:MOST]
        largest = sorted(lines, key=lambda line: -line.get("items", 0))[:MOST]
        many = f"of {len(lines):,} classes"
        shown = {
            f"{head}: the {MOST} worst {many}": worst,
            f"{head}: the {MOST} largest {many}": largest,
        }
    return {
        name: [{k: v for k, v in line.items() if k != "worst"} for line in part]
        for name, part in shown.items()
    }
