"""The power of the exact tests, from which the number of items is planned."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.tests.two_samples import first_where, lower_tail, two_samples, within
from karat.numeric.arrays import BoolArray, FloatArray

_REACH = 1e-15  # what is rarer changes no chance that matters


@dataclass(frozen=True, slots=True, eq=False)
class Powers:
    """The power of a test, and one above it that never falls with the number of items.

    The power of an exact test is a sawtooth: one item more may lower it. The second one is that of the randomised test,
    which is the most powerful unbiased one and so never loses by an item more; or, for pairs, the power if each number
    of discordant items were as good as the best number up to it.
    """

    test: FloatArray
    above: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Samples:
    """Two samples of n items: what may occur in the first, and how likely."""

    x1: FloatArray
    """The numbers of successes that may occur in the first sample."""
    needed: FloatArray
    """The fewest successes of the second sample that are significantly more than each of them."""
    chance1: FloatArray
    """The chances of 0..n successes in the first sample."""
    chance2: FloatArray
    """The chances of 0..n successes in the second sample."""


def z(g: float) -> float:
    """Return the normal quantile that is exceeded with probability g."""
    return -float(special.ndtri(g))


def upper(x: FloatArray, n: FloatArray, share: float) -> FloatArray:
    """P(X >= x), X binomial."""
    tail = special.betainc(np.maximum(x, 1), np.maximum(n - x, 0) + 1, share)
    tail = np.where(x <= 0, 1.0, tail)
    return np.where(x > n, 0.0, tail)


def critical(x1: FloatArray, n1: FloatArray, n2: FloatArray, g: float) -> FloatArray:
    """Return the fewest successes of the second sample that are significantly more, or n2 + 1."""
    one = np.maximum(1, n1)
    two = np.maximum(1, n2)
    per_item = 1 / one + 1 / two
    first_share = x1 / one
    # A guess by the normal approximation: the share needed depends on the pooled share, which depends on it.
    pooled = first_share
    for _ in range(4):
        spread = np.sqrt(pooled * (1 - pooled) * per_item)
        share = np.minimum(1, first_share + z(g) * spread + per_item / 2)
        pooled = (x1 + share * n2) / (one + two)

    def enough(x2: FloatArray) -> BoolArray:
        return within(lower_tail(x1, n1, x2, n2), g)

    return first_where(enough, np.zeros(n2.shape), n2, near=share * n2)


def first_true(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the first number above low at which a condition holds, if it holds from there on up to high."""
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def first_with(
    power: float, rough: int, test: Callable[[int], float], above: Callable[[int], float]
) -> int:
    """Return the first n at which a test has this power, given its power and one above it that never falls.

    Below the first n at which the latter is large enough, the former is not either.
    """
    high = rough
    while above(high) < power:
        high *= 2
    n = first_true(lambda middle: above(middle) >= power, 0, high)
    while test(n) < power:
        n += 1
    return n


def one_sample_power(n: npt.ArrayLike, null: float, true: float, g: float) -> Powers:
    """How likely X ~ Binomial(n, true) reaches the first x with P(X >= x | null) <= g.

    The randomised test also decides so at x - 1, with the probability that is left of g.
    """
    n = np.asarray(n, np.float64)
    near = n * null + z(g) * np.sqrt(n * null * (1 - null))
    x = first_where(lambda x: within(upper(x, n, null), g), np.zeros(n.shape), n, near=near)
    reached = upper(x, n, true)
    at_edge = upper(x - 1, n, true) - reached
    null_reached = upper(x, n, null)
    null_at_edge = upper(x - 1, n, null) - null_reached
    decided_at_edge = (g - null_reached) / null_at_edge
    return Powers(reached, reached + decided_at_edge * at_edge)


def pair_power(less: float, more: float, g: float) -> Callable[[int], Powers]:
    """Return the power of McNemar's test as a function of the number of shared items."""
    both = min(1.0, less + more)
    # By the number of discordant items: the power of the test, and the best up to that number; grown as needed.
    test = np.zeros(0)
    best = np.zeros(0)

    def powers(n: int) -> Powers:
        nonlocal test, best
        reach = 9 * sqrt(n * both * (1 - both)) + 9
        low = max(0, int(n * both - reach))
        high = min(n, int(n * both + reach))
        if len(test) <= high:
            discordant = np.arange(2.0 * high + 1)
            test = one_sample_power(discordant, 0.5, more / (less + more), g).test
            best = np.maximum.accumulate(test)
        weights = _probability(np.arange(low, high + 1.0), np.asarray(float(n)), both)
        likely = slice(low, high + 1)
        return Powers(np.asarray(test[likely] @ weights), np.asarray(best[likely] @ weights))

    return powers


def increase_power(n: int, p1: float, p2: float, g: float) -> float:
    """How likely the second of two samples of n items is significantly better by the exact test."""
    return _significant(_samples(n, p1, p2, g), n, p2)


def increase_power_randomised(n: int, p1: float, p2: float, g: float) -> float:
    """How likely the second sample is significantly better by the randomised test.

    It also decides so at the first x1 of a sum that falls short, with the probability that is left of g.
    """
    samples = _samples(n, p1, p2, g)
    x1 = samples.x1
    sums = np.arange(x1[0], x1[-1] + samples.needed[-1])
    edge = x1[np.searchsorted(x1 + samples.needed, sums, side="right")]
    other = np.clip(sums - edge, 0, n)
    weight = samples.chance1[edge.astype(int)] * samples.chance2[other.astype(int)]
    possible = (sums - edge <= n) & (weight > _REACH)
    tails = two_samples(edge[possible], n, other[possible], n)
    at_edge = tails.lower + tails.upper - 1
    left_of_g = g - 1 + tails.upper
    decided_at_edge = np.clip(left_of_g / np.maximum(at_edge, 1e-300), 0, 1)
    return _significant(samples, n, p2) + float(decided_at_edge @ weight[possible])


def _significant(samples: _Samples, n: int, p2: float) -> float:
    """Return how likely the second sample has as many successes as needed."""
    enough = upper(samples.needed, np.asarray(float(n)), p2)
    return float(samples.chance1[samples.x1.astype(int)] @ enough)


def _samples(n: int, p1: float, p2: float, g: float) -> _Samples:
    x = np.arange(n + 1.0)
    items = np.asarray(float(n))
    chance1 = _probability(x, items, p1)
    chance2 = _probability(x, items, p2)
    x1 = x[chance1 > _REACH]
    trials = np.full(x1.shape, items)
    return _Samples(x1, critical(x1, trials, trials, g), chance1, chance2)


def _probability(x: FloatArray, n: FloatArray, share: float) -> FloatArray:
    """P(X = x), X binomial."""
    ways = special.gammaln(n + 1) - special.gammaln(x + 1) - special.gammaln(n - x + 1)
    chance: FloatArray = np.exp(ways + special.xlogy(x, share) + special.xlog1py(n - x, -share))
    return chance
