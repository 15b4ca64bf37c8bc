"""Means over queries in clusters and with weights: by leaving out in a loop, by hand, and by every pattern of signs."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from karat.doubt.bounds.query_mean import CAUTION, is_small, query_mean
from karat.doubt.query_spread import described, query_spread, unit_sums
from karat.doubt.tests.over_queries import no_worse_over_queries, paired_t, randomisation
from karat.tally.scores.query_units import QueryUnits

RANDOM = np.random.default_rng(19)
VALUES = RANDOM.beta(2, 2, size=12)
CLUSTER = np.array([0, 0, 0, 1, 1, 2, 3, 3, 3, 3, 4, 4])
WEIGHT = RANDOM.uniform(0.5, 3, size=12)


def units(cluster=None, weight=None):
    size = len(VALUES) if cluster is None else len(cluster)
    return QueryUnits(tuple(map(str, range(size))), cluster, weight)


def left_out(values, cluster, weight):
    """The weighted mean, and its jackknife error, with a loop over clusters."""
    whole = np.average(values, weights=weight)
    names = sorted(set(cluster.tolist()))
    squares = 0.0
    for name in names:
        rest = cluster != name
        squares += (np.average(values[rest], weights=weight[rest]) - whole) ** 2
    return whole, np.sqrt((len(names) - 1) / len(names) * squares)


@pytest.mark.parametrize("clustered", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_the_interval_is_that_of_leaving_out_cluster_after_cluster(clustered, weighted):
    cluster = CLUSTER if clustered else np.arange(12)
    weight = WEIGHT if weighted else np.ones(12)
    given = units(CLUSTER if clustered else None, WEIGHT if weighted else None)
    mean, error = left_out(VALUES, cluster, weight)
    of_units = np.bincount(cluster, weight)
    freedom = of_units.sum() ** 2 / (of_units**2).sum() - 1
    reach = stats.t.ppf(0.975, freedom) * error
    _, alone = left_out(VALUES, np.arange(12), weight)
    freedom_alone = weight.sum() ** 2 / (weight**2).sum() - 1
    reach = max(reach, stats.t.ppf(0.975, freedom_alone) * alone)
    found = query_mean(VALUES, units=given)
    assert (float(found.low), float(found.high)) == pytest.approx((mean - reach, mean + reach))
    assert found.caution == CAUTION


def test_equal_clusters_of_equal_queries_are_as_many_single_ones():
    """Four queries twice each are four queries: t with three degrees of freedom, not with seven."""
    four = np.array([0.2, 0.5, 0.9, 0.4])
    twice = query_mean(np.repeat(four, 2), units=units(np.repeat(np.arange(4), 2)))
    once = query_mean(four)
    assert (float(twice.low), float(twice.high)) == pytest.approx(
        (float(once.low), float(once.high))
    )
    assert twice.method == "t over 8 queries in 4 clusters"


def test_clusters_never_make_an_interval_narrower_than_independent_queries():
    """Two clusters with the same mean show no spread; the queries within them do."""
    values = np.array([0.1, 0.9, 0.1, 0.9])
    clustered = query_mean(values, units=units(np.array([0, 0, 1, 1])))
    alone = query_mean(values)
    assert (float(clustered.low), float(clustered.high)) == (float(alone.low), float(alone.high))


def test_a_weight_of_two_counts_twice_in_the_mean_and_none_not_at_all():
    weight = np.array([2.0, 1.0, 0.0])
    sums = unit_sums(np.array([[0.3], [0.6], [0.9]]), units(np.arange(3), weight))
    assert float(sums.mean()[0]) == pytest.approx(0.4)
    assert len(sums.weight) == 2
    assert sums.effective == pytest.approx(9 / 5)


def test_one_cluster_tells_nothing():
    found = query_mean(VALUES, units=units(np.zeros(12, int)))
    assert (float(found.low), float(found.high), found.method) == (0, 1, "one cluster")
    gaps = VALUES[:, None] - 0.5
    one = units(np.zeros(12, int))
    assert paired_t(gaps, one).tolist() == [1]
    assert no_worse_over_queries(gaps, one, margin=0.1).tolist() == [1]
    assert randomisation(gaps, one).tolist() == [1]


def test_two_queries_of_one_cluster_are_no_two_units():
    found = query_mean(np.array([0.2, 0.6]), units=units(np.zeros(2, int)))
    assert found.method == "one cluster"


def test_fifty_equal_clusters_are_not_few():
    assert not is_small(100, units(np.repeat(np.arange(50), 2)))
    assert is_small(98, units(np.repeat(np.arange(49), 2)))
    assert (is_small(49, None), is_small(50, None)) == (True, False)


def test_equal_values_of_three_clusters_are_three_trials():
    found = query_mean(np.full(6, 0.5), units=units(np.array([0, 0, 1, 1, 2, 2])))
    seen = 0.025 ** (1 / 3)
    assert (float(found.low), float(found.high)) == pytest.approx((0.5 * seen, 1 - 0.5 * seen))
    assert no_worse_over_queries(
        np.zeros((6, 1)), units(np.array([0, 0, 1, 1, 2, 2])), margin=0.1
    ) == pytest.approx([0.9**3])


def test_signs_change_by_cluster_and_differences_count_by_weight():
    gaps = VALUES - 0.42
    sums = [float((WEIGHT * gaps)[name == CLUSTER].sum()) for name in range(5)]
    as_far = 0
    for signs in product([1, -1], repeat=5):
        total = sum(sign * value for sign, value in zip(signs, sums, strict=True))
        as_far += abs(total) >= abs(sum(sums)) - 1e-12
    found = randomisation(gaps[:, None], units(CLUSTER, WEIGHT))
    assert found == pytest.approx([as_far / 32])


def test_students_test_rejects_where_the_interval_leaves_zero_out():
    gaps = RANDOM.normal(0.1, 0.3, size=(12, 40))
    given = units(CLUSTER, WEIGHT)
    p_values = paired_t(gaps, given)
    for column, p_value in zip(gaps.T, p_values, strict=True):
        interval = query_mean(column, level=1 - p_value, low=-9, high=9, units=given)
        edge = min(abs(float(interval.low)), abs(float(interval.high)))
        assert edge == pytest.approx(0, abs=1e-9)


def test_no_worse_is_the_one_sided_test_of_the_shifted_difference():
    gaps = RANDOM.normal(0.1, 0.3, size=(12, 5))
    given = units(CLUSTER)
    shifted = query_spread(gaps + 0.2, given)
    expected = paired_t(gaps + 0.2, given) / 2
    expected = np.where(shifted.mean > 0, expected, 1 - expected)
    assert no_worse_over_queries(gaps, given, margin=0.2) == pytest.approx(expected)


def test_what_a_mean_is_over_is_said():
    assert described(12, units(CLUSTER)) == "12 queries in 5 clusters"
    assert described(12, units(None, WEIGHT)) == "12 weighted queries"
    assert described(12, units(CLUSTER, WEIGHT)) == "12 weighted queries in 5 clusters"
