"""Confidence interval of the mean of a bounded number over queries."""

import numpy as np

from karat.doubt.bounds.no_spread import ends_without_spread
from karat.doubt.interval import Interval, tails
from karat.doubt.query_spread import described, query_spread, unit_sums
from karat.numeric.arrays import FloatArray
from karat.tally.scores.query_units import QueryUnits

FEW = 50
ROUNDING = 1e-12
"""Up to this share of the range, values differ by the rounding of their sums."""
CAUTION = (
    f"Student's t is approximate with fewer than {FEW} queries, or clusters of them; where the values of 20 were "
    "skewed, it covered 0.88 instead of 0.95."
)


def query_mean(
    values: FloatArray,
    *,
    level: float = 0.95,
    low: float = 0.0,
    high: float = 1.0,
    units: QueryUnits | None = None,
) -> Interval:
    """Interval of the mean over all queries of the same kind, by Student's t.

    m ± t s, m = Σ w v / Σ w, w the weights of the queries (1 if none are given), cut at the ends of the range.
    s² = (k-1)/k Σ (m(i) - m)², m(i) the mean without unit i of the k: a query, or a cluster of queries; where all weigh
    the same that is the variance of the values over k. t is Student's quantile with (Σ u)² / Σ u² - 1 degrees of
    freedom, u the weights of the units, k - 1 if they are all the same. Clusters never make the interval narrower than
    independent queries do. Approximate: independent units. Where all values are the same, s is 0 and shows nothing; the
    ends are then those of `ends_without_spread`, of the effective number of units. Fewer than two give the whole range.
    """
    number = len(values)
    column = np.asarray(values, float)[:, None]
    sums = unit_sums(column, units)
    if len(sums.weight) < 2:
        what = "one query" if number < 2 else "one cluster"
        return Interval(np.array(low), np.array(high), level, what)
    below, above = tails(level, "both")
    over = described(number, units)
    if np.ptp(values) <= ROUNDING * (high - low):
        mean = float(sums.mean()[0])
        bottom, top = ends_without_spread(
            mean, sums.effective, low=low, high=high, errors=(below, above)
        )
        return Interval(np.array(bottom), np.array(top), level, f"no spread over {over}")
    spread = query_spread(column, units)
    mean = float(spread.mean[0])
    reach = float(spread.reach(above)[0])
    bottom = max(low, mean - reach)
    top = min(high, mean + reach)
    caution = CAUTION if is_small(number, units) else ""
    return Interval(np.array(bottom), np.array(top), level, f"t over {over}", caution)


def is_small(number: int, units: QueryUnits | None) -> bool:
    """Return whether there are few queries, few clusters of them, or few that weigh much."""
    if units is None:
        return number < FEW
    nothing = np.zeros((number, 1))
    return unit_sums(nothing, units).effective < FEW
