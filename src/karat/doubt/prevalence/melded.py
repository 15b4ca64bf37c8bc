"""Intervals of what two shares of different items make together: the exact bounds of both, melded."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from karat.doubt.interval import tails
from karat.measure.prevalence.distribution import crowded_nodes
from karat.numeric.arrays import FloatArray

Function = Callable[[FloatArray, FloatArray], FloatArray]
NODES = 128
_NODE, _WEIGHT = crowded_nodes(NODES)
_PAIR_WEIGHT = np.outer(_WEIGHT, _WEIGHT).ravel()
_PLACE = np.clip(_NODE, 0, 1)  # rounding takes the last ones past 1


@dataclass(frozen=True, slots=True)
class Seen:
    """So many of so many items, or of as many independent ones as clustered or weighted items are worth."""

    number: float
    of: float


def melded(
    function: Function, first: Seen, second: Seen, *, rises: bool, level: float = 0.95
) -> tuple[float, float]:
    """Return the interval of a function of two shares that rises with the first, and rises or falls with the second.

    The lower end is a quantile of the function with both shares drawn independently: the first from the distribution
    of its lower exact bound, Beta(k, n - k + 1), over all levels, the second from that of the bound that makes the
    function small; the upper end the other way round. Draws are replaced by nodes of a quadrature. For a difference of
    two shares the ends agree with Fisher's exact test, and so cover at least their level wherever that was looked at.
    Reference: Fay, Proschan, Brittain, Biometrics 71, 2015. doi:10.1111/biom.12231
    >>> low, high = melded(lambda a, b: a - b, Seen(8, 10), Seen(2, 10), rises=False)
    >>> round(low, 2), round(high, 2)
    (0.07, 0.89)
    """
    below, above = tails(level, "both")
    lower = _values(function, _lower(first), _lower(second) if rises else _upper(second))
    upper = _values(function, _upper(first), _upper(second) if rises else _lower(second))
    return _quantile(lower, below), _quantile(upper, 1 - above)


def exact_ends(seen: Seen, *, level: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of one share, by Clopper and Pearson.

    Reference: Clopper, Pearson, Biometrika 26, 1934. doi:10.1093/biomet/26.4.404
    >>> [round(end, 4) for end in exact_ends(Seen(0, 10))]
    [0.0, 0.3085]
    """
    below, above = tails(level, "both")
    low = _beta_quantile(np.array([below]), seen.number, seen.of - seen.number + 1)
    high = _beta_quantile(np.array([1 - above]), seen.number + 1, seen.of - seen.number)
    return float(low[0]), float(high[0])


def _lower(seen: Seen) -> FloatArray:
    return _beta_quantile(_PLACE, seen.number, seen.of - seen.number + 1)


def _upper(seen: Seen) -> FloatArray:
    return _beta_quantile(_PLACE, seen.number + 1, seen.of - seen.number)


def _beta_quantile(share: FloatArray, a: float, b: float) -> FloatArray:
    """Return quantiles of a beta distribution; with a = 0 it is the point 0, with b = 0 the point 1."""
    if a == 0:
        return np.zeros_like(share)
    if b == 0:
        return np.ones_like(share)
    return np.asarray(special.betaincinv(a, b, share))


def _values(function: Function, first: FloatArray, second: FloatArray) -> FloatArray:
    grid = np.broadcast_to(first[:, None], (NODES, NODES)).ravel()
    across = np.broadcast_to(second[None, :], (NODES, NODES)).ravel()
    return function(grid, across)


def _quantile(values: FloatArray, share: float) -> float:
    """Return a quantile of the grid's values, each with its weight; undefined ones count for nothing."""
    known = ~np.isnan(values)
    if not known.any():
        return float("nan")
    order = np.argsort(values[known], kind="stable")
    sorted_weight = _PAIR_WEIGHT[known][order]
    middle = np.cumsum(sorted_weight) - sorted_weight / 2
    return float(np.interp(share, middle / sorted_weight.sum(), values[known][order]))
