"""How likely a test finds what is there: the chances behind the planning of items."""

from collections.abc import Callable
from math import sqrt

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.tests.two_samples import first_where, lower_tail, two_samples, within
from karat.numeric.arrays import FloatArray

_REACH = 1e-15  # what is rarer changes no chance that matters


def z(g: float) -> float:
    """Return the normal quantile that is exceeded with probability g."""
    return -float(special.ndtri(g))


def upper(x: FloatArray, n: FloatArray, share: float) -> FloatArray:
    """P(X >= x), X binomial."""
    tail = special.betainc(np.maximum(x, 1), np.maximum(n - x, 0) + 1, share)
    return np.where(x > n, 0.0, np.where(x <= 0, 1.0, tail))


def critical(x1: FloatArray, n1: FloatArray, n2: FloatArray, g: float) -> FloatArray:
    """Return the fewest successes of the second sample that are significantly more, or n2 + 1."""
    one, two = np.maximum(1, n1), np.maximum(1, n2)
    near = middle = x1 / one
    for _ in range(4):
        spread = np.sqrt(middle * (1 - middle) * (1 / one + 1 / two))
        near = np.minimum(1, x1 / one + z(g) * spread + (1 / one + 1 / two) / 2)
        middle = (x1 + near * n2) / (one + two)
    return first_where(
        lambda x2: within(lower_tail(x1, n1, x2, n2), g), np.zeros(n2.shape), n2, near=near * n2
    )


def first_true(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the first number above low at which a condition holds, if it holds from there on up to high."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def first_with(
    power: float, rough: int, test: Callable[[int], float], above: Callable[[int], float]
) -> int:
    """Return the first n with this chance, given the chance of a test, and one above it that never falls.

    Below the first n at which the latter is large enough, the former is not either. The latter is the chance of the
    randomised test, which is the best of all unbiased ones and so never loses by an item more; or, for pairs, the
    chance if each number of items that just one has right were as good as the best number up to it.
    """
    high = rough
    while above(high) < power:
        high *= 2
    n = first_true(lambda middle: above(middle) >= power, 0, high)
    while test(n) < power:
        n += 1
    return n


def one_sample_power(n: npt.ArrayLike, null: float, true: float, g: float) -> FloatArray:
    """How likely X ~ (n, true) reaches the first x with P(X >= x | null) <= g; and with the rest of g drawn by lot."""
    n = np.asarray(n, np.float64)
    near = n * null + z(g) * np.sqrt(n * null * (1 - null))
    x = first_where(lambda x: within(upper(x, n, null), g), np.zeros(n.shape), n, near=near)
    reached, edge = upper(x, n, true), upper(x - 1, n, null)
    lot = (g - upper(x, n, null)) / (edge - upper(x, n, null))
    return np.array([reached, reached + lot * (upper(x - 1, n, true) - reached)])


def pair_power(less: float, more: float, g: float) -> Callable[[int], tuple[float, float]]:
    """Return how likely a number of shared items shows a difference: by McNemar's test, and by one that never loses."""
    both = min(1.0, less + more)
    known = np.zeros((2, 0))

    def chances(n: int) -> tuple[float, float]:
        nonlocal known
        reach = 9 * sqrt(n * both * (1 - both)) + 9
        low, high = max(0, int(n * both - reach)), min(n, int(n * both + reach))
        if known.shape[1] <= high:
            test = one_sample_power(np.arange(2.0 * high + 1), 0.5, more / (less + more), g)[0]
            known = np.array([test, np.maximum.accumulate(test)])
        weights = _probability(np.arange(low, high + 1.0), np.asarray(float(n)), both)
        test, best = known[:, low : high + 1] @ weights
        return float(test), float(best)

    return chances


def increase_power(n: int, p1: float, p2: float, g: float) -> float:
    """How likely the exact test finds the second of two samples of n items significantly better."""
    return _found(n, p2, *_worth_it(n, p1, p2, g))


def increase_lot(n: int, p1: float, p2: float, g: float) -> float:
    """How likely the test does so if the rest of g is drawn by lot, at the first x1 of a sum that falls short."""
    x1, x2, chance1, chance2 = found = _worth_it(n, p1, p2, g)
    s = np.arange(x1[0], x1[-1] + x2[-1])
    edge = x1[np.searchsorted(x1 + x2, s, side="right")]
    other = np.clip(s - edge, 0, n)
    weight = chance1[edge.astype(int)] * chance2[other.astype(int)]
    here = (s - edge <= n) & (weight > _REACH)
    tails = two_samples(edge[here], n, other[here], n)
    lot = np.clip((g - 1 + tails.upper) / np.maximum(tails.lower + tails.upper - 1, 1e-300), 0, 1)
    return _found(n, p2, *found) + float(lot @ weight[here])


def _found(
    n: int, p2: float, x1: FloatArray, x2: FloatArray, chance1: FloatArray, _: FloatArray
) -> float:
    return float(chance1[x1.astype(int)] @ upper(x2, np.asarray(float(n)), p2))


def _worth_it(
    n: int, p1: float, p2: float, g: float
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return all x1 that may occur, the first x2 significantly above each, and the chances of 0..n in both samples."""
    x, items = np.arange(n + 1.0), np.asarray(float(n))
    chance1, chance2 = _probability(x, items, p1), _probability(x, items, p2)
    x1 = x[chance1 > _REACH]
    return x1, critical(x1, np.full(x1.shape, items), np.full(x1.shape, items), g), chance1, chance2


def _probability(x: FloatArray, n: FloatArray, share: float) -> FloatArray:
    """P(X = x), X binomial."""
    ways = special.gammaln(n + 1) - special.gammaln(x + 1) - special.gammaln(n - x + 1)
    chance: FloatArray = np.exp(ways + special.xlogy(x, share) + special.xlog1py(n - x, -share))
    return chance
