r"""LaTeX of formulas, as handwriting recognisers write it: scripts, fractions, roots, limits, marks; no macros."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import NamedTuple

from karat.graph.formula import ABOVE, BELOW, DEEPEST, INSIDE, SUB, SUP, Row, Symbol, graph_of, too_long
from karat.graph.signs import BAR, FUNCTIONS, LIMITS, OVER, ROOT, SYNONYMS, UNDER, is_known, signs
from karat.graph.structure import LabelGraph
from karat.source.label_graph import Problem, Reading

TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\S", re.DOTALL)
SPACES = {
    "\\,", "\\;", "\\:", "\\!", "\\ ", "\\/", "~", "\\quad", "\\qquad", "\\enspace", "\\thinspace", "\\displaystyle",
    "\\textstyle", "\\scriptstyle", "\\limits*", "$", "\\(", "\\)", "\\[", "\\]",
}  # fmt: skip
"""What shows no symbol."""
FONTS = {
    "\\mathrm", "\\mathbf", "\\mathit", "\\mathsf", "\\mathtt", "\\mathcal", "\\mathbb", "\\mathfrak", "\\mathscr",
    "\\boldsymbol", "\\bm", "\\text", "\\textrm", "\\textbf", "\\textit", "\\mbox", "\\hbox", "\\rm", "\\bf", "\\it",
    "\\mathop", "\\mathbin", "\\mathrel", "\\mathord", "\\mathopen", "\\mathclose",
}  # fmt: skip
"""What changes how symbols look, not which they are."""
SIZES = {
    "\\left", "\\right", "\\middle", "\\big", "\\Big", "\\bigg", "\\Bigg", "\\bigl", "\\bigr", "\\Bigl", "\\Bigr",
    "\\biggl", "\\biggr", "\\Biggl", "\\Biggr", "\\bigm",
}  # fmt: skip
NEGATED = {"=": "\\neq", "\\in": "\\notin", "\\ni": "\\not\\ni", "\\subset": "\\not\\subset"}
FRACTIONS = {"\\frac", "\\dfrac", "\\tfrac", "\\cfrac"}


class Token(NamedTuple):
    """A command or a character, and its column."""

    text: str
    column: int


END = Token("", 0)


def parse_latex(text: str, file: str = "the text", *, line: int = 1, name: str = "") -> Reading:
    r"""Return the tree of a formula, each symbol's primitive its path from the first one, and what means nothing.

    >>> found = parse_latex(r"\frac{a}{\Gamma^2}").graph
    >>> [(one.label, *one.primitives) for one in found.objects]
    [('-', 'O'), ('a', 'OAbove'), ('\\Gamma', 'OBelow'), ('2', 'OBelowSup')]
    """
    parser = LatexParser([Token(found[0], found.start() + 1) for found in TOKEN.finditer(text)])
    row = parser.row()
    if long := too_long(row):
        return Reading(LabelGraph(name), (Problem(file, line, long),))
    problems = tuple(Problem(file, line, f"column {column}: {what}") for column, what in parser.problems)
    return Reading(graph_of(row, name), problems)


@dataclass(slots=True)
class LatexParser:
    """Reads tokens into rows of symbols; what it cannot read it tells, and goes on."""

    tokens: list[Token]
    place: int = 0
    depth: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)

    def complain(self, token: Token, what: str) -> None:
        """Note what is wrong, and where."""
        last = self.tokens[-1].column + len(self.tokens[-1].text) if self.tokens else 1
        self.problems.append((token.column or last, what))

    def next(self) -> Token:
        """Return the next token that shows something, and go on."""
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            self.place += 1
            if token.text not in SPACES:
                return token
        return END

    def peek(self) -> Token:
        """Return the next token that shows something."""
        place = self.place
        token = self.next()
        self.place = place
        return token

    def row(self, until: str = "", *, below: bool = False) -> Row:
        r"""Return the row up to a closing token or the end; one `below` an \over has no other."""
        found: Row = []
        limits = False
        while True:
            token = self.next()
            if token.text == until or token is END:
                if token.text != until:
                    self.complain(token, f"'{until}' is missing at the end")
                return found
            if token.text in {"^", "_"}:
                self.script(token, found, limits=limits)
            elif token.text == "'":
                self.prime(token, found)
            elif token.text in {"\\limits", "\\nolimits"}:
                limits = token.text == "\\limits"
            elif token.text in {"\\over", "\\atop"}:
                if below:
                    self.complain(token, "a second fraction in one group is ambiguous; set one of them in braces")
                return self.split(token, found, until)
            else:
                new = self.atom(token)
                found += new
                limits = bool(new) and new[-1].label in LIMITS

    def script(self, token: Token, row: Row, *, limits: bool) -> None:
        """Hang what follows ^ or _ on the last symbol of a row."""
        relation = {"^": ABOVE, "_": BELOW}[token.text] if limits else {"^": SUP, "_": SUB}[token.text]
        self.hang(token, row, relation, self.argument(token))

    def hang(self, token: Token, row: Row, relation: str, part: Row) -> None:
        """Hang a row on the last symbol of another."""
        if not row:
            self.complain(token, f"nothing stands before '{token.text}' that it could belong to")
            row += part
        elif relation in row[-1].regions and not _is_primes(row[-1].regions[relation]):
            self.complain(token, f"'{row[-1].label}' has two parts {relation}")
            row[-1].regions[relation] += part
        elif part:
            row[-1].regions.setdefault(relation, []).extend(part)

    def prime(self, token: Token, row: Row) -> None:
        """Read ' as a raised prime."""
        part = [Symbol("\\prime")]
        while self.peek().text == "'":
            self.next()
            part.append(Symbol("\\prime"))
        self.hang(token, row, SUP, part)

    def split(self, token: Token, above: Row, until: str) -> Row:
        r"""Return the fraction of what stands before and after \over."""
        if token.text == "\\atop":
            self.complain(token, "a fraction without a line has no symbol to hang its parts on")
        if self._is_too_deep(token):
            return above
        self.depth += 1
        below = self.row(until, below=True)
        self.depth -= 1
        return [_with(Symbol(BAR), {ABOVE: above, BELOW: below})]

    def argument(self, owner: Token) -> Row:
        """Return what a command applies to: a group, or one symbol."""
        token = self.next()
        if token is END or token.text in {"}", "^", "_", "&"}:
            self.complain(token, f"'{owner.text}' lacks what it applies to")
            self.place -= token is not END
            return []
        return self.atom(token)

    def atom(self, token: Token) -> Row:
        """Return the symbols that a token begins."""
        if self._is_too_deep(token):
            return []
        self.depth += 1
        found = self._atom(token)
        self.depth -= 1
        return found

    def _is_too_deep(self, token: Token) -> bool:
        """Return whether this lies deeper than anybody writes; the rest is then not read."""
        if self.depth <= DEEPEST:
            return False
        self.complain(token, f"more than {DEEPEST} levels of braces")
        self.place = len(self.tokens)
        return True

    def _atom(self, token: Token) -> Row:
        text = token.text
        if text == "{":
            return self.row("}")
        if text in FONTS or text in SIZES:
            return self._styled(token)
        if text in OVER or text in UNDER:
            return [_with(Symbol(text), {BELOW if text in OVER else ABOVE: self.argument(token)})]
        handler = _COMMANDS.get(text)
        return self._symbol(token) if handler is None else handler(self, token)

    def _styled(self, token: Token) -> Row:
        if token.text in FONTS:
            return self.argument(token) if self.peek().text == "{" or token.text.startswith("\\math") else []
        if token.text == "\\left":
            return [*self._bracket(token), *self.row("\\right"), *self._bracket(Token("\\right", token.column))]
        if token.text == "\\right":
            self.complain(token, f"'{token.text}' has no '\\left' before it")
        return self._bracket(token)

    def _bracket(self, owner: Token) -> Row:
        """Return the bracket that follows, none for a dot."""
        delimiter = self.next()
        if delimiter is END:
            self.complain(owner, f"'{owner.text}' lacks its bracket")
        return [] if delimiter.text in {".", ""} else self._symbol(delimiter)

    def _symbol(self, token: Token) -> Row:
        """Return the symbol that a token is."""
        text = SYNONYMS.get(token.text, token.text)
        if text in {"}", "&", "\\\\"}:
            self.complain(token, f"'{text}' is out of place here")
            return []
        if token.text in {"%", "#"}:
            meaning = {"%": "begins a comment", "#": "stands for a macro's argument"}
            self.complain(token, f"'{token.text}' {meaning[token.text]}; the sign is \\{token.text}")
            return []
        if text.startswith("\\") and not is_known(text):
            near = get_close_matches(text, signs(), n=1)
            hint = f"did you mean {near[0]}?" if near else "--lenient takes it for a symbol"
            self.complain(token, f"no symbol is called {text}; {hint}")
        return [Symbol(text)]

    def fraction(self, token: Token) -> Row:
        """Return a bar with what is above and below."""
        return [_with(Symbol(BAR), {ABOVE: self.argument(token), BELOW: self.argument(token)})]

    def root(self, token: Token) -> Row:
        """Return a root sign with what is inside, and its index above."""
        index: Row = []
        if self.peek().text == "[":
            self.next()
            index = self.row("]")
        return [_with(Symbol(ROOT), {ABOVE: index, INSIDE: self.argument(token)})]

    def stacked(self, token: Token) -> Row:
        """Return a symbol with another above or below."""
        part, base = self.argument(token), self.argument(token)
        if len(base) > 1:
            self.complain(token, f"'{token.text}' is about {len(base)} symbols; a relation leads to one")
        self.hang(token, base, BELOW if token.text == "\\underset" else ABOVE, part)
        return base

    def word(self, token: Token) -> Row:
        """Return the one symbol that several letters name."""
        letters = self.argument(token)
        name = "".join(one.label for one in letters)
        if any(one.regions for one in letters) or not name:
            self.complain(token, f"'{token.text}' takes plain letters")
            return letters
        return [Symbol(f"\\{name}" if name in FUNCTIONS else name)]

    def negated(self, token: Token) -> Row:
        """Return a symbol that is struck through."""
        found = self.argument(token)
        if len(found) == 1:
            found[0].label = NEGATED.get(found[0].label, f"\\not{found[0].label}")
        return found

    def remainder(self, token: Token) -> Row:
        """Return mod as the one symbol it is."""
        return [Symbol("mod"), *(self.argument(token) if token.text == "\\pmod" else [])]

    def refused(self, token: Token) -> Row:
        """Say what is not read."""
        self.complain(token, f"{token.text} is not read; there are scripts, fractions, roots, limits and marks")
        argument = self.argument(token) if self.peek().text == "{" else []
        return [] if token.text in {"\\begin", "\\end"} else argument


_COMMANDS: dict[str, Callable[[LatexParser, Token], Row]] = {
    **dict.fromkeys(FRACTIONS, LatexParser.fraction),
    ROOT: LatexParser.root,
    **dict.fromkeys(("\\overset", "\\underset", "\\stackrel"), LatexParser.stacked),
    **dict.fromkeys(("\\operatorname", "\\operatorname*"), LatexParser.word),
    "\\not": LatexParser.negated,
    **dict.fromkeys(("\\mod", "\\bmod", "\\pmod"), LatexParser.remainder),
    **dict.fromkeys(("\\begin", "\\end", "\\binom", "\\def", "\\newcommand", "\\color"), LatexParser.refused),
}


def _with(symbol: Symbol, regions: dict[str, Row]) -> Symbol:
    symbol.regions = {name: part for name, part in regions.items() if part}
    return symbol


def _is_primes(row: Row) -> bool:
    return all(one.label == "\\prime" and not one.regions for one in row)
