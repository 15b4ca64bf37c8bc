"""By how much resamples of few clusters must be spread, as Student's t is wider than the normal distribution."""

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import tails
from karat.numeric.arrays import FloatArray

SMALLEST = 1e-12
"""How near 0 and 1 a share comes on the scale of the log odds."""


def worth(size: npt.ArrayLike) -> float:
    """Return how many clusters of equal size these are worth: (Σ n)² / Σ n².

    >>> worth([10, 10, 10]), round(worth([28, 1, 1]), 2)
    (3.0, 1.15)
    """
    sizes = np.asarray(size, np.float64)
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def allowance(clusters: float, level: float) -> float:
    """Return by how much few clusters widen an interval: t / z √(k/(k-1)), t Student's quantile with k - 1 degrees.

    A bootstrap of k clusters has (k-1)/k of the variance, and its quantiles take that for known.
    >>> round(allowance(5, 0.95), 3), round(allowance(1000, 0.95), 3)
    (1.584, 1.002)
    """
    if np.isinf(clusters):
        return 1.0
    freedom = max(1.0, clusters - 1)
    _, above = tails(level, "both")
    ratio = special.stdtrit(freedom, 1 - above) / special.ndtri(1 - above)
    return float(ratio * np.sqrt((freedom + 1) / freedom))


def stretched(drawn: FloatArray, by: float) -> FloatArray:
    """Return shares, a row a draw, farther from their median on the scale of the log odds; 0 and 1 stay."""
    odds = special.logit(np.clip(drawn, SMALLEST, 1 - SMALLEST))
    middle = np.median(odds, axis=0)
    wider = special.expit(middle + by * (odds - middle))
    return np.where((drawn == 0) | (drawn == 1), drawn, wider)
