"""The estimator `one-coin`: each system has one accuracy, and its errors are spread evenly over the other labels."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from karat.measure.consensus.choices import Choices, choices_of
from karat.measure.consensus.estimator import EstimatorInput, divide
from karat.measure.consensus.model_opinion import model_estimator
from karat.measure.consensus.voters import Voters, voters_of
from karat.numeric.arrays import FloatArray
from karat.numeric.batches import in_batches

LEAST = 1e-6
"""The least share of wrong, or of right, answers that a system is assumed to have."""
ROUNDS = 500
FEW_ROUNDS = 30
"""So many rounds for a resample, which starts where all items ended."""
TOLERANCE = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class OneCoin:
    """How often each system is right, how frequent each label is, and what is true; a column for each resample."""

    accuracy: FloatArray
    """accuracy[k, r]: how often system k is right in resample r; NaN without answers."""
    prior: FloatArray
    """prior[c, r]: how frequent label c is."""
    chances: FloatArray
    """chances[e, r]: how likely a label that somebody gave to a row is true there."""
    rest: FloatArray
    """rest[i, r]: how likely row i has a label that nobody gave it."""
    rounds: int


def one_coin(
    answers: npt.ArrayLike,
    number: npt.ArrayLike | None = None,
    *,
    classes: int,
    weights: npt.ArrayLike | None = None,
) -> OneCoin:
    """How often is each system right, if its errors are spread evenly?

    P(answers of an item) = Σ_c π_c Π_k (a_k where the answer is c, else (1 - a_k) / (C - 1)), the likeliest π and a by
    expectation-maximisation from the shares of the votes; codes below 0 are missing. One number a system: it can be
    learnt from few answers, but a system that takes one label for another more often than back is not described.
    `weights` are exponents, 1/m for each of m systems that are to have one vote together. Assumes that errors are
    independent given the true label, and that most systems are better than chance.
    Reference: Zhang, Chen, Zhou, Jordan, Journal of Machine Learning Research 17, 2016 (the one-coin model).
    >>> one_coin([[0, 0, 0], [1, 1, 0], [1, 1, 1]], [50, 10, 40], classes=2).accuracy[:, 0].round(2)
    array([1. , 1. , 0.9])
    """
    codes = np.asarray(answers)
    amount = np.ones(len(codes)) if number is None else np.asarray(number, float)
    choices = choices_of(codes, classes=classes, weights=weights)
    return _fit(choices, amount[:, None], None)


def _fit(choices: Choices, number: FloatArray, start: OneCoin | None) -> OneCoin:
    """Return the likeliest accuracies: from the votes, or for a few rounds from another fit."""
    number = number * choices.answered[:, None]
    resamples = number.shape[1]
    if start is None:
        chances = np.repeat(choices.shares[:, None], resamples, axis=1)
        prior = divide(choices.by_label(number[choices.row] * chances), number.sum(axis=0))
        accuracy = choices.accuracies(number, chances)
    else:
        prior = np.repeat(start.prior, resamples, axis=1)
        accuracy = np.repeat(start.accuracy, resamples, axis=1)
    most_rounds = ROUNDS if start is None else FEW_ROUNDS
    done = 0
    converged = False
    while not converged and done < most_rounds:
        done += 1
        chances, rest = _expect(choices, accuracy, prior)
        before = accuracy
        accuracy = choices.accuracies(number, chances)
        prior = _new_prior(choices, number, chances, rest, prior)
        change = np.nan_to_num(np.abs(accuracy - before))
        converged = bool(change.max(initial=0.0) < TOLERANCE)
    chances, rest = _expect(choices, accuracy, prior)
    return OneCoin(accuracy, prior, chances, rest, done)


def _gains(choices: Choices, accuracy: FloatArray) -> FloatArray:
    """Return by how much an answer of each system raises the log odds of its label."""
    right = np.clip(np.nan_to_num(accuracy, nan=0.5), LEAST, 1 - LEAST)
    wrong = (1 - right) / (choices.classes - 1)
    return np.asarray(choices.weights[:, None] * (np.log(right) - np.log(wrong)))


@dataclass(frozen=True, slots=True, eq=False)
class _Likelihoods:
    """How likely labels are, up to a factor for each row."""

    given: FloatArray
    """Of each label that somebody gave to a row."""
    rest: FloatArray
    """Of all others together."""
    total: FloatArray
    """Of all labels of a row."""


def _likelihoods(choices: Choices, logs: FloatArray, prior: FloatArray) -> _Likelihoods:
    frequency = prior[choices.label]
    largest = np.maximum(choices.largest_of_row(logs), 0.0)
    given = frequency * np.exp(logs - largest[choices.row])
    not_given = np.maximum(0.0, 1 - choices.by_row(frequency))
    rest = not_given * np.exp(-largest)
    return _Likelihoods(given, rest, choices.by_row(given) + rest)


def _expect(
    choices: Choices, accuracy: FloatArray, prior: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return how likely each given label is, and any other."""
    parts = _likelihoods(choices, choices.sums(_gains(choices, accuracy)), prior)
    chances = np.nan_to_num(divide(parts.given, parts.total[choices.row]))
    return chances, np.nan_to_num(divide(parts.rest, parts.total))


def _new_prior(
    choices: Choices, number: FloatArray, chances: FloatArray, rest: FloatArray, prior: FloatArray
) -> FloatArray:
    """Return how frequent each label is; what nobody gave to a row is shared as the labels are frequent."""
    items = choices.by_label(number[choices.row] * chances)
    not_given = 1 - choices.by_row(prior[choices.label])
    share = number * np.nan_to_num(divide(rest, not_given))
    # A label's part of the rest is that of the rows in which nobody gave it.
    others = share.sum(axis=0) - choices.by_label(share[choices.row])
    items += prior * np.maximum(0.0, others)
    return divide(items, items.sum(axis=0))


def right_by_others(
    choices: Choices, number: FloatArray, fit: OneCoin, families: list[list[int]]
) -> FloatArray:
    """Return how many of each system's answers are right by the answers of the others.

    Of a family all answers are left out when one of them is judged: they would confirm each other.
    """
    gains = _gains(choices, fit.accuracy)
    logs = choices.sums(gains)
    parts = _likelihoods(choices, logs, fit.prior)
    row = choices.row[choices.entry]
    own = parts.given[choices.entry]
    without = own * np.exp(-gains[choices.system])
    others = np.maximum(0.0, parts.total[row] - own)
    chance = divide(without, without + others)
    for members in families:
        alone = _likelihoods(choices, logs - choices.sums(gains, only=members), fit.prior)
        theirs = np.isin(choices.system, members)
        above = alone.given[choices.entry[theirs]]
        chance[theirs] = divide(above, alone.total[row[theirs]])
    return choices.means(np.nan_to_num(chance), number)


@dataclass(frozen=True, eq=False)
class OneCoinOfVoters:
    """The fit to all items, with what estimators need of it."""

    voters: Voters
    choices: Choices
    number: FloatArray
    fit: OneCoin

    @classmethod
    def of(cls, voters: Voters, number: FloatArray) -> "OneCoinOfVoters":
        """Fit the model."""
        choices = choices_of(voters.codes, classes=voters.classes, weights=voters.weights)
        return cls(voters, choices, number, _fit(choices, number[:, None], None))

    @cached_property
    def values(self) -> FloatArray:
        """The share of each system's answers that are right by the others."""
        number = self.number[:, None]
        return right_by_others(self.choices, number, self.fit, self.voters.shared())[:, 0]

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """The likeliest label of each row."""
        return self.choices.likeliest(self.fit.chances[:, 0])

    @property
    def chances(self) -> FloatArray:
        """How likely each row has each label."""
        fit = self.fit
        return self.choices.table(fit.chances[:, 0], fit.rest[:, 0], fit.prior[:, 0])

    @property
    def method(self) -> str:
        """How it was fitted, in words."""
        return f"one-coin ({self.fit.rounds} rounds)"

    def resampled(self, numbers: FloatArray) -> FloatArray:
        """Return the values in each resample, a row for each."""
        return in_batches(self._resampled, numbers, size=max(1, len(self.choices.entry)))

    def _resampled(self, numbers: FloatArray) -> FloatArray:
        number = np.ascontiguousarray(numbers.T)
        fit = _fit(self.choices, number, self.fit)
        return right_by_others(self.choices, number, fit, self.voters.shared()).T


def _fitted(answers: EstimatorInput) -> OneCoinOfVoters:
    return OneCoinOfVoters.of(voters_of(answers, "one-coin"), answers.number)


by_one_coin = model_estimator(_fitted, one_coin)
