"""Items for areas: the bivariate normal distribution of SciPy, areas of simulated scores, and intervals as they are."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtri

import karat
from karat.doubt.bounds.binormal_score import binormal_score
from karat.errors import OptionError
from karat.planning.areas import (
    area_covariance,
    area_power,
    items_for_area,
    items_for_areas,
    width_of_area,
)
from karat.tally.scores.packed_curve import curve_of


@pytest.mark.parametrize(
    ("first", "second", "correlation"),
    [(0.8, 0.7, 0.5), (0.5, 0.5, 0.3), (0.99, 0.6, 0.9), (0.9, 0.9, 0.0), (0.5, 0.8, 0.4)],
)
def test_the_covariance_is_that_of_scipys_normal_distribution(first, second, correlation):
    h = ndtri([first, second])

    def in_order(r):
        both = stats.multivariate_normal(cov=[[1, r], [r, 1]], allow_singular=True)
        return both.cdf(h) - first * second

    m, n = 30, 70
    expected = (in_order(correlation) + (m + n - 2) * in_order(correlation / 2)) / (m * n)
    found = area_covariance(first, second, m, n, correlation=correlation)
    assert found == pytest.approx(expected, abs=1e-8)


def test_the_covariance_is_that_of_simulated_areas():
    random = np.random.default_rng(1)
    runs, m, n = 4000, 20, 30
    both = [[1, 0.6], [0.6, 1]]
    apart = np.sqrt(2) * ndtri([0.85, 0.75])
    areas = np.empty((runs, 2))
    for run in range(runs):
        positive = random.multivariate_normal(apart, both, m)
        negative = random.multivariate_normal([0, 0], both, n)
        areas[run] = (positive[:, None] > negative[None]).mean(axis=(0, 1))
    covariance = np.cov(areas.T)
    expected = np.empty((2, 2))
    for i, one in enumerate((0.85, 0.75)):
        for j, other in enumerate((0.85, 0.75)):
            correlation = 1 if i == j else 0.6
            expected[i, j] = area_covariance(one, other, m, n, correlation=correlation)
    # The standard error of a variance of 4,000 areas is 2.2 % of it.
    assert covariance == pytest.approx(expected, rel=0.09)


@pytest.mark.parametrize(("area", "m", "n"), [(0.9, 80, 80), (0.7, 60, 300), (0.97, 50, 450)])
def test_the_width_is_the_mean_width_of_the_intervals_of_simulated_scores(area, m, n):
    random = np.random.default_rng(2)
    labels = np.arange(m + n) < m
    widths = []
    for _ in range(200):
        scores = random.normal(labels * np.sqrt(2) * ndtri(area))
        found = binormal_score(curve_of(labels, scores))
        widths.append(float(found.high - found.low))
    error = np.std(widths) / np.sqrt(len(widths))
    assert np.mean(widths) == pytest.approx(width_of_area(area, m, n), rel=0.03, abs=4 * error)


def test_the_fewest_items_are_just_enough():
    planned = items_for_area(0.85, 0.08, prevalence=0.2)
    m, n = planned.positives, planned.negatives
    assert n == pytest.approx(4 * m, abs=4)
    assert width_of_area(0.85, m, n) <= 0.08 < width_of_area(0.85, m - 1, n - 4)
    told = items_for_areas(0.85, 0.8, prevalence=0.2, correlation=0.4, power=0.9)
    m, n = told.positives, told.negatives
    powers = [area_power(0.85, 0.8, m - k, n - 4 * k, correlation=0.4) for k in (0, 1)]
    assert powers[1] < 0.9 <= powers[0]


def test_more_is_needed_where_less_is_seen():
    base = items_for_areas(0.9, 0.85).items
    assert items_for_areas(0.85, 0.9).items == base
    assert items_for_areas(0.9, 0.85, correlation=0.5).items < base
    assert items_for_areas(0.9, 0.85, power=0.9).items > base
    assert items_for_areas(0.9, 0.85, level=0.99).items > base
    assert items_for_areas(0.9, 0.87).items > base
    assert items_for_areas(0.9, 0.85, prevalence=0.05).items > base
    assert items_for_areas(0.9, 0.9).items is None


def test_plan_names_both_sides_and_clusters_ask_for_more():
    (row,) = karat.plan(area=[0.9], width=0.1).rows()
    assert (row["positives"], row["negatives"], row["trials"]) == (78, 78, 156)
    assert row["expected_width"] <= 0.1
    (row,) = karat.plan(area=[0.9, 0.85], score_correlation=0.5).rows()
    assert (row["positives"], row["negatives"], row["power"]) == (213, 213, 0.8)
    assert 0.8 <= row["attained"] < 0.81
    (row,) = karat.plan(area=[0.9, 0.85], cluster_size=10, correlation=0.2).rows()
    assert (row["independent_trials"], row["design_effect"]) == (726, pytest.approx(2.8))
    assert row["trials"] == row["positives"] + row["negatives"] == 2 * 1017


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"area": [0.9]}, "this is not a question to plan for"),
        ({"area": [0.9, 0.8], "width": 0.1}, "this is not a question to plan for"),
        ({"area": [0.4], "width": 0.1}, "from 0.5 up to below 1"),
        ({"area": [0.9], "width": 0.0}, "width= is 0; it lies between 0 and 1"),
        ({"area": [0.9], "width": 0.1, "power": 0.9}, "takes neither"),
        ({"area": [0.9], "width": 0.1, "prevalence": 1.0}, "prevalence= is 1"),
        ({"area": [0.9, 0.8], "score_correlation": 1.0}, "from 0 up to below 1"),
        ({"alone": [0.1, 0.2], "prevalence": 0.1}, "are for areas"),
    ],
)
def test_what_cannot_be_planned_is_refused(options, words):
    with pytest.raises(OptionError, match=words):
        karat.plan(**options)


def test_a_width_that_no_number_of_items_reaches_is_told() -> None:
    plan = karat.plan(area=[0.9], width=1e-5)
    assert plan.rows()[0]["positives"] is None
    assert "No number of items is enough." in str(plan)
