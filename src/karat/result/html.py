"""Rows as HTML, for notebooks: the tables of a terminal, with intervals drawn beside their rows."""

from collections.abc import Sequence
from html import escape

from karat.option_names import in_python
from karat.result.base import Result, Row
from karat.result.layout import Grid, grids, middle_of, scale_of
from karat.words import printable

WIDTH, HEIGHT = 240, 14
"""How large the drawing of an interval is."""
MARGIN = 4
DIAMOND = 3.5


def html(result: Result) -> str:
    """Return a table for each part, and the notes; everything that comes from the data is escaped."""
    tables = [_table(head, grid) for head, grid in grids(result).items()]
    notes = [f"<p>{_safe(in_python(note))}</p>" for note in result.notes()]
    return "".join([*tables, *notes])


def _table(head: str, grid: Grid) -> str:
    caption = " — ".join(text for text in (head, grid.caption) if text)
    is_right = [name in grid.numeric for name in grid.headings]
    headings = _cells("th", grid.headings, is_right)
    rows = [_cells("td", row, is_right) for row in grid.cells]
    bounded = [row for row in grid.rows if row.get("low") is not None]
    if bounded:
        low, high = scale_of(bounded)
        headings += _scale(low, high)
        for place, row in enumerate(grid.rows):
            rows[place] += f"<td>{_bar(row, low, high)}</td>"
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f"<table><caption>{_safe(caption)}</caption>"
        f"<thead><tr>{headings}</tr></thead><tbody>{body}</tbody></table>"
    )


def _safe(text: str) -> str:
    return escape(printable(text))


def _cells(tag: str, texts: Sequence[str], is_right: Sequence[bool]) -> str:
    cells = []
    for text, right in zip(texts, is_right, strict=True):
        side = "right" if right else "left"
        cells.append(f'<{tag} style="text-align:{side}">{_safe(text)}</{tag}>')
    return "".join(cells)


def _scale(low: float, high: float) -> str:
    """Return the heading of the bars: where they begin and end."""
    ends = f"<span>{low:.4g}</span><span>{high:.4g}</span>"
    return f'<th><div style="display:flex;justify-content:space-between;width:{WIDTH}px">{ends}</div></th>'


def _bar(row: Row, low: float, high: float) -> str:
    """Return an interval as a line with its value."""
    if row["low"] is None:
        return ""

    def place(value: float) -> float:
        share = (min(max(value, low), high) - low) / (high - low)
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 1)

    middle = HEIGHT / 2
    left = place(row["low"])
    right = place(row["high"])
    ends = f"M{left} {middle - 4}v8M{left} {middle}H{right}M{right} {middle - 4}v8"
    drawn = f'<path d="{ends}" stroke="currentColor" fill="none"/>'
    value = middle_of(row)
    if value is not None:
        corner = DIAMOND
        turn = f"l{corner} {corner}l-{corner} {corner}l-{corner} -{corner}z"
        drawn += f'<path d="M{place(value)} {middle - corner}{turn}" fill="currentColor"/>'
    return f'<svg width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="interval">{drawn}</svg>'
