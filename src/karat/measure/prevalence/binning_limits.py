"""What binning costs: the smallest and the largest area that any order of the items inside their bins allows.

A binned tally is a curve whose scores are bins, from the highest down. Inside a bin the best order puts the positives
first and the worst the negatives: at every recall no order has fewer, or more, false positives. So these are bounds
at every prevalence, they are attained, and nothing about the scores inside a bin is assumed.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import digamma

from karat.measure.prevalence.distribution import PrevalenceDistribution
from karat.measure.prevalence.pr_curve import RocStretches, areas, roc
from karat.measure.prevalence.precision_at import check_prevalence
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve

_SUMMED = 64
"""Bins of fewer positives are summed one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class AreaBounds:
    """The smallest and the largest value that any order inside the bins allows."""

    low: FloatArray
    high: FloatArray

    @property
    def width(self) -> FloatArray:
        """What binning cost."""
        return self.high - self.low


def area_bounds(binned: Curve, *, pi: npt.ArrayLike) -> AreaBounds:
    """Between which values does the area under the precision-recall curve lie at each prevalence?

    The exact areas (Davis and Goadrich) of the worst and the best order inside each bin.
    Reference: Davis, Goadrich, ICML 2006, doi:10.1145/1143844.1143874, on the extreme orders.
    >>> found = area_bounds(Curve(np.array([0.9, 0.1]), np.array([3, 1]), np.array([1, 3])), pi=0.5)
    >>> float(found.low.round(4)), float(found.high.round(4))
    (0.5199, 0.9442)
    """
    worst, best = _orders(binned)
    return AreaBounds(areas(worst, pi), areas(best, pi))


def mean_area_bounds(binned: Curve, prevalences: PrevalenceDistribution) -> AreaBounds:
    """Between which values does the area over a range of prevalences lie?

    The means of the bounds at each prevalence: both orders are extreme at all of them at once.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section C.2, on the extreme orders.
    >>> from karat.measure.prevalence.priors.uniform import uniform
    >>> found = mean_area_bounds(Curve(np.array([0.5]), np.array([4]), np.array([9])), uniform(0.0, 0.5))
    >>> float(found.low.round(4)), float(found.high.round(4))  # eq 20, and 1
    (0.1424, 1.0)
    """
    bounds = area_bounds(binned, pi=prevalences.pi)
    low = np.asarray(prevalences.mean(bounds.low))
    high = np.asarray(prevalences.mean(bounds.high))
    return AreaBounds(low, high)


def average_precision_bounds(binned: Curve, *, pi: npt.ArrayLike) -> AreaBounds:
    """Between which values does the average precision lie at each prevalence?

    At the least all scores of a bin are distinct and its negatives come first: the sum over its positives of
    (t + i) / (t + i + K), t positives and, weighted by (1 - pi)/pi and the numbers of both kinds, K negatives before.
    At the most its positives come first and are tied, so that all have the precision of the last.
    Reference: Manning, Raghavan, Schuetze, Introduction to Information Retrieval, Cambridge 2008, section 8.4.
    doi:10.1017/CBO9780511809071
    >>> found = average_precision_bounds(Curve(np.array([0.5]), np.array([2]), np.array([2])), pi=0.5)
    >>> float(found.low.round(4)), float(found.high)  # (1/3 + 2/4) / 2
    (0.4167, 1.0)
    """
    share = check_prevalence("the prevalence", pi)
    worst, best = _orders(binned)
    number = float(binned.positive.sum())
    low = np.array([_untied(worst, number, float(each)) for each in share.ravel()])
    high = np.array([_tied(best, float(each)) for each in share.ravel()])
    return AreaBounds(low.reshape(share.shape), high.reshape(share.shape))


def _untied(parts: RocStretches, number: float, pi: float) -> float:
    if pi == 0:
        return float((parts.r1 - parts.r0)[parts.f1 == 0].sum())
    false = (1 - pi) / pi * parts.f1 * number
    before = parts.r0 * number
    count = (parts.r1 - parts.r0) * number
    lost = false * (digamma(before + count + false + 1) - digamma(before + false + 1))
    gained = count - lost
    # The difference loses digits where a bin has far more negatives than positives: a few positives are summed.
    for place in np.flatnonzero(count < _SUMMED):
        rank = before[place] + np.arange(1, round(count[place]) + 1)
        gained[place] = (rank / (rank + false[place])).sum()
    return float(gained.sum() / number)


def _tied(parts: RocStretches, pi: float) -> float:
    hits = pi * parts.r1
    false = (1 - pi) * parts.f1
    without_false = parts.f1 == 0
    precision = np.where(without_false, 1.0, hits / np.where(without_false, 1.0, hits + false))
    return float((parts.widths * precision).sum())


def roc_area_bounds(binned: Curve) -> AreaBounds:
    """Between which values does the area under the ROC curve lie?

    P(positive in a higher bin), and P(positive in a higher bin or in the same).
    Reference: Hanley, McNeil, Radiology 143, 1982. doi:10.1148/radiology.143.1.7063747
    >>> found = roc_area_bounds(Curve(np.array([0.9, 0.1]), np.array([1, 1]), np.array([1, 1])))
    >>> float(found.low), float(found.high)
    (0.25, 0.75)
    """
    worst, best = _orders(binned)
    low = np.asarray((worst.widths * (1 - worst.f1)).sum())
    high = np.asarray((best.widths * (1 - best.f1)).sum())
    return AreaBounds(low, high)


def bin_costs(binned: Curve, *, pi: float) -> FloatArray:
    """Which bins are worth splitting? How much each adds to the width of the bounds at this prevalence.

    The area of the bin's positives with its negatives behind them, less that with its negatives before them:
    k F ln((R1 + k F) / (R0 + k F)), k = (1 - pi)/pi, at the F after the bin less that at the F before it.
    >>> bin_costs(Curve(np.array([0.9, 0.5, 0.1]), np.array([3, 0, 1]), np.array([1, 2, 1])), pi=0.5).round(4).tolist()
    [0.3466, 0.0, 0.0179]
    """
    share = float(check_prevalence("the prevalence", pi))
    rise = binned.positive / binned.positive.sum()
    false = binned.negative / binned.negative.sum()
    recall_before = rise.cumsum() - rise
    false_after = false.cumsum()
    false_before = false_after - false
    if share == 0:
        first_with_negatives = (false_after > 0) & (false_before <= 0)
        return np.where(first_with_negatives, rise, 0.0)
    weight = (1 - share) / share
    worst = _lost(recall_before, rise, weight * np.maximum(false_after, 0.0))
    best = _lost(recall_before, rise, weight * np.maximum(false_before, 0.0))
    return worst - best


def _lost(start: FloatArray, rise: FloatArray, false: FloatArray) -> FloatArray:
    base = np.where(false > 0, start + false, 1.0)
    return np.asarray(false * np.log1p(rise / base))


def _orders(binned: Curve) -> tuple[RocStretches, RocStretches]:
    """Return the worst and the best order: each bin's positives after all of its negatives, and before them."""
    curve = roc(binned)
    up = np.flatnonzero(binned.positive)
    start = curve.tpr[up]
    end = curve.tpr[up + 1]
    before = curve.fpr[up]
    after = curve.fpr[up + 1]
    worst = RocStretches(start, after, end, after)
    best = RocStretches(start, before, end, before)
    return worst, best
