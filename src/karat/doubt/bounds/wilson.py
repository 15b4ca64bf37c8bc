"""The interval of the score test: nearly the promised coverage, on average, and no wider than needed."""

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import Interval, Side, check_counts, tails
from karat.numeric.arrays import FloatArray


def wilson(
    successes: npt.ArrayLike, trials: npt.ArrayLike, *, level: float = 0.95, side: Side = "both"
) -> Interval:
    """Where does the true share lie, given how few items were seen?

    (x + z²/2 ± z √(x(n-x)/n + z²/4)) / (n + z²), z the normal quantile of 1 - g, g the error on that side.
    Assumes independent items; covers `level` on average over the shares, less at some of them.
    Of nothing nothing is known: n = 0 gives [0, 1].
    Reference: Wilson, JASA 22, 1927. doi:10.1080/01621459.1927.10502953
    >>> found = wilson(81, 263)
    >>> print(found.low.round(4), found.high.round(4))
    0.2553 0.3662
    """
    below, above = tails(level, side)
    x, n = check_counts(successes, trials)
    low = _end(x, n, special.ndtri(below)) if below else np.zeros(x.shape)
    high = _end(x, n, -special.ndtri(above)) if above else np.ones(x.shape)
    # At the borders the formula is right only up to rounding.
    return Interval(np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high), level, "wilson")


def _end(x: FloatArray, n: FloatArray, z: float) -> FloatArray:
    spread = np.divide(x * (n - x), n, out=np.zeros(x.shape), where=n > 0)
    width = n + z**2
    end = np.divide(
        x + z**2 / 2 + z * np.sqrt(spread + z**2 / 4), width, out=np.zeros(x.shape), where=width > 0
    )
    return np.clip(end, 0, 1)
