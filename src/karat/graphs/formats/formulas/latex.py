r"""LaTeX of formulas, as handwriting recognisers write it: scripts, fractions, roots, limits, accents, matrices.

latex2mathml 3.81 and our MathML reader would stand in for this reader on 347 of the 359 formulas of the CROHME files,
but not where recognisers go wrong: of 31 malformed formulas it took 11 for formulas, and gave no column for any. It
read the limits of \lim as subscripts, 8 of 30 ways to write a matrix not at all or differently (`aligned` among them),
and took four times as long; so the reader stays.
"""

from karat.graphs.formats.formulas.latex_grids import GRIDS
from karat.graphs.formats.formulas.latex_parser import Commands, LatexParser, with_regions
from karat.graphs.formats.formulas.latex_tokens import (
    ARROWS,
    FRACTIONS,
    NEGATED,
    STACKS,
    UNSEEN,
    Token,
    tokens_of,
)
from karat.graphs.formats.label_graph import FileProblem, GraphReading
from karat.graphs.model.characters import BAR, FUNCTIONS, ROOT
from karat.graphs.model.formula import ABOVE, BELOW, INSIDE, Row, Symbol, graph_of, too_long
from karat.graphs.model.grid import column_of
from karat.graphs.model.structure import LabelGraph

REFUSED = (
    "\\hline", "\\cline", "\\multicolumn", "\\def", "\\newcommand", "\\color", "\\textcolor", "\\tag", "\\boxed",
    "\\cancel", "\\genfrac", "\\sideset", "\\prescript",
)  # fmt: skip


def parse_latex(
    text: str, file: str = "the text", *, line: int = 1, name: str = ""
) -> GraphReading:
    r"""Return the tree of a formula, each symbol's primitive its path from the first one, and what is wrong with it.

    >>> graph = parse_latex(r"\frac{a}{\Gamma^2}").graph
    >>> [(one.label, *one.primitives) for one in graph.objects]
    [('-', 'O'), ('a', 'OAbove'), ('\\Gamma', 'OBelow'), ('2', 'OBelowSup')]
    """
    parser = LatexParser(tokens_of(text), COMMANDS)
    row = parser.row()
    refusal = too_long(row)
    if refusal:
        problem = FileProblem(file, line, refusal)
        return GraphReading(LabelGraph(name), (problem,), formula=text)
    problems = [
        FileProblem(file, line, f"column {column}: {what}") for column, what in parser.problems
    ]
    return GraphReading(graph_of(row, name), tuple(problems), formula=text)


def fraction(parser: LatexParser, token: Token) -> Row:
    """Return a bar with what is above and below."""
    above = parser.argument(token)
    below = parser.argument(token)
    return [with_regions(Symbol(BAR), {ABOVE: above, BELOW: below})]


def root(parser: LatexParser, token: Token) -> Row:
    """Return a root with what is inside, and its index above."""
    index = _in_brackets(parser)
    inside = parser.argument(token)
    return [with_regions(Symbol(ROOT), {ABOVE: index, INSIDE: inside})]


def _in_brackets(parser: LatexParser) -> Row:
    """Return the optional argument of a command, which is in square brackets."""
    if parser.peek().text != "[":
        return []
    parser.next()
    return parser.row("]")


def stacked(parser: LatexParser, token: Token) -> Row:
    """Return a symbol with another above or below."""
    part = parser.argument(token)
    base = parser.argument(token)
    if len(base) > 1:
        parser.complain(
            token, f"'{token.text}' is about {len(base)} symbols; a relation leads to one"
        )
    relation = BELOW if token.text == "\\underset" else ABOVE
    parser.hang(token, base, relation, part)
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
    symbols = parser.argument(token)
    if len(symbols) == 1:
        label = symbols[0].label
        symbols[0].label = NEGATED.get(label, f"\\not{label}")
    return symbols


def remainder(parser: LatexParser, token: Token) -> Row:
    """Return mod as the one symbol it is."""
    if token.text != "\\pmod":
        return [Symbol("mod")]
    return [Symbol("("), Symbol("mod"), *parser.argument(token), Symbol(")")]


def arrow(parser: LatexParser, token: Token) -> Row:
    """Return an arrow with what is above and below it."""
    below = _in_brackets(parser)
    above = parser.argument(token)
    return [with_regions(Symbol(ARROWS[token.text]), {ABOVE: above, BELOW: below})]


def unseen(parser: LatexParser, token: Token) -> Row:
    """Leave out what shows nothing."""
    parser.argument(token)
    return []


def binomial(parser: LatexParser, token: Token) -> Row:
    """Return two rows in brackets."""
    above = parser.argument(token)
    below = parser.argument(token)
    return column_of(above, below, "pmatrix")


def refused(parser: LatexParser, token: Token) -> Row:
    """Complain about a command that is not read."""
    parser.complain(
        token,
        f"{token.text} is not read; there are scripts, fractions, roots, limits, accents and matrices",
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
