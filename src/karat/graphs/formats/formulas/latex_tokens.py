"""The tokens of LaTeX formulas, commands and characters with their columns, and sets of commands by their use."""

import re
from typing import NamedTuple

TOKEN = re.compile(r"\\(?:operatorname|hspace|vspace)\*|\\[A-Za-z]+|\\.|\S", re.DOTALL)
LENGTH = re.compile(r"\[-?[0-9.]+(pt|ex|em|mm|cm|in|mu|sp|bp|pc)\]")
SPACES = {
    "\\,", "\\;", "\\:", "\\!", "\\ ", "\\/", "~", "\\quad", "\\qquad", "\\enspace", "\\thinspace", "\\displaystyle",
    "\\textstyle", "\\scriptstyle", "\\scriptscriptstyle", "\\medspace", "\\thickspace", "\\negthinspace", "\\>",
    "\\nonumber", "\\notag", "\\relax", "$", "\\(", "\\)", "\\[", "\\]",
}  # fmt: skip
"""What shows no symbol."""
FONTS = {
    "\\mathrm", "\\mathbf", "\\mathit", "\\mathsf", "\\mathtt", "\\mathcal", "\\mathbb", "\\mathfrak", "\\mathscr",
    "\\boldsymbol", "\\bm", "\\text", "\\textrm", "\\textbf", "\\textit", "\\mbox", "\\hbox", "\\rm", "\\bf", "\\it",
    "\\sf", "\\tt", "\\cal", "\\textsf", "\\texttt", "\\textnormal", "\\mathnormal", "\\pmb", "\\mathop",
    "\\mathbin", "\\mathrel", "\\mathord", "\\mathopen", "\\mathclose",
}  # fmt: skip
"""What changes how symbols look, not which they are."""
SIZES = {
    "\\left", "\\right", "\\middle", "\\big", "\\Big", "\\bigg", "\\Bigg", "\\bigl", "\\bigr", "\\Bigl", "\\Bigr",
    "\\biggl", "\\biggr", "\\Biggl", "\\Biggr", "\\bigm",
}  # fmt: skip
NEGATED = {"=": "\\neq", "\\in": "\\notin", "\\ni": "\\not\\ni", "\\subset": "\\not\\subset"}
FRACTIONS = {"\\frac", "\\dfrac", "\\tfrac", "\\cfrac"}
STACKS = {"\\binom", "\\dbinom", "\\tbinom"}
INFIX = {"\\over", "\\atop", "\\choose"}
"""What makes a fraction of all that comes before and after it in its group."""
NEXT_LINE = {"\\\\", "\\cr"}
UNSEEN = {
    "\\hspace",
    "\\hspace*",
    "\\vspace",
    "\\vspace*",
    "\\phantom",
    "\\hphantom",
    "\\vphantom",
    "\\label",
}
"""What shows nothing, whatever it applies to."""
UPRIGHT = {"\\mathrm", "\\text", "\\textrm", "\\mbox", "\\mathop"}
"""Fonts in which the letters of sin and lim are those names."""
WITH_LIMITS = {"\\operatorname*", "\\mathop", "\\overbrace", "\\underbrace"}
ARROWS = {"\\xrightarrow": "\\rightarrow", "\\xleftarrow": "\\leftarrow"}
DELIMITERS = {"<": "\\langle", ">": "\\rangle"}
"""What these characters are after commands such as \\left."""
ALIGNED = ("aligned", "align", "split", "gathered", "gather", "eqnarray", "multline", "equation")
"""Environments that align lines of formulas; a single line is nothing but its formula."""
BARE = ("matrix", "smallmatrix", "array", *ALIGNED)
"""Environments that set rows and columns without a bracket."""
PLAIN_TEX = {"\\matrix": "matrix", "\\pmatrix": "pmatrix", "\\cases": "cases"}


class Token(NamedTuple):
    """A command or a character, and its column."""

    text: str
    column: int


END = Token("", 0)


def tokens_of(text: str) -> list[Token]:
    r"""Return the tokens of a formula.

    >>> [one.text for one in tokens_of(r"\pi*x\\y")]
    ['\\pi', '*', 'x', '\\\\', 'y']
    """
    return [Token(match[0], match.start() + 1) for match in TOKEN.finditer(text)]
