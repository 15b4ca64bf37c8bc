"""Intervals of a difference from those of both numbers: closed forms for normal ones, and the ends they are made of."""

import math

import numpy as np
import pytest
from scipy import stats

from karat.doubt.tests.mover import BoundedValue, correlation_of, mover


@pytest.mark.parametrize("correlation", [-0.7, 0.0, 0.4])
def test_of_two_normal_numbers_it_is_the_interval_of_their_difference(correlation):
    z = stats.norm.ppf(0.975)
    first = BoundedValue(0.8, 0.8 - z * 0.03, 0.8 + z * 0.03)
    second = BoundedValue(0.7, 0.7 - z * 0.05, 0.7 + z * 0.05)
    variance = 0.03**2 + 0.05**2 - 2 * correlation * 0.03 * 0.05
    reach = z * math.sqrt(variance)
    found = mover(first, second, correlation=correlation)
    assert found == pytest.approx((0.1 - reach, 0.1 + reach))


def test_each_end_goes_by_the_end_of_each_number_on_that_side():
    found = mover(BoundedValue(0.9, 0.6, 0.94), BoundedValue(0.5, 0.42, 0.9))
    # Downwards 0.3 and 0.4, upwards 0.04 and 0.08.
    assert found == pytest.approx((0.4 - 0.5, 0.4 + math.hypot(0.04, 0.08)))


def test_numbers_that_only_move_together_differ_by_a_certain_amount():
    same = BoundedValue(0.5, 0.4, 0.6), BoundedValue(0.3, 0.2, 0.4)
    assert mover(*same, correlation=1.0) == pytest.approx((0.2, 0.2))


def test_the_correlation_is_that_of_the_numbers_drawn():
    drawn = np.random.default_rng(1).multivariate_normal([0, 0], [[4, 1], [1, 9]], 500)
    one, other = drawn.T
    found = correlation_of(one.var(), other.var(), (one - other).var())
    assert found == pytest.approx(np.corrcoef(one, other)[0, 1])


def test_a_correlation_is_at_most_1_and_0_where_a_number_does_not_vary():
    assert correlation_of(1.0, 1.0, 5.0) == -1.0
    assert correlation_of(1.0, 4.0, 0.0) == 1.0
    assert correlation_of(0.0, 4.0, 3.0) == 0.0
    assert correlation_of(4.0, 0.0, 3.0) == 0.0
