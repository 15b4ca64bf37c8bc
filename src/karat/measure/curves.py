"""Areas of curves: how well scores put positives before negatives."""

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve

Counts = FloatArray | npt.NDArray[np.int64]


def roc_area(curve: Curve) -> float:
    """How often does a positive score higher than a negative?

    P(positive > negative) + P(equal) / 2, over all pairs: the area under the ROC curve.
    Reference: Hanley, McNeil, Radiology 143, 1982. doi:10.1148/radiology.143.1.7063747
    """
    return float(roc_areas(curve.positive.astype(float), curve.negative.astype(float)))


def roc_areas(positive: FloatArray, negative: FloatArray) -> FloatArray:
    """Return the area for counts at descending scores, the last axis running over the scores."""
    below = negative.sum(axis=-1, keepdims=True) - negative.cumsum(axis=-1)
    pairs = positive.sum(axis=-1) * negative.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((positive * (below + negative / 2)).sum(axis=-1) / pairs)


def average_precision(curve: Curve) -> float:
    """What is the precision on the way down the list, averaged over the positives?

    Sum over distinct scores of (share of the positives there) x (precision down to there); ties are one point.
    Reference: Manning, Raghavan, Schuetze, Introduction to Information Retrieval, Cambridge 2008, section 8.4.
    """
    return float(average_precisions(curve.positive.astype(float), curve.negative.astype(float)))


def average_precisions(positive: Counts, negative: Counts) -> FloatArray:
    """Return the average precision for counts at descending scores, the last axis running over the scores."""
    hits = positive.cumsum(axis=-1, dtype=np.float64)
    down = negative.cumsum(axis=-1, dtype=np.float64)
    down += hits
    precision = np.divide(hits, down, out=hits, where=hits > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((positive * precision).sum(axis=-1) / positive.sum(axis=-1))
