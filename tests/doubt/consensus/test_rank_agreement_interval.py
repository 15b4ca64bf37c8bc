"""The interval of a rank correlation with the truth."""

from math import asin, pi, sqrt

import numpy as np
import pytest
from scipy.special import ndtr

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
