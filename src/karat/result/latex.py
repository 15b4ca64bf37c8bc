"""Rows as a LaTeX table, ready for a paper."""

import re

from karat.result.base import Result
from karat.result.layout import Grid, grids

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
    # An empty group keeps a first cell that begins with [ from being read as an argument of the line before.
    body = [
        "{} " * row[0].startswith("[") + " & ".join(map(_safe, row)) + r" \\" for row in grid.cells
    ]
    lines = [
        f"% {head} {grid.caption}".replace("\n", " ").rstrip(),
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(map(_safe, grid.headings)) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def _safe(text: str) -> str:
    escaped = "".join(ESCAPES.get(letter, letter) for letter in " ".join(text.splitlines()))
    return re.sub("-(?=-)", "-{}", escaped)  # two hyphens would become a dash
