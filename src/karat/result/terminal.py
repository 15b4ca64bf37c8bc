"""Rows as a terminal table, intervals drawn as bars in whatever width is left."""

import io
import textwrap
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from karat.option_names import in_python
from karat.result.base import Result, Row
from karat.result.layout import Grid, grids, middle_of, scale_of
from karat.words import printable

Justify = Literal["left", "right"]
NARROWEST, WIDEST = 12, 40
"""How wide a bar may be."""
NAMES = {"system", "label", "column", "first", "second", "better", "worse"}
"""Columns whose names may be shortened where room is short; the others are shown whole."""
SENTENCES = {"where", "what", "why"}
"""Columns that are broken into lines where room is short."""
NAME, SENTENCE, WIDE_GAP = 10, 20, 2
"""How far names and sentences may shrink, and the space between columns."""
LONG_HEADING, HEADING_LINE = 18, 12
"""A heading longer than the first is broken into lines of at most the second."""
PAGE, UNCUT = 110, 1_000
"""How wide a text is by default, and in a pipe or a file, where no screen ends."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A result as a person reads it."""

    result: Result
    is_asked_in_python: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Any]:
        width = options.max_width
        for head, grid in grids(self.result).items():
            if head:
                yield Text(printable(head), style="bold")
            fitted = _fitted(_printable(grid), width)
            # Wider than the screen rather than cut: digits that are lost mislead.
            wide_enough = options.update(width=max(width, _least(fitted)))
            yield from console.render(_table(fitted, width), wide_enough)
            if grid.caption:
                yield Text(printable(grid.caption), style="dim italic")
            yield Text("")
        for note in self._notes():
            style = "yellow" if note.startswith("warning") else "dim"
            yield Text(printable(note), style=style)

    def _notes(self) -> Sequence[str]:
        notes = self.result.notes()
        return [in_python(note) for note in notes] if self.is_asked_in_python else notes


def terminal(result: Result) -> Terminal:
    """Return what Rich draws."""
    return Terminal(result)


def text(result: Result, *, width: int = PAGE) -> str:
    """Return what a terminal shows, without colours; who asks in Python reads options as keywords."""
    out = io.StringIO()
    # A notebook shows what is returned; Rich would show it there by itself, a second time.
    console = Console(file=out, width=width, color_system=None, force_jupyter=False)
    console.print(Terminal(result, is_asked_in_python=True), crop=False)
    return out.getvalue()


def _printable(grid: Grid) -> Grid:
    """Return a table without control characters."""
    rows = [tuple(printable(cell) for cell in row) for row in grid.cells]
    return replace(
        grid,
        headings=tuple(printable(name) for name in grid.headings),
        cells=tuple(rows),
        numeric=frozenset(printable(name) for name in grid.numeric),
    )


def _table(grid: Grid, width: int) -> Table:
    table = Table(box=None, padding=(0, _gap(grid, width), 0, 0))
    for name, own in _widths(grid).items():
        if name in SENTENCES:
            table.add_column(escape(name), overflow="fold", min_width=min(SENTENCE, own))
            continue
        justify: Justify = "right" if name in grid.numeric else "left"
        table.add_column(escape(_heading(name)), justify=justify, no_wrap=True, min_width=own)
    rows = [[Text(cell) for cell in cells] for cells in grid.cells]
    bars = _bars(grid, width)
    if bars is not None:
        table.add_column(escape(bars.scale), no_wrap=True, min_width=len(bars.scale))
        for row, line in zip(rows, bars.lines, strict=True):
            row.append(Text(line, style="cyan"))
    for row in rows:
        table.add_row(*row)
    return table


def _fitted(grid: Grid, width: int) -> Grid:
    """Return a table whose names are shortened to fit the width, as far as they remain distinct."""
    columns = {place for place, name in enumerate(grid.headings) if name in NAMES}
    names = {name for name in grid.headings if len(name) <= LONG_HEADING}
    for row in grid.cells:
        names.update(row[place] for place in columns)
    longest = max(map(cell_len, names), default=0)
    fitted = grid
    for room in range(longest - 1, NAME - 1, -1):
        if _least(fitted) <= width:
            break
        short = {name: shortened(name, room) for name in names}
        if len(set(short.values())) < len(names):
            break
        fitted = _renamed(grid, columns, short)
    return fitted


def _renamed(grid: Grid, columns: Container[int], names: Mapping[str, str]) -> Grid:
    """Return a table with other headings, and other names in some columns."""
    rows = []
    for row in grid.cells:
        cells = [names[cell] if place in columns else cell for place, cell in enumerate(row)]
        rows.append(tuple(cells))
    return replace(
        grid,
        headings=tuple(names.get(name, name) for name in grid.headings),
        cells=tuple(rows),
        numeric=frozenset(names.get(name, name) for name in grid.numeric),
    )


def shortened(name: str, room: int) -> str:
    """Return a name without its middle, since names often differ only at their ends.

    >>> shortened("meta-llama/Llama-3-8B-Instruct", 15)
    'meta-ll…nstruct'
    """
    if cell_len(name) <= room:
        return name
    head = room // 2
    tail = room - 1 - head
    return f"{name[:head]}…{name[len(name) - tail :]}"


def _least(grid: Grid) -> int:
    """Return the width below which something would be lost."""
    widths = _widths(grid)
    total = len(widths)  # a space after each column
    for name, width in widths.items():
        total += min(width, SENTENCE) if name in SENTENCES else width
    return total


def _widths(grid: Grid) -> dict[str, int]:
    """Return how wide each column is."""
    widths = {}
    for place, name in enumerate(grid.headings):
        cells = [row[place] for row in grid.cells]
        heading = _heading(name).split("\n")
        widths[name] = max(map(cell_len, [*heading, *cells]))
    return widths


def _heading(name: str) -> str:
    r"""Return a heading, a long one in several lines.

    >>> _heading("worst-case flips tolerated")
    'worst-case\nflips\ntolerated'
    """
    if len(name) <= LONG_HEADING:
        return name
    return "\n".join(textwrap.wrap(name, HEADING_LINE, break_on_hyphens=False))


def _gap(grid: Grid, width: int) -> int:
    """Return the space between columns: less where room is short."""
    widths = _widths(grid)
    needed = sum(widths.values()) + WIDE_GAP * len(widths)
    return WIDE_GAP if needed <= width else 1


@dataclass(frozen=True, slots=True)
class Bars:
    """Intervals as lines of characters, under a scale."""

    scale: str
    lines: tuple[str, ...]


def _bars(grid: Grid, width: int) -> Bars | None:
    """Return a bar for each row, if there are intervals and room to draw them."""
    bounded = [row for row in grid.rows if row.get("low") is not None]
    widths = _widths(grid)
    used = sum(widths.values()) + _gap(grid, width) * len(widths)
    room = min(WIDEST, width - used - 2)
    if not bounded or room < NARROWEST:
        return None
    low, high = scale_of(bounded)
    first = f"{low:.4g}"
    last = f"{high:.4g}"
    scale = first + " " * (room - len(first) - len(last)) + last
    return Bars(scale, tuple(bar(row, low, high, room) for row in grid.rows))


def bar(row: Row, low: float, high: float, room: int) -> str:
    """Return an interval as characters: ends, line, and the value as a diamond.

    >>> bar({"low": 0.25, "value": 0.5, "high": 0.75}, 0.0, 1.0, 13)
    '   ├──◆──┤   '
    """

    def place(value: float) -> int:
        inside = min(max(value, low), high)
        return round((inside - low) / (high - low) * (room - 1))

    if row["low"] is None:
        return ""
    cells = [" "] * room
    left = place(row["low"])
    right = place(row["high"])
    cells[left : right + 1] = "─" * (right - left + 1)
    cells[left] = "├"
    cells[right] = "┤"
    value = middle_of(row)
    if value is not None:
        cells[place(value)] = "◆"
    return "".join(cells)
