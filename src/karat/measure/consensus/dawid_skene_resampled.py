"""Dawid and Skene's model fitted to many resamples of the same rows at once: the likeliest classes in each."""

from typing import Any

import numpy as np
import numpy.typing as npt

from karat.measure.consensus.dawid_skene_model import LEAST, AnswerMatrices, model_of_table
from karat.numeric.arrays import FloatArray

AT_ONCE = 1_000_000
"""Numbers worked on in one step: more do not stay in the cache."""
ROUNDS = 2000


def resampled_labels(
    answers: npt.ArrayLike,
    numbers: npt.ArrayLike,
    *,
    classes: int,
    truth: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    rounds: npt.ArrayLike = ROUNDS,
    tolerance: float = 1e-9,
) -> npt.NDArray[np.int64]:
    """Which class does each row belong to in each resample, if nobody knows the truth?

    Row i represents numbers[r, i] equal items in resample r; `rounds` may be given for each resample. Returns a row
    for each resample: the likeliest classes of `dawid_skene`, by the same steps from the same start to the same end.
    The steps of all resamples are one product with the answers, and resamples that have converged are left out.
    >>> resampled_labels([[0, 0, 0], [1, 1, 0], [1, 1, 1]], [[50, 10, 40], [1, 1, 1]], classes=2)
    array([[0, 1, 1],
           [0, 1, 1]])
    """
    codes = np.asarray(answers)
    amount = np.asarray(numbers, float)
    ones = np.ones(len(codes))
    model = model_of_table(codes, ones, classes=classes, truth=truth, weights=weights)
    most_rounds = np.broadcast_to(np.asarray(rounds), len(amount))
    step = max(1, AT_ONCE // max(1, codes.shape[0] * classes))
    labels = np.empty(amount.shape, np.int64)
    for start in range(0, len(amount), step):
        some = slice(start, start + step)
        number = np.ascontiguousarray(amount[some].T)
        labels[some] = _fit_resamples(model, number, most_rounds[some], tolerance)
    return labels


def _fit_resamples(
    model: AnswerMatrices, number: FloatArray, most_rounds: npt.NDArray[Any], tolerance: float
) -> npt.NDArray[np.int64]:
    """Return the likeliest classes of a few resamples, a row for each; number[i, r] as everywhere below."""
    number = np.where(model.answered[:, None], number, 0.0)
    resamples = number.shape[1]
    labels = np.empty(number.shape[::-1], np.int64)
    left = np.arange(resamples)
    before = np.full(resamples, -np.inf)
    done = 0
    prior, errors = _maximise(model, number, model.start()[:, :, None])
    while True:
        chances, log_likelihood = _expect(model, number, prior, errors)
        done += 1
        gains = log_likelihood - before >= tolerance * number.sum(axis=0)
        goes_on = gains & (done < most_rounds[left])
        labels[left[~goes_on]] = chances[:, :, ~goes_on].argmax(axis=1).T
        if not goes_on.any():
            return labels
        if not goes_on.all():
            number = number[:, goes_on]
            chances = chances[:, :, goes_on]
            left = left[goes_on]
        before = log_likelihood[goes_on]
        prior, errors = _maximise(model, number, chances)


def _expect(
    model: AnswerMatrices, number: FloatArray, prior: FloatArray, errors: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return each row's chances in each resample, and the log-likelihood of each resample."""
    logs = np.log(np.where(model.given[:, None, None], errors, 1.0))
    logs = model.weights[:, None, None] * logs
    joint = _product(model.votes, _product(model.bundles, logs))
    joint = joint + np.log(np.maximum(prior, LEAST))
    of_known = joint[model.known, model.truth]
    largest = joint.max(axis=1)
    chances = np.exp(joint - largest[:, None])
    total = chances.sum(axis=1)
    log_likelihood = np.log(total) + largest
    log_likelihood[model.known] = of_known
    chances = model.settle(chances / total[:, None])
    return chances, np.einsum("ir,ir->r", number, log_likelihood)


def _maximise(
    model: AnswerMatrices, number: FloatArray, chances: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return how frequent the classes are and how each system answers them, in each resample."""
    expected = number[:, None] * chances
    prior = expected.sum(axis=0) / np.maximum(number.sum(axis=0), LEAST)
    counts = _product(model.bundles.T, _product(model.votes.T, expected))
    counts = np.where(model.given[:, None, None], np.maximum(counts, LEAST), 0.0)
    cube = counts.reshape(*model.shape, *counts.shape[1:])
    with np.errstate(invalid="ignore", divide="ignore"):
        errors = cube / cube.sum(axis=1, keepdims=True)
    return prior, errors.reshape(counts.shape)


def _product(matrix: Any, table: FloatArray) -> FloatArray:
    """Return a sparse matrix times a table whose axes are rows, classes and resamples."""
    flat = table.reshape(len(table), -1)
    return np.asarray(matrix @ flat).reshape(-1, *table.shape[1:])
