"""Rows as HTML, for notebooks."""

from html import escape

from karat.result.base import Result
from karat.result.layout import Grid, grids


def html(result: Result) -> str:
    """Return a table per part; everything that comes from the data is escaped."""
    parts = [_table(head, grid) for head, grid in grids(result).items()]
    return "".join([*parts, *(f"<p>{escape(note)}</p>" for note in result.notes())])


def _table(head: str, grid: Grid) -> str:
    caption = " — ".join(text for text in (head, grid.caption) if text)
    top = "".join(f"<th>{escape(name)}</th>" for name in grid.headings)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in grid.cells
    )
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
