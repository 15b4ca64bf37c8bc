"""The unconditional exact test of Barnard: more often significant than the paper's, and much slower."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.tests.two_samples import check_samples
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray

MOST = 1000
GRID, ROUNDS = 2000, 3


def barnard(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
) -> FloatArray:
    """Could two shares be the same, if only the trials are taken as given and not the sum of the successes?

    p = max over the common share of P(|T| >= |t|), T the pooled z statistic of (x1/n1) - (x2/n2); two-sided.
    Assumes independent items and no item in both samples. The maximum is sought on a grid that grows finer round its
    best point; tables that tie with the observed one count, compared in whole numbers (SciPy's barnard_exact loses some
    of them to rounding, github.com/scipy/scipy/issues/18798, and its p is then too small).
    No trials, no successes or no failures at all give p = 1.
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
    """Return the p-value of each table by itself, 1 where it cannot tell two shares apart; refuse too many trials.

    >>> by_table(lambda *_: 0.5, "half", [1, 0], 5, [2, 0], 5)
    array([0.5, 1. ])
    """
    samples = check_samples(*counts)
    refuse_large(samples[1] + samples[3], name)
    open_cases = ~degenerate(*samples)
    p_values = np.ones(open_cases.shape)
    p_values[open_cases] = [
        p_value(*table) for table in zip(*(part[open_cases] for part in samples), strict=True)
    ]
    return p_values


def refuse_large(trials: FloatArray, name: str) -> None:
    """Refuse more trials than can be enumerated in reasonable time and memory.

    >>> refuse_large(np.array(2000.0), "barnard")
    Traceback (most recent call last):
    karat.errors.OptionError: barnard is for up to 1000 trials in both samples together, not 2000; use `exact`, ...
    """
    if np.any(trials > MOST):
        found = (
            f"{name} is for up to {MOST} trials in both samples together, not {trials.max():.0f}"
        )
        raise OptionError(f"{found}; use `exact`, which loses little with so many")


def degenerate(x1: FloatArray, n1: FloatArray, x2: FloatArray, n2: FloatArray) -> BoolArray:
    """Which tables cannot tell two shares apart: an empty sample, no successes at all, or no failures.

    >>> degenerate(*(np.array(counts, float) for counts in ([0, 1, 0], [5, 5, 0], [0, 2, 3], [5, 6, 6])))
    array([ True, False,  True])
    """
    s, n = x1 + x2, n1 + n2
    return np.asarray((n1 == 0) | (n2 == 0) | (s == 0) | (s == n))


def _p_value(x1: float, n1: float, x2: float, n2: float) -> float:
    extreme = _extreme(int(x1), int(n1), int(x2), int(n2))
    shares = (np.arange(GRID) + 0.5) / GRID
    for _ in range(ROUNDS):
        chances = _chances(extreme, shares)
        best = int(chances.argmax())
        # The chance is a polynomial of the share, smooth between the points of the grid: look closer at the best.
        shares = np.linspace(
            shares[max(best - 1, 0)], shares[min(best + 1, len(shares) - 1)], GRID // 10
        )
    return min(1.0, float(chances.max()))


def _extreme(x1: int, n1: int, x2: int, n2: int) -> FloatArray:
    """Return for each sum of successes the logarithm of the number of ways to a table at least as extreme.

    T² grows with (x1 n2 - x2 n1)² / (s (n - s)); whole numbers keep tables that tie with the observed one.
    """
    n = n1 + n2
    one, other = np.arange(n1 + 1)[:, None], np.arange(n2 + 1)[None, :]
    gap, spread = (one * n2 - other * n1) ** 2, (one + other) * (n - one - other)
    seen_gap, seen_spread = (x1 * n2 - x2 * n1) ** 2, (x1 + x2) * (n - x1 - x2)
    inside = gap * seen_spread >= seen_gap * spread
    ways = _ways(n1)[:, None] + _ways(n2)[None, :]
    sums = np.full(n + 1, -np.inf)
    np.logaddexp.at(sums, (one + other)[inside], ways[inside])
    if seen_gap:
        sums[[0, n]] = -np.inf  # without successes, or without failures, T is 0
    return sums


def _ways(n: int) -> FloatArray:
    """Return the logarithms of n over k."""
    k = np.arange(n + 1.0)
    return np.asarray(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1))


def _chances(extreme: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the probability of an extreme table at each common share."""
    s, n = np.arange(len(extreme)), len(extreme) - 1
    return np.asarray(
        np.exp(extreme + s * np.log(shares)[:, None] + (n - s) * np.log1p(-shares)[:, None]).sum(
            axis=1
        )
    )
