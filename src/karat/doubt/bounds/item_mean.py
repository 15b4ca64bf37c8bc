"""Confidence interval of the mean of a number over items."""

import numpy as np

from karat.doubt.bounds.no_spread import ends_without_spread
from karat.doubt.interval import Interval, Side, tails
from karat.measure.item_mean import ItemMean


def item_mean(
    mean: ItemMean,
    *,
    low: float = 0.0,
    high: float = 1.0,
    level: float = 0.95,
    side: Side = "both",
    things: str = "items",
) -> Interval:
    """Interval of the mean over all items of the same kind, by Student's t.

    mean ± t √(n s² + H) / n, s the standard deviation of the n values, t Student's quantile with n - 1 degrees of
    freedom, cut at the ends of the range. H is the sum of squares that half an item at either end of the range would
    add: losses that are rare and large may not have been seen. Approximate: independent items; its coverage is shown
    by bench/coverage/whole_table.py. Where all values are the same, s is 0 and shows nothing; the ends are then those
    of `ends_without_spread`. Fewer than two items give the whole range.
    Reference: Student, The probable error of a mean, Biometrika 6, 1908. doi:10.1093/biomet/6.1.1
    >>> interval = item_mean(ItemMean(np.array([0.0, 0.25]), np.array([30, 10])))
    >>> print(interval.low.round(4), interval.high.round(4))
    0.0139 0.1111
    """
    from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

    number = mean.items
    if number < 2:
        return Interval(np.array(low), np.array(high), level, f"one {things.rstrip('s')}")
    below, above = tails(level, side)
    value = float(mean.values)
    squared_deviations = mean.number * (mean.each - value) ** 2
    squares = float(squared_deviations.sum())
    if squares == 0:
        bottom, top = ends_without_spread(value, number, low=low, high=high, errors=(below, above))
        method = f"no spread over {number:,} {things}"
        return Interval(np.array(bottom), np.array(top), level, method)
    half_an_item = 0.0
    if np.isfinite(high - low):
        half_an_item = ((value - low) ** 2 + (high - value) ** 2) / 2
    variance_of_sum = squares * number / (number - 1) + half_an_item
    error = float(np.sqrt(variance_of_sum)) / number
    bottom = low
    top = high
    if below:
        bottom = max(low, value + stdtrit(number - 1, below) * error)
    if above:
        top = min(high, value - stdtrit(number - 1, above) * error)
    return Interval(np.array(bottom), np.array(top), level, f"t over {number:,} {things}")
