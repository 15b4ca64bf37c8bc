"""The interval of a share whose coverage is never below its level: Clopper and Pearson's."""

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import Interval, Side, check_counts, refuse, tails
from karat.numeric.arrays import FloatArray


def exact(
    successes: npt.ArrayLike, trials: npt.ArrayLike, *, level: float = 0.95, side: Side = "both"
) -> Interval:
    """Interval of a share that covers it with at least the level's probability, however few the items.

    low = BetaInv(g; x, n-x+1), high = BetaInv(1-g; x+1, n-x), g the error probability on that side;
    they solve P(X >= x | low) = g and P(X <= x | high) = g. x = n: low = g^(1/n); x = 0: high = 1 - g^(1/n).
    Assumes independent items and whole counts; covers at least `level` whatever the true share is.
    Without items, n = 0, it is [0, 1].
    Reference: Clopper & Pearson, Biometrika 26, 1934. doi:10.1093/biomet/26.4.404
    >>> exact([10, 20], 20, side="lower").low.round(4)
    array([0.302 , 0.8609])
    """
    below, above = tails(level, side)
    x, n = check_counts(successes, trials)
    for name, counts in (("successes", x), ("trials", n)):
        refuse(
            counts != np.floor(counts),
            name,
            counts,
            "`exact` counts whole items; for weights use `wilson`",
        )
    return Interval(_low(x, n, below), _high(x, n, above), level, "exact")


def exact_of_effective(
    successes: npt.ArrayLike, trials: npt.ArrayLike, *, level: float = 0.95, side: Side = "both"
) -> Interval:
    """Interval of a share of an effective number of items, which need not be whole.

    As `exact`, of which it is the continuation; approximate, as an effective number is.
    Reference: Korn, Graubard, Survey Methodology 24, 1998.
    >>> exact_of_effective(10.5, 21, side="lower").low.round(4)
    np.float64(0.3068)
    """
    below, above = tails(level, side)
    x, n = check_counts(successes, trials)
    return Interval(_low(x, n, below), _high(x, n, above), level, "exact")


def _low(x: FloatArray, n: FloatArray, g: float) -> FloatArray:
    low = np.zeros(x.shape)
    if g:
        between = (x > 0) & (x < n)
        all_successes = (x == n) & (n > 0)
        special.betaincinv(x, n - x + 1, g, out=low, where=between)
        np.power(g, 1 / np.maximum(n, 1), out=low, where=all_successes)
    return low


def _high(x: FloatArray, n: FloatArray, g: float) -> FloatArray:
    high = np.ones(x.shape)
    if g:
        # The inverse of the complement: 1 - g would drop the digits of a small g,
        # and 1 - BetaInv(g; n-x, x+1) those of a small bound.
        between = (x > 0) & (x < n)
        no_successes = (x == 0) & (n > 0)
        power_less_one = np.expm1(np.log(g) / np.maximum(n, 1))
        special.betainccinv(x + 1, n - x, g, out=high, where=between)
        np.negative(power_less_one, out=high, where=no_successes)
    return high
