r"""LaTeX as a sequence of tokens in which ways to write the same formula are the same: the stated normalisation.

A formula is not parsed but rewritten token by token, so that what a recogniser left unbalanced still has tokens, and
an unbalanced brace is one that is wrong. What is done to each token is listed in docs/questions.
"""

from collections.abc import Sequence

from karat.graphs.formats.formulas.latex_tokens import (
    ALIGNED,
    BARE,
    DELIMITERS,
    FONTS,
    FRACTIONS,
    NEGATED,
    SIZES,
    SPACES,
    STACKS,
    UNSEEN,
    UPRIGHT,
    tokens_of,
)
from karat.graphs.model.characters import COMMA, FUNCTIONS, OVER, ROOT, SYNONYMS, UNDER, labels
from karat.graphs.model.formula import DEEPEST
from karat.graphs.model.grid import BRACKETS

Tokens = tuple[str, ...]
UNMARKED = {"\\limits", "\\nolimits"}
"""The place of limits is not counted."""
ACCENTS = frozenset((*OVER, *UNDER))
TWO_PARTS = {
    **dict.fromkeys(FRACTIONS, "\\frac"),
    **dict.fromkeys(STACKS, "\\binom"),
    "\\overset": "\\overset",
    "\\stackrel": "\\overset",
    "\\underset": "\\underset",
}
"""Commands with two arguments, and how each is written."""
PLAIN = {",", "&", "%", "#", "_", "\\\\"}
"""Other tokens that are not symbols."""
PRIME = "\\prime"
NAMES = {"\\operatorname", "\\operatorname*"}


def normal_tokens(text: str) -> Tokens:
    r"""Return the tokens of a formula in the one way that karat compares them.

    >>> " ".join(normal_tokens(r"$\displaystyle \left( x^2_i \le \dfrac12 \right)$"))
    '( x _ { i } ^ { 2 } \\leq \\frac { 1 } { 2 } )'
    >>> " ".join(normal_tokens(r"\mathrm{sin} f' {a \over b} x ^ { 2"))
    '\\sin f ^ { \\prime } \\frac { a } { b } x ^ { 2'
    """
    words = [one.text for one in tokens_of(text)]
    visible = [word for word in words if word not in SPACES and word not in UNMARKED]
    rewriter = _Rewriter(visible)
    tokens: list[str] = []
    while rewriter.place < len(visible):
        tokens += rewriter.row()
        if rewriter.place < len(visible):
            # What ended the row closes nothing: it stays, and is wrong.
            tokens.append(rewriter.next())
    return tuple(tokens)


class _Rewriter:
    """Goes through the tokens once."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.place = 0
        self.depth = 0

    def peek(self) -> str:
        """Return the next token; nothing at the end."""
        return self.words[self.place] if self.place < len(self.words) else ""

    def next(self) -> str:
        """Return the next token, and go on."""
        word = self.peek()
        self.place += 1
        return word

    def row(self, end: str = "}") -> list[str]:
        """Return the tokens up to one that closes, which is left."""
        row: list[str] = []
        while self.place < len(self.words) and self.peek() != end:
            word = self.next()
            if word == "\\over":
                return ["\\frac", "{", *row, "}", "{", *self.row(end), "}"]
            if word == "'" and self.depth and _are_primes(row):
                # At the beginning of a group, as in ^{'}, a prime has nothing to be raised at.
                row.append(PRIME)
            elif word == "{" and self.peek() == "'":
                row += self._raised_group()
            elif word in {"^", "_", "'"}:
                self.place -= 1
                row += self._scripts()
            else:
                row += self._atom(word)
        return row

    def _raised_group(self) -> list[str]:
        """Return a group that begins with a prime: of primes alone, as in y_0{'}, it is raised."""
        self.place -= 1
        inside = _bare(self._group())
        if _are_primes(inside):
            return ["^", "{", *inside, "}"]
        return inside

    def _scripts(self) -> list[str]:
        """Return the scripts of one symbol, the lower before the upper; primes are raised."""
        lower: list[str] = []
        upper: list[str] = []
        primes: list[str] = []
        while self.peek() in {"^", "_", "'"}:
            word = self.next()
            if word == "'":
                primes.append(PRIME)
                continue
            argument = self._argument()
            if argument == ["{", "}"]:
                continue  # An empty script shows nothing.
            script = [word, *argument]
            if word == "_":
                lower += script
            else:
                upper += script
        if primes:
            # f'^2 is f ^ { \prime 2 }.
            inside = upper[2:-1] if upper[1:2] == ["{"] and upper[-1:] == ["}"] else upper
            upper = ["^", "{", *primes, *inside, "}"]
        return [*lower, *upper]

    def _argument(self) -> list[str]:
        """Return what a command applies to, in braces; what is missing stays missing."""
        if self.peek() == "{":
            return self._group()
        if self.peek() in {"", "}", "&", "^", "_"}:
            return []
        word = self.next()
        inside = [PRIME] if word == "'" else self._atom(word)
        return ["{", *inside, "}"]

    def _group(self) -> list[str]:
        """Return a group with its braces."""
        self.next()
        if self.depth > DEEPEST:
            return ["{"]
        self.depth += 1
        inside = self.row()
        self.depth -= 1
        if self.peek() != "}":
            return ["{", *inside]
        self.next()
        return ["{", *inside, "}"]

    def _atom(self, word: str) -> list[str]:
        """Return what a token begins."""
        if self.depth > DEEPEST:
            return [word]
        self.depth += 1
        tokens = self._rewritten(word)
        self.depth -= 1
        return tokens

    def _rewritten(self, word: str) -> list[str]:
        if word == "{":
            self.place -= 1
            return _bare(self._group())
        if word in FONTS:
            return self._font(word)
        if word in SIZES:
            return self._bracket()
        if word in UNSEEN:
            self._argument()
            return []
        handler = _COMMANDS.get(word)
        return [_spelled(word)] if handler is None else handler(self, word)

    def _font(self, word: str) -> list[str]:
        """Return what a font applies to; the name of a function is one token."""
        if self.peek() != "{":
            return []
        inside = _bare(self._group())
        name = "".join(inside)
        return [f"\\{name}"] if word in UPRIGHT and name in FUNCTIONS else inside

    def _bracket(self) -> list[str]:
        r"""Return the bracket after \left and the like; a dot means none."""
        bracket = self.next()
        if bracket in {".", ""}:
            return []
        return [_spelled(DELIMITERS.get(bracket, bracket))]

    def name(self, _: str) -> list[str]:
        """Return a name as the function it is, or unchanged."""
        inside = _bare(self._argument())
        name = "".join(inside)
        return [f"\\{name}"] if name in FUNCTIONS else ["\\operatorname", "{", *inside, "}"]

    def one_part(self, word: str) -> list[str]:
        """Return a command with one argument in braces."""
        return [word, *self._argument()]

    def two_parts(self, word: str) -> list[str]:
        """Return a command with two arguments in braces."""
        return [TWO_PARTS[word], *self._argument(), *self._argument()]

    def root(self, _: str) -> list[str]:
        """Return a root, with its index if it has one."""
        index: list[str] = []
        if self.peek() == "[":
            self.next()
            index = ["[", *self.row("]")]
            if self.peek() == "]":
                index.append(self.next())
        return [ROOT, *index, *self._argument()]

    def negated(self, word: str) -> list[str]:
        """Return a symbol that is struck through."""
        inside = _bare(self._argument())
        if len(inside) == 1 and inside[0] in NEGATED:
            return [NEGATED[inside[0]]]
        return [word, *inside]

    def environment(self, word: str) -> list[str]:
        """Return the beginning or the end of a matrix as one token, with its brackets; columns are not counted."""
        name = "".join(_bare(self._argument())).removesuffix("*")
        if word == "\\begin" and name == "array" and self.peek() == "{":
            self._argument()
        if name in ALIGNED:
            return [f"{word}{{aligned}}"]
        is_matrix = name in BARE or name in BRACKETS
        token = f"{word}{{matrix}}" if is_matrix else f"{word}{{{name}}}"
        left, right = BRACKETS.get(name, ("", ""))
        if word == "\\begin" and left:
            return [left, token]
        if word == "\\end" and right:
            return [token, right]
        return [token]


_COMMANDS = {
    **dict.fromkeys(NAMES, _Rewriter.name),
    **dict.fromkeys(ACCENTS, _Rewriter.one_part),
    **dict.fromkeys(TWO_PARTS, _Rewriter.two_parts),
    **dict.fromkeys((ROOT, "√"), _Rewriter.root),
    "\\not": _Rewriter.negated,
    **dict.fromkeys(("\\begin", "\\end"), _Rewriter.environment),
}


def _are_primes(words: list[str]) -> bool:
    return all(word == PRIME for word in words)


def _bare(group: list[str]) -> list[str]:
    """Return a group without its braces; one that is not closed keeps the brace that opens it."""
    return group[1:-1] if group[-1:] == ["}"] and group[:1] == ["{"] else group


def _spelled(word: str) -> str:
    """Return the one way to write a symbol."""
    if word in PLAIN:
        return word
    label = SYNONYMS.get(word) or labels().get(word, word)
    return "," if label == COMMA else label
