"""The interval of an average precision, from what each item contributes to it."""

import numpy as np

from karat.doubt.bounds.log_odds import log_odds_ends
from karat.doubt.interval import Interval, Side
from karat.measure.of_scores.average_precision import average_precision
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve


def average_precision_interval(
    curve: Curve, *, level: float = 0.95, side: Side = "both"
) -> Interval:
    """Interval of the average precision by the infinitesimal jackknife, on the scale of the log odds.

    log(v / (1-v)) ± t √V / (v (1-v)), V = Σ I² N / (N-1) over the N items, I the derivative of the average precision v
    by the weight of an item, t Student's quantile with k - 1 degrees of freedom, k the smaller number of the positives
    and the negatives. Where v is 1 nothing varies, and g^(1/k) bounds it, as if each of k positives had been compared
    with a negative of its own. A single positive or negative gives [0, 1]. Approximate; independent items, of which so
    many happen to be positive.
    Reference: Jaeckel, The infinitesimal jackknife, Bell Laboratories 1972; Efron, The Jackknife, the Bootstrap and
    Other Resampling Plans, SIAM 1982, chapter 6. doi:10.1137/1.9781611970319
    >>> curve = Curve(np.arange(4.0, 0, -1), np.array([8, 1, 1, 0]), np.array([0, 1, 2, 7]))
    >>> found = average_precision_interval(curve)
    >>> print(found.low.round(3), found.high.round(3))
    0.762 0.996
    """
    method = "infinitesimal jackknife on log odds"
    fewer = min(int(curve.positive.sum()), int(curve.negative.sum()))
    if fewer < 2:
        return Interval(np.array(0.0), np.array(1.0), level, method)
    low, high = log_odds_ends(
        average_precision(curve),
        _variance(curve),
        freedom=fewer - 1,
        units=fewer,
        level=level,
        side=side,
    )
    return Interval(np.array(low), np.array(high), level, method)


def _variance(curve: Curve) -> float:
    """Return Σ I² over the items."""
    of_positive, of_negative = influences(curve)
    items = curve.positive.sum() + curve.negative.sum()
    squares = curve.positive @ of_positive**2 + curve.negative @ of_negative**2
    return float(squares * items / (items - 1))


def influences(curve: Curve) -> tuple[FloatArray, FloatArray]:
    """Return the derivative of the average precision by the weight of a positive, and of a negative, at each score.

    v = Σ p h / (h + f) / P, p the positives at a score, h and f the positives and negatives down to it, P all
    positives. One more positive changes its own term and P, and raises the precision at each score down from its own;
    one more negative lowers it there.
    """
    positive = curve.positive.astype(float)
    hits = positive.cumsum()
    false = curve.negative.cumsum().astype(float)
    # A score that nothing has, as one where a cluster was left out, has no precision; any divisor will do.
    retrieved = np.where(hits + false > 0, hits + false, 1.0)
    positives = hits[-1]
    precision = hits / retrieved
    value = (positive * precision).sum() / positives
    gain = positive * false / retrieved**2
    loss = positive * hits / retrieved**2
    gains_from_here = gain[::-1].cumsum()[::-1]
    losses_from_here = loss[::-1].cumsum()[::-1]
    of_positive = (precision - value + gains_from_here) / positives
    of_negative = -losses_from_here / positives
    return of_positive, of_negative
