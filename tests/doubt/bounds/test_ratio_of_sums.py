"""Intervals of ratios of sums: the formula unit by unit, what no unit tells apart, and the ends of the range."""

import math

import numpy as np
import pytest
from scipy import stats

from karat.doubt.bounds.ratio_of_sums import (
    difference_of_ratios,
    ratio_of_sums,
    skewed_ends,
    variance_of_ratio,
)
from karat.measure.ratios import Ratios

RANDOM = np.random.default_rng(4)
ERRORS = RANDOM.poisson(4, (15, 2)).astype(float)
WORDS = RANDOM.integers(10, 60, (15, 2)).astype(float)


def rates(*errors):
    """Texts of ten words with these errors, of one system or more."""
    above = np.array(errors, float).reshape(len(errors), -1)
    return Ratios(above, np.full(above.shape, 10.0))


def influences_of(errors, words):
    """How far each unit pulls the ratio, as the docstring has it, one after the other."""
    ratio = sum(errors) / sum(words)
    mean = sum(words) / len(words)
    return [
        (a - ratio * b) / mean / (1 - b / sum(words)) for a, b in zip(errors, words, strict=True)
    ]


def halls_end(errors, words, quantile):
    """R - s h(t), h(x) = (3/g) ((1 + g (x/√n - g/6n))^(1/3) - 1)."""
    pulls = influences_of(errors, words)
    n = len(pulls)
    s = math.sqrt(sum(pull**2 for pull in pulls) / n)
    g = sum(pull**3 for pull in pulls) / n / s**3
    inner = 1 + g * (quantile / math.sqrt(n) - g / (6 * n))
    root = math.copysign(abs(inner) ** (1 / 3), inner)
    return sum(errors) / sum(words) - s * 3 / g * (root - 1)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_a_ratio_has_halls_interval_with_kishs_degrees_of_freedom(level):
    errors, words = ERRORS[:, 0], WORDS[:, 0]
    freedom = sum(words) ** 2 / sum(words**2) - 1
    t = stats.t.ppf((1 + level) / 2, freedom)
    found = ratio_of_sums(Ratios(ERRORS[:, :1], WORDS[:, :1]), level=level)
    assert found.low == pytest.approx(halls_end(errors, words, t))
    assert found.high == pytest.approx(halls_end(errors, words, -t))
    assert found.method == "ratio over 15 items"
    assert found.caution.startswith("warning: the interval is approximate with fewer than 100")


def test_an_interval_of_one_side_has_that_end_and_the_end_of_the_range():
    ratios = Ratios(ERRORS[:, :1], WORDS[:, :1])
    both = ratio_of_sums(ratios, level=0.9)
    below = ratio_of_sums(ratios, level=0.95, side="lower")
    above = ratio_of_sums(ratios, level=0.95, side="upper")
    assert (below.low, below.high) == (pytest.approx(both.low), 1.0)
    assert (above.low, above.high) == (0.0, pytest.approx(both.high))


def test_units_that_are_not_skewed_have_students_interval():
    pulls = np.array([-3.0, -1.0, 1.0, 3.0])
    t = stats.t.ppf(0.975, 3)
    reach = t * math.sqrt(5) / 2
    assert skewed_ends(pulls, 0.5, below=0.025, above=0.025, freedom=3) == pytest.approx(
        (0.5 - reach, 0.5 + reach)
    )
    nearly = skewed_ends(
        pulls + np.array([0, 0, 0, 1e-5]), 0.5, below=0.025, above=0.025, freedom=3
    )
    assert nearly == pytest.approx((0.5 - reach, 0.5 + reach), abs=1e-4)


@pytest.mark.parametrize(("high", "most"), [(1.0, 1.0), (2.0, 2.0), (math.inf, 1.0)])
def test_where_no_unit_differs_a_share_of_others_could_have_gone_unseen(high, most):
    found = ratio_of_sums(Ratios(np.full((8, 1), 3.0), np.full((8, 1), 10.0)), high=high)
    seen = 0.025 ** (1 / 8)
    assert found.low == pytest.approx(0.3 * seen)
    assert found.high == pytest.approx(0.3 * seen + most * (1 - seen))
    assert found.method == "no spread over 8 items"
    lower = ratio_of_sums(Ratios(np.full((8, 1), 3.0), np.full((8, 1), 10.0)), side="lower")
    assert lower.low == pytest.approx(0.3 * 0.05 ** (1 / 8))
    assert lower.high == 1.0


def test_one_unit_tells_nothing():
    one = ratio_of_sums(Ratios(np.array([[30.0]]), np.array([[20.0]])), high=math.inf)
    assert (one.low, one.high, one.method) == (0.0, 1.5, "one item")
    none = ratio_of_sums(Ratios(np.zeros((0, 1)), np.zeros((0, 1))), things="texts")
    assert (none.low, none.high, none.method) == (0.0, 1.0, "no text")
    assert variance_of_ratio(Ratios(np.array([[30.0]]), np.array([[20.0]]))) == 0.0


def test_ends_stay_in_the_range():
    few = Ratios(np.array([[0.0], [0.0], [9.0]]), np.full((3, 1), 10.0))
    found = ratio_of_sums(few)
    assert (found.low, found.high) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("units", "caution"), [(29, "warning"), (30, "ratio"), (99, "ratio"), (100, "")]
)
def test_few_units_are_warned_of(units, caution):
    errors = (np.arange(units) % 3)[:, None].astype(float)
    assert (
        ratio_of_sums(Ratios(errors, np.full((units, 1), 9.0))).caution.partition(":")[0] == caution
    )


def test_the_variance_is_that_of_two_units_by_hand():
    # Rates 0.2 and 0.4 of 10 words each: pulls of -0.1/0.5 and 0.1/0.5; 2 x 0.04 / 4.
    assert variance_of_ratio(rates(2.0, 4.0)) == pytest.approx(0.02)


def test_a_difference_has_students_interval_of_the_differences_of_pulls():
    pulls = np.subtract(
        influences_of(ERRORS[:, 0], WORDS[:, 0]), influences_of(ERRORS[:, 1], WORDS[:, 1])
    )
    rates = ERRORS.sum(axis=0) / WORDS.sum(axis=0)
    reach = stats.t.ppf(0.95, 14) * math.sqrt((pulls**2).sum()) / 15
    found = difference_of_ratios(Ratios(ERRORS, WORDS), level=0.9)
    middle = rates[0] - rates[1]
    assert (found.low, found.high) == pytest.approx((middle - reach, middle + reach))


def test_a_difference_of_units_that_are_all_the_same():
    found = difference_of_ratios(Ratios(np.tile([5.0, 2.0], (6, 1)), np.full((6, 2), 10.0)))
    unseen = 1 - 0.025 ** (1 / 6)
    assert found.low == pytest.approx(0.3 * (1 - unseen) - unseen)
    assert found.high == pytest.approx(0.3 * (1 - unseen) + unseen)


def test_a_difference_stays_in_its_range_and_one_unit_tells_nothing():
    wide = difference_of_ratios(rates([9.0, 0.0], [0.0, 9.0]))
    assert (wide.low, wide.high) == (-1.0, 1.0)
    one = difference_of_ratios(rates([9.0, 0.0]))
    assert (one.low, one.high, one.method) == (-1.0, 1.0, "one unit")
    far = difference_of_ratios(rates([25.0, 0.0]), high=math.inf)
    assert (far.low, far.high) == (-2.5, 2.5)
