"""Which of two systems is better, from a few checked items and many judged ones: by strata of items."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from karat.doubt.interval import check_level, refuse
from karat.doubt.tests.tango import halve
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray

FEWEST = 3
"""Strata with fewer labels are pooled."""
_STEPS = 8  # of Newton's method from the exact limit, which is near: to the last digits


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Counts of two systems by stratum of items: strata along the last axis, pairs of systems along the others."""

    only_first: FloatArray
    """Checked items that only the first system has right."""
    only_second: FloatArray
    checked: FloatArray
    items: FloatArray
    """All items of the stratum, checked or not."""
    total: FloatArray
    """All items of a pair, also those on which the two are known not to differ; without the axis of strata."""

    def __post_init__(self) -> None:
        """Refuse counts that cannot be."""
        for name in ("only_first", "only_second", "checked", "items"):
            counts = getattr(self, name)
            if counts.shape != self.items.shape or counts.shape[:-1] != self.total.shape:
                raise OptionError(
                    f"{name} has the shape {counts.shape}, items {self.items.shape}, total {self.total.shape}; "
                    "give a count for each stratum, and one total"
                )
            refuse((counts < 0) | ~np.isfinite(counts), name, counts, "a count is >= 0")
        either = self.only_first + self.only_second
        slack = 1e-9 * self.items
        refuse(
            either > self.checked + slack, "only_first + only_second", either, "more than checked"
        )
        refuse(self.checked > self.items + slack, "checked", self.checked, "more than items")
        of_strata = self.items.sum(axis=-1)
        refuse(of_strata > self.total + slack.sum(axis=-1), "items", of_strata, "more than total")

    def turned(self) -> "Strata":
        """Return the second system against the first."""
        return replace(self, only_first=self.only_second, only_second=self.only_first)

    @property
    def difference(self) -> FloatArray:
        """How much more often the first system is right."""
        return np.asarray((self.shares * _point(self).difference).sum(axis=-1))

    @property
    def shares(self) -> FloatArray:
        """How large each stratum is, as a share of all items."""
        return np.asarray(self.items / np.maximum(self.total, 1)[..., None])


@dataclass(frozen=True, slots=True, eq=False)
class StratifiedDifference:
    """The difference of two accuracies, its interval, and the p-value of no difference."""

    difference: FloatArray
    low: FloatArray
    high: FloatArray
    p_value: FloatArray
    level: float
    method: str = "post-stratified by the two answers and the judge, mid-p and MOVER"


def pooled(strata: Strata) -> Strata:
    """Return the strata of each pair with those of fewer than three labels pooled: alone they say next to nothing.

    The strata with the fewest labels become one, and so many of them that it has three or more. That depends on how
    many labels there are, not on what they say, so it takes no side.
    >>> few = Strata(*np.array([[[5.0, 0.0, 1]], [[1.0, 1.0, 1]], [[6.0, 1.0, 2]], [[40.0, 9.0, 8]]]), np.array([90.0]))
    >>> pooled(few).checked, pooled(few).items
    (array([[6., 3., 0.]]), array([[40., 17.,  0.]]))
    """
    is_there = strata.items > 0
    labels = np.where(is_there, strata.checked, np.inf)
    order = np.lexsort((strata.items, labels), axis=-1)
    ascending = np.take_along_axis(labels, order, axis=-1)
    small = (ascending < FEWEST).sum(axis=-1)
    together = np.cumsum(ascending, axis=-1)
    enough = (together < FEWEST).sum(axis=-1) + 1
    size = np.where(small > 0, np.maximum(small, enough), 1)
    # Rank 0 has the fewest labels; the first `size` of them become one.
    rank = np.argsort(order, axis=-1)
    members = (rank < size[..., None]) & is_there
    place = np.where(members, strata.items, -1.0).argmax(axis=-1)
    is_place = np.arange(labels.shape[-1]) == place[..., None]
    counts = {}
    for name in ("only_first", "only_second", "checked", "items"):
        own = getattr(strata, name)
        whole = np.where(members, own, 0.0).sum(axis=-1)[..., None]
        rest = np.where(members, 0.0, own)
        counts[name] = np.where(is_place, rest + whole, rest)
    return replace(strata, **counts)


def stratified_difference(strata: Strata, *, level: float = 0.95) -> StratifiedDifference:
    """How much better is the first system, if a few items were checked and many only judged?

    D = Σ W (b - c) / m over strata of items: W the share of a stratum, known of all items, b and c its checked items
    that only the first and only the second has right, of m. Items on which the two answer alike need no stratum: there
    the difference is 0. Within a stratum (b - c) / m = r t, r = (b + c) / m and t = (b - c) / (b + c): t between
    the mid-p limits of a binomial share, r between Jeffreys'. The strata are put together by MOVER, D - √(Σ W² (d -
    l)²), l = d - √(r² (t - l_t)² + l_t² (r - l_r)²), with z² (Σ W d² - D²) / N under the root for the shares W.
    A stratum without checked items may differ by anything from -1 to 1. The p-value is the one at which the interval
    ends at 0: a significant difference has an interval without 0, and the other way round. With one stratum it is
    McNemar's mid-p but for the last term.
    Assumes that the items checked in each stratum were drawn at random from it.
    Reference: post-stratification: Cochran, Sampling Techniques, Wiley 1977, section 5A.9; MOVER: Zou, Donner,
    Statistics in Medicine 27, 2008. doi:10.1002/sim.3095
    >>> two = Strata(*np.array([[[18.0, 1.0]], [[2.0, 6.0]], [[20.0, 7.0]], [[900.0, 300.0]]]), np.array([10000.0]))
    >>> found = stratified_difference(two)
    >>> found.difference.round(4), found.low.round(4), found.high.round(4), found.p_value.round(4)
    (array([0.0506]), array([0.0143]), array([0.0787]), array([0.0082]))
    """
    check_level(level)
    error = np.full(strata.total.shape, (1 - level) / 2)
    low = lower_end(strata, error)
    high = -lower_end(strata.turned(), error)
    smaller = np.minimum(p_not_above(strata, 0.0), p_not_above(strata.turned(), 0.0))
    p_value = np.minimum(1.0, 2 * smaller)
    return StratifiedDifference(strata.difference, low, high, p_value, level)


def p_not_above(strata: Strata, value: float) -> FloatArray:
    """Return the one-sided p-value of a difference of `value` or less; 1/2 where it is no less than observed."""

    def holds(error: FloatArray) -> BoolArray:
        return np.asarray(lower_end(strata, error) <= value)

    shape = strata.total.shape
    return halve(holds, np.zeros(shape), np.full(shape, 0.5))


def lower_end(strata: Strata, error: FloatArray) -> FloatArray:
    """Return the lower end of the difference, which lies below it with a probability of `error` for each pair."""
    point = _point(strata)
    g = error[..., None]
    only_either = strata.only_first + strata.only_second
    t_low = 2 * mid_p_low(strata.only_first, only_either, g) - 1
    # Where the first may be the worse one, the difference is lowest if exactly one is right as often as can be.
    r_end = np.where(
        t_low < 0,
        1 - _jeffreys_low(strata.checked - only_either, strata.checked, g),
        _jeffreys_low(only_either, strata.checked, g),
    )
    below = (point.one_right * (point.balance - t_low)) ** 2
    below = below + (t_low * (point.one_right - r_end)) ** 2
    shares = strata.shares
    difference = strata.difference
    spread = (shares * point.difference**2).sum(axis=-1) - difference**2
    z = special.ndtri(error)
    of_shares = z**2 * np.maximum(spread, 0) / np.maximum(strata.total, 1)
    reach = np.sqrt((shares**2 * below).sum(axis=-1) + of_shares)
    return np.asarray(np.maximum(difference - reach, -1.0))


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    """What the checked items of each stratum show."""

    one_right: FloatArray
    """r, how often exactly one of the two is right; 1 where nothing was checked."""
    balance: FloatArray
    """t, from -1, always the second, to 1, always the first."""

    @property
    def difference(self) -> FloatArray:
        return self.one_right * self.balance


def _point(strata: Strata) -> _Point:
    either = strata.only_first + strata.only_second
    one_right = np.where(strata.checked > 0, either / np.maximum(strata.checked, 1e-300), 1.0)
    balance = (strata.only_first - strata.only_second) / np.where(either > 0, either, 1.0)
    return _Point(one_right, np.where(either > 0, balance, 0.0))


def mid_p_low(successes: FloatArray, trials: FloatArray, error: FloatArray) -> FloatArray:
    """Return the lower mid-p limit of a share: all p with P(X > x) + P(X = x) / 2 >= error; 0 without successes.

    >>> mid_p_low(np.array([0.0, 5.0, 10.0]), np.array(10.0), np.array(0.025)).round(4)
    array([0.    , 0.212 , 0.7411])
    """
    x, n, g = np.broadcast_arrays(successes, trials, error)
    low = np.zeros(x.shape)
    every = (x > 0) & (x >= n) & (g > 0)
    low[every] = (2 * g[every]) ** (1 / n[every])
    some = (x > 0) & (x < n) & (g > 0)
    if some.any():
        low[some] = _mid_p_root(x[some], n[some], g[some])
    return low


def _mid_p_root(x: FloatArray, n: FloatArray, g: FloatArray) -> FloatArray:
    """Solve the mean of two beta distribution functions for g, by Newton's method in the logarithms of both sides."""
    p = special.betaincinv(x, n - x + 1, g)
    log_beta = special.betaln(x, n - x + 1)
    log_beta_above = special.betaln(x + 1, n - x)
    for _ in range(_STEPS):
        tail = (special.betainc(x, n - x + 1, p) + special.betainc(x + 1, n - x, p)) / 2
        density = np.exp(special.xlogy(x - 1, p) + special.xlog1py(n - x, -p) - log_beta)
        above = special.xlogy(x, p) + special.xlog1py(n - x - 1, -p) - log_beta_above
        density = (density + np.exp(above)) / 2
        step = np.log(g / tail) * tail / (p * density)
        p = np.clip(p * np.exp(np.clip(step, -1, 1)), 1e-300, 1 - 1e-16)
    return np.asarray(p)


def _jeffreys_low(successes: FloatArray, trials: FloatArray, error: FloatArray) -> FloatArray:
    """Return the lower limit of Jeffreys' interval, with an error of its own for each entry."""
    low = special.betaincinv(successes + 0.5, trials - successes + 0.5, error)
    return np.asarray(np.where(successes > 0, low, 0.0))
