"""A graph as Presentation MathML that reads back as the same symbols in the same places."""

from xml.sax.saxutils import escape

from karat.errors import InputError
from karat.graphs.model.characters import (
    BAR,
    FUNCTIONS,
    GREEK,
    OVER,
    OVER_SIGNS,
    ROOT,
    UNDER,
    UNDER_SIGNS,
    sign,
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
MARKS = frozenset({*OVER_SIGNS, *UNDER_SIGNS})
PAIRS = ((BELOW, ABOVE, "under", "over"), (SUB, SUP, "sub", "sup"))


def mathml(graph: LabelGraph) -> str:
    r"""Return the formula of a graph in MathML, on one line.

    >>> from karat.graphs.formats.latex import parse_latex
    >>> mathml(parse_latex(r"\frac{x}{2}").graph).partition(">")[2]
    '<mfrac><mi>x</mi><mn>2</mn></mfrac></math>'
    """
    inside = "".join(_Writer(graph.name or "the graph").parts(formula_of(graph)))
    return f'<math xmlns="{SPACE}" display="block">{inside}</math>'


class _Writer:
    def __init__(self, where: str) -> None:
        self.where = where
        self.depth = 0

    def parts(self, row: Row) -> list[str]:
        self.depth += 1
        if self.depth > DEEPEST:
            raise InputError(f"{self.where}: more than {DEEPEST} rows lie in each other")
        found = [self.symbol(one) for one in row]
        self.depth -= 1
        return found

    def row(self, row: Row) -> str:
        """Return one element for a row."""
        parts = self.parts(row)
        return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"

    def symbol(self, symbol: Symbol) -> str:
        """Return a symbol with all that hangs on it."""
        left = dict(symbol.regions)
        odd = next((name for name in left if name not in REGIONS), None)
        if odd is not None:
            raise InputError(
                f"{self.where}: '{symbol.label}' has a part {odd!r}, which is no place in a formula; "
                f"places are {', '.join((RIGHT, *REGIONS))}"
            )
        found = (
            self._table(symbol, left) if symbol.label == MATRIX else self._base(symbol.label, left)
        )
        if INSIDE in left:
            raise InputError(
                f"{self.where}: something is inside '{symbol.label}'; in MathML only a root holds things"
            )
        for low, high, under, over in PAIRS:
            below, above = left.get(low), left.get(high)
            parts = "".join(self._hung(part) for part in (below, above) if part)
            tag = (under if below else "") + (over if above else "")
            found = f"<m{tag}>{found}{parts}</m{tag}>" if tag else found
        return found

    def _hung(self, part: Row) -> str:
        """Return what hangs on a symbol; a sign that would be taken for a mark of it, such as a hat, in a row."""
        found = self.row(part)
        return f"<mrow>{found}</mrow>" if len(part) == 1 and sign(part[0].label) in MARKS else found

    def _table(self, matrix: Symbol, left: dict[str, Row]) -> str:
        """Return a matrix, taking out what it holds."""
        left.pop(INSIDE, None)
        rows = (
            "".join(f"<mtd>{''.join(self.parts(cell))}</mtd>" for cell in cells)
            for cells in cells_of(matrix, self.where)
        )
        return f"<mtable>{''.join(f'<mtr>{row}</mtr>' for row in rows)}</mtable>"

    def _base(self, label: str, left: dict[str, Row]) -> str:
        """Return a symbol with those parts that are its arguments, taking them out."""
        if label == BAR and (ABOVE in left or BELOW in left):
            return f"<mfrac>{self.row(left.pop(ABOVE, []))}{self.row(left.pop(BELOW, []))}</mfrac>"
        if label == ROOT and ABOVE in left:
            return f"<mroot>{self.row(left.pop(INSIDE, []))}{self.row(left.pop(ABOVE))}</mroot>"
        if label == ROOT:
            return f"<msqrt>{''.join(self.parts(left.pop(INSIDE, [])))}</msqrt>"
        if label in OVER:
            return f"<mover>{self.row(left.pop(BELOW, []))}<mo>{escape(sign(label))}</mo></mover>"
        if label in UNDER:
            return f"<munder>{self.row(left.pop(ABOVE, []))}<mo>{escape(sign(label))}</mo></munder>"
        if label in PARTS:
            raise InputError(f"{self.where}: a '{label}' is part of no matrix")
        tag = _tag(label)
        return f"<{tag}>{escape(sign(label))}</{tag}>"


def _tag(label: str) -> str:
    if label.isdigit():
        return "mn"
    name = label.removeprefix("\\")
    return (
        "mi"
        if (label.isalpha() and len(label) == 1) or name in GREEK or name in FUNCTIONS
        else "mo"
    )
