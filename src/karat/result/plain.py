"""Rows as JSON, CSV and Markdown."""

import csv as writer
import io
import json as encoder

from karat.result.base import Result
from karat.result.layout import grids


def json(result: Result) -> str:
    """Return one object: what stands beside the rows, and the rows with all their digits."""
    whole = {**result.beside(), "rows": [dict(row) for row in result.rows()]}
    return encoder.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False)


def csv(result: Result) -> str:
    """Return a header and the rows with all their digits."""
    rows = result.rows()
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    table = writer.DictWriter(out, names, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()


def markdown(result: Result) -> str:
    """Return a table per part, with its caption."""
    parts: list[str] = []
    for head, grid in grids(result).items():
        lines = [f"**{_safe(head)}**", ""] if head else []
        rule = ["---:" if name in grid.numeric else "---" for name in grid.headings]
        lines += [f"| {' | '.join(map(_safe, row))} |" for row in (grid.headings, rule, *grid.cells)]
        parts.append("\n".join([*lines, "", f"*{_safe(grid.caption)}*"] if grid.caption else lines))
    return "\n\n".join([*parts, *map(_safe, result.notes())]) + "\n"


def _safe(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")
