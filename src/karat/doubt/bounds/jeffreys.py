"""The Bayesian interval of a share, with Jeffreys' prior."""

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import Interval, Side, check_counts, tails

CAUTION = (
    "jeffreys: covers its level on average over all shares; at the worst share 0.87 instead of 0.95 of 10 items, "
    "0.92 of 500."
)


def jeffreys(
    successes: npt.ArrayLike, trials: npt.ArrayLike, *, level: float = 0.95, side: Side = "both"
) -> Interval:
    """Credible interval of a share, with Jeffreys' uninformative prior.

    [BetaInv(g; x+1/2, n-x+1/2), BetaInv(1-g; x+1/2, n-x+1/2)], g the error on that side; x = 0: low = 0;
    x = n: high = 1. Assumes independent items; covers `level` on average over the shares, less at some.
    Without items, n = 0, it is [0, 1].
    Reference: Brown, Cai & DasGupta, Statistical Science 16, 2001. doi:10.1214/ss/1009213286
    >>> interval = jeffreys(7, 10)
    >>> print(interval.low.round(4), interval.high.round(4))
    0.3942 0.9073
    """
    below, above = tails(level, side)
    x, n = check_counts(successes, trials)
    successes_and_half = x + 0.5
    failures_and_half = n - x + 0.5
    low = np.zeros(x.shape)
    high = np.ones(x.shape)
    if below:
        special.betaincinv(successes_and_half, failures_and_half, below, out=low, where=x > 0)
    if above:
        special.betainccinv(successes_and_half, failures_and_half, above, out=high, where=x < n)
    return Interval(low, high, level, "jeffreys", CAUTION)
