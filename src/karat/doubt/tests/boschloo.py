"""The unconditional exact test of Boschloo: at least as often significant as the paper's, and much slower."""

import numpy.typing as npt

from karat.doubt.tests.barnard import by_table
from karat.doubt.tests.significance_test import SignificanceTest
from karat.numeric.arrays import FloatArray


def boschloo(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
) -> FloatArray:
    """How surprising is the difference of two shares, ordering tables by the exact test's one-sided p-value?

    p = max over the common share of P(T <= t), T the one-sided p-value of the exact test; the smaller side, doubled.
    Assumes independent items and no item in both samples. No trials, no successes or no failures at all give p = 1.

    By SciPy's boschloo_exact, which seeks the maximum numerically. Unlike barnard_exact it keeps tables that tie with
    the observed one: SciPy 1.17.1 agreed to four decimals with exact fractions on all of 58 small random tables.
    Reference: Boschloo, Statistica Neerlandica 24, 1970. doi:10.1111/j.1467-9574.1970.tb00104.x
    >>> print(boschloo(40, 50, 47, 50).round(4))
    0.0536
    """
    return by_table(
        _p_value, "boschloo", first_successes, first_trials, second_successes, second_trials
    )


def _p_value(x1: float, n1: float, x2: float, n2: float) -> float:
    # Loading scipy.stats takes longer than most runs of karat: only for those who want this test.
    from scipy.stats import boschloo_exact  # noqa: PLC0415

    successes = [int(x1), int(x2)]
    failures = [int(n1 - x1), int(n2 - x2)]
    result = boschloo_exact([successes, failures])
    return min(1.0, float(result.pvalue))


TEST = SignificanceTest(method=boschloo)
