r"""The grammar of LaTeX formulas: rows, groups, scripts, fonts and brackets; what else a command means it is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from karat.graphs.formats.latex_tokens import (
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
    is_known,
    labels,
    signs,
)
from karat.graphs.model.formula import ABOVE, BELOW, DEEPEST, SUB, SUP, Row, Symbol
from karat.graphs.model.grid import column_of

Commands = Mapping[str, Callable[["LatexParser", Token], Row]]
"""What each command makes of what follows it."""


@dataclass(slots=True)
class LatexParser:
    """Reads tokens into rows of symbols; what it cannot read it tells, and goes on."""

    tokens: list[Token]
    commands: Commands
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
                    self.complain(
                        token,
                        "a second fraction in one group is ambiguous; set one of them in braces",
                    )
                return self.split(token, found, ends)
            else:
                new = self.atom(token)
                found += new
                limits = bool(new) and (new[-1].label in LIMITS or token.text in WITH_LIMITS)

    def script(self, token: Token, row: Row, *, limits: bool) -> None:
        """Hang what follows ^ or _ on the last symbol of a row."""
        relation = (
            {"^": ABOVE, "_": BELOW}[token.text] if limits else {"^": SUP, "_": SUB}[token.text]
        )
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
            return [with_regions(Symbol(BAR), {ABOVE: above, BELOW: below})]
        return column_of(above, below, "pmatrix" if token.text == "\\choose" else "")

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
            return [
                with_regions(Symbol(text), {BELOW if text in OVER else ABOVE: self.argument(token)})
            ]
        handler = self.commands.get(text)
        return self._symbol(token) if handler is None else handler(self, token)

    def _styled(self, token: Token) -> Row:
        if token.text in FONTS:
            found = (
                self.argument(token)
                if self.peek().text == "{" or token.text.startswith("\\math")
                else []
            )
            name = "".join(one.label for one in found)
            is_name = (
                token.text in UPRIGHT
                and name in FUNCTIONS
                and not any(one.regions for one in found)
            )
            return [Symbol(f"\\{name}")] if is_name else found
        if token.text == "\\left":
            opening, inside = self._bracket(token), self.row("\\right")
            return [*opening, *inside, *([] if self.ended is END else self._bracket(self.ended))]
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
            self.complain(
                token, f"'{token.text}' {meaning[token.text]}; the sign is \\{token.text}"
            )
            return []
        text = SYNONYMS.get(token.text) or labels().get(token.text, token.text)
        if text.startswith("\\") and not is_known(text):
            near = get_close_matches(text, signs(), n=1, cutoff=0.75)
            hint = f"did you mean {near[0]}?" if near else "--lenient takes it for a symbol"
            self.complain(token, f"no symbol is called {text}; {hint}")
        return [Symbol(text)]


def with_regions(symbol: Symbol, regions: dict[str, Row]) -> Symbol:
    """Return a symbol with the rows that hang on it; an empty one is none."""
    symbol.regions = {name: part for name, part in regions.items() if part}
    return symbol


def _is_primes(row: Row) -> bool:
    return all(one.label == "\\prime" and not one.regions for one in row)
