r"""LaTeX of formulas, as handwriting recognisers write it: scripts, fractions, roots, limits, marks, matrices."""

from karat.graphs.formats.label_graph import Problem, Reading
from karat.graphs.formats.latex_grids import GRIDS
from karat.graphs.formats.latex_parser import Commands, LatexParser, with_regions
from karat.graphs.formats.latex_tokens import (
    ARROWS,
    FRACTIONS,
    NEGATED,
    STACKS,
    UNSEEN,
    Token,
    tokens_of,
)
from karat.graphs.model.characters import BAR, FUNCTIONS, ROOT
from karat.graphs.model.formula import ABOVE, BELOW, INSIDE, Row, Symbol, graph_of, too_long
from karat.graphs.model.grid import column_of
from karat.graphs.model.structure import LabelGraph

REFUSED = (
    "\\hline", "\\cline", "\\multicolumn", "\\def", "\\newcommand", "\\color", "\\textcolor", "\\tag", "\\boxed",
    "\\cancel", "\\genfrac", "\\sideset", "\\prescript",
)  # fmt: skip


def parse_latex(text: str, file: str = "the text", *, line: int = 1, name: str = "") -> Reading:
    r"""Return the tree of a formula, each symbol's primitive its path from the first one, and what means nothing.

    >>> found = parse_latex(r"\frac{a}{\Gamma^2}").graph
    >>> [(one.label, *one.primitives) for one in found.objects]
    [('-', 'O'), ('a', 'OAbove'), ('\\Gamma', 'OBelow'), ('2', 'OBelowSup')]
    """
    parser = LatexParser(tokens_of(text), COMMANDS)
    row = parser.row()
    if long := too_long(row):
        return Reading(LabelGraph(name), (Problem(file, line, long),))
    problems = tuple(
        Problem(file, line, f"column {column}: {what}") for column, what in parser.problems
    )
    return Reading(graph_of(row, name), problems)


def fraction(parser: LatexParser, token: Token) -> Row:
    """Return a bar with what is above and below."""
    return [
        with_regions(Symbol(BAR), {ABOVE: parser.argument(token), BELOW: parser.argument(token)})
    ]


def root(parser: LatexParser, token: Token) -> Row:
    """Return a root sign with what is inside, and its index above."""
    index: Row = []
    if parser.peek().text == "[":
        parser.next()
        index = parser.row("]")
    return [with_regions(Symbol(ROOT), {ABOVE: index, INSIDE: parser.argument(token)})]


def stacked(parser: LatexParser, token: Token) -> Row:
    """Return a symbol with another above or below."""
    part, base = parser.argument(token), parser.argument(token)
    if len(base) > 1:
        parser.complain(
            token, f"'{token.text}' is about {len(base)} symbols; a relation leads to one"
        )
    parser.hang(token, base, BELOW if token.text == "\\underset" else ABOVE, part)
    return base


def word(parser: LatexParser, token: Token) -> Row:
    """Return the one symbol that several letters name."""
    letters = parser.argument(token)
    name = "".join(one.label for one in letters)
    if any(one.regions for one in letters) or not name:
        parser.complain(token, f"'{token.text}' takes plain letters")
        return letters
    return [Symbol(f"\\{name}" if name in FUNCTIONS else name)]


def negated(parser: LatexParser, token: Token) -> Row:
    """Return a symbol that is struck through."""
    found = parser.argument(token)
    if len(found) == 1:
        found[0].label = NEGATED.get(found[0].label, f"\\not{found[0].label}")
    return found


def remainder(parser: LatexParser, token: Token) -> Row:
    """Return mod as the one symbol it is."""
    if token.text != "\\pmod":
        return [Symbol("mod")]
    return [Symbol("("), Symbol("mod"), *parser.argument(token), Symbol(")")]


def arrow(parser: LatexParser, token: Token) -> Row:
    """Return an arrow with what stands above and below it."""
    below: Row = []
    if parser.peek().text == "[":
        parser.next()
        below = parser.row("]")
    return [with_regions(Symbol(ARROWS[token.text]), {ABOVE: parser.argument(token), BELOW: below})]


def unseen(parser: LatexParser, token: Token) -> Row:
    """Leave out what shows nothing."""
    parser.argument(token)
    return []


def binomial(parser: LatexParser, token: Token) -> Row:
    """Return two rows in brackets."""
    return column_of(parser.argument(token), parser.argument(token), "pmatrix")


def refused(parser: LatexParser, token: Token) -> Row:
    """Say what is not read."""
    parser.complain(
        token,
        f"{token.text} is not read; there are scripts, fractions, roots, limits, marks and matrices",
    )
    return parser.argument(token) if parser.peek().text == "{" else []


COMMANDS: Commands = {
    **GRIDS,
    **dict.fromkeys(FRACTIONS, fraction),
    **dict.fromkeys((ROOT, "√"), root),
    **dict.fromkeys(("\\overset", "\\underset", "\\stackrel"), stacked),
    **dict.fromkeys(("\\operatorname", "\\operatorname*"), word),
    "\\not": negated,
    **dict.fromkeys(("\\mod", "\\bmod", "\\pmod"), remainder),
    **dict.fromkeys(ARROWS, arrow),
    **dict.fromkeys(UNSEEN, unseen),
    **dict.fromkeys(STACKS, binomial),
    **dict.fromkeys(REFUSED, refused),
}
