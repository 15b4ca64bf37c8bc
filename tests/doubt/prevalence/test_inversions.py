"""Skews at which systems change order: against a fine scan, the bound on their number, and recomputed areas."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from karat.doubt.prevalence.inversions import inversions, rankings, sign_changes_of
from karat.errors import OptionError
from karat.measure.prevalence.crossings import _share_below, crossings, most_inversions
from karat.measure.prevalence.pr_curve import joined, losses, pr_area, rises, roc, roc_of
from karat.tally.scores.curve import Curve

LAWS = settings(derandomize=True, deadline=None, max_examples=150)
TENTH = some.integers(0, 12).map(lambda whole: whole / 12)
CURVE = some.lists(some.tuples(TENTH, TENTH), min_size=1, max_size=5).map(
    lambda points: roc_of(*(sorted(part) for part in zip(*points, strict=True)))
)
CELLS = some.lists(some.booleans(), min_size=2, max_size=24).filter(
    lambda cells: 0 < sum(cells) < len(cells)
)


def untied(cells):
    """A curve of distinct scores."""
    truth = np.array(cells)
    return roc(
        Curve(
            -np.arange(len(cells), dtype=float), truth.astype(np.int64), (~truth).astype(np.int64)
        )
    )


def concave(curve):
    """The upper hull of a curve."""
    hull = [(0.0, 0.0)]
    for point in zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True):
        hull.append(point)
        while len(hull) > 2 and _left(hull[-3], hull[-2], hull[-1]) >= 0:
            del hull[-2]
    return roc_of([tpr for _, tpr in hull], [fpr for fpr, _ in hull])


def _left(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def fine_scan(first, second, number=4001):
    """Sign changes on a fine grid, without any search."""
    pi = 1 / (1 + np.exp(-np.linspace(-13.8, 13.8, number)))
    common = pi < 0.5
    gap = np.where(common, pr_area(first, pi=pi) - pr_area(second, pi=pi), 0)
    gap[~common] = (losses(rises(second), pi) - losses(rises(first), pi))[~common]
    size = (
        np.maximum(pr_area(first, pi=pi), pr_area(second, pi=pi)) * common
        + losses(rises(first), pi) * ~common
    )
    sign = np.where(np.abs(gap) > 1e-12 * size, np.sign(gap), 0)
    sign = sign[sign != 0]
    return int((sign[1:] != sign[:-1]).sum())


@LAWS
@given(CURVE, CURVE)
def test_no_fewer_changes_are_found_than_on_a_fine_scan_and_no_more_than_can_be(first, second):
    found = inversions(first, second)
    assert len(found.skews) >= fine_scan(first, second)
    assert found.most is None or len(found.skews) <= found.most


@LAWS
@given(CELLS, CELLS)
def test_distinct_scores_too(one, other):
    first, second = untied(one), untied(other)
    found = inversions(first, second)
    assert fine_scan(first, second) <= len(found.skews) <= found.most


@LAWS
@given(CURVE, CURVE)
def test_concave_curves_change_order_no_more_often_than_they_cross(first, second):
    hulls = concave(first), concave(second)
    found = inversions(*hulls)
    assert len(found.skews) <= found.crossings
    assert most_inversions(*hulls) == found.crossings


@LAWS
@given(CURVE, CURVE)
def test_the_leader_of_each_stretch_has_the_larger_area_there(first, second):
    found = inversions(first, second)
    stops = [found.low, *found.skews.tolist(), found.high]
    for (left, right), lead in zip(pairwise(stops), found.leads, strict=True):
        logit = (np.log(left / (1 - left)) + np.log(right / (1 - right))) / 2
        pi = 1 / (1 + np.exp(-logit))
        gap = float(losses(rises(second), pi) - losses(rises(first), pi))
        assert gap * lead > 0 or abs(gap) < 1e-12


@LAWS
@given(CURVE, CURVE)
def test_the_two_exchanged_change_order_at_the_same_skews(first, second):
    one, other = inversions(first, second), inversions(second, first)
    assert one.skews == pytest.approx(other.skews, rel=1e-9)
    assert one.leads == tuple(-lead for lead in other.leads)
    assert (one.crossings, one.most) == (other.crossings, other.most)


def test_equal_curves_never_change_order():
    curve = untied([True, False, True, True, False, False] * 50)
    found = inversions(curve, curve)
    assert (len(found.skews), found.leads, found.crossings, found.most) == (0, (0,), 0, 0)


def test_two_changes_within_one_step_of_the_scan_are_found():
    places = np.linspace(-3, 3, 25)
    found = sign_changes_of(
        lambda x: (x - 0.11) * (x - 0.1101), places, (places - 0.11) * (places - 0.1101)
    )
    assert found.roots == pytest.approx((0.11, 0.1101), abs=1e-12)
    assert found.signs == (1, -1, 1)


@pytest.mark.parametrize("distance", [1e-2, 1e-3, 1e-4])
def test_a_narrow_pair_of_changes_between_real_curves_is_found(distance):
    """The counterexample of METHODS 2.1.5, one point moved until its two inversions all but meet."""

    def pair(fpr):
        first = roc_of([0.1, 0.1, 0.6, 0.6, 0.65], [fpr, 0.03, 0.03, 0.3, 0.3])
        return first, roc_of([0.1, 0.65, 0.65], [0.03, 0.03, 0.3])

    low, high = 0.01, 0.03  # two inversions, and none: bisect for where they meet
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if len(inversions(*pair(middle)).skews) == 2 else (low, middle)
    found = inversions(*pair(low * (1 - distance))).skews
    assert len(found) == 2
    assert found[1] - found[0] < 10 * np.sqrt(distance)


@LAWS
@given(CURVE)
def test_the_share_of_recall_below_a_ratio_is_counted(curve):
    recall = (np.arange(20_000) + 0.5) / 20_000
    parts = joined(rises(curve))
    place = np.searchsorted(parts.r1, recall)
    slope = (parts.f1 - parts.f0) / (parts.r1 - parts.r0)
    ratio = (parts.f0[place] + slope[place] * (recall - parts.r0[place])) / recall
    for limit in (0.013, 0.21, 0.77, 1.03, 3.1):
        found = _share_below(parts, np.array([limit]))[0]
        assert found == pytest.approx((ratio <= limit).mean(), abs=2e-3)


def test_crossings_at_jumps_and_on_slopes():
    steps, slope = roc_of([0.5, 0.5, 1.0], [0.0, 0.6, 0.6]), roc_of([], [])
    assert (
        crossings(steps, slope) == 2
    )  # better to R = .5, worse from there to .6, better again to the end
    assert crossings(slope, steps) == 2
    assert crossings(roc_of([0.5], [0.0]), slope) == 0


def test_the_ranking_of_many_follows_the_areas():
    random = np.random.default_rng(8)
    truth = random.random(600) < 0.3
    curves = {}
    for name, power in zip("abcde", (0.5, 1, 2, 0.7, 1.5), strict=True):
        score = random.normal(size=600) + 1.2 * truth * random.random(600) ** power
        order = np.argsort(-score)
        curves[name] = untied(truth[order])
    found = rankings(curves)
    assert set(found.pairs) == set(combinations("abcde", 2))
    assert len(found.orders) == len(found.changes) + 1
    assert sum(len(pair.skews) for pair in found.pairs.values()) == len(found.changes) > 0
    for before, change, after in zip(found.orders, found.changes, found.orders[1:], strict=False):
        moved = list(before)
        first, second = moved.index(change.falling), moved.index(change.rising)
        assert second == first + 1  # only neighbours change places
        moved[first], moved[second] = change.rising, change.falling
        assert tuple(moved) == after
    assert [change.skew for change in found.changes] == sorted(
        change.skew for change in found.changes
    )


@pytest.mark.parametrize("limits", [(0.5, 0.1), (0.0, 0.5), (0.5, 1.0)])
def test_limits_that_leave_no_range_are_refused(limits):
    with pytest.raises(OptionError, match="inversions are sought strictly between 0 and 1"):
        inversions(roc_of([], []), roc_of([], []), low=limits[0], high=limits[1])
