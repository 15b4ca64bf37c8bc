"""How rows become a table a person likes to read: what is the same everywhere goes into the caption."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any

from karat.result.base import Result, Row

UNDEFINED = "undefined"
RATES = {
    "lower",
    "increase",
    "value",
    "tau",
    "precision",
    "recall",
    "f1",
    "truth",
    "true precision",
    "true recall",
    "checked_only",
    "gain",
    "low",
    "high",
    "run_sd",
    "run_low",
    "run_high",
}
RATES |= {
    "dBn",
    "dBn_mean",
    "dBn_sd",
    "dE",
    "dE_mean",
    "dE_sd",
    "f",
    "right",
    "<= 1",
    "<= 2",
    "<= 3",
    "structure",
}
RATES |= {
    "objects",
    "relations",
    "EXP",
    "ST_Rec",
    "SYM_Seg",
    "SYM_Rec",
    "STRUCT",
    "REL-1",
    "REL-2",
    "REL-3",
}
"""The rates of graphs."""
BESIDE = {"truth", "true precision", "true recall", "alone"}
"""Columns of which some rows have none."""
CHANCES = {"p (Holm)", "P(best)", "P(same rank)", "kept", "tie", "reversed", "label_error"}
LIFTED = {"level", "side", "label", "runs", "label_error"}
"""Columns that go into the caption if they say the same in every row."""
MOST_METHODS = 3
FEWEST_DIGITS, MOST_DIGITS = 4, 9


@dataclass(frozen=True, slots=True)
class Grid:
    """A table ready to be drawn: headings, cells as text, and what holds for all rows."""

    headings: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    rows: tuple[Row, ...]
    caption: str
    numeric: frozenset[str]


def grids(result: Result) -> dict[str, Grid]:
    """Return the parts of a result, by their headings."""
    return {head: grid(rows) for head, rows in result.parts().items()}


def grid(rows: Sequence[Row]) -> Grid:
    """Return rows as headings and cells; columns that say the same in every row become the caption."""
    if not rows:
        return Grid((), (), (), "no rows", frozenset())
    lifted = [name for name in rows[0] if name == "method" or _constant(name, rows)]
    constants = [
        _said(name, rows[0][name])
        for name in lifted
        if name != "method" and rows[0][name] is not None
    ]
    methods = list(dict.fromkeys(str(row["method"]) for row in rows if "method" in row))
    caption = ", ".join(
        [*constants, *methods[:MOST_METHODS], *["..."] * (len(methods) > MOST_METHODS)]
    )
    told = [
        name
        for name in rows[0]
        if name not in lifted and (name in RATES or any(row[name] is not None for row in rows))
    ]
    columns = [_column(name, rows, _digits(rows)) for name in told]
    cells = {heading: texts for column in columns if column for heading, texts in [column]}
    numeric = {
        name
        for name in cells
        if all(isinstance(row.get(name, ""), int | float | None) for row in rows)
    }
    body = tuple(zip(*cells.values(), strict=True))
    return Grid(tuple(cells), body, tuple(rows), caption, frozenset(numeric | {"counts"}))


def _column(name: str, rows: Sequence[Row], digits: int) -> tuple[str, list[str]] | None:
    """Return a heading and its cells: two counts in one column, and two ends of an interval."""
    if name == "successes" and "trials" in rows[0]:
        return (
            ("counts", [counts(row) for row in rows])
            if any(row["trials"] is not None for row in rows)
            else None
        )
    if name == "low":
        return "interval", [_ends(row, digits) for row in rows]
    if (name == "trials" and "successes" in rows[0]) or (name == "high" and "low" in rows[0]):
        return None
    return name, [written(name, row[name], digits) for row in rows]


def _ends(row: Row, digits: int) -> str:
    """Return an interval; nothing where there is none."""
    if row["low"] is None:
        return ""
    return f"[{written('low', row['low'], digits)}, {written('high', row['high'], digits)}]"


def _constant(name: str, rows: Sequence[Row]) -> bool:
    if name == "rank":
        return all(row[name] is None for row in rows)
    return name in LIFTED and all(row[name] == rows[0][name] for row in rows)


def _said(name: str, value: Any) -> str:
    if name == "side":
        return {
            "both": "two-sided",
            "lower": "one-sided, from below",
            "upper": "one-sided, from above",
        }[value]
    return f"{name} {written(name, value)}"


def counts(row: Mapping[str, Any]) -> str:
    """Return successes of trials as a reader writes them."""
    if row["trials"] is None:
        return ""
    return f"{number(row['successes'])}/{number(row['trials'])}"


def number(value: float) -> str:
    """Return a count, whole if it is."""
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,.4g}"


def _digits(rows: Sequence[Row]) -> int:
    """Return how many decimals tell the ends of the narrowest interval apart."""
    widths = [
        row["high"] - row["low"]
        for row in rows
        if row.get("low") is not None and row["high"] > row["low"]
    ]
    return (
        max(FEWEST_DIGITS, min(MOST_DIGITS, 2 - int(log10(min(widths)))))
        if widths
        else FEWEST_DIGITS
    )


def written(name: str, value: Any, digits: int = 4) -> str:
    """Return a cell as text."""
    if value is None:
        return UNDEFINED if name in RATES - BESIDE else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in CHANCES:
        return chance(value)
    if isinstance(value, float):
        return f"{value:.{digits}f}" if name in RATES else f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def chance(value: float) -> str:
    """Return a probability in two digits, or in as many as it takes to tell it from 1.

    >>> chance(0.0123), chance(0.99609), chance(0.9999), chance(0.9999999)
    ('0.012', '0.996', '0.9999', '1')
    """
    rest = 1 - value
    return f"{value:.{-floor(log10(rest) + 1e-9)}f}" if 5e-7 < rest < 0.01 else f"{value:.2g}"
