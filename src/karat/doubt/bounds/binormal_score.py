"""The interval of the area under the ROC curve, also where few items are out of order."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from karat.doubt.interval import Interval, Side, tails
from karat.measure.of_scores.roc_area import roc_area
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve

ALIKE = 3.0
"""How many items out of order the normal distribution is worth, where its variance and the data's are combined."""
FREEDOM = 10.0
"""Degrees of freedom of a variance without any item out of order; each such item adds one."""
HALVINGS = 60
FEW = 50
FEW_DECIDE = 20
CAUTION = (
    f"roc-area: approximate with fewer than {FEW} positives or negatives, or where few of them decide; where a tenth "
    "of 30 positives scored as negatives do, the interval covered 0.88 instead of 0.95; where 5 % of 100 did, 0.92."
)
FARTHEST = 38.0
"""Beyond so many standard deviations the normal distribution is 0 or 1 to a computer."""


@dataclass(frozen=True, slots=True)
class AreaVariance:
    """The area of a curve, its variance by DeLong, and how many items that rests on."""

    value: float
    variance: float
    positives: float
    negatives: float
    out_of_order: int
    """The positives that are not above every negative, or the negatives not below every positive, if these are fewer.

    Where the area is below 1/2, those that are not on the other side of all.
    """
    deciding: float
    """Effective number of positives out of order, or negatives if these are fewer: (Σ u)² / Σ u², u how far each is."""


def delong_variance(curve: Curve) -> AreaVariance:
    """Return the area under the ROC curve with DeLong's variance.

    V+/m + V-/n: V+ the variance over the m positives of the share of negatives below each, V- that over the n negatives
    of the share of positives above each, ties half.
    Reference: DeLong, DeLong, Clarke-Pearson, Biometrics 44, 1988. doi:10.2307/2531595
    """
    positive = curve.positive.astype(float)
    negative = curve.negative.astype(float)
    positives = float(positive.sum())
    negatives = float(negative.sum())
    above = (positive.cumsum() - positive / 2) / positives
    below = (negatives - negative.cumsum() + negative / 2) / negatives
    variance_of_positives = _variance(below, positive) / positives
    variance_of_negatives = _variance(above, negative) / negatives
    value = roc_area(curve)
    end = 1.0 if value >= 0.5 else 0.0
    wrong_positives = curve.positive[below != end].sum()
    wrong_negatives = curve.negative[above != end].sum()
    return AreaVariance(
        value=value,
        variance=variance_of_positives + variance_of_negatives,
        positives=positives,
        negatives=negatives,
        out_of_order=int(min(wrong_positives, wrong_negatives)),
        deciding=min(_deciding(abs(end - below), positive), _deciding(abs(end - above), negative)),
    )


def _deciding(wrong: FloatArray, number: FloatArray) -> float:
    """Return how many items are out of order, if all of them were so alike; as many as there are where none is.

    >>> _deciding(np.array([0.5, 0.0]), np.array([4.0, 6.0]))
    4.0
    """
    squares = float((number * wrong**2).sum())
    if not squares:
        return float(number.sum())
    return float((number * wrong).sum() ** 2 / squares)


def _variance(values: FloatArray, number: FloatArray) -> float:
    total = number.sum()
    mean = (values * number).sum() / total
    squares = number * (values - mean) ** 2
    return float(squares.sum() / max(total - 1, 1))


def binormal_score(curve: Curve, *, level: float = 0.95, side: Side = "both") -> Interval:
    """Interval of the area under the ROC curve: all areas A that are compatible with the one observed.

    |A - a| <= t √(c V(A)), a the area observed and V(A) the variance of the area if the scores of both kinds were
    normal with equal variances, A(1-A) (m+n-1) / mn less 2 T(h, 1/√3) (m+n-2) / mn, h = ndtri(A), T Owen's function,
    m positives and n negatives. c is DeLong's variance over V(a), shrunk towards 1 as if that were worth `ALIKE` of the
    items out of order, k; t is Student's quantile with k + `FREEDOM` degrees of freedom. So the variance is the data's
    where many items are out of order, and where few or none are it is that of the areas in question, not 0.
    Approximate: too narrow where a few positives score as negatives do and the data hold hardly any of them (coverage
    in docs/coverage.md). A single positive or negative gives [0, 1].
    Reference: score intervals of areas: Newcombe, Statistics in Medicine 25, 2006. doi:10.1002/sim.2324
    >>> curve = Curve(np.arange(4.0, 0, -1), np.array([8, 1, 1, 0]), np.array([0, 1, 2, 7]))
    >>> found = binormal_score(curve)
    >>> print(found.low.round(3), found.high.round(3))
    0.751 0.996
    """
    method = "binormal score with DeLong's variance"
    fewer = min(int(curve.positive.sum()), int(curve.negative.sum()))
    if fewer < 2:
        return Interval(np.array(0.0), np.array(1.0), level, method)
    area = delong_variance(curve)
    low, high = binormal_ends(area, area.out_of_order + FREEDOM, level=level, side=side)
    caution = CAUTION if fewer < FEW or area.deciding < FEW_DECIDE else ""
    return Interval(np.array(low), np.array(high), level, method, caution)


def binormal_ends(
    area: AreaVariance, freedom: float, *, level: float = 0.95, side: Side = "both"
) -> tuple[float, float]:
    """Return both ends of the interval, by Student's quantile with so many degrees of freedom."""
    scale = _scale(area)
    below, above = tails(level, side)
    low = 0.0
    high = 1.0
    if below:
        reach = -float(special.stdtrit(freedom, below)) * np.sqrt(scale)
        low = _end(area, reach, -FARTHEST)
    if above:
        reach = -float(special.stdtrit(freedom, above)) * np.sqrt(scale)
        high = _end(area, reach, FARTHEST)
    return low, high


def _scale(area: AreaVariance) -> float:
    """Return by how much the variance of the data exceeds that of normal scores, shrunk towards 1."""
    if not 0 < area.value < 1:
        return 1.0
    of_normal_scores = _binormal_variance(float(special.ndtri(area.value)), area)
    ratio = area.variance / of_normal_scores
    return (area.out_of_order * ratio + ALIKE) / (area.out_of_order + ALIKE)


def _binormal_variance(h: float, area: AreaVariance) -> float:
    """Return the variance of an area ndtr(h) of normal scores."""
    m = area.positives
    n = area.negatives
    product = float(special.ndtr(h) * special.ndtr(-h))
    of_two = product - 2 * float(special.owens_t(h, 1 / np.sqrt(3)))
    return max(0.0, (product + (m + n - 2) * of_two) / (m * n))


def _end(area: AreaVariance, reach: float, farthest: float) -> float:
    """Return the end on the side of `farthest`, by halving the stretch of h between there and the area."""
    if (farthest > 0 and area.value == 1) or (farthest < 0 and area.value == 0):
        return area.value
    inside = float(np.clip(special.ndtri(area.value), -FARTHEST, FARTHEST))
    outside = farthest
    for _ in range(HALVINGS):
        h = (inside + outside) / 2
        distance = abs(area.value - float(special.ndtr(h)))
        if distance <= reach * np.sqrt(_binormal_variance(h, area)):
            inside = h
        else:
            outside = h
    return float(special.ndtr(inside))
