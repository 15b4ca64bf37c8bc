"""The edit distance of each system's text from the true one: substitutions, deletions and insertions, text by text."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError, TallyError
from karat.source.text.alignment import library
from karat.table.table import Table
from karat.tally.codes import MISSING, UNASKED
from karat.tally.digest import Part, digest, joined
from karat.tally.tally import marginal_tally
from karat.tally.votes.patterns import Patterns, patterns
from karat.words import EMPTY_TEXT

Whole = npt.NDArray[np.int64]
Unit = Literal["character", "word", "bag"]


class EditCounts(NamedTuple):
    """What makes one text of another, with the fewest edits."""

    substituted: int
    deleted: int
    inserted: int


@dataclass(frozen=True, slots=True, eq=False)
class Edits:
    """The edits of each text: a row for each distinct row of truth and answers, a column for each system.

    A text that a system lacks counts as deleted; one that does not count for the system has length 0.
    """

    systems: tuple[str, ...]
    unit: Unit
    number: Whole
    """How many texts a row represents."""
    length: Whole
    """Of the true text, in tokens."""
    substituted: Whole
    deleted: Whole
    inserted: Whole
    keys: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)

    @property
    def errors(self) -> Whole:
        """All edits."""
        return np.asarray(self.substituted + self.deleted + self.inserted)

    @property
    def right(self) -> Whole:
        """Tokens of the truth that were read."""
        return np.asarray(self.length - self.substituted - self.deleted)

    @property
    def answered(self) -> Whole:
        """Tokens that a system gave."""
        return np.asarray(self.length - self.deleted + self.inserted)

    def __add__(self, other: "Edits") -> "Edits":
        """Return the texts of both."""
        if (self.systems, self.unit, set(self.keys)) != (
            other.systems,
            other.unit,
            set(other.keys),
        ):
            raise TallyError("these edits are of other systems, other tokens, or have other keys")
        keys = {name: np.concatenate([self.keys[name], other.keys[name]]) for name in self.keys}
        return replace(
            self,
            number=np.concatenate([self.number, other.number]),
            length=np.concatenate([self.length, other.length]),
            substituted=np.concatenate([self.substituted, other.substituted]),
            deleted=np.concatenate([self.deleted, other.deleted]),
            inserted=np.concatenate([self.inserted, other.inserted]),
            keys=keys,
        )

    def chosen(self, rows: npt.NDArray[np.bool_]) -> "Edits":
        """Return some of the texts."""
        return replace(
            self,
            number=self.number[rows],
            length=self.length[rows],
            substituted=self.substituted[rows],
            deleted=self.deleted[rows],
            inserted=self.inserted[rows],
            keys={name: column[rows] for name, column in self.keys.items()},
        )

    def digest(self) -> str:
        """Return a short hash of the counts."""
        parts: list[Part] = [joined(self.systems), self.unit, self.number, self.length]
        parts += [self.substituted, self.deleted, self.inserted]
        for name, column in sorted(self.keys.items()):
            parts += [name, column]
        return digest(parts)


def _of_patterns(rows: Patterns, *, unit: Unit, keys: str = "") -> Edits:
    """Count the edits of every distinct row of truth and answers."""
    if rows.meaning.truth_sep is not None:
        raise OptionError("edits are counted to one true text; leave --truth-sep out")
    rows = rows.marginal(keys).filled()
    has_truth = rows.truth != MISSING
    truth = rows.truth[has_truth]
    answers = rows.answers[has_truth]
    texts = _tokenised(rows.labels, unit)
    lengths = np.array([len(text) for text in texts], np.int64)
    length = np.repeat(lengths[truth][:, None], len(rows.systems), axis=1)
    left_out = answers == UNASKED
    if rows.meaning.missing == "skip":
        left_out |= answers == MISSING
    length[left_out] = 0
    counted = np.zeros((3, *answers.shape), np.int64)
    counted[1] = np.where(answers < 0, length, 0)
    compare = _bag_edits if unit == "bag" else _least_edits()
    _count_edits(texts, truth, answers, counted, compare)
    substituted, deleted, inserted = counted
    return Edits(
        systems=rows.systems,
        unit=unit,
        number=rows.number[has_truth],
        length=length,
        substituted=substituted,
        deleted=deleted,
        inserted=inserted,
        keys={name: column[has_truth] for name, column in rows.keys.items()},
    )


@marginal_tally(_of_patterns)
def edits(table: Table, *, unit: Unit, keys: str = "") -> Edits:
    """Count the edits that make each answer of its truth, in characters, words, or words without their order."""
    return _of_patterns(patterns.of_table(table, keys=keys), unit=unit, keys=keys)


def _count_edits(
    texts: Sequence[Any],
    truth: npt.NDArray[Any],
    answers: npt.NDArray[Any],
    counted: Whole,
    compare: Callable[[Any, Any], EditCounts],
) -> None:
    """Fill in the edits where a system has a text, each pair of texts compared once."""
    differ = (answers >= 0) & (answers != truth[:, None])
    if not differ.any():
        return
    pairs = truth[np.nonzero(differ)[0]] * len(texts) + answers[differ]
    distinct, place = np.unique(pairs, return_inverse=True)
    found: list[int] = []
    for pair in distinct.tolist():
        true, answer = divmod(pair, len(texts))
        found += compare(texts[true], texts[answer])
    counted[:, differ] = np.array(found, np.int64).reshape(-1, 3)[place].T


def _tokenised(labels: Sequence[str], unit: Unit) -> list[Any]:
    """Return each text as a sequence of what is counted.

    A word is written as one character, so that texts of words are compared as fast as texts of characters.
    """
    labels = ["" if label == EMPTY_TEXT else label for label in labels]
    if unit == "character":
        return labels
    if unit == "bag":
        return [label.split() for label in labels]
    letter_of = _Letters().__getitem__
    try:
        return ["".join(map(letter_of, label.split())) for label in labels]
    except ValueError:
        # More different words than there are characters.
        return [label.split() for label in labels]


class _Letters(dict[str, str]):
    """A character for each word, in the order in which words are looked up."""

    def __missing__(self, word: str) -> str:
        letter = chr(len(self))
        self[word] = letter
        return letter


def _least_edits() -> Callable[[Sequence[Any], Sequence[Any]], EditCounts]:
    """Return what counts the edits of an alignment with the fewest of them.

    >>> _least_edits()("cat", "chats")
    EditCounts(substituted=0, deleted=0, inserted=2)
    """
    editops = library().editops

    def counted(truth: Sequence[Any], answer: Sequence[Any]) -> EditCounts:
        edits = editops(truth, answer).as_list()
        substituted = 0
        for edit in edits:
            if edit[0] == "replace":
                substituted += 1
        # The other edits make up for what one text is longer than the other.
        others = len(edits) - substituted
        longer = len(truth) - len(answer)
        return EditCounts(substituted, (others + longer) // 2, (others - longer) // 2)

    return counted


def _bag_edits(truth: Sequence[str], answer: Sequence[str]) -> EditCounts:
    """Return the edits of words whose order does not count: a missed and an added word are one substitution.

    >>> _bag_edits(["the", "cat"], ["cat", "a", "big"])
    EditCounts(substituted=1, deleted=0, inserted=1)
    """
    in_truth = Counter(truth)
    in_answer = Counter(answer)
    missed = (in_truth - in_answer).total()
    added = (in_answer - in_truth).total()
    substituted = min(missed, added)
    return EditCounts(substituted, missed - substituted, added - substituted)
