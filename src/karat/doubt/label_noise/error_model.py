"""What is believed about wrong labels, and what it does to two systems' answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.critical_error import critical
from karat.doubt.label_noise.pair_order import Kept, kept_kinds
from karat.doubt.label_noise.ranking_order import ROUNDING
from karat.errors import OptionError, UnknownNameError
from karat.numeric.arrays import FloatArray
from karat.tally.codes import MISSING, UNASKED
from karat.tally.votes.pairs import Pairs
from karat.tally.votes.patterns import Patterns

Answers = npt.NDArray[np.int64]
Chances = Callable[[Answers], FloatArray]
"""P(an answer is the true label | the given one), for each row of a pair's tally."""


@dataclass(frozen=True, slots=True)
class ErrorModel:
    """How often a given label is wrong: one rate for all, or one by label; a wrong one is any other class alike."""

    rate: float | Mapping[str, float]
    classes: int
    moves: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """P(true | given): given label to true label to probability, where it is known to which labels wrong ones belong.

    What a row lacks to 1 belongs to labels that nobody says.
    """
    rest: float = 0.0
    """How often a label that is not named is wrong."""

    @property
    def name(self) -> str:
        """The name of the model."""
        return (
            "matrix" if self.moves else "per-class" if isinstance(self.rate, Mapping) else "uniform"
        )

    def rates(self, labels: tuple[str, ...]) -> FloatArray:
        """Return P(the label is wrong | it is given) for each label."""
        if not isinstance(self.rate, Mapping):
            return np.full(len(labels), float(self.rate))
        return np.array([float(self.rate.get(text, self.rest)) for text in labels])

    def matrix(self, labels: tuple[str, ...]) -> FloatArray:
        """Return P(true | given), a row a given label, and in a last column what belongs to none of these labels.

        >>> ErrorModel({"a": 0.2}, 2, {"a": {"a": 0.8, "b": 0.15}}).matrix(("a", "b")).round(2).tolist()
        [[0.8, 0.15, 0.05], [0.0, 1.0, 0.0]]
        """
        size, rates = len(labels), self.rates(labels)
        found = np.repeat((rates / (self.classes - 1))[:, None], size + 1, axis=1)
        np.fill_diagonal(found, 1 - rates)
        for place, text in enumerate(labels):
            if text in self.moves:
                found[place, :size] = [self.moves[text].get(other, 0.0) for other in labels]
        found[:, size] = np.maximum(0.0, 1 - found[:, :size].sum(axis=1))
        return found


def check_model(model: ErrorModel, labels: tuple[str, ...], known: int) -> None:
    """Refuse rates that are no probabilities or of labels that do not occur, and fewer classes than there are."""
    for name in model.rate if isinstance(model.rate, Mapping) else ():
        if name not in labels:
            raise UnknownNameError("class", name, labels)
    rates = list(model.rate.values()) if isinstance(model.rate, Mapping) else [model.rate]
    for rate in rates:
        if not 0 <= rate <= 1:
            raise OptionError(
                f"--label-error is {rate:g}; it is a probability, from 0 to 1: 3 % is 0.03"
            )
    if model.classes < max(2, known):
        raise OptionError(
            f"--classes is {model.classes}, but {known} labels occur; there are at least so many"
        )


def kept_pair(pairs: Pairs, model: ErrorModel) -> Kept:
    """Would the first system of a pair stay better than the second, if labels are wrong as the model says?

    The pair's counts of (truth, answer, answer) become kinds of items, and the law of their sum is exact.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    """
    counts, now, chances = kinds(pairs, model)
    return kept_kinds(counts, now, chances)


def kept_by_item(patterns: Patterns, better: str, worse: str, classes: int) -> Kept:
    """Would the better system stay the better one, if each label is wrong with a probability of its own?

    As `kept_pair`, with the probabilities of the key e.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    """
    told = patterns.truth >= 0
    columns = [
        patterns.answers[told, patterns.systems.index(name)].astype(np.int64)
        for name in (better, worse)
    ]
    pairs = Pairs(
        better, worse, patterns.labels, patterns.truth[told], np.stack(columns, axis=1), patterns.number[told],
        patterns.meaning,
    )  # fmt: skip
    return kept_kinds(
        *_kinds(pairs, _alike(pairs, np.asarray(patterns.keys["e"][told], float), classes))
    )


def kinds(pairs: Pairs, model: ErrorModel) -> tuple[FloatArray, Answers, FloatArray]:
    """Return how many items of each kind there are, who has them right, and who will by the true label."""
    if not isinstance(model.rate, Mapping):
        return _few_kinds(pairs, model.rate, model.classes)
    if not model.moves:
        return _kinds(
            pairs,
            _alike(pairs, np.append(model.rates(pairs.labels), 0.0)[pairs.truth], model.classes),
        )
    matrix = model.matrix(pairs.labels)
    return _kinds(
        pairs, lambda answer: np.asarray(matrix[pairs.truth, np.maximum(answer, MISSING)])
    )


def _few_kinds(pairs: Pairs, rate: float, classes: int) -> tuple[FloatArray, Answers, FloatArray]:
    """Return the kinds under one rate for all, of which there are few: they are counted without sorting the rows."""
    first, second = pairs.answers[:, 0], pairs.answers[:, 1]
    disputed = (first != second) & (first != UNASKED) & (second != UNASKED)
    parts = (first == pairs.truth, second == pairs.truth, first < 0, second < 0)
    code = sum(part.astype(np.int64) << place for place, part in enumerate(parts))
    counts = np.bincount(code[disputed], weights=pairs.number[disputed], minlength=16).astype(float)
    there = np.flatnonzero(counts)
    right, other, silent, other_silent = ((there >> place) & 1 for place in range(4))
    better, worse = (
        np.where(is_silent, 0.0, np.where(is_right, 1 - rate, rate / (classes - 1)))
        for is_right, is_silent in ((right, silent), (other, other_silent))
    )
    rest = 1 - worse - better
    rest = np.where(rest < ROUNDING, 0.0, rest)
    return counts[there], right - other, np.stack([worse, rest, better], axis=1)


def _alike(pairs: Pairs, wrong: FloatArray, classes: int) -> Chances:
    """Return the chances of answers where a wrong label is any other class alike."""
    return lambda answer: np.where(answer == pairs.truth, 1 - wrong, wrong / (classes - 1))


def _kinds(pairs: Pairs, true: Chances) -> tuple[FloatArray, Answers, FloatArray]:
    first, second = pairs.answers[:, 0], pairs.answers[:, 1]
    disputed = (first != second) & (first != UNASKED) & (second != UNASKED)
    chance = [np.where(answer < 0, 0.0, true(answer))[disputed] for answer in (second, first)]
    now = (first == pairs.truth).astype(np.int64) - (second == pairs.truth).astype(np.int64)
    table = np.stack([now[disputed], *chance], axis=1)
    distinct, place = np.unique(table, axis=0, return_inverse=True)
    counts = np.bincount(
        place.ravel(), weights=pairs.number[disputed], minlength=len(distinct)
    ).astype(float)
    worse, better = distinct[:, 1], distinct[:, 2]
    rest = 1 - worse - better
    rest = np.where(rest < ROUNDING, 0.0, rest)
    return counts, distinct[:, 0].astype(np.int64), np.stack([worse, rest, better], axis=1)


def critical_rate(pairs: Pairs, classes: int, *, level: float = 0.95) -> float | None:
    """Up to which share of wrong labels is the order of a pair kept with this probability?

    As `critical_error`, from the pair's counts of truth x answer x answer.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    """
    disputed = int(kinds(pairs, ErrorModel(0.0, classes))[0].sum())
    return critical(
        lambda rate: kept_pair(pairs, ErrorModel(rate, classes)).kept,
        items=disputed,
        classes=classes,
        level=level,
    )
