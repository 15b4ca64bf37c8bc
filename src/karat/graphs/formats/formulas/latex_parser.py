"""The grammar of LaTeX formulas: rows, groups, scripts, fonts and brackets; the meaning of other commands is given."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from karat.graphs.formats.formulas.latex_tokens import (
    DELIMITERS,
    END,
    FONTS,
    INFIX,
    SIZES,
    SPACES,
    UPRIGHT,
    WITH_LIMITS,
    Token,
)
from karat.graphs.model.characters import (
    BAR,
    FUNCTIONS,
    LIMITS,
    OVER,
    SYNONYMS,
    UNDER,
    characters,
    is_known,
    labels,
)
from karat.graphs.model.formula import ABOVE, BELOW, DEEPEST, SUB, SUP, Row, Symbol
from karat.graphs.model.grid import column_of

Commands = Mapping[str, Callable[["LatexParser", Token], Row]]
"""What each command makes of what follows it."""
AS_SCRIPT = {"^": SUP, "_": SUB}
AS_LIMIT = {"^": ABOVE, "_": BELOW}
NOT_SHOWN = {"%": "begins a comment", "#": "stands for a macro's argument"}


@dataclass(slots=True)
class LatexParser:
    """Reads tokens into rows of symbols; it reports what it cannot read, and goes on."""

    tokens: list[Token]
    commands: Commands
    place: int = 0
    depth: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)
    ended: Token = END
    """What ended the last row."""

    def complain(self, token: Token, what: str) -> None:
        """Note what is wrong, and where."""
        self.problems.append((token.column or self._end_column(), what))

    def _end_column(self) -> int:
        """Return the column behind the last token."""
        if not self.tokens:
            return 1
        last = self.tokens[-1]
        return last.column + len(last.text)

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
        r"""Return the row up to one of the closing tokens or the end; `below` an \over there may be no other one."""
        row: Row = []
        limits = False
        while True:
            token = self.next()
            if token is END or token.text in ends:
                if token is END and ends:
                    self.complain(token, f"'{ends[0]}' is missing at the end")
                self.ended = token
                return row
            if token.text in INFIX:
                if below:
                    self.complain(
                        token,
                        "a second fraction in one group is ambiguous; set one of them in braces",
                    )
                return self.split(token, row, ends)
            limits = self._add(token, row, limits=limits)

    def _add(self, token: Token, row: Row, *, limits: bool) -> bool:
        """Add what a token begins to a row; return whether scripts that follow are limits, above and below."""
        if token.text in {"^", "_"}:
            self.script(token, row, limits=limits)
        elif token.text == "'":
            self.prime(token, row)
        elif token.text == "\\limits":
            limits = True
        elif token.text == "\\nolimits":
            limits = False
        elif token.text == "{" and self.peek().text == "'":
            symbols = self.atom(token)
            # A group of primes alone, as in y_0{'}, is raised beside what comes before it.
            if row and _is_primes(symbols):
                self.hang(token, row, SUP, symbols)
            else:
                row += symbols
            limits = False
        else:
            symbols = self.atom(token)
            row += symbols
            takes_limits = token.text in WITH_LIMITS
            limits = bool(symbols) and (takes_limits or symbols[-1].label in LIMITS)
        return limits

    def script(self, token: Token, row: Row, *, limits: bool) -> None:
        """Hang what follows ^ or _ on the last symbol of a row."""
        relations = AS_LIMIT if limits else AS_SCRIPT
        self.hang(token, row, relations[token.text], self.argument(token))

    def hang(self, token: Token, row: Row, relation: str, part: Row) -> None:
        """Hang a row on the last symbol of another."""
        if not row:
            self.complain(token, f"nothing stands before '{token.text}' that it could belong to")
            row += part
            return
        last = row[-1]
        if relation in last.regions and not _is_primes(last.regions[relation]):
            self.complain(token, f"'{last.label}' has two parts {relation}")
            last.regions[relation] += part
        elif part:
            last.regions.setdefault(relation, []).extend(part)

    def prime(self, token: Token, row: Row) -> None:
        """Read ' as a raised prime; at the beginning of a group, as in ^{'}, it is what the group holds."""
        part = self._primes()
        if not row and self.depth:
            row += part
        else:
            self.hang(token, row, SUP, part)

    def _primes(self) -> Row:
        """Return this prime and those that follow at once."""
        part = [Symbol("\\prime")]
        while self.peek().text == "'":
            self.next()
            part.append(Symbol("\\prime"))
        return part

    def split(self, token: Token, above: Row, ends: tuple[str, ...]) -> Row:
        r"""Return the fraction of what comes before and after \over; without a line it is a column of two."""
        if self._is_too_deep(token):
            return above
        self.depth += 1
        below = self.row(*ends, below=True)
        self.depth -= 1
        if token.text == "\\over":
            return [with_regions(Symbol(BAR), {ABOVE: above, BELOW: below})]
        return column_of(above, below, "pmatrix" if token.text == "\\choose" else "")

    def argument(self, owner: Token) -> Row:
        """Return what a command applies to: a group, or one symbol."""
        token = self.next()
        if token is END or token.text in {"}", "^", "_", "&"}:
            self.complain(token, f"'{owner.text}' lacks what it applies to")
            if token is not END:
                self.place -= 1
            return []
        if token.text == "'":
            return self._primes()
        return self.atom(token)

    def atom(self, token: Token) -> Row:
        """Return the symbols that a token begins."""
        if self._is_too_deep(token):
            return []
        self.depth += 1
        symbols = self._atom(token)
        self.depth -= 1
        return symbols

    def _is_too_deep(self, token: Token) -> bool:
        """Return whether this is nested deeper than anybody writes; the rest is then not read."""
        if self.depth <= DEEPEST:
            return False
        self.complain(token, f"more than {DEEPEST} levels of braces")
        self.place = len(self.tokens)
        return True

    def _atom(self, token: Token) -> Row:
        text = token.text
        if text == "{":
            return self.row("}")
        if text in FONTS:
            return self._styled(token)
        if text in SIZES:
            return self._sized(token)
        if text in OVER:
            return [with_regions(Symbol(text), {BELOW: self.argument(token)})]
        if text in UNDER:
            return [with_regions(Symbol(text), {ABOVE: self.argument(token)})]
        handler = self.commands.get(text)
        return self._symbol(token) if handler is None else handler(self, token)

    def _styled(self, token: Token) -> Row:
        r"""Return what a font applies to; \mathrm{sin} is the function of that name."""
        takes_argument = self.peek().text == "{" or token.text.startswith("\\math")
        if not takes_argument:
            return []
        symbols = self.argument(token)
        if token.text in UPRIGHT:
            name = "".join(one.label for one in symbols)
            if name in FUNCTIONS and not any(one.regions for one in symbols):
                return [Symbol(f"\\{name}")]
        return symbols

    def _sized(self, token: Token) -> Row:
        r"""Return the bracket after \left, \big or the like, and after \left all up to the bracket of its \right."""
        if token.text == "\\left":
            opening = self._bracket(token)
            inside = self.row("\\right")
            closing = [] if self.ended is END else self._bracket(self.ended)
            return [*opening, *inside, *closing]
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
        if token.text in NOT_SHOWN:
            meaning = NOT_SHOWN[token.text]
            self.complain(token, f"'{token.text}' {meaning}; the character is \\{token.text}")
            return []
        label = SYNONYMS.get(token.text) or labels().get(token.text, token.text)
        if label.startswith("\\") and not is_known(label):
            similar = get_close_matches(label, characters(), n=1, cutoff=0.75)
            hint = f"did you mean {similar[0]}?" if similar else "--lenient takes it for a symbol"
            self.complain(token, f"no symbol is called {label}; {hint}")
        return [Symbol(label)]


def with_regions(symbol: Symbol, regions: dict[str, Row]) -> Symbol:
    """Return a symbol with its rows; an empty row is left out."""
    symbol.regions = {name: part for name, part in regions.items() if part}
    return symbol


def _is_primes(row: Row) -> bool:
    return all(one.label == "\\prime" and not one.regions for one in row)
