"""Paired differences over queries: against every pattern of signs, SciPy, and simulation."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from karat.doubt.tests import over_queries
from karat.doubt.tests.over_queries import (
    enough_draws,
    no_worse_over_queries,
    paired_t,
    randomisation,
)

RANDOM = np.random.default_rng(5)


def slow_randomisation(differences):
    """Every pattern of signs, one after the other."""
    observed = abs(sum(differences))
    as_far = 0
    for signs in product([1, -1], repeat=len(differences)):
        total = abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        as_far += total >= observed - 1e-9
    return as_far / 2 ** len(differences)


@pytest.mark.parametrize("number", [1, 2, 5, 9])
def test_all_signs_are_tried_for_few_queries(number):
    # Tenths have many sums that are equal but for rounding.
    differences = RANDOM.integers(-5, 6, size=(number, 8)) / 10
    expected = [slow_randomisation(column.tolist()) for column in differences.T]
    assert randomisation(differences) == pytest.approx(expected, abs=1e-12)


def test_drawn_signs_agree_with_all_of_them():
    differences = RANDOM.normal(0.2, 0.5, size=(14, 6))
    exact = randomisation(differences)
    # Three zeros more change no sum, and are too many for all signs.
    padded = np.concatenate([differences, np.zeros((3, 6))])
    drawn = randomisation(padded, draws=40_000, seed=1)
    error = np.sqrt(exact * (1 - exact) / 40_000)
    assert np.all(np.abs(drawn - exact) <= 4.5 * error + 1 / 40_000)


def test_the_same_signs_give_the_same_p_values_whatever_else_is_compared():
    differences = RANDOM.normal(size=(30, 5))
    together = randomisation(differences, draws=500, seed=3)
    alone = [randomisation(differences[:, [place]], draws=500, seed=3)[0] for place in range(5)]
    assert together.tolist() == alone
    assert randomisation(-differences, draws=500, seed=3).tolist() == together.tolist()


def test_students_test_is_that_of_scipy():
    differences = RANDOM.normal(0.1, 0.4, size=(25, 7))
    expected = stats.ttest_1samp(differences, 0).pvalue
    assert paired_t(differences) == pytest.approx(expected, rel=1e-10)
    one_sided = stats.ttest_1samp(differences, -0.05, alternative="greater").pvalue
    assert no_worse_over_queries(differences, margin=0.05) == pytest.approx(one_sided, rel=1e-9)


def test_two_queries_are_enough_for_students_test():
    differences = np.array([[0.1, 0.4], [0.3, -0.1]])
    expected = stats.ttest_1samp(differences, 0).pvalue
    assert paired_t(differences) == pytest.approx(expected, rel=1e-10)
    one_sided = stats.ttest_1samp(differences, -0.05, alternative="greater").pvalue
    assert no_worse_over_queries(differences, margin=0.05) == pytest.approx(one_sided, rel=1e-9)


def test_signs_drawn_in_parts_are_as_many_as_were_asked_for(monkeypatch):
    """One query that differs is as far whatever its sign: every draw counts, and none twice."""
    monkeypatch.setattr(over_queries, "AT_ONCE", 170)
    differences = np.zeros((17, 1))
    differences[3] = 0.5
    assert randomisation(differences, draws=95).tolist() == [1.0]


def test_differences_that_are_all_the_same_do_not_divide_by_nothing():
    flat = np.tile([0.0, 0.1, -0.3], (6, 1))
    assert paired_t(flat) == pytest.approx([1, 2 / 2**6, 2 / 2**6])
    assert randomisation(flat) == pytest.approx([1, 2 / 2**6, 2 / 2**6])
    unseen = no_worse_over_queries(flat, margin=0.1)
    assert unseen == pytest.approx([0.9**6, (0.9 / 1.1) ** 6, 1.0])


def test_one_query_or_none_decides_nothing():
    for number in (0, 1):
        differences = np.ones((number, 2))
        for p_values in (
            paired_t(differences),
            randomisation(differences),
            no_worse_over_queries(differences, margin=0.1),
        ):
            assert p_values.tolist() == [1.0, 1.0]


def test_many_pairs_are_drawn_more_often_than_holm_needs():
    draws = enough_draws(2000, 666, level=0.95)
    assert draws == 100_000
    assert 666 / draws < 0.05


@pytest.mark.parametrize("number", [10, 40])
def test_equal_runs_are_called_different_as_often_as_promised(number):
    """Average precision of two runs that are equally good: skewed, many queries easy and few hard."""
    random = np.random.default_rng(number)
    runs = 1500
    first = random.beta(0.6, 1.4, size=(number, runs))
    second = random.beta(0.6, 1.4, size=(number, runs))
    limit = 0.05 + 3.3 * np.sqrt(0.05 * 0.95 / runs)
    assert (paired_t(first - second) <= 0.05).mean() <= limit
    assert (randomisation(first - second, draws=1000) <= 0.05).mean() <= limit
