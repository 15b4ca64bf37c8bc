"""A graph as LaTeX that reads back as the same symbols in the same places."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from karat.errors import InputError
from karat.graphs.formats.formulas.latex_tokens import WITH_LIMITS
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
ONE_SYMBOL = re.compile(r"\\([A-Za-z]+|[^A-Za-z\s])|\\not\\?\S+|[^\s\\{}~^'%]")
"""A label that LaTeX shows as it stands: a command, one that is struck through, or a character."""
WORD = re.compile(r"[A-Za-z0-9]+")
ENDS_WITH_COMMAND = re.compile(r"\\[A-Za-z]+$")
BEGINS_WITH_LETTER = re.compile(r"[A-Za-z*]")


def latex(graph: LabelGraph) -> str:
    r"""Return the formula of a graph in LaTeX.

    >>> from karat.graphs.formats.formulas.latex import parse_latex
    >>> latex(parse_latex(r"\sum _ { i = 1 } ^ n \sqrt [ 3 ] { x _ i }").graph)
    '\\sum_{i=1}^{n}\\sqrt[3]{x_{i}}'
    """
    return latex_of(formula_of(graph), graph.name or "the graph")


def latex_of(row: Row, where: str = "the formula") -> str:
    """Return rows of symbols in LaTeX."""
    return _LatexWriter(where).row(row)


@dataclass(frozen=True, slots=True)
class _Environment:
    """The environment of a matrix with its brackets, which stand in it as symbols of their own."""

    name: str
    matrix: Symbol
    last: Symbol
    """The matrix or its closing bracket: the symbol that has the scripts."""
    symbols: int


def _environment(row: Row) -> _Environment | None:
    """Return the environment that a row begins with, if it begins with a matrix or with the bracket of one."""
    labels = [one.label for one in row]
    if labels[:1] == [MATRIX]:
        return _Environment("matrix", row[0], row[0], 1)
    if labels[1:2] != [MATRIX] or row[0].regions:
        return None
    matrix = row[1]
    bare = matrix.regions.keys() <= {INSIDE}
    for name, (left, right) in BRACKETS.items():
        if left != labels[0]:
            continue
        if not right:
            last = matrix
            closed = True
        else:
            last = row[-1]
            closed = bare and labels[2:] == [right]
        if closed and last.regions.keys() <= {INSIDE, SUB, SUP}:
            return _Environment(name, matrix, last, 3 if right else 2)
    return None


class _LatexWriter:
    def __init__(self, where: str) -> None:
        self.where = where
        self.depth = 0

    def row(self, row: Row) -> str:
        self.depth += 1
        if self.depth > DEEPEST:
            raise InputError(f"{self.where}: more than {DEEPEST} rows are nested in each other")
        text = ""
        for piece in self._pieces(row):
            # Without a space \pi and x would be the command \pix.
            if ENDS_WITH_COMMAND.search(text) and BEGINS_WITH_LETTER.match(piece):
                text += " "
            text += piece
        self.depth -= 1
        return text

    def _pieces(self, row: Row) -> Iterator[str]:
        """Give the symbols of a row; a matrix and its brackets are one piece."""
        place = 0
        while place < len(row):
            environment = _environment(row[place : place + 3])
            if environment is None:
                yield self.symbol(row[place])
                place += 1
            else:
                matrix = self._matrix(environment.matrix, environment.name)
                yield self.symbol(environment.last, matrix)
                place += environment.symbols

    def _matrix(self, matrix: Symbol, name: str) -> str:
        lines = [" & ".join(map(self.row, cells)) for cells in cells_of(matrix, self.where)]
        inside = " \\\\ ".join(lines)
        return f"\\begin{{{name}}} {inside} \\end{{{name}}}"

    def symbol(self, symbol: Symbol, base: str | None = None) -> str:
        """Return a symbol with its scripts and limits; `base` is a matrix with its brackets, already written."""
        label = symbol.label
        for name in symbol.regions:
            if name not in REGIONS:
                raise InputError(
                    f"{self.where}: '{label}' has a part {name!r}, which is not a place in a formula; "
                    f"places are {', '.join((RIGHT, *REGIONS))}"
                )
        parts: dict[str, str] = {}
        for name, part in symbol.regions.items():
            if not (label == MATRIX and name == INSIDE):
                parts[name] = self.row(part)
        if base is None:
            base = self._base(label, parts)
        if INSIDE in parts:
            raise InputError(
                f"{self.where}: something is inside '{label}'; in LaTeX only a root holds things"
            )
        with_limits = self._limits(label, base, parts)
        return self._corners(label, with_limits, parts)

    def _base(self, label: str, parts: dict[str, str]) -> str:
        """Return a symbol with those parts that are its arguments, taking them out."""
        if label == BAR and (ABOVE in parts or BELOW in parts):
            numerator = parts.pop(ABOVE, "")
            denominator = parts.pop(BELOW, "")
            return f"\\frac{{{numerator}}}{{{denominator}}}"
        if label == ROOT:
            return self._root(parts.pop(ABOVE, ""), parts.pop(INSIDE, ""))
        if label in OVER:
            return f"{label}{{{parts.pop(BELOW, '')}}}"
        if label in UNDER:
            return f"{label}{{{parts.pop(ABOVE, '')}}}"
        return self._character(label)

    def _root(self, index: str, inside: str) -> str:
        if not index:
            return f"{ROOT}{{{inside}}}"
        if "]" in index:  # It would end the index.
            index = f"{{{index}}}"
        return f"{ROOT}[{index}]{{{inside}}}"

    def _character(self, label: str) -> str:
        if label in PARTS:
            raise InputError(f"{self.where}: a '{label}' outside of a matrix")
        if label in PLAIN:
            return PLAIN[label]
        if label in ESCAPED:
            return f"\\{label}"
        if ONE_SYMBOL.fullmatch(label):
            return label
        if WORD.fullmatch(label):
            return f"\\operatorname{{{label}}}"
        raise InputError(f"{self.where}: the label '{label}' cannot be written in LaTeX; rename it")

    def _limits(self, label: str, base: str, parts: dict[str, str]) -> str:
        """Return a symbol with what is above and below it."""
        takes_limits = label in LIMITS or label in INTEGRALS
        if takes_limits and not (SUB in parts or SUP in parts):
            limits = _scripts(parts, below=BELOW, above=ABOVE)
            if limits and label not in LIMITS:
                limits = f"\\limits{limits}"
            return base + limits
        if BELOW in parts:
            base = f"\\underset{{{parts[BELOW]}}}{{{base}}}"
        if ABOVE in parts:
            base = f"\\overset{{{parts[ABOVE]}}}{{{base}}}"
        return base

    def _corners(self, label: str, base: str, parts: dict[str, str]) -> str:
        r"""Return a symbol with its scripts; \nolimits keeps TeX from setting them above and below."""
        scripts = _scripts(parts, below=SUB, above=SUP)
        if scripts and (label in LIMITS or label in WITH_LIMITS):
            scripts = f"\\nolimits{scripts}"
        return base + scripts


def _scripts(parts: dict[str, str], *, below: str, above: str) -> str:
    scripts = ""
    if below in parts:
        scripts += f"_{{{parts[below]}}}"
    if above in parts:
        scripts += f"^{{{parts[above]}}}"
    return scripts
