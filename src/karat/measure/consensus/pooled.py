"""The estimator `pooled`: Dawid and Skene's error rates, those of a system with few answers near those of all."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.consensus.dawid_skene_model import AnswerMatrices, model_of_table
from karat.measure.consensus.estimator import EstimatorInput, divide
from karat.measure.consensus.model_opinion import model_estimator
from karat.measure.consensus.voters import Voters, voters_of
from karat.numeric.arrays import FloatArray
from karat.numeric.batches import in_batches

STRENGTH = 5.0
"""Each true label's error rates are drawn towards the common ones as by so many answers."""
SMOOTHED = 0.01
"""Added to the common counts, so that no error is impossible."""
LEAST = 1e-10
ROUNDS = 200
FEW_ROUNDS = 30
"""So many rounds for a resample, which starts where all items ended."""
TOLERANCE = 1e-5
MOST_CELLS = 40_000_000
"""Up to how many error rates there may be."""


@dataclass(frozen=True, slots=True, eq=False)
class Pooled:
    """How frequent each label is, how each system answers it, and what is true; the last axis is of resamples."""

    prior: FloatArray
    """prior[c, r]: how frequent label c is."""
    errors: FloatArray
    """errors[p, c, r]: how likely the answer p, a system and a label, is where c is true."""
    chances: FloatArray
    """chances[i, c, r]: how likely row i has label c."""
    joint: FloatArray
    """Its logarithm, but for a number in each row."""
    rounds: int


def pooled(
    answers: npt.ArrayLike,
    number: npt.ArrayLike | None = None,
    *,
    classes: int,
    weights: npt.ArrayLike | None = None,
) -> Pooled:
    """How often does each system take which label for which, if little is known of each?

    Dawid and Skene's model, each system's error rates drawn towards the common ones:
    e_k[c, a] = (n_k[c, a] + 5 m[c, a]) / (n_k[c] + 5), n_k[c, a] the expected number of items of label c that system k
    gave a, m[c, a] the share over all systems. A system with three answers is taken to err as all do; one with
    hundreds as its own answers show.
    `weights` are exponents, 1/m for each of m systems that are to have one vote together. Assumes that errors are
    independent given the true label, and that most systems are better than chance.
    Reference: Dawid, Skene, Applied Statistics 28, 1979. doi:10.2307/2346806
    >>> pooled([[0, 0, 0], [1, 1, 0], [1, 1, 1]], [50, 10, 40], classes=2).prior[:, 0].round(2)
    array([0.5, 0.5])
    """
    codes = np.asarray(answers)
    amount = np.ones(len(codes)) if number is None else np.asarray(number, float)
    model = _model(codes, classes, weights)
    return _fit(model, amount[:, None], None)


def fits_memory(systems: int, classes: int) -> bool:
    """Return whether there are few enough error rates for the model."""
    return systems * classes**2 <= MOST_CELLS


def _model(
    codes: npt.NDArray[np.int64], classes: int, weights: npt.ArrayLike | None
) -> AnswerMatrices:
    ones = np.ones(len(codes))
    return model_of_table(codes, ones, classes=classes, truth=None, weights=weights)


def _fit(model: AnswerMatrices, number: FloatArray, start: Pooled | None) -> Pooled:
    """Return the likeliest error rates: from the votes, or for a few rounds from another fit."""
    number = number * model.answered[:, None]
    if start is None:
        chances = np.repeat(model.start()[:, :, None], number.shape[1], axis=2)
    else:
        chances = np.repeat(start.chances, number.shape[1], axis=2)
    most_rounds = ROUNDS if start is None else FEW_ROUNDS
    done = 0
    converged = False
    while not converged and done < most_rounds:
        done += 1
        before = chances
        prior, errors = _maximise(model, number, chances)
        joint = _joint(model, prior, errors)
        chances = softmax(joint)
        converged = bool(np.abs(chances - before).max(initial=0.0) < TOLERANCE)
    return Pooled(prior, errors, chances, joint, done)


def _maximise(
    model: AnswerMatrices, number: FloatArray, chances: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return how frequent the labels are and how each system answers them."""
    expected = number[:, None] * chances
    prior = expected.sum(axis=0) / np.maximum(number.sum(axis=0), LEAST)
    flat = expected.reshape(len(expected), -1)
    counts = np.asarray(model.bundles.T @ (model.votes.T @ flat))
    cube = counts.reshape(*model.shape, *chances.shape[1:])
    common = cube.sum(axis=0) + SMOOTHED
    common /= common.sum(axis=0)
    errors = cube + STRENGTH * common
    errors /= errors.sum(axis=1, keepdims=True)
    return prior, errors.reshape(-1, *chances.shape[1:])


def _joint(model: AnswerMatrices, prior: FloatArray, errors: FloatArray) -> FloatArray:
    """Return how likely each row's answers are with each label, as a logarithm."""
    logs = model.weights[:, None, None] * np.log(np.maximum(errors, LEAST))
    flat = logs.reshape(len(logs), -1)
    joint = np.asarray(model.votes @ (model.bundles @ flat))
    return joint.reshape(-1, *errors.shape[1:]) + np.log(np.maximum(prior, LEAST))


def softmax(joint: FloatArray) -> FloatArray:
    """Return chances that are in proportion to exp(joint), summing to 1 over the second axis."""
    chances = np.exp(joint - joint.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class PooledOfVoters:
    """The fit to all items, with what estimators need of it."""

    voters: Voters
    model: AnswerMatrices
    number: FloatArray
    fit: Pooled

    @classmethod
    def of(cls, voters: Voters, number: FloatArray) -> "PooledOfVoters":
        """Fit the model."""
        if not fits_memory(voters.codes.shape[1], voters.classes):
            raise OptionError(
                f"{voters.classes:,} classes are too many for pooled; use one-coin, or the majority"
            )
        model = _model(voters.codes, voters.classes, voters.weights)
        return cls(voters, model, number, _fit(model, number[:, None], None))

    @cached_property
    def values(self) -> FloatArray:
        """The share of each system's answers that are right by the others."""
        return self._right_by_others(self.number[:, None], self.fit)[:, 0]

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """The likeliest label of each row; -1 where nobody answered."""
        return np.where(self.model.answered, self.fit.chances[:, :, 0].argmax(axis=1), -1)

    @property
    def chances(self) -> FloatArray:
        """How likely each row has each label."""
        return self.fit.chances[:, :, 0]

    @property
    def method(self) -> str:
        """How it was fitted, in words."""
        return f"pooled error rates ({self.fit.rounds} rounds)"

    def resampled(self, numbers: FloatArray) -> FloatArray:
        """Return the values in each resample, a row for each."""
        size = max(1, self.model.votes.shape[0] * self.voters.classes)
        return in_batches(self._resampled, numbers, size=size)

    def _resampled(self, numbers: FloatArray) -> FloatArray:
        number = np.ascontiguousarray(numbers.T)
        fit = _fit(self.model, number, self.fit)
        return self._right_by_others(number, fit).T

    def _right_by_others(self, number: FloatArray, fit: Pooled) -> FloatArray:
        """Return how many of each system's answers are right by the answers of the others.

        Of a family all answers are left out when one of them is judged: they would confirm each other.
        """
        family_of = {}
        for members in self.voters.shared():
            for member in members:
                family_of[member] = members
        shares = []
        for system in range(self.voters.codes.shape[1]):
            rows = np.flatnonzero(self.voters.codes[:, system] >= 0)
            others = fit.joint[rows]
            for member in family_of.get(system, [system]):
                others = others - self._own(member, rows, fit)
            label = self.voters.codes[rows, system]
            right = softmax(others)[np.arange(len(rows)), label]
            items = number[rows]
            shares.append(divide((items * right).sum(axis=0), items.sum(axis=0)))
        return np.array(shares)

    def _own(self, system: int, rows: npt.NDArray[np.int64], fit: Pooled) -> FloatArray:
        """Return what a system's own answers add to the rows; nothing where it has none."""
        label = self.voters.codes[rows, system]
        answer = system * self.voters.classes + np.maximum(label, 0)
        logs = self.model.weights[answer][:, None, None] * np.log(
            np.maximum(fit.errors[answer], LEAST)
        )
        return np.where((label >= 0)[:, None, None], logs, 0.0)


def _fitted(answers: EstimatorInput) -> PooledOfVoters:
    return PooledOfVoters.of(voters_of(answers, "pooled"), answers.number)


by_pooled = model_estimator(_fitted, pooled)
