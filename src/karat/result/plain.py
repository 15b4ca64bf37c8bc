"""Rows as JSON, CSV and Markdown."""

import csv as writer
import io
import json as encoder
import re
from collections.abc import Mapping

from karat.result.base import Result
from karat.result.layout import Grid, grids


def json(result: Result) -> str:
    """Return one object: what stands beside the rows, and the rows with all their digits."""
    warnings = [note for note in result.notes() if note.startswith("warning: ")]
    said = {"warnings": warnings} if warnings else {}
    whole = {**result.beside(), **said, "rows": [dict(row) for row in result.rows()]}
    return encoder.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False)


def csv(result: Result) -> str:
    """Return a header and the rows with all their digits."""
    rows = result.rows()
    names = list(dict.fromkeys(name for row in rows for name in row))
    return "".join(
        _line([row.get(name) for name in names])
        for row in [dict(zip(names, names, strict=True)), *rows]
    )


def _line(cells: list[object]) -> str:
    """Return one line; a return inside a cell is quoted only by a writer that ends its lines with one."""
    out = io.StringIO(newline="")
    writer.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def markdown(result: Result) -> str:
    """Return a table per part, with its caption."""
    return "\n\n".join([*markdown_tables(grids(result)), *map(safe, result.notes())]) + "\n"


def markdown_tables(found: Mapping[str, Grid]) -> list[str]:
    """Return a table under each heading."""
    parts: list[str] = []
    for head, grid in found.items():
        lines = [f"**{safe(head)}**", ""] if head else []
        rule = ["---:" if name in grid.numeric else "---" for name in grid.headings]
        lines += [f"| {' | '.join(map(safe, row))} |" for row in (grid.headings, rule, *grid.cells)]
        parts.append("\n".join([*lines, "", f"*{safe(grid.caption)}*"] if grid.caption else lines))
    return parts


def safe(text: str) -> str:
    """Return text that Markdown shows as it is."""
    line = " ".join(text.splitlines()).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"[\\|*`]|(?<!\w)_|_(?!\w)", r"\\\g<0>", line)
