"""Dawid and Skene's model of many resamples of the same rows at once: what is likeliest true in each."""

from typing import Any

import numpy as np
import numpy.typing as npt

from karat.measure.consensus.dawid_skene import LEAST, Model, model_of
from karat.numeric.arrays import FloatArray

AT_ONCE = 1_000_000
"""Numbers held in one step: more do not stay in the cache."""
ROUNDS = 2000


def redrawn_labels(
    answers: npt.ArrayLike,
    numbers: npt.ArrayLike,
    *,
    classes: int,
    truth: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    rounds: npt.ArrayLike = ROUNDS,
    tolerance: float = 1e-9,
) -> npt.NDArray[np.int64]:
    """Which class has each row in each resample, if nobody knows the truth?

    numbers[r, i] equal items a row i in resample r, each with its own most `rounds`; a row a resample comes back. The
    likeliest classes of `dawid_skene`, resample by resample: from the same start, by the same steps, to the same end.
    The steps of all resamples are one product with the answers, and those that have ended are left out.
    >>> redrawn_labels([[0, 0, 0], [1, 1, 0], [1, 1, 1]], [[50, 10, 40], [1, 1, 1]], classes=2)
    array([[0, 1, 1],
           [0, 1, 1]])
    """
    codes, amount = np.asarray(answers), np.asarray(numbers, float)
    model = model_of(codes, np.ones(len(codes)), classes=classes, truth=truth, weights=weights)
    most = np.broadcast_to(np.asarray(rounds), len(amount))
    step = max(1, AT_ONCE // max(1, codes.shape[0] * classes))
    found = np.empty(amount.shape, np.int64)
    for start in range(0, len(amount), step):
        some = slice(start, start + step)
        found[some] = _ended(model, np.ascontiguousarray(amount[some].T), most[some], tolerance)
    return found


def _ended(
    model: Model, number: FloatArray, most: npt.NDArray[Any], tolerance: float
) -> npt.NDArray[np.int64]:
    """Return the likeliest classes of a few resamples, a row each; number[i, r] as everywhere below."""
    number = np.where(model.answered[:, None], number, 0.0)
    found = np.empty(number.shape[::-1], np.int64)
    left, last, done = np.arange(number.shape[1]), np.full(number.shape[1], -np.inf), 0
    prior, errors = _estimated(model, number, model.start()[:, :, None])
    while True:
        chances, likelihood = _weighed(model, number, prior, errors)
        done += 1
        on = (likelihood - last >= tolerance * number.sum(axis=0)) & (done < most[left])
        found[left[~on]] = chances[:, :, ~on].argmax(axis=1).T
        if not on.any():
            return found
        if not on.all():
            number, chances, left = number[:, on], chances[:, :, on], left[on]
        last = likelihood[on]
        prior, errors = _estimated(model, number, chances)


def _weighed(
    model: Model, number: FloatArray, prior: FloatArray, errors: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return what each row is in each resample, and the log-likelihood of each resample."""
    logs = model.weights[:, None, None] * np.log(np.where(model.there[:, None, None], errors, 1.0))
    joint = _product(model.votes, _product(model.bundles, logs)) + np.log(np.maximum(prior, LEAST))
    told = joint[model.known, model.truth]
    most = joint.max(axis=1)
    chances = np.exp(joint - most[:, None])
    total = chances.sum(axis=1)
    each = np.log(total) + most
    each[model.known] = told
    return model.settled(chances / total[:, None]), np.einsum("ir,ir->r", number, each)


def _estimated(
    model: Model, number: FloatArray, chances: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return how frequent the classes are and how each system answers them, in each resample."""
    expected = number[:, None] * chances
    prior = expected.sum(axis=0) / np.maximum(number.sum(axis=0), LEAST)
    counts = _product(model.bundles.T, _product(model.votes.T, expected))
    counts = np.where(model.there[:, None, None], np.maximum(counts, LEAST), 0.0)
    cube = counts.reshape(*model.shape, *counts.shape[1:])
    with np.errstate(invalid="ignore", divide="ignore"):
        return prior, (cube / cube.sum(axis=1, keepdims=True)).reshape(counts.shape)


def _product(matrix: Any, table: FloatArray) -> FloatArray:
    """Return a sparse matrix times a table of a row, a class and a resample."""
    return np.asarray(matrix @ table.reshape(len(table), -1)).reshape(-1, *table.shape[1:])
