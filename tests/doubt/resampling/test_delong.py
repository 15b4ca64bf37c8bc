"""DeLong's test against the slow formula of the paper, and what must hold of what each item adds."""

import numpy as np
import pytest
from scipy.stats import norm

from karat.doubt.resampling.curve_influences import PlacedItems, curve_influences, effective_sides
from karat.doubt.resampling.delong_test import delong_test
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.tally.scores.paired_scores import PairedScores

MEASURES = ("roc-area", "average-precision", "brier")


def psi(positive, negative):
    return 1.0 if positive > negative else 0.5 if positive == negative else 0.0


def slow_delong(truth, scores):
    """Areas and their covariance as DeLong, DeLong and Clarke-Pearson write them, pair by pair."""
    positives = [row for row, yes in zip(scores, truth, strict=True) if yes]
    negatives = [row for row, yes in zip(scores, truth, strict=True) if not yes]
    m, n, systems = len(positives), len(negatives), len(scores[0])
    v10 = np.zeros((m, systems))
    v01 = np.zeros((n, systems))
    for i, x in enumerate(positives):
        for j, y in enumerate(negatives):
            for k in range(systems):
                v10[i, k] += psi(x[k], y[k]) / n
                v01[j, k] += psi(x[k], y[k]) / m
    covariance = np.cov(v10.T) / m + np.cov(v01.T) / n
    return v10.mean(axis=0), covariance


def scores_of(seed, positives=12, negatives=25, *, tied=False):
    random = np.random.default_rng(seed)
    truth = np.arange(positives + negatives) < positives
    shared = random.normal(size=len(truth))
    scores = truth[:, None] + shared[:, None] + random.normal(size=(len(truth), 3))
    return truth, np.round(scores) if tied else scores


def paired(truth, scores, **more):
    names = tuple("abc"[: scores.shape[1]])
    return PairedScores(names, truth, scores, np.ones(len(truth), np.int64), **more)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_slow_formula_of_the_paper(seed, tied):
    truth, scores = scores_of(seed, tied=tied)
    areas, covariance = slow_delong(truth, scores.tolist())
    for one, other in ((0, 1), (0, 2), (1, 2)):
        variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        difference = areas[one] - areas[other]
        found = delong_test(truth, scores[:, one], scores[:, other])
        assert found.p_value == pytest.approx(2 * norm.sf(abs(difference) / variance**0.5))
        reach = norm.ppf(0.975) * variance**0.5
        assert (found.low, found.high) == pytest.approx((difference - reach, difference + reach))


def test_scores_that_order_all_pairs_alike_do_not_differ():
    truth, scores = scores_of(3)
    found = delong_test(truth, scores[:, 0], np.exp(scores[:, 0]))
    assert found.p_value == 1
    assert found.low == -found.high < 0


def test_the_truth_must_have_both_kinds():
    with pytest.raises(OptionError, match="needs both"):
        delong_test([1, 1], [0.1, 0.2], [0.3, 0.1])


def value(name, rows):
    quantity = Quantity.parse(name)
    measured = quantity.traits(rows.curve("a"), **quantity.arguments)
    return float(getattr(measured, "values", measured))


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("weighted", [False, True])
def test_what_an_item_adds_is_the_derivative_by_its_weight(name, weighted):
    random = np.random.default_rng(5)
    truth, scores = scores_of(5, tied=name != "brier")
    if name == "brier":
        scores = 1 / (1 + np.exp(-scores))
    weight = random.uniform(0.2, 2, len(truth)) if weighted else np.ones(len(truth))
    rows = paired(truth, scores, weight=weight)
    influences = curve_influences(Quantity.parse(name), rows, ("a",))
    for item in range(0, len(truth), 5):
        step = 1e-6
        more, less = weight.copy(), weight.copy()
        more[item] += step
        less[item] -= step
        upper = value(name, paired(truth, scores, weight=more))
        lower = value(name, paired(truth, scores, weight=less))
        slope = (upper - lower) / (2 * step)
        assert influences.each[item, 0] == pytest.approx(weight[item] * slope, abs=1e-7)


@pytest.mark.parametrize("name", MEASURES)
def test_equal_rows_and_equal_weights_change_nothing(name):
    truth, scores = scores_of(6, tied=True)
    if name == "brier":
        scores = scores / 10 % 1
    quantity = Quantity.parse(name)
    plain = curve_influences(quantity, paired(truth, scores), ("a", "b", "c"))
    rows, number = np.unique(np.column_stack([truth, scores]), axis=0, return_counts=True)
    gathered = PairedScores(("a", "b", "c"), rows[:, 0].astype(bool), rows[:, 1:], number)
    weighted = paired(truth, scores, weight=np.full(len(truth), 0.25))
    for same in (gathered, weighted):
        found = curve_influences(quantity, same, ("a", "b", "c"))
        assert found.variance(0) == pytest.approx(plain.variance(0))
        expected = plain.variance_of_difference(0, 2)
        assert found.variance_of_difference(0, 2) == pytest.approx(expected)
        assert found.fewer == pytest.approx(12)


def test_the_effective_number_of_items_is_that_of_equal_weights():
    truth, scores = scores_of(7, positives=4, negatives=6)
    weight = np.where(np.arange(10) == 0, 1e6, 1.0)
    sides = effective_sides(paired(truth, scores, weight=weight))
    assert sides.positives == pytest.approx(1, rel=1e-4)
    assert sides.negatives == pytest.approx(6)


def test_two_systems_differ_on_the_items_that_they_place_differently():
    truth = np.array([True, True, False, False])
    scores = np.array([[4.0, 4.0], [3.0, 3.0], [2.0, 3.5], [1.0, 1.0]])
    units = PlacedItems.of(paired(truth, scores), ("a", "b"))
    assert (units.number, units.differ(0, 1)) == (2, 1)
    clustered = paired(truth, scores, cluster=np.array([0, 1, 1, 2]), clusters=3)
    units = PlacedItems.of(clustered, ("a", "b"))
    assert (units.number, units.differ(0, 1)) == (3, 1)
