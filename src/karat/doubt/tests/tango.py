"""How much better one system is than another on the same items: the interval of Tango's score test."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import Interval, Side, tails
from karat.doubt.tests.mcnemar import check_paired
from karat.numeric.arrays import BoolArray, FloatArray

_HALVINGS = 60  # of a stretch of length 2: to the last bit of a double


def tango(
    only_first: npt.ArrayLike,
    only_second: npt.ArrayLike,
    items: npt.ArrayLike,
    *,
    level: float = 0.95,
    side: Side = "both",
) -> Interval:
    """Return the interval of the difference of two shares that were counted on the same items.

    All d with |b - c - n d| <= z √(n (2 q + d (1-d))), z the normal quantile of 1 - g, g the error on that side;
    q, the share of items that only the second has right if the difference is d, is the larger root of
    2n q² - (b + c - (2n - b + c) d) q - c d (1-d) = 0. Approximate: covers `level` on average, less at some shares.
    Assumes independent items. n = 0 gives [-1, 1]; b = c = 0 gives ±z²/(n + z²).
    Reference: Tango, Stat. Med. 17, 1998. doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B
    >>> interval = tango(1, 7, 21)
    >>> print(interval.low.round(3), interval.high.round(3))
    -0.517 -0.026
    """
    below, above = tails(level, side)
    b, c, n = check_paired(only_first, only_second, items)
    low = np.full(n.shape, -1.0)
    if below:
        low = -_end(c, b, n, -special.ndtri(below))
    high = np.ones(n.shape)
    if above:
        high = _end(b, c, n, -special.ndtri(above))
    return Interval(low, high, level, "tango")


def score(b: FloatArray, c: FloatArray, n: FloatArray, d: FloatArray) -> FloatArray:
    """How many standard errors the observed difference is above d; NaN where there is no error.

    >>> print(score(*(np.array(k) for k in (0.0, 1.0, 44.0, -0.1))).round(3))
    1.709
    """
    # Of two discordant shares whose difference is d, the larger is the smaller plus |d|. Estimate the smaller one:
    # as the larger minus |d| it would lose its digits.
    gap = np.abs(d)
    more = np.where(d < 0, c, b)
    fewer = np.where(d < 0, b, c)
    half = (2 * n - more + fewer) * gap - more - fewer
    root = np.sqrt(half**2 + 8 * n * fewer * gap * (1 - gap))
    with np.errstate(divide="ignore", invalid="ignore"):
        # Two forms of one root of a quadratic equation: each adds numbers of the same sign, so no digits cancel.
        below = 2 * fewer * gap * (1 - gap) / (half + root)
        above = (root - half) / (4 * n)
        smaller = np.where(half > 0, below, above)
        variance = n * (2 * smaller + gap * (1 - gap))
        return np.asarray((b - c - n * d) / np.sqrt(variance))


def halve(
    holds: Callable[[FloatArray], BoolArray], low: FloatArray, high: FloatArray
) -> FloatArray:
    """Return where a condition that holds near low and not near high ceases to hold; high if it never does.

    >>> halve(lambda d: d * d <= 2, np.array([0.0]), np.array([2.0])).round(6)
    array([1.414214])
    """
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        held = holds(middle)
        low = np.where(held, middle, low)
        high = np.where(held, high, middle)
    return high


def _end(b: FloatArray, c: FloatArray, n: FloatArray, z: float) -> FloatArray:
    """Return the largest difference that the test does not reject."""

    def accepted(d: FloatArray) -> BoolArray:
        return np.asarray(np.nan_to_num(score(b, c, n, d)) >= -z)

    end = halve(accepted, np.full(n.shape, -1.0), np.ones(n.shape))
    return np.where(n > 0, end, 1.0)
