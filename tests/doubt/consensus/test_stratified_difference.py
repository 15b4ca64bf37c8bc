"""Two systems from a few checked items: against plain loops, exhaustive enumeration, and McNemar's mid-p test."""

from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from scipy import optimize, stats

from karat.doubt.consensus.stratified_difference import (
    Strata,
    lower_end,
    mid_p_low,
    p_not_above,
    pooled,
    stratified_difference,
)
from karat.doubt.tests.mid_p import mcnemar_mid_p
from karat.errors import OptionError


def one_pair(only_first, only_second, checked, items, total):
    counts = [np.array([part], float) for part in (only_first, only_second, checked, items)]
    return Strata(*counts, np.array([float(total)]))


def slow_mid_p(x, n, error):
    """The limit by a root finder on binomial tails."""
    if x == 0:
        return 0.0

    def tail(p):
        return stats.binom.sf(x, n, p) + stats.binom.pmf(x, n, p) / 2 - error

    return optimize.brentq(tail, 1e-15, 1 - 1e-15, xtol=1e-15)


def slow_low(only_first, only_second, checked, items, total, level):
    """The lower end, stratum by stratum as the docstring has it."""
    error = (1 - level) / 2
    value = below = squares = 0.0
    for b, c, m, n in zip(only_first, only_second, checked, items, strict=True):
        share = n / total
        t = (b - c) / (b + c) if b + c else 0.0
        r = (b + c) / m if m else 1.0
        t_low = 2 * slow_mid_p(b, b + c, error) - 1
        if t_low < 0:
            r_end = stats.beta(b + c + 0.5, m - b - c + 0.5).ppf(1 - error) if b + c < m else 1.0
        else:
            r_end = stats.beta(b + c + 0.5, m - b - c + 0.5).ppf(error) if b + c else 0.0
        low = r * t - sqrt(r**2 * (t - t_low) ** 2 + t_low**2 * (r - r_end) ** 2)
        value += share * r * t
        below += share**2 * (r * t - low) ** 2
        squares += share * (r * t) ** 2
    z = stats.norm.ppf(error)
    return value - sqrt(below + z**2 * (squares - value**2) / total)


@pytest.mark.parametrize("error", [1e-6, 0.005, 0.025, 0.2, 0.49])
@pytest.mark.parametrize("n", [1, 2, 7, 40, 900])
def test_mid_p_limits_are_those_of_binomial_tails(n, error):
    x = np.unique(np.linspace(0, n, 9).astype(int)).astype(float)
    found = mid_p_low(x, np.array(float(n)), np.array(error))
    assert found == pytest.approx([slow_mid_p(k, n, error) for k in x], rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_the_interval_is_that_of_plain_loops(level):
    random = np.random.default_rng(3)
    for _ in range(60):
        checked = random.integers(0, 20, 3)
        either = random.binomial(checked, 0.7)
        first = random.binomial(either, 0.6)
        items = checked + random.integers(1, 300, 3)
        total = int(items.sum() + random.integers(0, 1000))
        strata = one_pair(first, either - first, checked, items, total)
        found = stratified_difference(strata, level=level)
        low = slow_low(first, either - first, checked, items, total, level)
        high = -slow_low(either - first, first, checked, items, total, level)
        assert found.low[0] == pytest.approx(max(low, -1), abs=1e-9)
        assert found.high[0] == pytest.approx(min(high, 1), abs=1e-9)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_a_significant_difference_has_an_interval_without_zero(level):
    random = np.random.default_rng(5)
    checked = random.integers(0, 40, (300, 3)).astype(float)
    either = random.binomial(checked.astype(int), 0.8).astype(float)
    first = random.binomial(either.astype(int), 0.6).astype(float)
    strata = Strata(first, either - first, checked, checked + 50, checked.sum(axis=1) + 400)
    found = stratified_difference(strata, level=level)
    without_zero = (found.low > 0) | (found.high < 0)
    assert (without_zero == (found.p_value < 1 - level)).all()
    assert 0 < without_zero.mean() < 1
    assert ((found.low <= found.difference) & (found.difference <= found.high)).all()


def test_turned_round_it_is_the_same():
    strata = one_pair([8, 1, 2], [2, 6, 1], [12, 9, 4], [300, 200, 50], 5000)
    one = stratified_difference(strata)
    other = stratified_difference(strata.turned())
    assert one.low == pytest.approx(-other.high)
    assert one.difference == pytest.approx(-other.difference)
    assert one.p_value == pytest.approx(other.p_value)


def test_with_one_stratum_of_very_many_items_it_is_mcnemars_mid_p():
    for first, second, neither in ((9, 2, 3), (4, 0, 0), (7, 1, 9), (30, 18, 2)):
        checked = first + second + neither
        strata = one_pair([first], [second], [checked], [1e9], 4e9)
        found = stratified_difference(strata)
        assert found.p_value[0] == pytest.approx(float(mcnemar_mid_p(first, second)), abs=1e-6)


def test_the_one_sided_p_value_is_where_the_lower_end_meets_the_value():
    strata = one_pair([8, 1], [2, 6], [12, 9], [300, 200], 5000)
    p_value = p_not_above(strata, -0.05)
    assert lower_end(strata, p_value)[0] == pytest.approx(-0.05, abs=1e-9)


def test_what_nobody_checked_may_be_anything():
    found = stratified_difference(one_pair([5, 0], [1, 0], [6, 0], [60, 40], 100))
    assert found.high[0] - found.low[0] > 2 * 0.4
    nothing = stratified_difference(one_pair([0], [0], [0], [100], 100))
    assert (nothing.low[0], nothing.high[0], nothing.p_value[0]) == (-1, 1, 1)


def test_where_two_never_differ_the_difference_is_zero():
    found = stratified_difference(one_pair([0], [0], [0], [0], 100))
    assert (found.difference[0], found.low[0], found.high[0]) == (0, 0, 0)


def slow_pooled(strata):
    """Merge the strata with the fewest labels, one after the other, until none has fewer than three; sorted counts."""
    found = []
    for place in range(len(strata.total)):
        counts = [
            [float(part[place, k]) for part in (strata.checked, strata.items, strata.only_first)]
            for k in range(strata.items.shape[1])
            if strata.items[place, k]
        ]
        counts.sort(key=lambda one: one[:2])
        small = [one for one in counts if one[0] < 3]
        rest = [one for one in counts if one[0] >= 3]
        while small and rest and sum(one[0] for one in small) < 3:
            small.append(rest.pop(0))
        if small:
            rest.append([sum(column) for column in zip(*small, strict=True)])
        found.append(sorted(rest))
    return found


def test_strata_with_few_labels_are_pooled_and_others_are_not():
    random = np.random.default_rng(8)
    checked = random.integers(0, 7, (500, 4)).astype(float)
    items = checked + random.integers(0, 3, (500, 4)) * random.integers(1, 50, (500, 4))
    first = random.binomial(checked.astype(int), 0.5).astype(float)
    strata = Strata(first, checked - first, checked, items, items.sum(axis=1))
    found = pooled(strata)
    for place, merged in enumerate(slow_pooled(strata)):
        parts = (found.checked, found.items, found.only_first)
        kept = [[float(part[place, k]) for part in parts] for k in range(4)]
        assert sorted(one for one in kept if one[1]) == merged
    assert found.only_second.sum() == strata.only_second.sum()


@pytest.mark.parametrize("labels", [4, 5, 8, 13, 21, 40, 60])
def test_equal_systems_are_seldom_called_different_all_outcomes(labels):
    """Yes/no answers, so many labels on items on which the two differ, each being right on half of them."""
    first = np.arange(labels + 1.0)
    strata = Strata(
        first[:, None],
        labels - first[:, None],
        np.full((labels + 1, 1), float(labels)),
        np.full((labels + 1, 1), 1000.0),
        np.full(labels + 1, 10_000.0),
    )
    p_values = stratified_difference(strata).p_value
    chance = stats.binom.pmf(first, labels, 0.5)
    # McNemar's mid-p test is at most .07 for every number of labels up to 60; Jeffreys' limits gave .125 of 4.
    assert chance[p_values <= 0.05].sum() <= 0.0704


def test_two_strata_that_cancel_are_seldom_called_different_all_outcomes():
    """A judge with the first is right in 90 %, with the second in 80 %; the strata are such that nobody is better."""
    checked = (9, 7)
    right = (0.9, 0.2)
    items = np.array([0.6 / 0.8, 1.0])  # W (2 p - 1) is .6 and -.6
    items = 1000 * items
    chances, rows = [], []
    for one, other in product(range(checked[0] + 1), range(checked[1] + 1)):
        chance = 1.0
        for x, n, p in zip((one, other), checked, right, strict=True):
            chance *= comb(n, x) * p**x * (1 - p) ** (n - x)
        chances.append(chance)
        rows.append((one, other))
    first = np.array(rows, float)
    number = np.tile(np.array(checked, float), (len(rows), 1))
    strata = Strata(
        first, number - first, number, np.tile(items, (len(rows), 1)), np.full(len(rows), 20_000.0)
    )
    found = stratified_difference(strata)
    assert np.array(chances)[found.p_value <= 0.05].sum() < 0.06
    held = (found.low <= 0) & (found.high >= 0)
    # Here D is .75 * .8 - 1 * .6 = 0, in thousandths of all items.
    assert np.array(chances)[held].sum() > 0.94


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (([5], [2], [6], [10], 20), "more than checked"),
        (([5], [0], [6], [5], 20), "more than items"),
        (([5], [0], [6], [50], 20), "more than total"),
        (([-1], [0], [6], [50], 90), "a count is >= 0"),
        (([1, 2], [0], [6], [50], 90), "count for each stratum"),
    ],
)
def test_counts_that_cannot_be_are_refused(counts, words):
    with pytest.raises(OptionError, match=words):
        one_pair(*counts)
