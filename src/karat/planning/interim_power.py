"""How likely more items decide a comparison that has begun: those counted so far stay."""

from math import ceil, sqrt

import numpy as np
from scipy import special

from karat.doubt.tests.two_samples import error, first_where, within
from karat.numeric.arrays import FloatArray
from karat.planning.power import first_true, upper, z

LIKELY = 0.8
"""The chance with which so many more items decide a pair, where nobody requests another."""
MOST = 20_000
"""Up to so many items the answer is exact; of more, it is the normal approximation as if all began anew."""


def likely_items(
    only_first: float,
    only_second: float,
    items: float,
    *,
    pairs: int = 1,
    level: float = 0.95,
    power: float = LIKELY,
) -> int | None:
    """How many more items make a difference significant with this probability, if two systems disagree as they do?

    The smallest number at which the counts so far and those of the further items together are significant by McNemar's
    exact test, for the system that leads, with at least this probability; a few larger numbers may fall just short. At
    a level that holds for all of so many pairs together. If it takes over `MOST` items, a normal approximation. The
    further items are taken to fall as the shares seen so far say, which a lucky lead flatters. None where neither
    leads.
    >>> likely_items(39, 23, 150), likely_items(10, 10, 200)
    (86, None)
    """
    if only_first == only_second or not items:
        return None
    adjusted_level = 1 - (1 - level) / pairs
    least, most = sorted([only_first, only_second])
    g = error(adjusted_level) / 2
    anew = _rough(most / items, least / items, g, power)
    if anew > MOST:
        return max(1, anew - int(items))

    def enough(more: int) -> bool:
        return interim_power(most, least, items, more, g) >= power

    high = 1
    while not enough(high):
        high *= 2
    number = first_true(enough, 0, high)
    # The power is a sawtooth, so that halving may have passed a smaller number of items, but not by much.
    while number > 1 and enough(number - 1):
        number -= 1
    return number


def _rough(more: float, less: float, g: float, power: float) -> int:
    """Return how many items have this power by the normal approximation, none counted yet."""
    gap = more - less
    both = more + less
    spread = z(g) * sqrt(both) - z(power) * sqrt(max(0.0, both - gap**2))
    return ceil((spread / gap) ** 2)


def interim_power(leading: float, other: float, items: float, more: int, g: float) -> float:
    """How likely a lead is significant after so many more items, by McNemar's exact test on one side.

    Σ P(D = d) P(leading + X >= c), D binomial with the share of discordant items, X with d trials and the share of the
    leading system among them, c the fewest of all discordant items with P(Binomial(n, 1/2) >= c) <= g.
    >>> round(interim_power(39, 23, 150, 18, 0.025), 2), round(interim_power(39, 23, 150, 100, 0.025), 2)
    (0.61, 0.82)
    """
    discordant = leading + other
    share = discordant / items
    d = np.arange(more + 1.0)
    chance = _binomial(d, float(more), share)
    likely = chance > 1e-15
    d = d[likely]
    n = d + discordant
    near = n / 2 + z(g) * np.sqrt(n) / 2
    needed = first_where(lambda x: within(upper(x, n, 0.5), g), np.zeros(n.shape), n, near=near)
    reached = upper(needed - leading, d, leading / discordant)
    return float(chance[likely] @ reached)


def _binomial(x: FloatArray, n: float, share: float) -> FloatArray:
    """P(X = x), X binomial."""
    ways = special.gammaln(n + 1) - special.gammaln(x + 1) - special.gammaln(n - x + 1)
    return np.asarray(np.exp(ways + special.xlogy(x, share) + special.xlog1py(n - x, -share)))
