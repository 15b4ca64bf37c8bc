"""How sure is an area under the ROC curve, also if few items are out of order?"""

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats

from karat.doubt.bounds.areas import delong
from karat.doubt.bounds.binormal_score import (
    CAUTION,
    AreaVariance,
    _binormal_variance,
    binormal_score,
    delong_variance,
)
from karat.tally.scores.curve import Curve
from karat.tally.scores.packed_curve import curve_of


def drawn(positives, negatives, apart, random, *, ties=False):
    labels = np.arange(positives + negatives) < positives
    score = random.normal(labels * apart)
    if ties:
        score = np.round(score)
    return labels, score


def slow_delong(labels, score):
    """The variance by its definition: every positive against every negative, one at a time."""
    positive, negative = score[labels], score[~labels]
    kernel = np.array([[(x > y) + 0.5 * (x == y) for y in negative] for x in positive])
    area = kernel.mean()
    of_positives = kernel.mean(axis=1)
    of_negatives = kernel.mean(axis=0)
    m, n = kernel.shape
    first = sum((value - area) ** 2 for value in of_positives) / (m - 1)
    second = sum((value - area) ** 2 for value in of_negatives) / (n - 1)
    return area, first / m + second / n


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("apart", [0.0, 1.0, 3.0, -1.5])
def test_the_variance_is_delongs_by_definition(apart, ties):
    random = np.random.default_rng(int(10 * apart) % 7)
    labels, score = drawn(13, 29, apart, random, ties=ties)
    area, variance = slow_delong(labels, score)
    found = delong_variance(curve_of(labels, score))
    assert (found.value, found.variance) == pytest.approx((area, variance), rel=1e-12)
    interval = delong(curve_of(labels, score))
    reach = stats.norm.ppf(0.975) * np.sqrt(variance)
    assert float(interval.low) == pytest.approx(max(0, area - reach))
    assert float(interval.high) == pytest.approx(min(1, area + reach))


@pytest.mark.parametrize("apart", [0.0, 0.7, 2.5, -1.0])
def test_the_variance_of_normal_scores_is_that_of_the_integral(apart):
    """P(two negatives below one positive) by quadrature, and from it the variance of Hanley and McNeil."""
    m, n = 7.0, 40.0
    h = apart / np.sqrt(2)
    area = stats.norm.cdf(h)
    two, _ = integrate.quad(
        lambda x: stats.norm.cdf(x + apart) ** 2 * stats.norm.pdf(x), -np.inf, np.inf
    )
    oracle = (area * (1 - area) + (m + n - 2) * (two - area**2)) / (m * n)
    shape = AreaVariance(
        value=area, variance=0.0, positives=m, negatives=n, out_of_order=0, deciding=1.0
    )
    assert _binormal_variance(h, shape) == pytest.approx(oracle, rel=1e-6)


def test_the_ends_are_as_far_away_as_the_formula_says():
    labels, score = drawn(20, 60, 1.5, np.random.default_rng(4))
    curve = curve_of(labels, score)
    area = delong_variance(curve)
    interval = binormal_score(curve, level=0.9)
    ratio = area.variance / _binormal_variance(special.ndtri(area.value), area)
    k = area.out_of_order
    scale = (k * ratio + 3) / (k + 3)
    quantile = stats.t.ppf(0.95, k + 10)
    for end in (float(interval.low), float(interval.high)):
        reach = quantile * np.sqrt(scale * _binormal_variance(special.ndtri(end), area))
        assert abs(area.value - end) == pytest.approx(reach, rel=1e-6)


def test_turned_labels_turn_the_interval():
    labels, score = drawn(8, 30, 2.0, np.random.default_rng(2))
    one = binormal_score(curve_of(labels, score))
    other = binormal_score(curve_of(labels, -score))
    assert float(one.low) == pytest.approx(1 - float(other.high))
    assert float(one.high) == pytest.approx(1 - float(other.low))


@pytest.mark.parametrize(("positives", "negatives"), [(2, 2), (3, 40), (40, 3), (10, 10)])
def test_perfect_order_is_not_certain(positives, negatives):
    labels = np.arange(positives + negatives) < positives
    found = binormal_score(curve_of(labels, labels.astype(float)))
    assert float(found.high) == 1
    assert 0 < float(found.low) < 0.95
    more = np.arange(5 * (positives + negatives)) < 5 * positives
    assert binormal_score(curve_of(more, more.astype(float))).low > found.low


def test_a_single_positive_tells_nothing():
    curve = Curve(np.array([2.0, 1.0]), np.array([1, 0]), np.array([0, 30]))
    found = binormal_score(curve)
    assert (float(found.low), float(found.high)) == (0, 1)


def test_one_sided_ends_are_those_of_a_wider_interval():
    labels, score = drawn(15, 50, 1.0, np.random.default_rng(6))
    curve = curve_of(labels, score)
    lower = binormal_score(curve, side="lower")
    both = binormal_score(curve, level=0.9)
    assert (float(lower.low), float(lower.high)) == (pytest.approx(float(both.low)), 1)


@pytest.mark.parametrize(("positives", "negatives", "apart"), [(20, 200, 3.5), (10, 90, 2.0)])
def test_it_holds_where_delong_does_not(positives, negatives, apart):
    random = np.random.default_rng(0)
    area = stats.norm.cdf(apart / np.sqrt(2))
    held = np.zeros(2)
    runs = 400
    for _ in range(runs):
        curve = curve_of(*drawn(positives, negatives, apart, random))
        ours, theirs = binormal_score(curve), delong(curve)
        held += [float(each.low) <= area <= float(each.high) for each in (ours, theirs)]
    # Measured over 2,000 runs: 0.95 and 0.97, DeLong 0.76 and 0.83; four standard errors of 400 are 0.044.
    assert held[0] / runs > 0.95 - 0.044
    assert held[1] / runs < 0.88


def test_perfect_order_is_bounded_where_the_formula_ends():
    """Ten positives above ten negatives: 1 - A = t √V(A) with ten degrees of freedom, found by another search."""
    labels = np.arange(20) < 10
    found = binormal_score(curve_of(labels, labels.astype(float)))
    shape = AreaVariance(
        value=1.0, variance=0.0, positives=10, negatives=10, out_of_order=0, deciding=1.0
    )
    quantile = stats.t.ppf(0.975, 10)

    def surplus(h):
        return stats.norm.sf(h) - quantile * np.sqrt(_binormal_variance(h, shape))

    assert float(found.low) == pytest.approx(stats.norm.cdf(optimize.brentq(surplus, -3, 3)))


def test_a_weak_detector_is_turned_as_a_strong_one():
    labels, score = drawn(6, 25, 0.4, np.random.default_rng(3))
    curve, turned = curve_of(labels, score), curve_of(labels, -score)
    area = delong_variance(curve)
    assert 0.5 < area.value < 0.75
    assert area.out_of_order == delong_variance(turned).out_of_order
    assert float(binormal_score(curve).low) == pytest.approx(1 - float(binormal_score(turned).high))


def test_a_bound_from_above_leaves_the_low_end_open():
    labels, score = drawn(15, 50, 1.0, np.random.default_rng(6))
    found = binormal_score(curve_of(labels, score), side="upper")
    assert float(found.low) == 0
    assert 0.5 < float(found.high) < 1


def test_where_few_items_decide_the_interval_is_called_approximate():
    random = np.random.default_rng(1)
    truth = np.arange(1100) < 100
    score = random.normal(size=1100) + 2 * truth
    assert not binormal_score(curve_of(truth, score)).caution
    # 97 positives above all negatives, three below all of them: three items out of order, all alike.
    split = np.concatenate([np.full(97, 9.0), np.full(3, -9.0), random.normal(size=1000)])
    assert delong_variance(curve_of(truth, split)).deciding == pytest.approx(3)
    assert binormal_score(curve_of(truth, split)).caution == CAUTION
