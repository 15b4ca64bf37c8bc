"""The unconditional exact test of Barnard: more often significant than the paper's, and much slower."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.tests.significance_test import SignificanceTest
from karat.doubt.tests.two_samples import check_samples
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray

MOST = 1000
"""Trials of both samples together, up to which all tables are enumerated."""
GRID = 2000
ROUNDS = 3


def barnard(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
) -> FloatArray:
    """How surprising is the difference of two shares, given the trials but not the sum of the successes?

    p = max over the common share of P(|T| >= |t|), T the pooled z statistic of (x1/n1) - (x2/n2); two-sided.
    Assumes independent items and no item in both samples. The maximum is sought on a grid that grows finer around its
    best point. No trials, no successes or no failures at all give p = 1.

    Not SciPy's barnard_exact: rounding makes it lose tables that tie with the observed one
    (github.com/scipy/scipy/issues/18798), and its p is then too small. SciPy 1.17.1 did so for 8 of 60 small random
    tables, and finds 4/12 against 12/17 significant (.0477 where .0529 is right). Here tables are compared in whole
    numbers.
    Reference: Barnard, Biometrika 34, 1947. doi:10.1093/biomet/34.1-2.123
    >>> print(barnard(40, 50, 47, 50).round(4))
    0.0417
    """
    return by_table(
        _p_value, "barnard", first_successes, first_trials, second_successes, second_trials
    )


def by_table(
    p_value: Callable[[float, float, float, float], float], name: str, *counts: npt.ArrayLike
) -> FloatArray:
    """Return the p-value of each table by itself, 1 where no difference can show; refuse too many trials.

    >>> by_table(lambda *_: 0.5, "half", [1, 0], 5, [2, 0], 5)
    array([0.5, 1. ])
    """
    x1, n1, x2, n2 = check_samples(*counts)
    _refuse_large(n1 + n2, name)
    p_values = np.ones(x1.shape)
    for place in np.argwhere(~_degenerate(x1, n1, x2, n2)):
        cell = tuple(place)
        p_values[cell] = p_value(x1[cell], n1[cell], x2[cell], n2[cell])
    return p_values


def _refuse_large(trials: FloatArray, name: str) -> None:
    """Refuse more trials than can be enumerated in reasonable time and memory.

    >>> _refuse_large(np.array(2000.0), "barnard")
    Traceback (most recent call last):
    karat.errors.OptionError: barnard is for up to 1000 trials in both samples together, not 2000; use `exact`, ...
    """
    if np.any(trials > MOST):
        limit = f"up to {MOST} trials in both samples together, not {trials.max():.0f}"
        raise OptionError(f"{name} is for {limit}; use `exact`, which loses little with so many")


def _degenerate(x1: FloatArray, n1: FloatArray, x2: FloatArray, n2: FloatArray) -> BoolArray:
    """Which tables can show no difference: an empty sample, no successes at all, or no failures.

    >>> _degenerate(*(np.array(counts, float) for counts in ([0, 1, 0], [5, 5, 0], [0, 2, 3], [5, 6, 6])))
    array([ True, False,  True])
    """
    successes = x1 + x2
    trials = n1 + n2
    empty = (n1 == 0) | (n2 == 0)
    return np.asarray(empty | (successes == 0) | (successes == trials))


def _p_value(x1: float, n1: float, x2: float, n2: float) -> float:
    extreme = _extreme(int(x1), int(n1), int(x2), int(n2))
    shares = (np.arange(GRID) + 0.5) / GRID
    for _ in range(ROUNDS):
        chances = _chances(extreme, shares)
        best = int(chances.argmax())
        # The chance is a polynomial of the share, smooth between the points of the grid: look closer at the best.
        before = shares[max(best - 1, 0)]
        after = shares[min(best + 1, len(shares) - 1)]
        shares = np.linspace(before, after, GRID // 10)
    return min(1.0, float(chances.max()))


def _extreme(x1: int, n1: int, x2: int, n2: int) -> FloatArray:
    """Return for each sum of successes the logarithm of the number of ways to a table at least as extreme.

    T² grows with (x1 n2 - x2 n1)² / (s (n - s)); whole numbers keep tables that tie with the observed one.
    """
    n = n1 + n2
    first = np.arange(n1 + 1)[:, None]
    second = np.arange(n2 + 1)[None, :]
    successes = first + second
    gap = (first * n2 - second * n1) ** 2
    spread = successes * (n - successes)
    observed_gap = (x1 * n2 - x2 * n1) ** 2
    observed_spread = (x1 + x2) * (n - x1 - x2)
    # The fractions gap / spread are compared crosswise, without a division.
    as_extreme = gap * observed_spread >= observed_gap * spread
    ways = _ways(n1)[:, None] + _ways(n2)[None, :]
    log_ways = np.full(n + 1, -np.inf)
    np.logaddexp.at(log_ways, successes[as_extreme], ways[as_extreme])
    if observed_gap:
        log_ways[[0, n]] = -np.inf  # without successes, or without failures, T is 0
    return log_ways


def _ways(n: int) -> FloatArray:
    """Return the logarithms of n over k."""
    k = np.arange(n + 1.0)
    return np.asarray(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1))


def _chances(extreme: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the probability of an extreme table at each common share."""
    trials = len(extreme) - 1
    successes = np.arange(len(extreme))
    log_success = np.log(shares)[:, None]
    log_failure = np.log1p(-shares)[:, None]
    logs = extreme + successes * log_success + (trials - successes) * log_failure
    return np.asarray(np.exp(logs).sum(axis=1))


TEST = SignificanceTest(method=barnard)
