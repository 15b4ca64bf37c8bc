"""The mean over items and F by its posterior: by hand, and by SciPy's distributions."""

import numpy as np
import pytest
from scipy import stats

from karat.doubt.bounds.dirichlet import dirichlet
from karat.doubt.bounds.item_mean import item_mean
from karat.measure.cells import Cells
from karat.measure.item_mean import ItemMean

VALUES = np.array([0.1, 0.4, 0.2, 0.9])


def ends(values, number=None, **options):
    each = np.ones(len(values), np.int64) if number is None else np.array(number)
    found = item_mean(ItemMean(np.asarray(values, float), each), **options)
    return float(found.low), float(found.high)


def test_half_an_item_at_each_end_is_added_to_the_spread():
    """Mean 0.4, squares 0.38, of the sum 4/3 · 0.38 + (0.4² + 0.6²) / 2: 0.7667; error √0.7667 / 4, t(3) 3.1824."""
    error = np.sqrt(4 / 3 * 0.38 + (0.4**2 + 0.6**2) / 2) / 4
    reach = stats.t.ppf(0.95, 3) * error
    assert ends(VALUES, level=0.9) == pytest.approx((max(0, 0.4 - reach), min(1, 0.4 + reach)))
    low, high = ends(np.tile(VALUES, 30), level=0.9)
    error = np.sqrt(120 / 119 * 30 * 0.38 + 0.26) / 120
    reach = stats.t.ppf(0.95, 119) * error
    assert (low, high) == pytest.approx((0.4 - reach, 0.4 + reach))


def test_equal_values_are_bounded_by_how_many_there_are():
    """A share 1 - 0.025^(1/5) of other items could have gone unseen, and these be at an end of the range."""
    seen = 0.025 ** (1 / 5)
    assert ends([0.3], [5]) == pytest.approx((0.3 * seen, 1 - 0.7 * seen))


def test_another_range():
    """From -1 to 3: half an item at each end adds ((0.4 + 1)² + (3 - 0.4)²) / 2 = 4.36."""
    reach = stats.t.ppf(0.975, 39) * np.sqrt(40 / 39 * 10 * 0.38 + 4.36) / 40
    found = ends(np.tile(VALUES, 10), low=-1.0, high=3.0)
    assert found == pytest.approx((0.4 - reach, 0.4 + reach))
    seen = 0.025 ** (1 / 5)
    same = ends([0.3], [5], low=-1.0, high=3.0)
    assert same == pytest.approx((-1 + 1.3 * seen, 3 - 2.7 * seen))


def test_a_number_without_an_upper_end_has_no_half_item():
    low, high = ends(np.tile(VALUES, 10), high=np.inf)
    reach = stats.t.ppf(0.975, 39) * np.sqrt(40 / 39 * 10 * 0.38) / 40
    assert (low, high) == pytest.approx((0.4 - reach, 0.4 + reach))


def test_two_items_have_an_interval_and_one_has_none():
    low, high = ends([0.5, 0.5])
    assert (low, high) == pytest.approx((0.5 * 0.025**0.5, 1 - 0.5 * 0.025**0.5))
    assert ends([0.5]) == (0, 1)


def test_f_by_its_posterior_is_that_of_scipys_dirichlet():
    cells = Cells(np.array([8.0]), np.array([3.0]), np.array([5.0]), 2.0)
    found = dirichlet(cells, draws=40_000)
    drawn = stats.dirichlet.rvs([8.5, 3.5, 5.5], size=40_000, random_state=1)
    f = 5 * drawn[:, 0] / (5 * drawn[:, 0] + 4 * drawn[:, 1] + drawn[:, 2])
    low, high = np.quantile(f, [0.025, 0.975])
    # 40,000 draws: the standard error of either quantile is below 0.002.
    assert (float(found.low[0]), float(found.high[0])) == pytest.approx((low, high), abs=0.006)


def test_f_without_a_hit_begins_at_0_and_without_an_error_ends_at_1():
    cells = Cells(
        np.array([0.0, 5.0, 5.0]), np.array([3.0, 0.0, 1.0]), np.array([2.0, 0.0, 0.0]), 2.0
    )
    found = dirichlet(cells)
    assert found.low[0] == 0
    assert 0 < found.high[0] < 1
    assert found.high[1] == 1
    assert 0 < found.low[1] < 1
    assert found.high[2] < 1


def test_f_of_nothing_may_be_anything():
    nothing = np.zeros(1)
    found = dirichlet(Cells(nothing, nothing, nothing, 2.0))
    assert (float(found.low[0]), float(found.high[0])) == (0, 1)
