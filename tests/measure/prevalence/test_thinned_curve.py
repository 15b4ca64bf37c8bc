"""A curve in fewer points has the same areas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import OptionError
from karat.measure.prevalence.pr_curve import areas, joined, rises, roc, roc_of
from karat.measure.prevalence.thinned_curve import largest_area_difference, thinned
from karat.tally.scores.curve import Curve

LOW, HIGH = 1e-4, 0.99
SKEWS = 1 / (1 + np.exp(-np.linspace(np.log(LOW / (1 - LOW)), np.log(HIGH / (1 - HIGH)), 1201)))


def curve(positives, negatives, *, apart=1.5, digits=None, seed=0):
    """The stretches of scores from two normal distributions, with ties where they are rounded."""
    random = np.random.default_rng(seed)
    scores = np.concatenate([random.normal(apart, 1, positives), random.normal(0, 1, negatives)])
    scores = scores if digits is None else scores.round(digits)
    score, place = np.unique(-scores, return_inverse=True)
    counted = [np.bincount(place, np.arange(len(scores)) < positives), np.bincount(place)]
    return rises(roc(Curve(-score, counted[0].astype(int), (counted[1] - counted[0]).astype(int))))


@given(
    st.integers(1, 400),
    st.integers(1, 400),
    st.floats(-3, 4),
    st.sampled_from([None, 0, 1]),
    st.integers(0, 9),
    st.sampled_from([1e-6, 1e-3]),
)
def test_no_area_moves_by_more_than_what_is_allowed(
    positives, negatives, apart, digits, seed, within
):
    whole = curve(positives, negatives, apart=apart, digits=digits, seed=seed)
    few = thinned(whole, low=LOW, high=HIGH, within=within)
    moved = np.abs(areas(joined(whole), SKEWS) - areas(few, SKEWS)).max()
    assert moved <= largest_area_difference(whole, few, low=LOW, high=HIGH) <= within


@pytest.mark.parametrize("positives", [3_000, 100_000])
def test_many_points_become_a_few_hundred(positives):
    whole = curve(positives, 2 * positives)
    few = thinned(whole, low=LOW, high=HIGH)
    assert len(whole.r0) == positives
    assert len(few.r0) < 600
    assert largest_area_difference(whole, few, low=LOW, high=HIGH) <= 1e-6


def test_what_was_thinned_is_still_a_curve():
    few = thinned(curve(5_000, 5_000, apart=-1), low=LOW, high=HIGH)
    assert few.r0[0] == 0
    assert few.r1[-1] == 1
    assert (few.r0[1:] == few.r1[:-1]).all()
    assert ((few.f0 >= 0) & (few.f0 <= few.f1) & (few.f1 <= 1)).all()


@pytest.mark.parametrize(
    "rates",
    [
        ([1.0], [0.0]),
        ([0.0], [1.0]),
        ([], []),
        ([0.5], [0.0]),
        ([0.5], [0.5]),
        ([0.0, 0.5], [0.5, 0.5]),
    ],
    ids=str,
)
def test_extreme_curves_are_kept_as_they_are(rates):
    whole = rises(roc_of(*rates))
    assert (
        largest_area_difference(whole, thinned(whole, low=LOW, high=HIGH), low=LOW, high=HIGH)
        < 1e-9
    )


def test_the_bound_holds_where_two_curves_differ_much():
    one, other = curve(50, 50, apart=2, seed=1), curve(40, 60, apart=0, seed=2)
    moved = np.abs(areas(joined(one), SKEWS) - areas(joined(other), SKEWS)).max()
    assert moved <= largest_area_difference(one, other, low=LOW, high=HIGH) <= 1.5 * moved


@pytest.mark.parametrize("ends", [(0.0, 0.5), (0.5, 0.5), (0.6, 0.4), (0.5, 1.0)], ids=str)
def test_a_range_lies_strictly_between_0_and_1(ends):
    with pytest.raises(OptionError, match="strictly between 0 and 1"):
        thinned(curve(5, 5), low=ends[0], high=ends[1])
