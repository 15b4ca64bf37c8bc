"""Mean precision over a range of skews: closed forms against 50 digits and quadrature, weights, limits and laws."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from mpmath import mp, mpf
from scipy.special import spence

from karat.errors import OptionError
from karat.measure.prevalence.distribution import precision_over, single, weighted
from karat.measure.prevalence.integrated import (
    achievable_over,
    integrated,
    integrated_area,
    minimum_over,
    random_over,
)
from karat.measure.prevalence.pr_curve import pr_area, roc, roc_of
from karat.measure.prevalence.precision_at import precision_at
from karat.measure.prevalence.priors.landgrebe import landgrebe, landgrebe_precision
from karat.measure.prevalence.priors.normal import gaussian
from karat.measure.prevalence.priors.uniform import integrated_precision, uniform
from karat.tally.scores.curve import Curve

LAWS = settings(derandomize=True, deadline=None, max_examples=60)
SHARE = some.integers(0, 1000).map(lambda whole: whole / 1000)
RANGE = some.tuples(SHARE, SHARE).filter(lambda pair: pair[0] != pair[1]).map(sorted)
CURVE = some.lists(some.tuples(SHARE, SHARE), min_size=1, max_size=4).map(
    lambda points: roc_of(*(sorted(part) for part in zip(*points, strict=True)))
)


def plain(tpr, fpr, low, high):
    """Theorem 3 with the logarithm, in 60 digits."""
    with mp.workdps(60):
        a, b, first, last = map(mpf, (tpr, fpr, low, high))
        if a == b:
            return float((first + last) / 2)
        c = a - b
        ratio = (last * a + (1 - last) * b) / (first * a + (1 - first) * b)
        return float(a / c - a * b / (c * c * (last - first)) * mp.log(ratio))


def dilogarithms(curve, low, high):
    """METHODS LG-CF3, the area over a range in closed form, in 60 digits."""
    with mp.workdps(60):
        points = list(zip(map(mpf, curve.tpr.tolist()), map(mpf, curve.fpr.tolist()), strict=True))
        ends = [mpf(low), mpf(high)]
        total = mpf(0)
        for (ra, fa), (rb, fb) in pairwise(points):
            if rb > ra:
                values = [_primitive(ra, fa, rb, fb, pi) for pi in ends]
                total += values[1] - values[0]
        return float(total / (ends[1] - ends[0]))


def _primitive(ra, fa, rb, fb, pi):
    beta = (fb - fa) / (rb - ra)
    alpha = fa - beta * ra
    if beta == 1:
        return _equal_slopes(ra, rb, alpha, pi)
    e = 1 - beta
    s, u = beta + e * pi, alpha / e

    def part(r):
        v = r - u
        y = u + v * s
        g0 = (y / v) * mp.log(y) - s if abs(v) > mpf(10) ** -30 else s * mp.log(y)
        g1 = mp.log(s) * mp.log(u) - mp.polylog(2, -v * s / u) if u > 0 else None
        if g1 is None:
            g1 = mp.log(v * s) ** 2 / 2 + mp.polylog(2, -u / (v * s))
        g2 = -mp.log(y) / s + (v / u) * (mp.log(s) - mp.log(y))
        return -g0 + (1 + beta) * g1 - beta * g2

    first = (rb - ra) / e**2 * (s - beta * mp.log(s))
    return mp.re(first - (alpha / e**3 * (part(rb) - part(ra)) if alpha else 0))


def _equal_slopes(ra, rb, alpha, pi):
    """Where beta = 1 the area at p is p (dR - (1 - p) alpha ln(y_b / y_a)), y = R + (1 - p) alpha."""

    def area(p):
        turn = (
            (1 - p) * alpha * mp.log((rb + (1 - p) * alpha) / (ra + (1 - p) * alpha))
            if alpha
            else 0
        )
        return p * (rb - ra - turn)

    return mp.quad(area, [0, pi])


@LAWS
@given(SHARE.filter(bool), SHARE.filter(bool), RANGE)
def test_the_closed_form_is_that_of_the_paper(tpr, fpr, limits):
    found = integrated_precision(tpr, fpr, low=limits[0], high=limits[1])
    assert float(found) == pytest.approx(plain(tpr, fpr, *limits), rel=1e-13)


@pytest.mark.parametrize(
    "limits", [(0, 0.5), (0, 1), (0.3, 0.5), (0.6, 0.9), (1e-9, 1e-6), (0.4, 0.4 + 1e-9)]
)
def test_no_digits_are_lost_for_close_rates_and_for_tiny_ones(limits):
    close = [(0.7, 0.7 * (1 + sign * 10.0**-power)) for power in range(1, 17) for sign in (-1, 1)]
    tiny = [(rate, 10.0**-power) for power in range(1, 31) for rate in (1.0, 0.3, 1e-5)]
    swapped = [(b, a) for a, b in tiny]
    rates = np.array(close + tiny + swapped)
    found = integrated_precision(rates[:, 0], rates[:, 1], low=limits[0], high=limits[1])
    right = np.array([plain(a, b, *limits) for a, b in rates.tolist()])
    assert np.abs(found / right - 1).max() < 1e-12


def test_where_one_rate_is_none_the_precision_is_certain_and_where_both_are_it_is_undefined():
    found = integrated_precision([0.5, 0, 0], [0, 0.5, 0], low=0.1, high=1)
    assert found.tolist()[:2] == [1, 0]
    assert np.isnan(found[2])
    assert float(integrated_precision(0.8, 0.3, low=0.2, high=0.2)) == pytest.approx(
        float(precision_at(0.8, 0.3, pi=0.2))
    )


@LAWS
@given(CURVE, RANGE)
def test_the_area_is_that_of_the_dilogarithms(curve, limits):
    low, high = max(limits[0], 0.001), min(limits[1], 0.999)
    if low < high:
        found = integrated_area(curve, low=low, high=high)
        assert found == pytest.approx(dilogarithms(curve, low, high), rel=1e-11)


@LAWS
@given(CURVE, RANGE)
def test_the_area_is_the_integral_of_the_curve_too(curve, limits):
    """The other order of the integrals: mean precision along the interpolated curve."""
    nodes, weights = np.polynomial.legendre.leggauss(100)
    share, total = ((nodes + 1) / 2) ** 2, 0.0
    for r0, f0, r1, f1 in zip(
        curve.tpr[:-1], curve.fpr[:-1], curve.tpr[1:], curve.fpr[1:], strict=True
    ):
        if r1 == r0:
            continue  # no recall, no area; at (0, 0) the precision is not even defined
        rates = r0 + (r1 - r0) * share, f0 + (f1 - f0) * share
        height = integrated_precision(*rates, low=limits[0], high=limits[1])
        total += (r1 - r0) * float((weights * (nodes + 1) / 2) @ height)
    assert integrated_area(curve, low=limits[0], high=limits[1]) == pytest.approx(total, rel=1e-6)


def eq20(pi):
    """The primitive of theorem 9; Li2(p) is SciPy's spence(1 - p)."""
    return 2 * pi + (1 - pi) * np.log1p(-pi) * (pi < 1) - spence(1 - pi)


@LAWS
@given(RANGE)
def test_the_least_area_is_equation_20(limits):
    low, high = limits
    with np.errstate(divide="ignore", invalid="ignore"):
        first, last = (eq20(end) if end < 1 else 2 - np.pi**2 / 6 for end in limits)
    assert minimum_over(uniform(low, high)) == pytest.approx(
        (last - first) / (high - low), abs=1e-12
    )


@LAWS
@given(SHARE, SHARE, RANGE)
def test_the_weighted_form_with_equal_weights_is_the_closed_one(tpr, fpr, limits):
    low, high = limits
    closed = integrated_precision(tpr, fpr, low=low, high=high)
    for spread in (uniform(low, high), weighted(lambda pi: 0 * pi + 7, low=low, high=high)):
        assert precision_over(tpr, fpr, spread) == pytest.approx(closed, abs=1e-9, nan_ok=True)
        assert random_over(spread) == pytest.approx((low + high) / 2, rel=1e-12)


@LAWS
@given(CURVE, RANGE)
def test_the_summary_holds_together(curve, limits):
    found = integrated(curve, uniform(*limits))
    assert found.minimum - 1e-12 <= found.area <= 1 + 1e-12
    assert found.at_low - 1e-12 <= found.area <= found.at_high + 1e-12
    assert found.normalised == pytest.approx(
        (found.area - found.minimum) / (1 - found.minimum), rel=1e-9, abs=1e-12
    )
    assert [found.at_low, found.at_high] == pytest.approx(pr_area(curve, pi=limits).tolist())
    assert integrated(curve, single(1.0)).normalised is None


def test_the_measure_does_not_know_the_balance_of_the_data():
    """Section 5.2: half of the negatives at each score removed, the curve stays."""
    random = np.random.default_rng(5)
    positive, negative = random.integers(0, 9, 200), 2 * random.integers(0, 9, 200)
    score = -np.arange(200.0)
    full, thinned = (roc(Curve(score, positive, part)) for part in (negative, negative // 2))
    rates = [
        integrated_precision(each.tpr[1:], each.fpr[1:], low=0, high=0.5)
        for each in (full, thinned)
    ]
    assert rates[0] == pytest.approx(rates[1], rel=1e-14)
    assert integrated_area(full, low=0, high=0.5) == pytest.approx(
        integrated_area(thinned, low=0, high=0.5), rel=1e-14
    )


@LAWS
@given(SHARE.filter(bool), RANGE)
def test_what_lies_below_the_least_mean_precision_is_impossible(recall, limits):
    least = float(integrated_precision(recall, 1, low=limits[0], high=limits[1]))
    spread = uniform(*limits)
    assert achievable_over(least + 1e-9 * (least < 0.999), recall, spread).possible
    assert (
        not achievable_over(least * 0.999 - 1e-9 if least > 1e-6 else 0.0, recall, spread).possible
        or least < 1e-6
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: uniform(0.5, 0.1), "the limits are 0.5 and 0.1; give the lower one first"),
        (lambda: uniform(-0.5, 0.1), "the lower limit is -0.5"),
        (lambda: integrated_precision(0.5, 0.2, low=0.5, high=0.1), "give the lower one first"),
        (lambda: integrated_precision(0.5, 0.2, low=0.5, high=1.1), "the upper limit is 1.1"),
        (lambda: landgrebe(0, 0.5), "no finite sum from prevalence 0; give a lower limit above 0"),
        (lambda: landgrebe_precision(0.5, 0.2, low=5, high=1), "the lower one first"),
        (lambda: gaussian(0.5, 0), "the standard deviation is 0; it must be above 0"),
        (lambda: weighted(lambda pi: pi - 0.5), "is not a number from 0 up"),
        (lambda: weighted(lambda pi: 0 * pi), "the weight is 0 everywhere"),
    ],
)
def test_what_is_no_range_or_weight_is_refused(call, words):
    with pytest.raises(OptionError, match=words):
        call()
