"""The interval that never promises too much: Clopper and Pearson's."""

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import Interval, Side, check_counts, refuse, tails
from karat.numeric.arrays import FloatArray


def exact(
    successes: npt.ArrayLike, trials: npt.ArrayLike, *, level: float = 0.95, side: Side = "both"
) -> Interval:
    """Which shares can be guaranteed, however few items were seen?

    low = BetaInv(g; x, n-x+1), high = BetaInv(1-g; x+1, n-x), g the error probability on that side;
    they solve P(X >= x | low) = g and P(X <= x | high) = g. x = n: low = g^(1/n); x = 0: high = 1 - g^(1/n).
    Assumes independent items and whole counts; covers at least `level` whatever the true share is.
    Of nothing nothing is known: n = 0 gives [0, 1].
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


def _low(x: FloatArray, n: FloatArray, g: float) -> FloatArray:
    low = np.zeros(x.shape)
    if g:
        special.betaincinv(x, n - x + 1, g, out=low, where=(x > 0) & (x < n))
        np.power(g, 1 / np.maximum(n, 1), out=low, where=(x == n) & (n > 0))
    return low


def _high(x: FloatArray, n: FloatArray, g: float) -> FloatArray:
    high = np.ones(x.shape)
    if g:
        # The inverse of the complement: 1 - g would drop the digits of a small g,
        # and 1 - BetaInv(g; n-x, x+1) those of a small bound.
        special.betainccinv(x + 1, n - x, g, out=high, where=(x > 0) & (x < n))
        np.negative(np.expm1(np.log(g) / np.maximum(n, 1)), out=high, where=(x == 0) & (n > 0))
    return high
