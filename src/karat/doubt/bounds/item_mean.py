"""The mean of a bounded number over items: how far it may be off, given how few items there are."""

import numpy as np

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
    """Where does the mean over all such items lie?

    mean ± t √(n s² + H) / n, s the standard deviation of the n values, t Student's quantile with n - 1 degrees of
    freedom, cut at the ends of the range. H is the sum of squares that half an item at either end of the range would
    add: losses that are rare and large may not have been seen. Approximate: independent items; how well it holds is
    shown by bench/coverage/whole_table.py. Where all values are the same, s says nothing; there a share 1 - g^(1/n) of
    other items could have gone unseen, g the error on a side, and the ends are where the mean would be if these were at
    an end of the range. Of fewer than two items nothing is known.
    Reference: Student, The probable error of a mean, Biometrika 6, 1908. doi:10.1093/biomet/6.1.1
    >>> found = item_mean(ItemMean(np.array([0.0, 0.25]), np.array([30, 10])))
    >>> print(found.low.round(4), found.high.round(4))
    0.0139 0.1111
    """
    from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

    number = mean.items
    if number < 2:
        return Interval(np.array(low), np.array(high), level, f"one {things.rstrip('s')}")
    below, above = tails(level, side)
    value = float(mean.values)
    squares = float((mean.number * (mean.each - value) ** 2).sum())
    if squares == 0:
        seen_below = below ** (1 / number) if below else 0.0
        seen_above = above ** (1 / number) if above else 0.0
        bottom = low + (value - low) * seen_below
        top = high - (high - value) * seen_above
        method = f"no spread over {number:,} {things}"
        return Interval(np.array(bottom), np.array(top), level, method)
    added = ((value - low) ** 2 + (high - value) ** 2) / 2 if np.isfinite(high - low) else 0.0
    error = float(np.sqrt(squares * number / (number - 1) + added)) / number
    bottom = max(low, value + stdtrit(number - 1, below) * error) if below else low
    top = min(high, value - stdtrit(number - 1, above) * error) if above else high
    return Interval(np.array(bottom), np.array(top), level, f"t over {number:,} {things}")
