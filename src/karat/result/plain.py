"""Rows as JSON, CSV and Markdown."""

import csv as writer
import io
import json as encoder
import re
from collections.abc import Mapping, Sequence

from karat.result.base import Result
from karat.result.layout import Grid, grids


def json(result: Result) -> str:
    """Return one object: what belongs to the whole result, and the rows with all their digits."""
    whole = dict(result.beside())
    warnings = [note for note in result.notes() if note.startswith("warning: ")]
    if warnings:
        whole["warnings"] = warnings
    whole["rows"] = [dict(row) for row in result.rows()]
    return encoder.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False)


def csv(result: Result) -> str:
    """Return a header and the rows with all their digits."""
    rows = result.rows()
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [_line(names)]
    for row in rows:
        values = [_cell(row.get(name)) for name in names]
        lines.append(_line(values))
    return "".join(lines)


def _cell(value: object) -> object:
    """Return a value as a spreadsheet takes it: several of them as one text."""
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else value


def _line(cells: Sequence[object]) -> str:
    """Return one line; a return inside a cell is quoted only by a writer that ends its lines with one."""
    out = io.StringIO(newline="")
    writer.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def markdown(result: Result) -> str:
    """Return a table for each part, with its caption, and the notes."""
    tables = markdown_tables(grids(result))
    notes = [escaped(note) for note in result.notes()]
    return "\n\n".join([*tables, *notes]) + "\n"


def markdown_tables(parts: Mapping[str, Grid]) -> list[str]:
    """Return a table under each heading."""
    tables = []
    for head, grid in parts.items():
        rule = ["---:" if name in grid.numeric else "---" for name in grid.headings]
        lines = [_row(cells) for cells in (grid.headings, rule, *grid.cells)]
        if head:
            lines = [f"**{escaped(head)}**", "", *lines]
        if grid.caption:
            lines += ["", f"*{escaped(grid.caption)}*"]
        tables.append("\n".join(lines))
    return tables


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(escaped(cell) for cell in cells)} |"


def escaped(text: str) -> str:
    """Return text that Markdown shows as it is."""
    line = " ".join(text.splitlines()).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"[\\|*`]|(?<!\w)_|_(?!\w)", r"\\\g<0>", line)
