"""Rows as a terminal table, intervals drawn as bars in whatever width is left."""

import io
import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from karat.result.base import Result, Row
from karat.result.layout import Grid, grids
from karat.words import printable

Justify = Literal["left", "right"]
NARROWEST, WIDEST = 12, 40
"""How wide a bar may be."""
NAMES = {"system", "label", "column", "first", "second", "better", "worse"}
"""Columns that may be cut where room is short, but stay apart; the others are shown whole."""
SENTENCES = {"where", "what", "why"}
"""Columns that are broken into lines where room is short."""
NAME, SENTENCE, WIDE_GAP = 10, 20, 2
"""How far names and sentences may shrink, and how far columns stand apart."""
PAGE, UNCUT = 110, 1_000
"""How wide a text is where nobody says it, and where no screen ends: in a pipe or a file."""
STEPS = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00001)
"""The scales that bars may begin and end at."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A result as a person reads it."""

    result: Result

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Any]:
        width = options.max_width
        for head, grid in grids(self.result).items():
            if head:
                yield Text(printable(head), style="bold")
            fitted = _fitted(_printable(grid), width)
            # Wider than the screen rather than cut: digits that are lost mislead.
            yield from console.render(
                _table(fitted, width), options.update(width=max(width, _least(fitted)))
            )
            if grid.caption:
                yield Text(printable(grid.caption), style="dim italic")
            yield Text("")
        for note in self.result.notes():
            yield Text(printable(note), style="yellow" if note.startswith("warning") else "dim")


def terminal(result: Result) -> Terminal:
    """Return what Rich draws."""
    return Terminal(result)


def text(result: Result, *, width: int = PAGE) -> str:
    """Return what a terminal shows, without colours."""
    out = io.StringIO()
    Console(file=out, width=width, color_system=None).print(result, crop=False)
    return out.getvalue()


def _printable(grid: Grid) -> Grid:
    cells = tuple(tuple(map(printable, row)) for row in grid.cells)
    headings, numeric = (
        tuple(map(printable, grid.headings)),
        frozenset(map(printable, grid.numeric)),
    )
    return replace(grid, headings=headings, cells=cells, numeric=numeric)


def _table(grid: Grid, width: int) -> Table:
    table = Table(box=None, padding=(0, _gap(grid, width), 0, 0))
    widths = _widths(grid)
    for name in grid.headings:
        justify: Justify = "right" if name in grid.numeric else "left"
        if name in SENTENCES:
            table.add_column(escape(name), overflow="fold", min_width=min(SENTENCE, widths[name]))
        else:
            table.add_column(escape(name), justify=justify, no_wrap=True, min_width=widths[name])
    bars = _bars(grid, width)
    if bars:
        table.add_column(escape(bars[0]), no_wrap=True, min_width=len(bars[0]))
    for place, cells in enumerate(grid.cells):
        texts = [Text(cell) for cell in cells]
        table.add_row(*texts, *([Text(bars[place + 1], style="cyan")] if bars else []))
    return table


def _fitted(grid: Grid, width: int) -> Grid:
    """Return a table whose names are cut as far as the width asks for, and as far as they stay apart."""
    columns = {place for place, name in enumerate(grid.headings) if name in NAMES}
    names = {*grid.headings, *(row[place] for row in grid.cells for place in columns)}
    fitted = grid
    for room in range(max(map(cell_len, names), default=0) - 1, NAME - 1, -1):
        cut = {name: shortened(name, room) for name in names}
        if _least(fitted) <= width or len(set(cut.values())) < len(names):
            break
        fitted = _renamed(grid, columns, cut)
    return fitted


def _renamed(grid: Grid, columns: Container[int], names: Mapping[str, str]) -> Grid:
    cells = [
        tuple(names[cell] if k in columns else cell for k, cell in enumerate(row))
        for row in grid.cells
    ]
    numeric = frozenset(names.get(name, name) for name in grid.numeric)
    return replace(
        grid,
        headings=tuple(names[name] for name in grid.headings),
        cells=tuple(cells),
        numeric=numeric,
    )


def shortened(name: str, room: int) -> str:
    """Return a name that is cut in the middle, since names often differ at their ends only.

    >>> shortened("meta-llama/Llama-3-8B-Instruct", 15)
    'meta-ll…nstruct'
    """
    if cell_len(name) <= room:
        return name
    head = room // 2
    return f"{name[:head]}…{name[len(name) - (room - 1 - head) :]}"


def _least(grid: Grid) -> int:
    """Return the width below which something would be lost."""
    widths = _widths(grid)
    return sum(
        min(own, SENTENCE) if name in SENTENCES else own for name, own in widths.items()
    ) + len(widths)


def _widths(grid: Grid) -> dict[str, int]:
    return {
        name: max(map(cell_len, (name, *cells)))
        for name, *cells in zip(grid.headings, *grid.cells, strict=True)
    }


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
    room = min(WIDEST, width - whole - 2)
    if room < NARROWEST:
        return []
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
