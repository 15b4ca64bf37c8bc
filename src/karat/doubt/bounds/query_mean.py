"""Confidence interval of the mean of a bounded number over queries."""

import numpy as np

from karat.doubt.interval import Interval, tails
from karat.numeric.arrays import FloatArray

FEW = 50
ROUNDING = 1e-12
"""Up to this share of the range, values differ by the rounding of their sums."""
CAUTION = (
    f"Student's t is approximate with fewer than {FEW} queries; where the values of 20 were skewed, it covered 0.88 "
    "instead of 0.95."
)


def query_mean(
    values: FloatArray, *, level: float = 0.95, low: float = 0.0, high: float = 1.0
) -> Interval:
    """Interval of the mean over all queries of the same kind, by Student's t.

    mean ± t s / √q, s the standard deviation of the q values, t Student's quantile with q - 1 degrees of freedom, cut
    at the ends of the range. Approximate: independent queries. Where all values are the same, s is 0 and of no use;
    there a share 1 - g^(1/q) of other queries could have gone unseen, g the error on a side, and the ends are where the
    mean would be if these were at an end of the range. Fewer than two values give the whole range.
    """
    from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

    number = len(values)
    if number < 2:
        return Interval(np.array(low), np.array(high), level, "one query")
    below, above = tails(level, "both")
    mean = float(values.mean())
    if np.ptp(values) <= ROUNDING * (high - low):
        bottom = low + (mean - low) * below ** (1 / number)
        top = high - (high - mean) * above ** (1 / number)
        method = f"no spread over {number:,} queries"
        return Interval(np.array(bottom), np.array(top), level, method)
    error = float(values.std(ddof=1)) / np.sqrt(number)
    reach = float(stdtrit(number - 1, 1 - above)) * error
    bottom = max(low, mean - reach)
    top = min(high, mean + reach)
    caution = CAUTION if number < FEW else ""
    return Interval(np.array(bottom), np.array(top), level, f"t over {number:,} queries", caution)
