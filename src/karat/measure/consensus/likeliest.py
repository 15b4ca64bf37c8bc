"""The likeliest labels where nobody knows the truth, by a model where there are enough answers to fit one."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.measure.consensus.dawid_skene import MOST_CELLS, dawid_skene
from karat.measure.consensus.dawid_skene_resampled import ROUNDS, resampled_labels
from karat.measure.consensus.estimator import (
    Codes,
    Estimator,
    EstimatorInput,
    Opinion,
    agreement_with,
    rounded,
    shares_of_labels,
)
from karat.measure.consensus.majority import majority
from karat.numeric.arrays import BoolArray, FloatArray

ENOUGH = 5
"""With fewer answers than this for each error rate the model is stopped early."""
FEW_ROUNDS = 10
"""After so many rounds it is stopped then."""


@dataclass(frozen=True, slots=True, eq=False)
class Likeliest:
    """The label that is used as the truth in each row; -1 where no system answers."""

    labels: Codes
    why: str
    """Whose labels these are."""
    unanswered: int
    """Items that nobody answered."""


def likeliest(answers: npt.ArrayLike, number: npt.ArrayLike, *, classes: int) -> Likeliest:
    """Which label is the true one, as far as the answers show?

    Dawid and Skene's likeliest. With fewer than 5 answers for each of the systems x classes x (classes - 1) error rates
    the model fits chance, and is stopped after 10 rounds. Where it changes more than half of the majority's labels,
    most systems are no better than chance by it, or their errors are correlated: its assumptions do not hold, and the
    majority's labels are kept. They are kept too where there are too many error rates to be held in memory. The two
    numbers come from real sets (bench/real/consensus.py).
    Reference: Dawid, Skene, Applied Statistics 28, 1979. doi:10.2307/2346806
    >>> likeliest([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]], [30, 40, 20, 30], classes=2).labels
    array([0, 1, 0, 1])
    """
    codes = np.asarray(answers)
    amount = np.asarray(number, float)
    most = majority(codes, amount)
    if _too_many(codes, classes):
        why = "the majority's labels: the classes are too many for a model"
        return Likeliest(most.labels, why, most.unanswered)
    enough = bool(_enough(codes, amount, classes))
    rounds = ROUNDS if enough else FEW_ROUNDS
    fit = dawid_skene(codes, amount, classes=classes, rounds=rounds)
    labels = np.where(most.labels < 0, -1, fit.chances.argmax(axis=1))
    if amount @ (labels != most.labels) > amount.sum() / 2:
        why = "the majority's labels: dawid-skene changes most of them"
        return Likeliest(most.labels, why, most.unanswered)
    ended = "" if enough else ", stopped early, as there are too few answers"
    why = f"dawid-skene's likeliest labels ({fit.rounds} rounds{ended})"
    return Likeliest(labels, why, most.unanswered)


def resampled_likeliest(
    answers: npt.ArrayLike, numbers: npt.ArrayLike, *, classes: int
) -> npt.NDArray[np.int64]:
    """Which label is the true one in each resample? The labels of `likeliest`, a row for each resample.

    >>> resampled_likeliest([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]], [[30, 40, 20, 30]], classes=2)
    array([[0, 1, 0, 1]])
    """
    codes = np.asarray(answers)
    amount = np.asarray(numbers, float)
    most = majority(codes).labels
    if _too_many(codes, classes):
        return np.tile(most, (len(amount), 1))
    rounds = np.where(_enough(codes, amount, classes), ROUNDS, FEW_ROUNDS)
    fitted = resampled_labels(codes, amount, classes=classes, rounds=rounds)
    labels = np.where(most < 0, -1, fitted)
    changed = (amount * (labels != most)).sum(axis=1)
    too_many_changed = changed > amount.sum(axis=1) / 2
    return np.where(too_many_changed[:, None], most, labels)


def _too_many(codes: Codes, classes: int) -> bool:
    return bool(codes.shape[1] * classes**2 > MOST_CELLS)


def _enough(codes: Codes, number: FloatArray, classes: int) -> BoolArray:
    """Return whether there are answers enough for each error rate; in each resample, where there are several."""
    answers = number @ (codes >= 0).sum(axis=1)
    error_rates = codes.shape[1] * classes * max(1, classes - 1)
    return np.asarray(answers >= ENOUGH * error_rates)


def _by_likeliest_labels(answers: EstimatorInput) -> Opinion:
    likely = likeliest(answers.codes, answers.number, classes=answers.classes)
    method = f"agreement with {likely.why}"
    return agreement_with(likely.labels, answers, method=method, left_out=likely.unanswered)


def _resampled(answers: EstimatorInput, numbers: FloatArray) -> FloatArray:
    labels = resampled_likeliest(answers.codes, numbers, classes=answers.classes)
    return rounded(shares_of_labels(answers.codes, labels, numbers))


by_likeliest_labels = Estimator(
    estimate=_by_likeliest_labels,
    reference=likeliest,
    ranks_by="share of the likeliest labels",
    resampled=_resampled,
)
