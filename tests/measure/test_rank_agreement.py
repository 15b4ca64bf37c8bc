"""Kendall's tau-b where pairs weigh differently, and how much a pair weighs."""

from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from scipy.stats import kendalltau

from karat.measure.rank_agreement import kendall, weights_of_pairs


def slow(first, second, weights):
    """Pair by pair, as the formula is written."""
    agreed = by_first = by_second = 0.0
    for j, k in combinations(range(len(first)), 2):
        one, other = np.sign(first[j] - first[k]), np.sign(second[j] - second[k])
        agreed += weights[j, k] * one * other
        by_first += weights[j, k] * abs(one)
        by_second += weights[j, k] * abs(other)
    return agreed / sqrt(by_first * by_second)


@pytest.mark.parametrize("seed", range(4))
def test_pairs_count_as_much_as_they_weigh(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 5, 9), rng.integers(0, 5, 9)
    weights = rng.random((9, 9))
    weights += weights.T
    assert kendall(first, second, weights) == pytest.approx(slow(first, second, weights))
    assert kendall(first, second) == pytest.approx(kendalltau(first, second).statistic)


def test_systems_known_by_as_many_items_weigh_the_same():
    weights = weights_of_pairs([0.9, 0.6, 0.8, 0.1], [40] * 4)
    assert weights == pytest.approx(np.full((4, 4), weights[0, 1]))


def test_a_system_known_by_three_items_weighs_little():
    rng = np.random.default_rng(0)
    values, items = np.append(rng.uniform(0.6, 0.9, 20), 0.0), np.append(np.full(20, 500), 3)
    weights = weights_of_pairs(values, items)
    assert weights[0, 20] < 0.25 * weights[0, 1]
    # The value of three items is the lowest, and by the estimate it is the highest: that is 20 of 210 pairs.
    estimate = np.append(values[:20], 1.0)
    assert kendall(estimate, values) == pytest.approx(1 - 2 * 20 / 210)
    assert kendall(estimate, values, weights) > 0.94


def test_the_variance_of_true_values_is_recovered():
    # Weights are 1 / (2 t² + v/n + v/n); with t = 0.1 and v = 0.21 as drawn, over many systems.
    rng = np.random.default_rng(1)
    true = np.clip(rng.normal(0.7, 0.1, 4000), 0, 1)
    items = rng.integers(5, 60, 4000)
    weights = weights_of_pairs(rng.binomial(items, true) / items, items)
    wanted = 1 / (2 * 0.1**2 + 0.21 / items[0] + 0.21 / items[1])
    assert weights[0, 1] == pytest.approx(wanted, rel=0.1)


def test_values_that_are_all_right_weigh_the_same():
    assert (weights_of_pairs([1.0, 1.0], [3, 9]) == 1).all()
