"""The interval of a rank correlation with the truth."""

from math import asin, pi, sqrt

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import kendalltau, t

from karat.doubt.consensus.rank_agreement_interval import rank_agreement_interval


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("systems", [12, 40])
def test_it_holds_the_tau_of_the_systems_population(systems, correlation):
    # Of two normal variables tau is 2/pi asin(rho); here systems are what is drawn, and their values are known.
    rng = np.random.default_rng(5)
    true = 2 / pi * asin(correlation)
    runs, held = 200, 0
    for _ in range(runs):
        first = rng.normal(size=systems)
        second = correlation * first + sqrt(1 - correlation**2) * rng.normal(size=systems)
        found = rank_agreement_interval(
            first, ndtr(second), np.full(systems, 10**6), np.ones((systems, systems))
        )
        held += found.low <= true <= found.high
    assert held / runs >= 0.95 - 3 * sqrt(0.95 * 0.05 / runs)


def test_a_perfect_order_of_few_checked_items_is_doubted():
    estimate, true = [1, 2, 3, 4], [0.4, 0.5, 0.6, 0.7]
    weights = np.ones((4, 4))
    few = rank_agreement_interval(estimate, true, [10] * 4, weights)
    many = rank_agreement_interval(estimate, true, [10**6] * 4, weights)
    assert few.low < 0.5 < few.high == 1
    assert many.low == many.high == 1


def test_an_order_that_is_a_tie_has_no_correlation():
    assert rank_agreement_interval([1, 1], [0.1, 0.2], [5, 5], np.ones((2, 2))) is None


def left_out(estimated, true):
    """The jackknife's standard error of tau-b, by SciPy's tau of all systems but one."""
    taus = []
    for out in range(len(true)):
        tau = kendalltau(np.delete(estimated, out), np.delete(true, out)).statistic
        if not np.isnan(tau):
            taus.append(tau)
    if len(taus) < 2:
        return 0.0
    return sqrt((len(taus) - 1) / len(taus) * sum((tau - np.mean(taus)) ** 2 for tau in taus))


@pytest.mark.parametrize("systems", [5, 9])
def test_of_many_items_it_is_the_jackknife_over_systems(systems):
    rng = np.random.default_rng(systems)
    true = rng.random(systems).round(1)  # with ties
    estimated = (true + 0.3 * rng.random(systems)).round(1)
    error = left_out(estimated, true)
    tau = kendalltau(estimated, true).statistic
    reach = t.ppf(0.95, systems - 1) * error / (1 - tau**2)
    weights = np.ones((systems, systems))
    found = rank_agreement_interval(estimated, true, np.full(systems, 1e12), weights, level=0.9)
    assert error > 0
    assert found.low == pytest.approx(np.tanh(np.arctanh(tau) - reach), abs=1e-3)
    assert found.high == pytest.approx(np.tanh(np.arctanh(tau) + reach), abs=1e-3)


def test_systems_of_which_one_makes_all_the_order_have_no_error_of_their_own():
    # Without the last system all others tie, and tau is undefined; without any other it is what it was.
    found = rank_agreement_interval([1, 1, 1, 1, 2], [0.1] * 4 + [0.9], [1e12] * 5, np.ones((5, 5)))
    assert found is not None
    assert found.low > 0.5
