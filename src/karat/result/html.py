"""Rows as HTML, for notebooks."""

from collections.abc import Sequence
from html import escape

from karat.result.base import Result
from karat.result.layout import Grid, grids
from karat.words import printable


def html(result: Result) -> str:
    """Return a table for each part, and the notes; everything that comes from the data is escaped."""
    tables = [_table(head, grid) for head, grid in grids(result).items()]
    notes = [f"<p>{_safe(note)}</p>" for note in result.notes()]
    return "".join([*tables, *notes])


def _table(head: str, grid: Grid) -> str:
    caption = " — ".join(text for text in (head, grid.caption) if text)
    headings = _cells("th", grid.headings)
    rows = "".join(f"<tr>{_cells('td', row)}</tr>" for row in grid.cells)
    return (
        f"<table><caption>{_safe(caption)}</caption>"
        f"<thead><tr>{headings}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _safe(text: str) -> str:
    return escape(printable(text))


def _cells(tag: str, texts: Sequence[str]) -> str:
    return "".join(f"<{tag}>{_safe(text)}</{tag}>" for text in texts)
