"""A graph as LaTeX that reads back as the same symbols in the same places."""

import re
from collections.abc import Iterator

from karat.errors import InputError
from karat.graphs.formats.latex_tokens import WITH_LIMITS
from karat.graphs.model.characters import BAR, COMMA, INTEGRALS, LIMITS, OVER, ROOT, UNDER
from karat.graphs.model.formula import (
    ABOVE,
    BELOW,
    DEEPEST,
    INSIDE,
    REGIONS,
    RIGHT,
    SUB,
    SUP,
    Row,
    Symbol,
    formula_of,
)
from karat.graphs.model.grid import BRACKETS, PARTS, cells_of
from karat.graphs.model.grid_levels import MATRIX
from karat.graphs.model.structure import LabelGraph

PLAIN = {COMMA: ",", "\\lt": "<", "\\gt": ">", "\\ast": "*"}
ESCAPED = frozenset("#$&_")


def latex(graph: LabelGraph) -> str:
    r"""Return the formula of a graph in LaTeX.

    >>> from karat.graphs.formats.latex import parse_latex
    >>> latex(parse_latex(r"\sum _ { i = 1 } ^ n \sqrt [ 3 ] { x _ i }").graph)
    '\\sum_{i=1}^{n}\\sqrt[3]{x_{i}}'
    """
    return latex_of(formula_of(graph), graph.name or "the graph")


def latex_of(row: Row, where: str = "the formula") -> str:
    """Return rows of symbols in LaTeX."""
    return _Writer(where).row(row)


def _environment(row: Row) -> tuple[str, int]:
    """Return the environment of a matrix that a row begins with, and how many symbols it is with its brackets."""
    labels = [one.label for one in row]
    if labels[:1] == [MATRIX]:
        return "matrix", 1
    if labels[1:2] != [MATRIX] or row[0].regions:
        return "", 1
    bare = row[1].regions.keys() <= {INSIDE}
    for name, (left, right) in BRACKETS.items():
        number = 3 if right else 2
        closed = not right or (labels[2:] == [right] and bare)
        if left == labels[0] and closed and row[number - 1].regions.keys() <= {INSIDE, SUB, SUP}:
            return name, number
    return "", 1


class _Writer:
    def __init__(self, where: str) -> None:
        self.where = where
        self.depth = 0

    def row(self, row: Row) -> str:
        self.depth += 1
        if self.depth > DEEPEST:
            raise InputError(f"{self.where}: more than {DEEPEST} rows lie in each other")
        found = ""
        for each in self._pieces(row):
            # A command would run on into a letter.
            found += (
                " " if re.search(r"\\[A-Za-z]+$", found) and re.match(r"[A-Za-z*]", each) else ""
            )
            found += each
        self.depth -= 1
        return found

    def _pieces(self, row: Row) -> Iterator[str]:
        """Give the symbols of a row; a matrix and its brackets are one piece."""
        place = 0
        while place < len(row):
            name, number = _environment(row[place : place + 3])
            if name:
                yield self.symbol(
                    row[place + number - 1], self._matrix(row[place + (number > 1)], name)
                )
            else:
                yield self.symbol(row[place])
            place += number

    def _matrix(self, matrix: Symbol, name: str) -> str:
        rows = (" & ".join(map(self.row, cells)) for cells in cells_of(matrix, self.where))
        whole = " \\\\ ".join(rows)
        return f"\\begin{{{name}}} {whole} \\end{{{name}}}"

    def symbol(self, symbol: Symbol, base: str | None = None) -> str:
        """Return a symbol with all that hangs on it; the `base` of a matrix is what it holds and its brackets."""
        odd = next((name for name in symbol.regions if name not in REGIONS), None)
        if odd is not None:
            raise InputError(
                f"{self.where}: '{symbol.label}' has a part {odd!r}, which is no place in a formula; "
                f"places are {', '.join((RIGHT, *REGIONS))}"
            )
        held = {INSIDE} if symbol.label == MATRIX else set()
        parts = {name: self.row(part) for name, part in symbol.regions.items() if name not in held}
        base = self._base(symbol.label, parts) if base is None else base
        if INSIDE in parts:
            raise InputError(
                f"{self.where}: something is inside '{symbol.label}'; in LaTeX only a root holds things"
            )
        return self._corners(symbol.label, self._limits(symbol.label, base, parts), parts)

    def _base(self, label: str, parts: dict[str, str]) -> str:
        """Return a symbol with those parts that are its arguments, taking them out."""
        if label == BAR and (ABOVE in parts or BELOW in parts):
            return f"\\frac{{{parts.pop(ABOVE, '')}}}{{{parts.pop(BELOW, '')}}}"
        if label == ROOT:
            index = parts.pop(ABOVE, "")
            held = f"{{{index}}}" if "]" in index else index
            return f"{ROOT}{f'[{held}]' if index else ''}{{{parts.pop(INSIDE, '')}}}"
        if label in OVER or label in UNDER:
            return f"{label}{{{parts.pop(BELOW if label in OVER else ABOVE, '')}}}"
        return self._sign(label)

    def _sign(self, label: str) -> str:
        if label in PARTS:
            raise InputError(f"{self.where}: a '{label}' is part of no matrix")
        if label in PLAIN:
            return PLAIN[label]
        if re.fullmatch(r"\\([A-Za-z]+|[^A-Za-z\s])|\\not\\?\S+|[^\s\\{}~^'%]", label):
            return f"\\{label}" if label in ESCAPED else label
        if re.fullmatch(r"[A-Za-z0-9]+", label):
            return f"\\operatorname{{{label}}}"
        raise InputError(f"{self.where}: the label '{label}' cannot be written in LaTeX; rename it")

    def _limits(self, label: str, base: str, parts: dict[str, str]) -> str:
        """Return a symbol with what is above and below it."""
        wide = label in LIMITS or label in INTEGRALS
        if wide and not (SUB in parts or SUP in parts):
            scripts = "".join(
                f"{mark}{{{parts[name]}}}"
                for mark, name in (("_", BELOW), ("^", ABOVE))
                if name in parts
            )
            return base + ("\\limits" if scripts and label not in LIMITS else "") + scripts
        for name, command in ((BELOW, "underset"), (ABOVE, "overset")):
            if name in parts:
                base = f"\\{command}{{{parts[name]}}}{{{base}}}"
        return base

    def _corners(self, label: str, base: str, parts: dict[str, str]) -> str:
        scripts = "".join(
            f"{mark}{{{parts[name]}}}" for mark, name in (("_", SUB), ("^", SUP)) if name in parts
        )
        return base + ("\\nolimits" if scripts and label in LIMITS | WITH_LIMITS else "") + scripts
