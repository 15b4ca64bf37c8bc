"""Rows as a table that is easy to read: what is the same in every row goes into the caption."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

from karat.result.base import Result, Row
from karat.result.probabilities import chance, p_alone

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
BESIDE = {"truth", "true precision", "true recall", "discordant"}
"""Columns of which some rows have none."""
CHANCES = {"p (Holm)", "first in", "P(same rank)"}
CHANCES |= {"kept", "tie", "reversed", "order kept", "order reversed"}
CHANCES |= {"order kept (chance)", "best kept (chance)", "best kept (informed)"}
P_VALUES = {"p (Holm)", "p", "p of failing"}
CHANCES |= P_VALUES
"""Probabilities, as numbers or as text."""
LIFTED = {"level", "side", "label", "runs", "label_error"}
"""Columns that go into the caption if they are the same in every row."""
SIDES = {
    "both": "two-sided",
    "lower": "one-sided, from below",
    "upper": "one-sided, from above",
}
STEPS = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00001)
"""The scales that bars may begin and end at."""
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
    """Return rows as headings and cells; columns with the same value in every row become the caption."""
    if not rows:
        return Grid((), (), (), "no rows", frozenset())
    lifted = {name for name in rows[0] if name == "method" or _constant(name, rows)}
    digits = _digits(rows)
    cells: dict[str, list[str]] = {}
    for name in rows[0]:
        if name not in lifted and _has_values(name, rows):
            cells |= _column(name, rows, digits)
    numeric = {name for name in cells if _is_numeric(name, rows)}
    return Grid(
        headings=tuple(cells),
        cells=tuple(zip(*cells.values(), strict=True)),
        rows=tuple(rows),
        caption=_caption(rows, lifted),
        numeric=frozenset(numeric | {"counts"}),
    )


def _has_values(name: str, rows: Sequence[Row]) -> bool:
    """Return whether a column is shown: an undefined rate is, an empty column is not."""
    return name in RATES or any(row[name] is not None for row in rows)


def _is_numeric(name: str, rows: Sequence[Row]) -> bool:
    if name in CHANCES:
        return True
    return all(isinstance(row.get(name, ""), int | float | None) for row in rows)


def _constant(name: str, rows: Sequence[Row]) -> bool:
    """Return whether a column goes into the caption, or holds no information."""
    values = [row[name] for row in rows]
    if name == "rank":
        return all(value is None for value in values)
    return name in LIFTED and all(value == values[0] for value in values)


def _caption(rows: Sequence[Row], lifted: Container[str]) -> str:
    """Return what holds for all rows: constant columns, and the methods."""
    parts = []
    for name, value in rows[0].items():
        if name in lifted and name != "method" and value is not None:
            parts.append(_in_caption(name, value))
    methods = list(dict.fromkeys(str(row["method"]) for row in rows if "method" in row))
    parts += methods[:MOST_METHODS]
    if len(methods) > MOST_METHODS:
        parts.append("...")
    return ", ".join(parts)


def _in_caption(name: str, value: Any) -> str:
    if name == "side":
        return SIDES[value]
    return f"{name} {written(name, value)}"


def _column(name: str, rows: Sequence[Row], digits: int) -> dict[str, list[str]]:
    """Return the cells of a column by its heading; of two that are shown in one, the second has none."""
    first = rows[0]
    if name == "successes" and "trials" in first:
        if all(row["trials"] is None for row in rows):
            return {}
        return {"counts": [counts(row) for row in rows]}
    if name == "low":
        return {"interval": [_interval(row, digits) for row in rows]}
    if name == "trials" and "successes" in first:
        return {}
    if name == "high" and "low" in first:
        return {}
    return {name: [written(name, row[name], digits) for row in rows]}


def _interval(row: Row, digits: int) -> str:
    """Return an interval; nothing where there is none."""
    if row["low"] is None:
        return ""
    low = written("low", row["low"], digits)
    high = written("high", row["high"], digits)
    return f"[{low}, {high}]"


def counts(row: Mapping[str, Any]) -> str:
    """Return successes and trials, such as 42/100."""
    if row["trials"] is None:
        return ""
    return f"{number(row['successes'])}/{number(row['trials'])}"


def number(value: float) -> str:
    """Return a count, whole if it is."""
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,.4g}"


def _digits(rows: Sequence[Row]) -> int:
    """Return how many decimals distinguish the ends of the narrowest interval."""
    bounded = [row for row in rows if row.get("low") is not None]
    widths = [row["high"] - row["low"] for row in bounded]
    narrowest = min((width for width in widths if width > 0), default=None)
    if narrowest is None:
        return FEWEST_DIGITS
    wanted = 2 - int(log10(narrowest))
    return max(FEWEST_DIGITS, min(MOST_DIGITS, wanted))


def written(name: str, value: Any, digits: int = 4) -> str:
    """Return a cell as text."""
    if value is None:
        return UNDEFINED if name in RATES - BESIDE else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in CHANCES and not isinstance(value, str):
        return p_alone(value) if name in P_VALUES else chance(value)
    if name == "label_error" and not isinstance(value, str):
        return f"{value:.2g}"
    if isinstance(value, float):
        return f"{value:.{digits}f}" if name in RATES else f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def scale_of(rows: Sequence[Row]) -> tuple[float, float]:
    """Return round numbers around all intervals, so that bars use their width."""
    first = min(row["low"] for row in rows)
    last = max(row["high"] for row in rows)
    # The largest step that gives at least four of them; the smallest where all intervals are points.
    step = next((step for step in STEPS if step <= (last - first) / 4), STEPS[-1])
    low = step * floor(first / step)
    high = step * ceil(last / step)
    if last <= 1:
        high = min(1.0, high)
    return (low, high) if high > low else (0.0, 1.0)


def middle_of(row: Row) -> float | None:
    """Return what an interval is about: a value, or what one system gains over another."""
    value: float | None = row["value"] if "value" in row else row["gain"]
    return value
