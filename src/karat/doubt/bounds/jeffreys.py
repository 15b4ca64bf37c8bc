"""The interval of a reader who knew nothing before: Bayesian, with Jeffreys' prior."""

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import Interval, Side, check_counts, tails


def jeffreys(
    successes: npt.ArrayLike, trials: npt.ArrayLike, *, level: float = 0.95, side: Side = "both"
) -> Interval:
    """Where does the true share lie, for a reader who knew nothing before the count?

    [BetaInv(g; x+1/2, n-x+1/2), BetaInv(1-g; x+1/2, n-x+1/2)], g the error on that side; x = 0: low = 0;
    x = n: high = 1. Assumes independent items; covers `level` on average over the shares, less at some.
    Of nothing nothing is known: n = 0 gives [0, 1].
    Reference: Brown, Cai & DasGupta, Statistical Science 16, 2001. doi:10.1214/ss/1009213286
    >>> found = jeffreys(7, 10)
    >>> print(found.low.round(4), found.high.round(4))
    0.3942 0.9073
    """
    below, above = tails(level, side)
    x, n = check_counts(successes, trials)
    low, high = np.zeros(x.shape), np.ones(x.shape)
    if below:
        special.betaincinv(x + 0.5, n - x + 0.5, below, out=low, where=x > 0)
    if above:
        special.betainccinv(x + 0.5, n - x + 0.5, above, out=high, where=x < n)
    return Interval(low, high, level, "jeffreys")
