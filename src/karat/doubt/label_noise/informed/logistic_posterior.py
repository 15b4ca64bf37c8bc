"""What a logistic regression knows of its coefficients, as a normal distribution."""

import numpy as np
from scipy import special

from karat.numeric.arrays import FloatArray

MOST_STEPS = 100
CLOSE = 1e-9
NODES, _weights = np.polynomial.hermite_e.hermegauss(15)
NODE_WEIGHTS = _weights / _weights.sum()
"""Of the mean over a normal distribution, by the rule of Gauss and Hermite."""


def logistic_posterior(
    columns: FloatArray,
    number: FloatArray,
    happened: FloatArray,
    mean: FloatArray,
    deviation: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return the mode of a logistic regression with normal priors, and a root of its covariance there.

    `number` equal rows, in which it `happened` or not. Newton's method, each step halved until the posterior rises.
    >>> mode, root = logistic_posterior(np.ones((2, 1)), [30, 70], [1, 0], np.zeros(1), np.full(1, 100.0))
    >>> round(float(special.expit(mode[0])), 4), round(float(root[0, 0]), 4)
    (0.3, 0.2182)
    """
    weight = np.asarray(number, float)
    y = np.asarray(happened, float)
    precision = 1 / np.maximum(deviation, 1e-12) ** 2

    def height(at: FloatArray) -> float:
        linear = columns @ at
        fit = y * linear - np.logaddexp(0, linear)
        return float(weight @ fit - precision @ (at - mean) ** 2 / 2)

    at = np.array(mean, float)
    for _ in range(MOST_STEPS):
        chance = special.expit(columns @ at)
        slope = columns.T @ (weight * (y - chance)) - precision * (at - mean)
        curve = (columns.T * (weight * chance * (1 - chance))) @ columns + np.diag(precision)
        step = np.linalg.solve(curve, slope)
        size = 1.0
        here = height(at)
        while height(at + size * step) < here - CLOSE and size > CLOSE:
            size /= 2
        at = at + size * step
        if np.abs(size * step).max() < CLOSE:
            break
    return at, inverse_root(curve)


def nearest_normal(
    columns: FloatArray,
    number: FloatArray,
    happened: FloatArray,
    mean: FloatArray,
    deviation: FloatArray,
    *,
    of_each: float = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """Return the mean of a logistic regression with normal priors, and a root of its covariance.

    `number` equal rows, in which it `happened` or not; `of_each` is the deviation of an effect that each row has for
    itself. The normal distribution nearest to the posterior (the Gaussian variational approximation), not the one
    around its mode: where little happened the mode forecasts, averaged over the draws, more than happened.
    Reference: Opper & Archambeau, Neural Computation 21, 2009. doi:10.1162/neco.2008.08-07-592
    >>> mean, root = nearest_normal(np.ones((2, 1)), [30, 70], [1, 0], np.zeros(1), np.full(1, 100.0))
    >>> round(float(mean[0]), 4), round(float(root[0, 0]), 4)
    (-0.8568, 0.2193)
    """
    weight = np.asarray(number, float)
    y = np.asarray(happened, float)
    precision = 1 / np.maximum(deviation, 1e-12) ** 2
    at = np.array(mean, float)
    covariance = np.zeros((len(at), len(at)))
    for step_number in range(MOST_STEPS):
        linear = columns @ at
        spread = np.sqrt(np.einsum("ij,jk,ik->i", columns, covariance, columns) + of_each**2)
        chance = special.expit(linear[:, None] + spread[:, None] * NODES)
        slope = columns.T @ (weight * (y - chance @ NODE_WEIGHTS)) - precision * (at - mean)
        each = (chance * (1 - chance)) @ NODE_WEIGHTS
        curve = (columns.T * (weight * each)) @ columns + np.diag(precision)
        step = np.linalg.solve(curve, slope)
        largest = float(np.abs(step).max())
        at = at + step / max(1.0, largest)
        covariance = np.linalg.inv(curve)
        if largest < CLOSE and step_number:
            break
    return at, inverse_root(curve)


def inverse_root(precision: FloatArray) -> FloatArray:
    """Return a matrix whose product with its transpose is the inverse."""
    lower = np.linalg.cholesky(precision)
    return np.asarray(np.linalg.inv(lower).T)
