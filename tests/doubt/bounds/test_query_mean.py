"""The mean over queries: its numbers by hand and by another tool."""

import numpy as np
import pytest
from scipy import stats

import karat
from karat.doubt.bounds.query_mean import query_mean

VALUES = np.array([0.2, 0.5, 0.9, 0.4, 0.6])


def test_the_interval_is_students():
    """Mean 0.52, standard deviation 0.2588, t with 4 degrees of freedom 2.7764: 0.52 ± 0.3214."""
    found = query_mean(VALUES)
    assert (float(found.low), float(found.high)) == pytest.approx((0.1986, 0.8414), abs=5e-5)
    oracle = stats.t.interval(0.9, 4, VALUES.mean(), stats.sem(VALUES))
    wide = query_mean(VALUES, level=0.9)
    assert (float(wide.low), float(wide.high)) == pytest.approx(oracle)


def test_values_without_spread_are_bounded_by_their_number():
    found = query_mean(np.full(4, 0.5))
    seen = 0.025 ** (1 / 4)
    assert (float(found.low), float(found.high)) == pytest.approx((0.5 * seen, 1 - 0.5 * seen))


def test_one_query_tells_nothing():
    found = query_mean(np.array([0.7]))
    assert (float(found.low), float(found.high)) == (0, 1)


def test_the_value_is_the_mean_over_queries_not_over_documents():
    """AP of the first query (1/2 + 2/3) / 2, of the second, with one document, 1; of the third 1/4."""
    table = {
        "item": ["a", "b", "c", "d", "e", "f", "g", "h"],
        "query": ["q1", "q1", "q1", "q2", "q3", "q3", "q3", "q3"],
        "truth": [0, 1, 1, 1, 0, 0, 0, 1],
        "s": [0.9, 0.5, 0.1, 0.7, 0.9, 0.8, 0.7, 0.6],
    }
    (row,) = karat.read(table).retrieval(measure="AP").rows()
    each = np.array([7 / 12, 1.0, 1 / 4])
    assert row["value"] == pytest.approx(each.mean())
    assert row["low"] == pytest.approx(
        max(0, stats.t.interval(0.95, 2, each.mean(), stats.sem(each))[0])
    )
    assert row["queries"] == 3


def test_another_range_and_two_queries():
    found = query_mean(np.full(3, 0.5), low=-1.0)
    seen = 0.025 ** (1 / 3)
    assert (float(found.low), float(found.high)) == pytest.approx((-1 + 1.5 * seen, 1 - 0.5 * seen))
    two = query_mean(np.array([0.50, 0.52]))
    oracle = stats.t.interval(0.95, 1, 0.51, 0.01)
    assert (float(two.low), float(two.high)) == pytest.approx(oracle)
