"""Newcombe's interval of a difference of two shares: the published number, and Wilson's bounds by SciPy."""

import pytest
from scipy import stats

from karat.doubt.tests.newcombe import newcombe


def test_the_interval_is_the_published_one():
    """Newcombe, Statistics in Medicine 17, 1998, table II, method 10: 56/70 less 48/80."""
    found = newcombe(56, 70, 48, 80)
    assert (float(found.low), float(found.high)) == pytest.approx((0.0524, 0.3339), abs=5e-5)


@pytest.mark.parametrize(("x1", "n1", "x2", "n2"), [(9, 10, 3, 10), (5, 56, 0, 29), (1, 7, 30, 31)])
def test_the_ends_are_made_of_scipys_wilson_bounds(x1, n1, x2, n2):
    l1, u1 = stats.binomtest(x1, n1).proportion_ci(0.9, method="wilson")
    l2, u2 = stats.binomtest(x2, n2).proportion_ci(0.9, method="wilson")
    p1, p2 = x1 / n1, x2 / n2
    low = p1 - p2 - ((p1 - l1) ** 2 + (u2 - p2) ** 2) ** 0.5
    high = p1 - p2 + ((u1 - p1) ** 2 + (p2 - l2) ** 2) ** 0.5
    found = newcombe(x1, n1, x2, n2, level=0.9)
    assert (float(found.low), float(found.high)) == pytest.approx((low, high))
