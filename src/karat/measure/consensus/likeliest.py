"""The likeliest labels where nobody knows the truth, by a model as long as the answers bear it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.measure.consensus.dawid_skene import dawid_skene
from karat.measure.consensus.dawid_skene_resampled import ROUNDS, redrawn_labels
from karat.measure.consensus.majority import majority

ENOUGH, FEW_ROUNDS = 5, 10
"""With fewer answers than this for each error rate the model is stopped after so many rounds."""
MOST_CELLS = 40_000_000
"""Up to how many error rates there may be."""


@dataclass(frozen=True, slots=True, eq=False)
class Likeliest:
    """The label that stands for the truth in each row; -1 where nobody answers."""

    labels: npt.NDArray[np.int64]
    why: str
    """Whose labels these are."""
    unanswered: int
    """Items that nobody answered."""


def likeliest(answers: npt.ArrayLike, number: npt.ArrayLike, *, classes: int) -> Likeliest:
    """Which label is the true one, as far as the answers tell?

    Dawid and Skene's likeliest. With fewer than 5 answers for each of the systems x classes x (classes - 1) error rates
    the model fits chance, and is stopped after 10 rounds. Where it turns over more than half of the majority's labels,
    most systems are no better than chance by it, or err together: what it takes for granted does not hold, and the
    majority's labels stay. So they do where there are too many error rates to be held. The two numbers come from real
    sets (bench/real/consensus.py).
    Reference: Dawid, Skene, Applied Statistics 28, 1979. doi:10.2307/2346806
    >>> likeliest([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]], [30, 40, 20, 30], classes=2).labels
    array([0, 1, 0, 1])
    """
    codes, amount = np.asarray(answers), np.asarray(number, float)
    most = majority(codes, amount)
    if _too_many(codes, classes):
        return Likeliest(
            most.labels,
            "the majority's labels: the classes are too many for a model",
            most.unanswered,
        )
    enough = bool(_enough(codes, amount, classes))
    fit = dawid_skene(codes, amount, classes=classes, rounds=ROUNDS if enough else FEW_ROUNDS)
    found = np.where(most.labels < 0, -1, fit.chances.argmax(axis=1))
    if amount @ (found != most.labels) > amount.sum() / 2:
        return Likeliest(
            most.labels,
            "the majority's labels: dawid-skene turns most of them over",
            most.unanswered,
        )
    ended = "" if enough else ", stopped early for want of answers"
    return Likeliest(
        found, f"dawid-skene's likeliest labels ({fit.rounds} rounds{ended})", most.unanswered
    )


def redrawn_likeliest(
    answers: npt.ArrayLike, numbers: npt.ArrayLike, *, classes: int
) -> npt.NDArray[np.int64]:
    """Which label is the true one in each resample? The labels of `likeliest`, a row a resample.

    >>> redrawn_likeliest([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]], [[30, 40, 20, 30]], classes=2)
    array([[0, 1, 0, 1]])
    """
    codes, amount = np.asarray(answers), np.asarray(numbers, float)
    most = majority(codes).labels
    if _too_many(codes, classes):
        return np.tile(most, (len(amount), 1))
    rounds = np.where(_enough(codes, amount, classes), ROUNDS, FEW_ROUNDS)
    found = np.where(most < 0, -1, redrawn_labels(codes, amount, classes=classes, rounds=rounds))
    turned = (amount * (found != most)).sum(axis=1) > amount.sum(axis=1) / 2
    return np.where(turned[:, None], most, found)


def _too_many(codes: npt.NDArray[np.int64], classes: int) -> bool:
    return bool(codes.shape[1] * classes**2 > MOST_CELLS)


def _enough(
    codes: npt.NDArray[np.int64], number: npt.NDArray[np.float64], classes: int
) -> npt.NDArray[np.bool_]:
    """Return whether there are answers enough for each error rate; in each resample, where there are several."""
    given = number @ (codes >= 0).sum(axis=1)
    return np.asarray(given >= ENOUGH * codes.shape[1] * classes * max(1, classes - 1))
