"""Areas under precision-recall curves: against quadrature, scikit-learn and slow versions, with ties."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from mpmath import mp, mpf
from sklearn.metrics import average_precision_score, roc_curve

from karat.errors import OptionError
from karat.measure.of_scores.average_precision import average_precision
from karat.measure.prevalence.pr_curve import (
    RocCurve,
    RocStretches,
    areas,
    areas_of_many,
    joined,
    losses,
    minimum_area,
    normalised_area,
    pr_area,
    precision_along,
    random_area,
    rises,
    roc,
    roc_of,
)
from karat.measure.prevalence.precision_at import minimum_precision, precision_at
from karat.measure.prevalence.step_areas import average_precision_at, gain_area, trapezoid_area
from karat.tally.scores.curve import Curve

LAWS = settings(derandomize=True, deadline=None, max_examples=50)
CELLS = some.lists(
    some.tuples(some.integers(0, 4), some.integers(0, 4)), min_size=1, max_size=12
).filter(lambda cells: all(sum(part) for part in zip(*cells, strict=True)))
SKEW = some.integers(1, 999).map(lambda whole: whole / 1000)


def curve_of(cells):
    positive, negative = (np.array(part, np.int64) for part in zip(*cells, strict=True))
    return Curve(-np.arange(len(cells), dtype=float), positive, negative)


def scored(seed, items, levels, rate=0.3):
    """Truth and scores with many ties."""
    random = np.random.default_rng(seed)
    truth = random.random(items) < rate
    truth[:2] = [True, False]
    return truth, np.floor((random.normal(size=items) + truth) * levels) / levels


def counted(truth, score):
    distinct, place = np.unique(-score, return_inverse=True)
    return Curve(
        -distinct,
        np.bincount(place, truth).astype(np.int64),
        np.bincount(place, ~truth).astype(np.int64),
    )


def slow_area(curve, pi):
    """The closed form of METHODS LG-CF2 with the logarithm, in 50 digits."""
    with mp.workdps(50):
        k, total = (1 - mpf(pi)) / mpf(pi), mpf(0)
        points = list(zip(map(mpf, curve.tpr.tolist()), map(mpf, curve.fpr.tolist()), strict=True))
        for (ra, fa), (rb, fb) in pairwise(points):
            if rb == ra:
                continue
            beta = (fb - fa) / (rb - ra)
            s, q = 1 + k * beta, k * (fa - beta * ra)
            total += (rb - ra) / s - (q / s**2 * mp.log((rb + k * fb) / (ra + k * fa)) if q else 0)
        return float(total), float(1 - total)


def numeric_area(curve, pi):
    """Gauss-Legendre with many nodes on the interpolated curve, stretch by stretch."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    total = 0.0
    for r0, f0, r1, f1 in zip(
        curve.tpr[:-1], curve.fpr[:-1], curve.tpr[1:], curve.fpr[1:], strict=True
    ):
        share = ((nodes + 1) / 2) ** 2  # more nodes towards a steep start
        height = precision_at(r0 + (r1 - r0) * share, f0 + (f1 - f0) * share, pi=pi)
        total += (r1 - r0) * float((weights * (nodes + 1) / 2) @ height)
    return total


@LAWS
@given(CELLS, SKEW)
def test_the_area_is_that_of_the_closed_form_in_fifty_digits_and_of_quadrature(cells, pi):
    curve = roc(curve_of(cells))
    area, loss = slow_area(curve, pi)
    assert float(pr_area(curve, pi=pi)) == pytest.approx(area, rel=1e-13)
    assert float(losses(rises(curve), pi)) == pytest.approx(loss, rel=1e-12)
    assert numeric_area(curve, pi) == pytest.approx(area, rel=1e-9)


@pytest.mark.parametrize("pi", [1e-12, 1e-6, 1e-3, 0.3, 0.999, 1 - 1e-6, 1 - 1e-12])
def test_the_digits_hold_at_every_skew(pi):
    truth, score = scored(3, 300, 8)
    curve = roc(counted(truth, score))
    area, loss = slow_area(curve, pi)
    assert float(pr_area(curve, pi=pi)) == pytest.approx(area, rel=1e-13)
    assert float(losses(rises(curve), pi)) == pytest.approx(loss, rel=1e-12)


@LAWS
@given(CELLS)
def test_the_ends_are_limits(cells):
    curve = roc(curve_of(cells))
    found = pr_area(curve, pi=[0, 1e-15, 1 - 1e-15, 1])
    assert found[0] == pytest.approx(found[1], abs=1e-11)
    assert found[2:] == pytest.approx([1, 1], abs=1e-11)
    assert found[0] == pytest.approx(curve.tpr[curve.fpr == 0].max())


@LAWS
@given(CELLS, SKEW)
def test_areas_and_their_minimum_keep_their_order(cells, pi):
    curve = roc(curve_of(cells))
    found, low = float(pr_area(curve, pi=pi)), float(minimum_area(pi))
    assert low - 1e-15 <= found <= 1 + 1e-15
    assert float(normalised_area(curve, pi=pi)) == pytest.approx(
        (found - low) / (1 - low), rel=1e-9, abs=1e-12
    )
    assert areas(joined(rises(curve)), pi) == pytest.approx(areas(rises(curve), pi), rel=1e-13)
    assert float(pr_area(curve, pi=min(1, pi + 0.01))) >= found - 1e-15


@pytest.mark.parametrize(("items", "levels"), [(40, 2), (400, 3), (3000, 5), (3000, 10**9)])
def test_scikit_learn_has_the_same_average_precision_at_any_weight(items, levels):
    truth, score = scored(items, items, levels)
    tally = counted(truth, score)
    curve, own = roc(tally), truth.mean()
    assert float(average_precision_at(curve, pi=own)) == pytest.approx(
        average_precision_score(truth, score), rel=1e-12
    )
    assert float(average_precision_at(curve, pi=own)) == pytest.approx(
        average_precision(tally), rel=1e-12
    )
    for pi in (0.001, 0.2, 0.97):
        weight = np.where(truth, pi / own, (1 - pi) / (1 - own))
        theirs = average_precision_score(truth, score, sample_weight=weight)
        assert float(average_precision_at(curve, pi=pi)) == pytest.approx(theirs, rel=1e-10)
    fpr, tpr, _ = roc_curve(truth, score, drop_intermediate=False)
    assert curve.tpr == pytest.approx(tpr)
    assert curve.fpr == pytest.approx(fpr)


def test_many_skews_at_once_are_each_alone():
    truth, score = scored(7, 90_000, 10**9, rate=0.5)
    curve, many = roc(counted(truth, score)), np.array([[0.01, 0.2, 0.5], [0.9, 1.0, 0.0]])
    for found in (pr_area, normalised_area, average_precision_at, trapezoid_area, gain_area):
        one = [[float(found(curve, pi=pi)) for pi in row] for row in many]
        assert found(curve, pi=many) == pytest.approx(np.array(one), rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("pi", [0.003, 0.2, 0.9])
def test_random_perfect_and_worst_systems(pi):
    chance, perfect, worst = roc_of([], []), roc_of([1.0], [0.0]), roc_of([0.0], [1.0])
    assert (
        float(pr_area(chance, pi=pi))
        == pytest.approx(float(random_area(pi)), rel=1e-14)
        == pytest.approx(pi)
    )
    assert float(pr_area(perfect, pi=pi)) == 1.0
    assert float(pr_area(worst, pi=pi)) == pytest.approx(
        1 + (1 - pi) * np.log1p(-pi) / pi, rel=1e-12
    )
    assert [float(normalised_area(each, pi=pi)) for each in (worst, perfect)] == pytest.approx(
        [0, 1], abs=1e-14
    )
    assert [float(gain_area(each, pi=pi)) for each in (chance, perfect)] == pytest.approx(
        [0, 1], abs=1e-12
    )


def test_the_least_area_has_all_its_digits_where_positives_are_very_rare():
    series = [sum(pi**n / (n * (n + 1)) for n in range(1, 9)) for pi in (1e-9, 1e-4, 1e-2)]
    assert minimum_area([1e-9, 1e-4, 1e-2]) == pytest.approx(series, rel=1e-14)


@LAWS
@given(CELLS, SKEW)
def test_the_gain_area_is_that_under_the_gain_curve(cells, pi):
    curve = roc(curve_of(cells))
    inverse = np.linspace(1, 1 / pi, 20_001)  # recall gain runs evenly in 1 / R
    middle = 2 / (inverse[1:] + inverse[:-1])
    precision = precision_along(curve, middle, pi=pi)
    gain = (precision - pi) / ((1 - pi) * precision)
    assert float(gain_area(curve, pi=pi)) == pytest.approx(float(gain.mean()), abs=5e-3 / pi)


@LAWS
@given(CELLS, SKEW, some.integers(0, 100))
def test_no_point_between_lies_below_what_is_possible(cells, pi, percent):
    found = precision_along(roc(curve_of(cells)), percent / 100, pi=pi)
    assert np.isnan(found) or float(found) >= float(minimum_precision(percent / 100, pi=pi)) - 1e-12


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: roc(curve_of([(3, 0), (1, 0)])),
            "the curve has no negatives; its rates need items of both kinds",
        ),
        (lambda: roc(curve_of([(0, 2)])), "the curve has no positives"),
        (
            lambda: roc_of([0.5, 0.4], [0.1, 0.2]),
            "TPR falls from 0.5 to 0.4; sort by falling threshold",
        ),
        (lambda: roc_of([0.5], [0.1, 0.2]), "there are 1 TPR and 2 FPR"),
        (lambda: roc_of([1.5], [0.1]), "TPR is 1.5"),
        (lambda: pr_area(roc_of([], []), pi=2), "the prevalence is 2"),
    ],
)
def test_what_is_no_curve_is_refused(call, words):
    with pytest.raises(OptionError, match=words):
        call()


def test_equal_scores_are_a_random_classifier():
    curve = roc(curve_of([(30, 70)]))
    assert isinstance(curve, RocCurve)
    assert pr_area(curve, pi=[0.1, 0.3]) == pytest.approx([0.1, 0.3])
    assert trapezoid_area(curve, pi=0.3) == pytest.approx(0.3)


@LAWS
@given(some.lists(CELLS, min_size=1, max_size=5))
def test_many_curves_at_once_have_the_areas_of_each(many):
    parts = [rises(roc(curve_of(cells))) for cells in many]
    pi = [0.0, 0.003, 0.4, 1.0]
    together = RocStretches(
        *(
            np.concatenate([getattr(part, end) for part in parts])
            for end in ("r0", "f0", "r1", "f1")
        )
    )
    starts = np.cumsum([0, *(len(part.r0) for part in parts[:-1])])
    assert areas_of_many(together, starts, pi) == pytest.approx(
        np.array([areas(part, pi) for part in parts]), rel=1e-13
    )


def test_the_gain_area_has_a_limit_where_positives_are_rarer_than_any_number():
    curve = roc_of([0.3, 0.8], [0.0, 0.2])
    assert float(gain_area(curve, pi=1e-300)) == pytest.approx(
        float(gain_area(curve, pi=1e-12)), rel=1e-9
    )
