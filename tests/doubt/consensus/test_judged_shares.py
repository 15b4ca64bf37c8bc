"""Shares by strata, Rogan and Gladen's correction, and samples that are none: against plain loops and simulations."""

from math import comb, sqrt

import numpy as np
import pytest
from scipy import stats

from karat.doubt.consensus.random_sample import Feature, sample_check
from karat.doubt.consensus.rogan_gladen import rogan_gladen
from karat.doubt.consensus.stratified_share import stratified_share


def slow_share(right, checked, items, total, level):
    error = (1 - level) / 2
    value = below = above = squares = 0.0
    for x, n, size in zip(right, checked, items, strict=True):
        share = size / total
        p = x / n if n else 0.5
        low = stats.beta(x + 0.5, n - x + 0.5).ppf(error) if x else 0.0
        high = stats.beta(x + 0.5, n - x + 0.5).ppf(1 - error) if x < n else 1.0
        value += share * p
        below += share**2 * (p - low) ** 2
        above += share**2 * (high - p) ** 2
        squares += share * p**2
    of_shares = stats.norm.ppf(error) ** 2 * (squares - value**2) / total
    return value, max(0, value - sqrt(below + of_shares)), min(1, value + sqrt(above + of_shares))


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_a_share_by_strata_is_that_of_plain_loops(level):
    random = np.random.default_rng(1)
    for _ in range(40):
        checked = random.integers(0, 30, 3)
        right = random.binomial(checked, 0.7)
        items = checked + random.integers(0, 200, 3)
        total = int(items.sum() + random.integers(0, 50)) or 1
        value, interval = stratified_share(right, checked, items, np.array(total), level=level)
        found = (float(value), float(interval.low), float(interval.high))
        assert found == pytest.approx(slow_share(right, checked, items, total, level))


def test_several_systems_at_once_are_each_by_itself():
    right = np.array([[8, 1], [5, 5]])
    checked = np.array([[9, 4], [9, 8]])
    items = np.array([[90, 30], [70, 50]])
    values, interval = stratified_share(right, checked, items)
    for place in range(2):
        value, alone = stratified_share(right[place], checked[place], items[place])
        assert values[place] == pytest.approx(float(value))
        assert interval.low[place] == pytest.approx(float(alone.low))


def test_a_judge_that_never_errs_needs_no_correction():
    value, interval = rogan_gladen((600, 1000), (5000, 5000), (5000, 5000))
    assert value == pytest.approx(0.6)
    wald = 1.96 * sqrt(0.6 * 0.4 / 1000)
    assert float(interval.high - interval.low) == pytest.approx(2 * wald, rel=0.02)


def test_a_judge_no_better_than_chance_says_nothing():
    value, interval = rogan_gladen((600, 1000), (50, 100), (50, 100))
    assert value is None
    assert (float(interval.low), float(interval.high)) == (0, 1)
    assert rogan_gladen((600, 1000), (0, 0), (50, 100))[0] is None


def test_rogan_and_gladens_worked_formula():
    # (.6 + .8 - 1) / (.9 + .8 - 1), by hand.
    assert rogan_gladen((600, 1000), (90, 100), (80, 100))[0] == pytest.approx(0.4 / 0.7)


@pytest.mark.parametrize(
    ("share", "sensitivity", "specificity", "right", "wrong"),
    [(0.6, 0.9, 0.8, 60, 40), (0.95, 0.95, 0.6, 95, 5), (0.05, 0.95, 0.6, 5, 95)],
)
def test_the_interval_of_rogan_and_gladen_holds(share, sensitivity, specificity, right, wrong):
    random = np.random.default_rng(2)
    runs = 500
    held = 0
    for _ in range(runs):
        passing = share * sensitivity + (1 - share) * (1 - specificity)
        _, interval = rogan_gladen(
            (random.binomial(1000, passing), 1000),
            (random.binomial(right, sensitivity), right),
            (random.binomial(wrong, specificity), wrong),
        )
        held += float(interval.low) <= share <= float(interval.high)
    assert held / runs > 0.95 - 3 * sqrt(0.95 * 0.05 / runs)


def test_the_sample_check_is_hypergeometric():
    """By hand: 9 of 10 labelled and 30 of 90 others; under random sampling P(X >= 9), doubled, for two features."""
    ways = sum(comb(39, k) * comb(61, 10 - k) for k in (9, 10))
    found = sample_check([Feature("a", 9, 10, 30, 90), Feature("b", 5, 10, 45, 90)])
    assert found.feature.name == "a"
    assert found.p_value == pytest.approx(2 * 2 * ways / comb(100, 10))
    assert found.features == 2


def test_random_samples_are_seldom_called_otherwise():
    random = np.random.default_rng(4)
    runs = 400
    alarms = 0
    for _ in range(runs):
        drawn = random.hypergeometric([600, 1200, 1700], [1400, 800, 300], 50)
        whole = (600, 1200, 1700)
        features = [
            Feature(str(place), int(k), 50, whole[place] - int(k), 1950)
            for place, k in enumerate(drawn)
        ]
        alarms += sample_check(features).p_value <= 0.05
    assert alarms / runs < 0.05 + 3 * sqrt(0.05 * 0.95 / runs)


def test_without_others_there_is_nothing_to_compare():
    assert sample_check([Feature("a", 3, 10, 0, 0)]) is None
