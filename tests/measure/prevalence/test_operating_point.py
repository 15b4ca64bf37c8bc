"""Choosing for a range of prevalences: every threshold tried one by one, quadrature, and scikit-learn's F."""

import numpy as np
import pytest
from scipy.integrate import quad

from karat.errors import OptionError
from karat.measure.prevalence.distribution import single
from karat.measure.prevalence.operating_point import (
    best_threshold,
    choose,
    f_score,
    precision_at_recall,
    recall_at_precision,
    utility,
)
from karat.measure.prevalence.priors.landgrebe import landgrebe
from karat.measure.prevalence.priors.uniform import uniform
from karat.tally.scores.packed_curve import curve_of


def scored(seed=0, number=400, shift=1.0):
    random = np.random.default_rng(seed)
    truth = random.random(number) < 0.2
    return truth, np.round(random.normal(size=number) + shift * truth, 1)


def at(pi, tpr, fpr, goal):
    """The goal at one prevalence, from the definition of each measure."""
    hits, alarms, misses = pi * tpr, (1 - pi) * fpr, pi * (1 - tpr)
    if goal == "precision":
        return hits / (hits + alarms) if hits + alarms else np.nan
    if goal == "f2":
        return 5 * hits / (5 * hits + 4 * misses + alarms) if hits else 0.0
    return 8 * hits - 3 * misses - alarms + 0.5 * (1 - pi - alarms)


GOALS = {
    "precision": precision_at_recall(0.6),
    "f2": f_score(2),
    "utility": utility(hit=8, miss=-3, alarm=-1, rest=0.5),
}


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("limits", [(0.0, 0.3), (0.05, 0.9)])
def test_the_choice_is_the_best_of_all_thresholds_tried_one_by_one(goal, limits):
    truth, score = scored()
    rows = []
    for threshold in [np.inf, *np.unique(score)]:
        tpr, fpr = ((score[kind] >= threshold).mean() for kind in (truth, ~truth))
        if goal != "precision" or tpr >= 0.6:
            mean = quad(at, *limits, args=(tpr, fpr, goal), epsabs=1e-12)[0] / (
                limits[1] - limits[0]
            )
            rows.append((mean, threshold, tpr, fpr))
    best = max(rows)
    found = best_threshold(curve_of(truth, score), uniform(*limits), GOALS[goal])
    assert found.value == pytest.approx(best[0], rel=1e-8)
    assert (found.threshold, found.tpr, found.fpr) == pytest.approx(best[1:], rel=1e-12)


def test_at_the_balance_of_the_data_f_is_that_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    truth, score = scored(3)
    found = best_threshold(curve_of(truth, score), single(truth.mean()), f_score(0.5))
    assert found.value == pytest.approx(
        metrics.fbeta_score(truth, score >= found.threshold, beta=0.5), rel=1e-12
    )


def test_where_alarms_cost_too_much_nothing_is_worth_a_yes():
    curve = curve_of([0, 1, 0, 1], [4, 3, 2, 1])
    found = best_threshold(curve, single(0.001), utility(hit=1, alarm=-1000))
    assert (found.threshold, found.tpr, found.precision, found.value) == (np.inf, 0.0, None, 0.0)
    eager = best_threshold(curve, single(0.5), utility(hit=1, miss=-1000, alarm=-0.001))
    assert eager.tpr == 1.0


@pytest.mark.parametrize("limits", [(0.05, 0.05), (0.0, 0.3)])
def test_the_highest_recall_at_a_precision_is_that_of_all_thresholds_tried(limits):
    truth, score = scored(2)
    reached = {}
    for threshold in np.unique(score):
        tpr, fpr = ((score[kind] >= threshold).mean() for kind in (truth, ~truth))
        mean = at(limits[0], tpr, fpr, "precision")
        if limits[0] < limits[1]:
            mean = quad(at, *limits, args=(tpr, fpr, "precision"))[0] / (limits[1] - limits[0])
        if mean >= 0.3:
            reached[threshold] = tpr
    best = max(reached.values())
    prevalences = uniform(*limits) if limits[0] < limits[1] else single(limits[0])
    found = best_threshold(curve_of(truth, score), prevalences, recall_at_precision(0.3))
    assert found.value == found.tpr == best
    assert found.threshold == max(cut for cut, tpr in reached.items() if tpr == best)
    assert found.precision >= 0.3


def test_a_system_that_cannot_be_so_precise_has_no_threshold_and_comes_last():
    good = curve_of([1, 1, 0, 0], [4, 3, 2, 1])
    poor = curve_of([1, 1, 0, 0], [4, 3, 4, 1])
    last = choose({"poor": poor, "good": good}, single(0.01), recall_at_precision(0.9))
    assert [choice.system for choice in last] == ["good", "poor"]
    assert (last[0].value, last[0].threshold) == (1.0, 3.0)
    assert (last[1].value, last[1].threshold, last[1].precision) == (None, np.inf, None)


def test_rarer_positives_ask_for_a_higher_threshold():
    curve = curve_of(*scored(1, 5000))
    chosen = [best_threshold(curve, single(pi), f_score()).threshold for pi in (0.5, 0.1, 0.01)]
    assert chosen[0] < chosen[1] < chosen[2]


def test_the_best_system_depends_on_the_range():
    early = {"score": np.array([3.0, 2.0, 1.0]), "truth": [(30, 0), (0, 500), (70, 500)]}
    late = {"score": np.array([3.0, 2.0, 1.0]), "truth": [(0, 10), (95, 100), (5, 890)]}
    curves = {}
    for name, rows in (("early", early), ("late", late)):
        positive, negative = np.array(rows["truth"]).T
        curves[name] = type(curve_of(*scored()))(rows["score"], positive, negative)
    rare, frequent = (
        choose(curves, spread, f_score())[0].system for spread in (single(0.001), single(0.5))
    )
    assert (rare, frequent) == ("early", "late")
    assert len(choose(curves, landgrebe(0.01, 0.5), f_score())) == 2


def test_bad_goals_are_refused_in_words():
    with pytest.raises(OptionError, match="the recall is 2"):
        precision_at_recall(2)
    with pytest.raises(OptionError, match="beta is -1"):
        f_score(-1)
    with pytest.raises(OptionError, match="each must be finite"):
        utility(hit=np.inf, alarm=-1)
