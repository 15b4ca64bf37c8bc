"""Rows as a terminal table, intervals drawn as bars in whatever width is left."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from karat.result.base import Result, Row
from karat.result.layout import Grid, grids

Justify = Literal["left", "right"]
NARROWEST, WIDEST = 12, 40
"""How wide a bar may be."""
NAMES = {"system", "label", "column", "first", "second", "better", "worse"}
"""Columns that may be cut where room is short; the others are shown whole."""
SENTENCES = {"where", "what", "why"}
"""Columns that take several lines where room is short."""
NAME, MOST_ROOM, WIDE_GAP = 5, 40, 2
STEPS = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00001)
"""The scales that bars may begin and end at."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A result as a person reads it."""

    result: Result

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[RenderableType]:
        for head, grid in grids(self.result).items():
            if head:
                yield Text(head, style="bold")
            yield _table(grid, options.max_width)
            if grid.caption:
                yield Text(grid.caption, style="dim italic")
            yield Text("")
        for note in self.result.notes():
            yield Text(note, style="yellow" if note.startswith("warning") else "dim")


def terminal(result: Result) -> Terminal:
    """Return what Rich draws."""
    return Terminal(result)


def _table(grid: Grid, width: int) -> Table:
    table = Table(box=None, padding=(0, _gap(grid, width), 0, 0))
    for name, *column in zip(grid.headings, *grid.cells, strict=True):
        justify: Justify = "right" if name in grid.numeric else "left"
        long = name in SENTENCES
        room = min(NAME if name in NAMES else MOST_ROOM // 2 if long else MOST_ROOM, max(map(len, (name, *column))))
        table.add_column(
            escape(name), justify=justify, no_wrap=not long, overflow="fold" if long else "ellipsis", min_width=room
        )
    bars = _bars(grid, width)
    if bars:
        table.add_column(escape(bars[0]), no_wrap=True, min_width=len(bars[0]))
    for place, cells in enumerate(grid.cells):
        texts = [Text(cell) for cell in cells]
        table.add_row(*texts, *([Text(bars[place + 1], style="cyan")] if bars else []))
    return table


def _widths(grid: Grid) -> dict[str, int]:
    return {name: max(map(len, (name, *cells))) for name, *cells in zip(grid.headings, *grid.cells, strict=True)}


def _gap(grid: Grid, width: int) -> int:
    """Return how far columns stand apart: closer where room is short."""
    widths = _widths(grid)
    return WIDE_GAP if sum(widths.values()) + WIDE_GAP * len(widths) <= width else 1


def _bars(grid: Grid, width: int) -> list[str]:
    """Return a scale and a bar per row, if there are intervals and room to draw them."""
    if not any(row.get("low") is not None for row in grid.rows):
        return []
    widths = _widths(grid)
    whole = sum(widths.values()) + _gap(grid, width) * len(widths)
    least = whole - sum(max(0, widths[name] - NAME) for name in NAMES if name in widths)
    if width - least - 2 < NARROWEST:
        return []
    room = max(NARROWEST, min(WIDEST, width - whole - 2))
    low, high = _range(grid.rows)
    ends = f"{low:.4g}", f"{high:.4g}"
    scale = ends[0] + " " * (room - len(ends[0]) - len(ends[1])) + ends[1]
    return [scale, *(bar(row, low, high, room) for row in grid.rows)]


def _range(rows: Sequence[Row]) -> tuple[float, float]:
    """Return round numbers around all intervals, so that bars use their width."""
    known = [row for row in rows if row["low"] is not None]
    first, last = min(row["low"] for row in known), max(row["high"] for row in known)
    step = next((step for step in STEPS if step <= (last - first) / 4), STEPS[-1])
    low, high = step * math.floor(first / step), min(1.0, step * math.ceil(last / step))
    return (low, high) if high > low else (0.0, 1.0)


def bar(row: Row, low: float, high: float, room: int) -> str:
    """Return an interval as characters: ends, line, and the value as a diamond.

    >>> bar({"low": 0.25, "value": 0.5, "high": 0.75}, 0.0, 1.0, 13)
    '   ├──◆──┤   '
    """

    def place(value: float) -> int:
        return round((min(max(value, low), high) - low) / (high - low) * (room - 1))

    if row["low"] is None:
        return ""
    cells = [" "] * room
    left, right = place(row["low"]), place(row["high"])
    cells[left : right + 1] = "─" * (right - left + 1)
    cells[left], cells[right] = "├", "┤"
    value = row["value"] if "value" in row else row["gain"]
    if value is not None:
        cells[place(value)] = "◆"
    return "".join(cells)
