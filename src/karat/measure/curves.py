"""Areas of many curves at once, from counts at descending scores."""

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray

Counts = FloatArray | npt.NDArray[np.int64]


def roc_areas(positive: FloatArray, negative: FloatArray) -> FloatArray:
    """Return the area for counts at descending scores, the last axis running over the scores."""
    below = negative.sum(axis=-1, keepdims=True) - negative.cumsum(axis=-1)
    pairs = positive.sum(axis=-1) * negative.sum(axis=-1)
    in_order = positive * (below + negative / 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        areas = in_order.sum(axis=-1) / pairs
    # Sums of weights may exceed their product by rounding.
    return np.asarray(np.clip(areas, 0.0, 1.0))


def average_precisions(positive: Counts, negative: Counts) -> FloatArray:
    """Return the average precision for counts at descending scores, the last axis running over the scores."""
    # Arrays are reused: with thousands of resamples, memory is what takes the time.
    hits = positive.cumsum(axis=-1, dtype=np.float64)
    retrieved = negative.cumsum(axis=-1, dtype=np.float64)
    retrieved += hits
    precision = np.divide(hits, retrieved, out=hits, where=hits > 0)
    sums = (positive * precision).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / positive.sum(axis=-1)
    return np.asarray(np.minimum(means, 1.0))
