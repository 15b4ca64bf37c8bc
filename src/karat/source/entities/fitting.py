"""A file of tagged tokens, cut into the sentences of another: the truth, or the first file where there is none.

What belongs together is known from the tokens, not from the empty lines between them.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError
from karat.source.entities.conll_lines import OUTSIDE, Sentence
from karat.source.entities.token_alignment import aligned
from karat.source.faults import Faults
from karat.words import counted

LEAST = 0.5
"""Which share of the tokens, those of the shorter file, must be the same in both for them to be of one text."""


class TaggedToken(NamedTuple):
    """A token of a file, and whether a sentence of that file begins with it."""

    text: str
    tag: tuple[str, str]
    written: str | None
    line: int
    begins: bool


class Fit:
    """The tokens of a file, taken sentence by sentence of the reference."""

    def __init__(
        self,
        sentences: Iterator[Sentence],
        path: Path,
        reference: Path,
        rest_of_reference: Callable[[int], list[Sentence]],
        faults: Faults,
    ) -> None:
        self._tokens = _flat(sentences)
        self._path = path
        self._reference = reference
        self._rest_of_reference = rest_of_reference
        self._faults = faults
        self._same = 0
        self._broken_elsewhere = 0
        self._aligned: Iterator[Sentence | None] | None = None
        self.notes: list[str] = []
        """Notes on what is not a fault, and on whose faults were found."""

    def next(self, sentence: Sentence, number: int) -> Sentence | None:
        """Return the next sentence of the reference as this file has it; None if it has no token of it."""
        if self._aligned is not None:
            return next(self._aligned)
        own = list(islice(self._tokens, len(sentence.tokens)))
        if [token.text for token in own] == sentence.tokens:
            self._same += len(own)
            if not own[0].begins or any(token.begins for token in own[1:]):
                self._broken_elsewhere += 1
            return _sentence(own, sentence)
        self._faults.add(*self._misfit(own, sentence, number))
        rest = self._rest_of_reference(number)
        self._aligned = iter(self._fitted([*own, *self._tokens], rest))
        return next(self._aligned)

    def finish(self) -> None:
        """Report tokens that are left at the end of the reference."""
        extra = next(self._tokens, None)
        if extra:
            what = f"the token {extra.text!r} comes after the end of {self._reference}"
            self._faults.add(f"{self._path}, line {extra.line}", what)
        if self._broken_elsewhere and self._aligned is None:
            what = f"{self._path} breaks {counted(self._broken_elsewhere, 'sentence')} elsewhere"
            self.notes.append(
                f"{what}; the tokens are the same, and those of {self._reference} count"
            )

    def _misfit(
        self, own: Sequence[TaggedToken], sentence: Sentence, number: int
    ) -> tuple[str, str]:
        """Return the first place where the tokens differ, and what is there."""
        for place, token in enumerate(own):
            other = sentence.tokens[place]
            if token.text != other:
                line = sentence.lines[place]
                what = f"the token is {token.text!r}, in {self._reference}, line {line}, {other!r}"
                return f"{self._path}, line {token.line}", what
        first_line = sentence.lines[0]
        where = "within" if own else "before"
        what = f"it ends {where} sentence {number:,}, which begins on line {first_line} of {self._reference}"
        return str(self._path), what

    def _fitted(
        self, own: Sequence[TaggedToken], rest: Sequence[Sentence]
    ) -> list[Sentence | None]:
        """Return the rest of the reference's sentences as this file has them, by an alignment of the tokens."""
        expected = [token for sentence in rest for token in sentence.tokens]
        texts = [token.text for token in own]
        counterpart: dict[int, TaggedToken] = {}
        same = self._same
        for place, other in aligned(expected, texts):
            counterpart[place] = own[other]
            same += expected[place] == texts[other]
        shorter = self._same + min(len(expected), len(own))
        if same < LEAST * shorter or not same:
            raise InputError(
                f"{self._path} does not fit {self._reference}: {same:,} of {counted(shorter, 'token')} are the same; "
                "leave it out, or name the file that belongs to it"
            )
        self._tell(len(expected), len(own), len(counterpart))
        found = []
        start = 0
        for sentence in rest:
            tokens = [counterpart.get(start + place) for place in range(len(sentence.tokens))]
            found.append(_sentence(tokens, sentence))
            start += len(sentence.tokens)
        return found

    def _tell(self, expected: int, own: int, both: int) -> None:
        parts = []
        if expected > both:
            parts.append(f"{counted(expected - both, 'token')} of {self._reference} not there")
        if own > both:
            parts.append(f"{counted(own - both, 'token')} more than there")
        if parts:
            self.notes.append(
                f"{self._path}: {', '.join(parts)}; the others are aligned by what they are"
            )


def _flat(sentences: Iterator[Sentence]) -> Iterator[TaggedToken]:
    for sentence in sentences:
        begins = True
        for cells in zip(
            sentence.tokens, sentence.tags, sentence.written, sentence.lines, strict=True
        ):
            yield TaggedToken(*cells, begins)
            begins = False


def _sentence(own: Sequence[TaggedToken | None], reference: Sentence) -> Sentence | None:
    """Return a sentence of the reference as another file has it; a token that is not there is in no entity."""
    if not any(own):
        return None
    sentence = Sentence()
    for token, text, line in zip(own, reference.tokens, reference.lines, strict=True):
        if token is None:
            sentence.add(text, OUTSIDE, None, line)
        else:
            sentence.add(token.text, token.tag, token.written, token.line)
    return sentence
