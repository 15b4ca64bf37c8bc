"""Probabilities of ranks and differences over groups: counted by loops, draw by draw and group by group."""

import math

import numpy as np
import pytest
from scipy import stats

from karat.doubt.resampling.difference_over_groups import difference_over_groups
from karat.doubt.resampling.joint import Joint
from karat.doubt.resampling.ranks import Ranks, ranks

SYSTEMS = ("a", "b", "c", "d")


def of(chance):
    return Ranks(SYSTEMS, np.array(chance), 0.0, "by hand")


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_a_rank_is_one_more_than_the_systems_strictly_before(lower_is_better):
    drawn = np.random.default_rng(1).integers(0, 5, (200, 4)).astype(float)
    found = ranks(Joint(SYSTEMS, drawn, "drawn"), lower_is_better=lower_is_better)
    wanted = np.zeros((4, 4))
    for row in drawn.tolist():
        for system, own in enumerate(row):
            before = sum(other < own if lower_is_better else other > own for other in row)
            wanted[system, before] += 1 / 200
    assert found.chance == pytest.approx(wanted)
    assert found.best() == pytest.approx(dict(zip(SYSTEMS, wanted[:, 0], strict=True)))
    errors = [math.sqrt(p * (1 - p) / 200) for p in wanted.ravel()]
    assert found.standard_error == pytest.approx(max(errors))


def test_the_central_ranks_leave_out_at_most_half_of_the_rest_at_each_end():
    found = of([[0.01, 0.03, 0.91, 0.05], [1, 0, 0, 0], [0.03, 0.47, 0.48, 0.02], [0, 0, 0.5, 0.5]])
    assert [found.range(system, level=0.9) for system in SYSTEMS] == [
        (3, 3),
        (1, 1),
        (2, 3),
        (3, 4),
    ]
    assert [found.range(system, level=0.95) for system in SYSTEMS] == [
        (2, 4),
        (1, 1),
        (1, 3),
        (3, 4),
    ]


def test_ranks_have_at_least_the_probability_of_their_level():
    random = np.random.default_rng(3)
    for _ in range(30):
        chance = random.dirichlet([0.5] * 4, 4)
        for place, system in enumerate(SYSTEMS):
            first, last = of(chance).range(system, level=0.8)
            assert chance[place, first - 1 : last].sum() >= 0.8 - 1e-9
            assert chance[place, : first - 1].sum() <= 0.1 + 1e-9
            assert chance[place, last:].sum() <= 0.1 + 1e-9


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_a_difference_over_groups_is_that_of_leaving_out_one_after_the_other(level):
    leads = np.array([2.0, -1.0, 3.0, 0.0, 4.0])
    items = np.array([30.0, 40.0, 20.0, 50.0, 60.0])
    whole = leads.sum() / items.sum()
    squares = 0.0
    for out in range(5):
        kept = [place for place in range(5) if place != out]
        squares += (leads[kept].sum() / items[kept].sum() - whole) ** 2
    reach = stats.t.ppf((1 + level) / 2, 4) * math.sqrt(4 / 5 * squares)
    found = difference_over_groups(leads, items, level=level)
    assert (float(found.low), float(found.high)) == pytest.approx((whole - reach, whole + reach))
    assert found.method == "jackknife over 5 groups"


def test_a_difference_over_groups_stays_between_minus_1_and_1():
    found = difference_over_groups(np.array([9.0, -9.0]), np.array([10.0, 10.0]))
    assert (float(found.low), float(found.high)) == (-1.0, 1.0)


def test_values_that_differ_by_rounding_only_are_tied():
    sums = [0.1 + 0.2, 0.3]
    assert sums[0] > sums[1]
    found = ranks(Joint(("a", "b"), np.array([sums]), ""))
    assert found.best() == {"a": 1, "b": 1}
    large = ranks(Joint(("a", "b"), 1e9 * np.array([sums, [0.3, 0.3 + 1e-9]]), ""))
    assert large.best() == {"a": 0.5, "b": 1}
