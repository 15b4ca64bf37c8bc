"""Matrices in LaTeX: environments, plain TeX, and the lines below each other under a sum."""

from karat.graphs.formats.formulas.latex_parser import Commands, LatexParser
from karat.graphs.formats.formulas.latex_tokens import (
    ALIGNED,
    BARE,
    END,
    LENGTH,
    NEXT_LINE,
    PLAIN_TEX,
    Token,
)
from karat.graphs.model.formula import Row
from karat.graphs.model.grid import BRACKETS, bracketed, grid


def environment(parser: LatexParser, token: Token) -> Row:
    """Return a matrix, with the brackets of its kind."""
    name = _braced(parser, token)
    kind = name.removesuffix("*")
    if kind not in BARE and kind not in BRACKETS:
        parser.complain(
            token,
            f"the environment '{name}' is not read; there are {', '.join((*BARE, *BRACKETS))}",
        )
    if kind == "array":
        _columns(parser, token)
    matrix = _grid(parser, token, "\\end", alone=kind in ALIGNED)
    if parser.ended is not END:
        end = _braced(parser, parser.ended)
        if end != name:
            parser.complain(parser.ended, f"\\begin{{{name}}} ends as '{end}'")
    return bracketed(matrix, kind)


def stack(parser: LatexParser, token: Token) -> Row:
    """Return rows below each other, as under a sum."""
    if parser.peek().text != "{":
        return parser.argument(token)
    parser.next()
    return _grid(parser, token, "}")


def plain(parser: LatexParser, token: Token) -> Row:
    """Return a matrix as plain TeX writes it, in braces."""
    return bracketed(stack(parser, token), PLAIN_TEX[token.text])


def stray_end(parser: LatexParser, token: Token) -> Row:
    """Complain about an end without a beginning."""
    parser.complain(token, "'\\end' has no '\\begin' before it")
    _braced(parser, token)
    return []


def _grid(parser: LatexParser, token: Token, end: str, *, alone: bool = False) -> Row:
    """Return the matrix that goes on up to a token; one cell may stand `alone`, without a matrix around it."""
    rows: list[list[Row]] = [[]]
    while True:
        rows[-1].append(parser.row(end, "&", *NEXT_LINE))
        if parser.ended.text in NEXT_LINE:
            rows.append([])
            _leave_gap(parser)
        elif parser.ended.text != "&":
            break
    if alone:
        full = [cell for row in rows for cell in row if cell]
        if len(full) == 1:
            return full[0]
    matrix = grid(rows)
    if not matrix:
        parser.complain(token, "a matrix is empty")
    return matrix


def _leave_gap(parser: LatexParser) -> None:
    r"""Leave out the space that a row may set after it: \\\\[2pt]; other brackets belong to the next cell."""
    if parser.peek().text != "[":
        return
    start = parser.place
    text = ""
    while not text.endswith("]") and parser.peek() is not END:
        text += parser.next().text
    if not LENGTH.fullmatch(text):
        parser.place = start


def _columns(parser: LatexParser, token: Token) -> None:
    """Read how the columns of an array are set: at the left, in the middle, at the right."""
    if parser.peek().text == "[":
        while parser.next().text not in {"]", ""}:
            pass
    first = parser.peek()
    unknown = sorted(set(_braced(parser, token)) - set("lcr"))
    if unknown:
        parser.complain(
            first, f"'{unknown[0]}' in the columns of an array is not read; there are l, c and r"
        )


def _braced(parser: LatexParser, token: Token) -> str:
    """Return the text in braces that follows a command."""
    if parser.peek().text != "{":
        parser.complain(token, f"'{token.text}' lacks its {{...}}")
        return ""
    parser.next()
    text = ""
    depth = 1
    while (part := parser.next()) is not END:
        if part.text == "{":
            depth += 1
        elif part.text == "}":
            depth -= 1
        if depth == 0:
            return text
        text += part.text
    parser.complain(END, "'}' is missing at the end")
    return text


GRIDS: Commands = {
    "\\begin": environment,
    "\\end": stray_end,
    "\\substack": stack,
    **dict.fromkeys(PLAIN_TEX, plain),
}
