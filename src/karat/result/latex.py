"""Rows as a LaTeX table, ready for a paper."""

import re
from collections.abc import Sequence

from karat.result.base import Result
from karat.result.layout import Grid, grids
from karat.words import printable

ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "∅": r"$\emptyset$",
}


def latex(result: Result) -> str:
    """Return one `tabular` per part, with booktabs' rules and the caption as a comment for the author."""
    parts = [_tabular(head, grid) for head, grid in grids(result).items()]
    return "\n\n".join(parts) + "\n"


def _tabular(head: str, grid: Grid) -> str:
    columns = "".join("r" if name in grid.numeric else "l" for name in grid.headings)
    lines = [
        f"% {printable(head)} {printable(grid.caption)}".rstrip(),
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line(grid.headings),
        r"\midrule",
    ]
    for row in grid.cells:
        # An empty group keeps a first cell that begins with [ from being read as an argument of the line before.
        protection = "{} " if row[0].startswith("[") else ""
        lines.append(protection + _line(row))
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return " & ".join(_safe(cell) for cell in cells) + r" \\"


def _safe(text: str) -> str:
    escaped = "".join(ESCAPES.get(letter, letter) for letter in printable(text))
    return re.sub("-(?=-)", "-{}", escaped)  # two hyphens would become a dash
