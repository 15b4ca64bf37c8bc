"""The mean of a bounded number over queries: how far it may be off, given how few queries there are."""

import numpy as np

from karat.doubt.interval import Interval, tails
from karat.numeric.arrays import FloatArray


def query_mean(values: FloatArray, *, level: float = 0.95) -> Interval:
    """Where does the mean over all such queries lie?

    mean ± t s / √q, s the standard deviation of the q values, t Student's quantile with q - 1 degrees of freedom, cut
    at 0 and 1. Approximate: independent queries, values from 0 to 1. Where all values are the same, s says nothing;
    there a share 1 - g^(1/q) of other queries could have gone unseen, g the error on a side, and the ends are where the
    mean would be if these were 0 or 1. Of fewer than two values nothing is known: [0, 1].
    """
    from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

    number = len(values)
    if number < 2:
        return Interval(np.array(0.0), np.array(1.0), level, "one query")
    (below, above), mean = tails(level, "both"), float(values.mean())
    error = float(values.std(ddof=1)) / np.sqrt(number)
    if error == 0:
        low, high = mean * below ** (1 / number), 1 - (1 - mean) * above ** (1 / number)
        return Interval(np.array(low), np.array(high), level, f"no spread over {number:,} queries")
    t = float(stdtrit(number - 1, 1 - above))
    low, high = max(0.0, mean - t * error), min(1.0, mean + t * error)
    return Interval(np.array(low), np.array(high), level, f"t over {number:,} queries")
