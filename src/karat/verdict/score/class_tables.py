"""Many classes on one screen: a line per class, and of very many the worst and the largest."""

from collections.abc import Sequence
from typing import Any

from karat.result.base import Row
from karat.result.layout import UNDEFINED

MOST = 10
"""How many of the worst and of the largest classes are shown."""


def class_tables(rows: Sequence[Row]) -> dict[str, list[dict[str, Any]]]:
    """Return a table per system (and group): a line per class with every measure and its interval."""
    found: dict[tuple[str, str | None], dict[str | None, list[Row]]] = {}
    for row in rows:
        found.setdefault((row["system"], row.get("group")), {}).setdefault(row["label"], []).append(
            row
        )
    tables: dict[str, list[dict[str, Any]]] = {}
    for (system, group), own in found.items():
        head = system if group is None else f"{system}, {group}"
        tables |= _cut(head, [_line(label, same) for label, same in own.items()])
    return tables


def _line(label: str | None, same: Sequence[Row]) -> dict[str, Any]:
    items = next((row["trials"] for row in same if row["measure"] == "recall"), None)
    cells = {row["measure"]: _value(row) for row in same}
    methods = ", ".join(dict.fromkeys(row["method"] for row in same))
    worst = min((row["value"] for row in same if row["value"] is not None), default=0.0)
    counted = {} if items is None else {"items": items}
    return {
        "label": label,
        **counted,
        **cells,
        "level": same[0]["level"],
        "method": methods,
        "worst": worst,
    }


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
