"""From which number of items on a result is significant with every larger number: tried to a horizon, then proven."""

from collections.abc import Callable
from math import exp, log, pi, sqrt

import numpy as np
from scipy import special

from karat.numeric.arrays import BoolArray, FloatArray
from karat.planning.power import first_true

_FIRST = 64  # numbers of items tried at once, at first
_MOST = 2**16  # and at the most


def significant_from(
    holds: Callable[[FloatArray], BoolArray], proven: Callable[[int], bool]
) -> int:
    """Return the smallest n such that a condition holds for all m >= n; where it is `proven`, it holds for all above.

    >>> significant_from(lambda n: (n > 5) & (n != 9), lambda n: n >= 100)
    10
    """
    horizon = 1
    while not proven(horizon):
        horizon *= 2
    horizon = first_true(proven, horizon // 2, horizon)
    # Downwards from the horizon, in growing blocks, to the first number at which the condition fails.
    stop = horizon
    size = _FIRST
    while stop > 1:
        tried = np.arange(max(1, stop - size), stop)
        held = holds(tried.astype(np.float64))
        if not np.all(held):
            last_failure = int(tried[~held][-1])
            return last_failure + 1
        stop = int(tried[0])
        size = min(2 * size, _MOST)
    return 1


def bound_proven(n: int, lower: float, estimate: float, g: float) -> bool:
    """Whether an estimate of n or more items guarantees a share, by Chernoff's bound of the binomial tail."""
    least = estimate - 0.5 / n
    return least > lower and n * _divergence(least, lower) >= log(1 / g)


def pair_bound(n: int, less: float, more: float) -> float:
    """Bound the tail that McNemar's test takes, for all numbers of items from n on; 1 where it proves nothing.

    Rounding leaves at most b items for the one system and at least c for the other, and P(X <= b | b + c) rises with b
    and falls with c. It is an incomplete beta function, I(c, b + 1) at 1/2: at most 2^-(d+1) d! / (b! c!), d = b + c,
    times a geometric series of the ratio (d + 1) / 2(c + 1). Stirling's formula bounds the factorials. All of it falls
    as n grows.
    Reference: DLMF, 8.17.8 and 5.6.1. https://dlmf.nist.gov/8.17
    """
    b = less * n + 0.5
    c = more * n - 0.5
    if b >= c:
        return 1.0
    divergence = b * log(2 * b / (b + c)) + c * log(2 * c / (b + c))
    first_term = sqrt((1 / b + 1 / c) / (2 * pi)) * exp(-divergence)
    return first_term * (c + 1) / (c + 1 - b)


def tail_bound(n: int, baseline: float, raised: float) -> float:
    """Bound P(X1 <= x1 | s) of both samples' n items for all numbers of items from n on; 1 where it proves nothing.

    Rounding leaves x1 <= n p1 and x2 >= n p2, p1 = baseline + 1/2n, p2 = raised - 1/2n; the tail rises with x1 and
    falls with x2. With √(n/8x(n-x)) <= C(n, x) exp(-n H(x/n)) <= √(n/2πx(n-x)) (and <= 1), and as the terms of the
    tail fall at least by r each, it is at most f1 f2 √(8V) exp(-n G) / (1-r), G = 2 H(p) - H(p1) - H(p2), p halfway.
    As n grows, G grows, f1, f2 and r fall, and √V grows no faster than √n: once n G >= 1/2, the bound only falls.
    """
    p1 = baseline + 0.5 / n
    p2 = raised - 0.5 / n
    if p1 >= p2:
        return 1.0
    p = (p1 + p2) / 2
    gain = n * (_divergence(p1, p) + _divergence(p2, p))
    if gain < 0.5:
        return 1.0
    r = p1 * (1 - p2) / ((1 - p1) * p2)
    variance = 2 * n * p * (1 - p) + abs(1 - 2 * p)
    factors = _way_factor(n, baseline) * _way_factor(n, raised) * sqrt(8 * variance)
    return factors * exp(-gain) / (1 - r)


def _way_factor(n: int, share: float) -> float:
    """Bound C(n, x) exp(-n H(x/n)) for all whole x within a half of n times a share."""
    below = share - 0.5 / n
    above = share + 0.5 / n
    least = min(below * (1 - below), above * (1 - above))
    return 1 / sqrt(max(1.0, 2 * pi * n * least))


def _divergence(p: float, q: float) -> float:
    """Return the Kullback-Leibler divergence of two yes/no distributions."""
    return float(special.rel_entr(p, q) + special.rel_entr(1 - p, 1 - q))
