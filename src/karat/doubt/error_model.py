"""What is believed about wrong labels, and what it does to two systems' answers."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.critical_error import critical
from karat.doubt.interval import FloatArray
from karat.doubt.label_errors import Kept, kept_kinds
from karat.errors import OptionError, UnknownNameError
from karat.tally.codes import UNASKED
from karat.tally.pairs import Pairs
from karat.tally.patterns import Patterns

ROUNDING = 1e-15
"""What is left of a probability of 1 by rounding alone."""


@dataclass(frozen=True, slots=True)
class ErrorModel:
    """How often a given label is wrong: one rate for all, or one by label; a wrong one is any other class alike."""

    rate: float | Mapping[str, float]
    classes: int

    @property
    def name(self) -> str:
        """The name of the model."""
        return "per-class" if isinstance(self.rate, Mapping) else "uniform"

    def rates(self, labels: tuple[str, ...]) -> FloatArray:
        """Return P(the label is wrong | it is given) for each label."""
        if not isinstance(self.rate, Mapping):
            return np.full(len(labels), float(self.rate))
        for name in self.rate:
            if name not in labels:
                raise UnknownNameError("class", name, labels)
        return np.array([float(self.rate.get(text, 0.0)) for text in labels])


def check_model(model: ErrorModel, known: int) -> None:
    """Refuse rates that are no probabilities, and fewer classes than there are."""
    rates = list(model.rate.values()) if isinstance(model.rate, Mapping) else [model.rate]
    for rate in rates:
        if not 0 <= rate <= 1:
            raise OptionError(f"--label-error is {rate:g}; it is a probability, from 0 to 1: 3 % is 0.03")
    if model.classes < max(2, known):
        raise OptionError(f"--classes is {model.classes}, but {known} labels occur; there are at least so many")


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
    columns = [patterns.answers[told, patterns.systems.index(name)].astype(np.int64) for name in (better, worse)]
    pairs = Pairs(
        better, worse, patterns.labels, patterns.truth[told], np.stack(columns, axis=1), patterns.number[told],
        patterns.meaning,
    )  # fmt: skip
    return kept_kinds(*_kinds(pairs, np.asarray(patterns.keys["e"][told], float), classes))


def kinds(pairs: Pairs, model: ErrorModel) -> tuple[FloatArray, npt.NDArray[np.int64], FloatArray]:
    """Return how many items of each kind there are, who has them right, and who will by the true label."""
    return _kinds(pairs, np.append(model.rates(pairs.labels), 0.0)[pairs.truth], model.classes)


def _kinds(pairs: Pairs, rates: FloatArray, classes: int) -> tuple[FloatArray, npt.NDArray[np.int64], FloatArray]:
    first, second = pairs.answers[:, 0], pairs.answers[:, 1]
    disputed = (first != second) & (first != UNASKED) & (second != UNASKED)
    truth, first, second, wrong = pairs.truth[disputed], first[disputed], second[disputed], rates[disputed]
    chance = [_chance(truth, answer, wrong, classes) for answer in (second, first)]
    now = (first == truth).astype(np.int64) - (second == truth).astype(np.int64)
    table = np.stack([now, *chance], axis=1)
    distinct, place = np.unique(table, axis=0, return_inverse=True)
    counts = np.bincount(place.ravel(), weights=pairs.number[disputed], minlength=len(distinct)).astype(float)
    worse, better = distinct[:, 1], distinct[:, 2]
    rest = 1 - worse - better
    rest = np.where(rest < ROUNDING, 0.0, rest)
    return counts, distinct[:, 0].astype(np.int64), np.stack([worse, rest, better], axis=1)


def _chance(truth: npt.NDArray[np.int64], answer: npt.NDArray[np.int64], wrong: FloatArray, classes: int) -> FloatArray:
    """Return P(an answer is the true label | the given label); 0 where there is no answer."""
    found = np.where(answer == truth, 1 - wrong, wrong / (classes - 1))
    return np.where(answer < 0, 0.0, found)


def critical_rate(pairs: Pairs, classes: int, *, level: float = 0.95) -> float | None:
    """Up to which share of wrong labels is the order of a pair kept with this probability?

    As `critical_error`, from the pair's counts of truth x answer x answer.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    """
    disputed = int(kinds(pairs, ErrorModel(0.0, classes))[0].sum())
    return critical(
        lambda rate: kept_pair(pairs, ErrorModel(rate, classes)).kept, items=disputed, classes=classes, level=level
    )
