"""A graph as Presentation MathML that reads back as the same symbols in the same places."""

from xml.sax.saxutils import escape

from karat.errors import InputError
from karat.graphs.model.characters import (
    BAR,
    FUNCTIONS,
    GREEK,
    OVER,
    OVER_CHARACTERS,
    ROOT,
    UNDER,
    UNDER_CHARACTERS,
    character,
)
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
from karat.graphs.model.grid import PARTS, cells_of
from karat.graphs.model.grid_levels import MATRIX
from karat.graphs.model.structure import LabelGraph

SPACE = "http://www.w3.org/1998/Math/MathML"
MARKS = frozenset({*OVER_CHARACTERS, *UNDER_CHARACTERS})


def mathml(graph: LabelGraph) -> str:
    r"""Return the formula of a graph in MathML, on one line.

    >>> from karat.graphs.formats.formulas.latex import parse_latex
    >>> mathml(parse_latex(r"\frac{x}{2}").graph).partition(">")[2]
    '<mfrac><mi>x</mi><mn>2</mn></mfrac></math>'
    """
    writer = _MathmlWriter(graph.name or "the graph")
    inside = writer.elements(formula_of(graph))
    return f'<math xmlns="{SPACE}" display="block">{inside}</math>'


class _MathmlWriter:
    def __init__(self, where: str) -> None:
        self.where = where
        self.depth = 0

    def elements(self, row: Row) -> str:
        """Return the elements of a row, side by side."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise InputError(f"{self.where}: more than {DEEPEST} rows are nested in each other")
        elements = [self.symbol(one) for one in row]
        self.depth -= 1
        return "".join(elements)

    def row(self, row: Row) -> str:
        """Return one element for a row."""
        elements = self.elements(row)
        return elements if len(row) == 1 else f"<mrow>{elements}</mrow>"

    def symbol(self, symbol: Symbol) -> str:
        """Return a symbol with its scripts and limits."""
        parts = dict(symbol.regions)
        self._check_places(symbol.label, parts)
        if symbol.label == MATRIX:
            base = self._table(symbol)
            parts.pop(INSIDE, None)
        else:
            base = self._base(symbol.label, parts)
        if INSIDE in parts:
            raise InputError(
                f"{self.where}: something is inside '{symbol.label}'; in MathML only a root holds things"
            )
        with_limits = self._scripts(base, parts.get(BELOW), parts.get(ABOVE), "under", "over")
        return self._scripts(with_limits, parts.get(SUB), parts.get(SUP), "sub", "sup")

    def _check_places(self, label: str, parts: dict[str, Row]) -> None:
        for name in parts:
            if name not in REGIONS:
                raise InputError(
                    f"{self.where}: '{label}' has a part {name!r}, which is not a place in a formula; "
                    f"places are {', '.join((RIGHT, *REGIONS))}"
                )

    def _scripts(
        self, base: str, low: Row | None, high: Row | None, low_tag: str, high_tag: str
    ) -> str:
        """Return an element with others below and above it, such as <msubsup>."""
        tag = ""
        scripts = ""
        if low:
            tag += low_tag
            scripts += self._script(low)
        if high:
            tag += high_tag
            scripts += self._script(high)
        return f"<m{tag}>{base}{scripts}</m{tag}>" if tag else base

    def _script(self, part: Row) -> str:
        """Return a script; a lone character that would be read as an accent of its base is set in a row."""
        element = self.row(part)
        is_mark = len(part) == 1 and character(part[0].label) in MARKS
        return f"<mrow>{element}</mrow>" if is_mark else element

    def _table(self, matrix: Symbol) -> str:
        table = ""
        for cells in cells_of(matrix, self.where):
            line = "".join(f"<mtd>{self.elements(cell)}</mtd>" for cell in cells)
            table += f"<mtr>{line}</mtr>"
        return f"<mtable>{table}</mtable>"

    def _base(self, label: str, parts: dict[str, Row]) -> str:
        """Return a symbol with those parts that are its arguments, taking them out."""
        if label in PARTS:
            raise InputError(f"{self.where}: a '{label}' outside of a matrix")
        if label == BAR and (ABOVE in parts or BELOW in parts):
            numerator = self.row(parts.pop(ABOVE, []))
            denominator = self.row(parts.pop(BELOW, []))
            return f"<mfrac>{numerator}{denominator}</mfrac>"
        if label == ROOT and ABOVE in parts:
            inside = self.row(parts.pop(INSIDE, []))
            index = self.row(parts.pop(ABOVE))
            return f"<mroot>{inside}{index}</mroot>"
        if label == ROOT:
            inside = self.elements(parts.pop(INSIDE, []))
            return f"<msqrt>{inside}</msqrt>"
        written = escape(character(label))
        if label in OVER:
            return f"<mover>{self.row(parts.pop(BELOW, []))}<mo>{written}</mo></mover>"
        if label in UNDER:
            return f"<munder>{self.row(parts.pop(ABOVE, []))}<mo>{written}</mo></munder>"
        tag = _tag(label)
        return f"<{tag}>{written}</{tag}>"


def _tag(label: str) -> str:
    """Return the kind of a token: a number, an identifier or an operator."""
    if label.isdigit():
        return "mn"
    is_letter = len(label) == 1 and label.isalpha()
    name = label.removeprefix("\\")
    if is_letter or name in GREEK or name in FUNCTIONS:
        return "mi"
    return "mo"
