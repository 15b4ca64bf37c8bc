r"""LaTeX of formulas, as handwriting recognisers write it: scripts, fractions, roots, limits, marks, matrices."""

from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches

from karat.graph.formula import ABOVE, BELOW, DEEPEST, INSIDE, SUB, SUP, Row, Symbol, graph_of, too_long
from karat.graph.grid import BRACKETS, grid
from karat.graph.signs import BAR, FUNCTIONS, LIMITS, OVER, ROOT, SYNONYMS, UNDER, is_known, labels, signs
from karat.graph.structure import LabelGraph
from karat.source.label_graph import Problem, Reading
from karat.source.latex_tokens import (
    ARROWS,
    BARE,
    DELIMITERS,
    END,
    FONTS,
    FRACTIONS,
    INFIX,
    LENGTH,
    NEGATED,
    NEXT_LINE,
    SIZES,
    SPACES,
    STACKS,
    UNSEEN,
    WITH_LIMITS,
    Token,
    tokens_of,
)


def parse_latex(text: str, file: str = "the text", *, line: int = 1, name: str = "") -> Reading:
    r"""Return the tree of a formula, each symbol's primitive its path from the first one, and what means nothing.

    >>> found = parse_latex(r"\frac{a}{\Gamma^2}").graph
    >>> [(one.label, *one.primitives) for one in found.objects]
    [('-', 'O'), ('a', 'OAbove'), ('\\Gamma', 'OBelow'), ('2', 'OBelowSup')]
    """
    parser = LatexParser(tokens_of(text))
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
    ended: Token = END
    """What ended the last row."""

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

    def row(self, *ends: str, below: bool = False) -> Row:
        r"""Return the row up to one of the closing tokens or the end; one `below` an \over has no other."""
        found: Row = []
        limits = False
        while True:
            token = self.next()
            if token is END or token.text in ends:
                if token is END and ends:
                    self.complain(token, f"'{ends[0]}' is missing at the end")
                self.ended = token
                return found
            if token.text in {"^", "_"}:
                self.script(token, found, limits=limits)
            elif token.text == "'":
                self.prime(token, found)
            elif token.text in {"\\limits", "\\nolimits"}:
                limits = token.text == "\\limits"
            elif token.text in INFIX:
                if below:
                    self.complain(token, "a second fraction in one group is ambiguous; set one of them in braces")
                return self.split(token, found, ends)
            else:
                new = self.atom(token)
                found += new
                limits = bool(new) and (new[-1].label in LIMITS or token.text in WITH_LIMITS)

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

    def split(self, token: Token, above: Row, ends: tuple[str, ...]) -> Row:
        r"""Return the fraction of what stands before and after \over; without a line it is a column of two."""
        if self._is_too_deep(token):
            return above
        self.depth += 1
        below = self.row(*ends, below=True)
        self.depth -= 1
        if token.text == "\\over":
            return [_with(Symbol(BAR), {ABOVE: above, BELOW: below})]
        return _stacked(above, below, "()" if token.text == "\\choose" else "")

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
        text = DELIMITERS.get(delimiter.text, delimiter.text)
        return [] if text in {".", ""} else self._symbol(Token(text, delimiter.column))

    def _symbol(self, token: Token) -> Row:
        """Return the symbol that a token is."""
        if token.text in {"}", "&", "\\\\"}:
            self.complain(token, f"'{token.text}' is out of place here")
            return []
        if token.text in {"%", "#"}:
            meaning = {"%": "begins a comment", "#": "stands for a macro's argument"}
            self.complain(token, f"'{token.text}' {meaning[token.text]}; the sign is \\{token.text}")
            return []
        text = SYNONYMS.get(token.text) or labels().get(token.text, token.text)
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
        if token.text != "\\pmod":
            return [Symbol("mod")]
        return [Symbol("("), Symbol("mod"), *self.argument(token), Symbol(")")]

    def arrow(self, token: Token) -> Row:
        """Return an arrow with what stands above and below it."""
        below: Row = []
        if self.peek().text == "[":
            self.next()
            below = self.row("]")
        return [_with(Symbol(ARROWS[token.text]), {ABOVE: self.argument(token), BELOW: below})]

    def unseen(self, token: Token) -> Row:
        """Leave out what shows nothing."""
        self.argument(token)
        return []

    def binomial(self, token: Token) -> Row:
        """Return two rows in brackets."""
        return _stacked(self.argument(token), self.argument(token), "()")

    def environment(self, token: Token) -> Row:
        """Return a matrix, with the brackets of its kind."""
        name = self._braced(token)
        kind = name.removesuffix("*")
        if kind not in BARE and kind not in BRACKETS:
            self.complain(token, f"the environment '{name}' is not read; there are {', '.join((*BARE, *BRACKETS))}")
        if kind == "array":
            self._columns(token)
        found = self._grid(token, "\\end")
        if self.ended is not END and (end := self._braced(self.ended)) != name:
            self.complain(self.ended, f"\\begin{{{name}}} ends as '{end}'")
        left, right = BRACKETS.get(kind, ("", ""))
        return [*_signs(left), *found, *_signs(right)]

    def stack(self, token: Token) -> Row:
        """Return rows below each other, as they stand under a sum."""
        if self.peek().text != "{":
            return self.argument(token)
        self.next()
        return self._grid(token, "}")

    def _grid(self, token: Token, end: str) -> Row:
        """Return the matrix that goes on up to a token."""
        rows: list[list[Row]] = [[]]
        while True:
            rows[-1].append(self.row(end, "&", *NEXT_LINE))
            if self.ended.text in NEXT_LINE:
                rows.append([])
                self._leave_gap()
            elif self.ended.text != "&":
                break
        found = grid(rows)
        if not found:
            self.complain(token, "a matrix is empty")
        return found

    def _leave_gap(self) -> None:
        r"""Leave out the room that a row may ask for after it: \\\\[2pt]."""
        place, found = self.place, ""
        while self.peek().text == "[" or found:
            found += self.next().text
            if found.endswith("]") or self.peek() is END:
                break
        if not LENGTH.fullmatch(found):
            self.place = place

    def _columns(self, token: Token) -> None:
        """Read how the columns of an array are set: at the left, in the middle, at the right."""
        if self.peek().text == "[":
            while self.next().text not in {"]", ""}:
                pass
        first = self.peek()
        odd = sorted(set(self._braced(token)) - set("lcr"))
        if odd:
            self.complain(first, f"'{odd[0]}' in the columns of an array is not read; there are l, c and r")

    def _braced(self, token: Token) -> str:
        """Return the text in braces that follows a command."""
        if self.peek().text != "{":
            self.complain(token, f"'{token.text}' lacks its {{...}}")
            return ""
        found, depth = "", 0
        while (part := self.next()) is not END:
            depth += {"{": 1, "}": -1}.get(part.text, 0)
            if depth == 0:
                return found[1:]
            found += part.text
        self.complain(END, "'}' is missing at the end")
        return found[1:]

    def refused(self, token: Token) -> Row:
        """Say what is not read."""
        self.complain(
            token, f"{token.text} is not read; there are scripts, fractions, roots, limits, marks and matrices"
        )
        return self.argument(token) if self.peek().text == "{" else []

    def stray_end(self, token: Token) -> Row:
        """Say that nothing ends here."""
        self.complain(token, "'\\end' has no '\\begin' before it")
        self._braced(token)
        return []


_COMMANDS: dict[str, Callable[[LatexParser, Token], Row]] = {
    **dict.fromkeys(FRACTIONS, LatexParser.fraction),
    ROOT: LatexParser.root,
    **dict.fromkeys(("\\overset", "\\underset", "\\stackrel"), LatexParser.stacked),
    **dict.fromkeys(("\\operatorname", "\\operatorname*"), LatexParser.word),
    "\\not": LatexParser.negated,
    **dict.fromkeys(("\\mod", "\\bmod", "\\pmod"), LatexParser.remainder),
    **dict.fromkeys(ARROWS, LatexParser.arrow),
    **dict.fromkeys(UNSEEN, LatexParser.unseen),
    **dict.fromkeys(STACKS, LatexParser.binomial),
    "\\begin": LatexParser.environment,
    "\\end": LatexParser.stray_end,
    "\\substack": LatexParser.stack,
    **dict.fromkeys(("\\hline", "\\multicolumn", "\\def", "\\newcommand", "\\color"), LatexParser.refused),
}


def _with(symbol: Symbol, regions: dict[str, Row]) -> Symbol:
    symbol.regions = {name: part for name, part in regions.items() if part}
    return symbol


def _signs(text: str) -> Row:
    return [Symbol(text)] if text else []


def _stacked(above: Row, below: Row, brackets: str) -> Row:
    """Return a column of two rows, maybe in brackets."""
    left, right = brackets[:1], brackets[1:]
    return [*_signs(left), *grid([[above], [below]]), *_signs(right)]


def _is_primes(row: Row) -> bool:
    return all(one.label == "\\prime" and not one.regions for one in row)
