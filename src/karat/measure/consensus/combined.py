"""The estimator `combined`: the mean of `one-coin` and `pooled`, who overturns the majority more weighing less."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.measure.consensus.estimator import EstimatorInput, rounded
from karat.measure.consensus.given_labels import GivenLabels
from karat.measure.consensus.model_opinion import model_estimator
from karat.measure.consensus.one_coin import OneCoinOfVoters
from karat.measure.consensus.pooled import PooledOfVoters, fits_memory
from karat.measure.consensus.voters import Voters, voters_of
from karat.numeric.arrays import FloatArray

SCALE = 0.02
"""A model that overturns the majority on so many more of the items weighs 1/e of the other."""
MOST_TABLE = 20_000_000
"""Rows times classes up to which error rates are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Combined:
    """Two models of the systems' errors, and how much each weighs."""

    one_coin: OneCoinOfVoters
    pooled: PooledOfVoters | None
    """None where the labels are too many for it."""
    overturned: tuple[float, ...]
    """On what share of the items each does not agree with the majority."""
    weights: tuple[float, ...]

    @property
    def models(self) -> list[OneCoinOfVoters | PooledOfVoters]:
        """The models that there are."""
        return [self.one_coin] if self.pooled is None else [self.one_coin, self.pooled]

    @property
    def values(self) -> FloatArray:
        """The share of each system's answers that are right by the others, the mean of the models."""
        return self._mean([model.values for model in self.models])

    @property
    def chances(self) -> FloatArray:
        """How likely each row has each label, the mean of the models."""
        return self._mean([model.chances for model in self.models])

    def resampled(self, numbers: FloatArray) -> FloatArray:
        """Return the values in each resample, a row for each, the models weighing as for all items."""
        return rounded(self._mean([model.resampled(numbers) for model in self.models]))

    @property
    def method(self) -> str:
        """How the models were put together, in words."""
        if self.pooled is None:
            return "one-coin alone: the labels are too many for error rates"
        first, second = self.weights
        return f"mean of one-coin and pooled (weights {first:.2f} and {second:.2f})"

    def _mean(self, parts: list[FloatArray]) -> FloatArray:
        total = np.zeros_like(parts[0])
        for weight, part in zip(self.weights, parts, strict=True):
            total += weight * part
        return total


def combined(voters: Voters, number: FloatArray) -> Combined:
    """Which systems are best, by two models that fail in different places?

    The weighted mean of the shares of right answers by `one_coin` and by `pooled`. One-coin knows too little of systems
    that prefer a label; Dawid and Skene's error rates are the first to follow errors that systems share. Both begin
    at the majority, and a model that is led astray overturns more of it: its weight is exp(-x / 0.02), x the share of
    the items on which its label is not one of those with the most votes. The number and the form come from real
    sets, each left out in turn (bench/real/consensus.py).
    Reference: Zhang, Chen, Zhou, Jordan, Journal of Machine Learning Research 17, 2016; Dawid, Skene, Applied
    Statistics 28, 1979. doi:10.2307/2346806
    """
    coin = OneCoinOfVoters.of(voters, number)
    rates = None
    rows, systems = voters.codes.shape
    if rows * voters.classes <= MOST_TABLE and fits_memory(systems, voters.classes):
        rates = PooledOfVoters.of(voters, number)
    labels = [coin.labels] if rates is None else [coin.labels, rates.labels]
    given = replace(coin.choices.given, items=number)
    overturned = [_overturned(given, one) for one in labels]
    least = min(overturned)
    each = [np.exp(-(share - least) / SCALE) for share in overturned]
    total = sum(each)
    weights = tuple(float(weight / total) for weight in each)
    return Combined(coin, rates, tuple(overturned), weights)


def _overturned(given: GivenLabels, labels: npt.NDArray[np.int64]) -> float:
    """Return the share of the items whose label is not one of those with the most votes."""
    chosen = given.label == labels[given.row]
    votes = given.by_row(given.votes * chosen)
    most = given.most()
    answered = float(given.items @ (most > 0))
    return float(given.items @ (votes < most)) / max(1.0, answered)


def _fitted(answers: EstimatorInput) -> Combined:
    return combined(voters_of(answers, "combined"), answers.number)


by_combined = model_estimator(_fitted, combined)
