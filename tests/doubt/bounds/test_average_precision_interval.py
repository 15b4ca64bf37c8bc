"""How sure is an average precision?"""

from dataclasses import replace

import numpy as np
import pytest
from scipy import special, stats

from karat.doubt.bounds.average_precision_interval import average_precision_interval, influences
from karat.measure.curves import average_precisions
from karat.measure.of_scores.average_precision import average_precision
from karat.tally.scores.curve import Curve
from karat.tally.scores.packed_curve import curve_of


def drawn(positives, negatives, apart, random):
    labels = np.arange(positives + negatives) < positives
    return curve_of(labels, np.round(random.normal(labels * apart), 1))


def test_influences_are_derivatives():
    curve = drawn(12, 30, 1.0, np.random.default_rng(1))
    positive, negative = curve.positive.astype(float), curve.negative.astype(float)
    of_positive, of_negative = influences(curve)
    step = 1e-6
    for place in range(len(positive)):
        more = positive.copy()
        more[place] += step
        less = positive.copy()
        less[place] -= step
        slope = (average_precisions(more, negative) - average_precisions(less, negative)) / (
            2 * step
        )
        if positive[place]:
            assert of_positive[place] == pytest.approx(float(slope), abs=1e-6)
        more = negative.copy()
        more[place] += step
        less = negative.copy()
        less[place] -= step
        slope = (average_precisions(positive, more) - average_precisions(positive, less)) / (
            2 * step
        )
        assert of_negative[place] == pytest.approx(float(slope), abs=1e-6)


def test_scores_that_nothing_has_change_no_influence():
    curve = drawn(12, 30, 1.0, np.random.default_rng(1))
    places = [0, 0, 4, len(curve.positive)]
    emptied = replace(
        curve,
        score=np.insert(curve.score, places, curve.score[[0, 0, 4, -1]]),
        positive=np.insert(curve.positive, places, 0),
        negative=np.insert(curve.negative, places, 0),
    )
    for found, wanted in zip(influences(emptied), influences(curve), strict=True):
        kept = np.delete(found, np.array(places) + np.arange(4))
        assert kept == pytest.approx(wanted)


@pytest.mark.parametrize("apart", [1.0, -1.5])
def test_influences_sum_to_nothing(apart):
    curve = drawn(12, 30, apart, np.random.default_rng(3))
    assert apart > 0 or curve.positive[-1]
    of_positive, of_negative = influences(curve)
    assert curve.positive @ of_positive + curve.negative @ of_negative == pytest.approx(
        0, abs=1e-12
    )


def test_the_ends_are_those_of_the_formula():
    curve = drawn(20, 60, 1.5, np.random.default_rng(5))
    of_positive, of_negative = influences(curve)
    variance = (curve.positive @ of_positive**2 + curve.negative @ of_negative**2) * 80 / 79
    value = average_precision(curve)
    reach = stats.t.ppf(0.95, 19) * np.sqrt(variance) / (value * (1 - value))
    found = average_precision_interval(curve, level=0.9)
    ends = special.expit(special.logit(value) + np.array([-reach, reach]))
    assert [float(found.low), float(found.high)] == pytest.approx(ends.tolist())


def test_the_variance_is_near_that_of_resamples():
    curve = drawn(150, 450, 1.5, np.random.default_rng(5))
    of_positive, of_negative = influences(curve)
    variance = curve.positive @ of_positive**2 + curve.negative @ of_negative**2
    random = np.random.default_rng(0)
    number = np.concatenate([curve.positive, curve.negative])
    counts = random.multinomial(600, number / 600, size=4000)
    half = len(curve.score)
    resampled = average_precisions(counts[:, :half], counts[:, half:])
    assert np.sqrt(variance) == pytest.approx(resampled.std(), rel=0.06)


@pytest.mark.parametrize(("positives", "negatives"), [(3, 40), (40, 3)])
def test_perfect_order_is_bounded_by_the_fewer_kind(positives, negatives):
    labels = np.arange(positives + negatives) < positives
    found = average_precision_interval(curve_of(labels, labels.astype(float)))
    assert (float(found.low), float(found.high)) == (pytest.approx(0.025 ** (1 / 3)), 1)


def test_a_single_positive_tells_nothing():
    curve = Curve(np.array([2.0, 1.0]), np.array([1, 0]), np.array([0, 30]))
    found = average_precision_interval(curve)
    assert (float(found.low), float(found.high)) == (0, 1)


def test_it_holds_with_few_items():
    """20 positives and 20 negatives two standard deviations apart: the area is 0.9218, by quadrature."""
    cut = np.linspace(-9, 11, 200_001)
    recall, false = stats.norm.sf(cut - 2), stats.norm.sf(cut)
    exact = -np.trapezoid(recall / (recall + false), recall)
    random = np.random.default_rng(0)
    runs = 500
    held = 0
    for _ in range(runs):
        labels = np.arange(40) < 20
        found = average_precision_interval(curve_of(labels, random.normal(2.0 * labels)))
        held += float(found.low) <= exact <= float(found.high)
    # Four standard errors of 500 runs are 0.039.
    assert held / runs > 0.95 - 0.039


def test_two_positives_tell_something_and_one_side_is_open():
    labels = np.array([True, False, True, False, False, False])
    curve = curve_of(labels, np.arange(6, 0, -1.0))
    found = average_precision_interval(curve)
    assert 0 < float(found.low) < float(found.high) < 1
    upper = average_precision_interval(curve, side="upper")
    assert float(upper.low) == 0
    lower = average_precision_interval(curve, side="lower")
    assert float(lower.high) == 1
    perfect = np.array([True, True, False, False])
    above = average_precision_interval(curve_of(perfect, np.arange(4, 0, -1.0)), side="upper")
    assert (float(above.low), float(above.high)) == (0, 1)
