"""Checked and judged items together: against ppi-python's numbers, plain loops and a simulation of coverage."""

import numpy as np
import pytest
from scipy import stats

from karat.doubt.bounds.exact import exact
from karat.doubt.consensus.prediction_powered import (
    powered_accuracy,
    powered_mean,
    powered_precision,
    powered_recall,
)
from karat.errors import OptionError

RUNS = 600
TABLE = ([0, 0, 1, 1], [0, 1, 0, 1], [24, 7, 13, 56], [0, 1], [361, 639])


@pytest.mark.parametrize(
    ("weight", "value", "low", "high"),
    [
        (None, 0.60469539, 0.5245768, 0.68481398),
        (1, 0.579, 0.48718078, 0.67081922),
        (0.5, 0.6045, 0.52439476, 0.68460524),
    ],
)
def test_ppi_python_has_the_same_numbers(weight, value, low, high):
    # ppi-python, ppi_mean_pointestimate and ppi_mean_ci(alpha=.05, lam=weight) on the items of this table.
    found = powered_mean(*TABLE, weight=weight)
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high), abs=1e-8)


def test_without_trust_in_the_judge_it_is_the_mean_of_the_checked_items():
    found = powered_mean(*TABLE, weight=0)
    assert found.value == found.classical == pytest.approx(0.63)
    assert found.high - found.low == pytest.approx(
        2 * 1.959964 * np.sqrt(0.63 * 0.37 / 100), rel=1e-6
    )
    plain = exact(63, 100)
    assert (found.classical_low, found.classical_high) == (float(plain.low), float(plain.high))
    assert (found.checked, found.judged) == (100, 1000)


def world(rng, items, *, skill=0.85):
    """A system, a judge and the truth of some items: [answer, judge, truth]."""
    truth = rng.random(items) < 0.4
    hard = rng.random(items) < 0.2
    system = np.where(rng.random(items) < np.where(hard, 0.5, 0.85), truth, ~truth)
    judge = np.where(rng.random(items) < np.where(hard, 0.6, skill), truth, ~truth)
    return np.stack([system, judge, truth]).astype(int)


def counts(rows):
    return np.bincount(
        np.ravel_multi_index(tuple(rows), (2,) * len(rows)), minlength=2 ** len(rows)
    ).reshape((2,) * len(rows))


MEASURES = {
    "accuracy": (powered_accuracy, lambda s, t: (s == t, np.ones(len(t), bool))),
    "precision": (powered_precision, lambda s, t: (s & t == 1, s == 1)),
    "recall": (powered_recall, lambda s, t: (s & t == 1, t == 1)),
}


def slow(name, few, many, weight):
    """The ratio and its standard error, from items, not from counts."""
    pair = MEASURES[name][1]
    (s, j, t), (a, b) = few, many
    above, below = (part.astype(float) for part in pair(s, t))
    above_few, below_few = (part.astype(float) for part in pair(s, j))
    above_many, below_many = (part.astype(float) for part in pair(a, b))
    tops = weight * above_many.mean() + (above - weight * above_few).mean()
    value = tops / (base := weight * below_many.mean() + (below - weight * below_few).mean())
    told = above_many - value * below_many
    rest = above - weight * above_few - value * (below - weight * below_few)
    return value, np.sqrt(weight**2 * told.var() / len(a) + rest.var() / len(s)) / base


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("weight", [0.3, 1.0])
def test_counts_give_what_items_give(name, weight):
    rng = np.random.default_rng(8)
    few, many = world(rng, 150), world(rng, 900)[:2]
    found = MEASURES[name][0](counts(few), counts(many), weight=weight)
    value, error = slow(name, few, many, weight)
    assert found.value == pytest.approx(value)
    assert found.high - found.low == pytest.approx(2 * 1.959964 * error, rel=1e-6)


def test_the_tuned_weight_is_nearly_the_best_one():
    rng = np.random.default_rng(9)
    few, many = counts(world(rng, 400)), counts(world(rng, 5000)[:2])
    for function, _ in MEASURES.values():
        tuned = function(few, many)
        widths = [
            (end.high - end.low)
            for w in np.linspace(0, 1, 41)
            for end in [function(few, many, weight=w)]
        ]
        assert tuned.high - tuned.low <= 1.05 * min(widths)
        assert 0 < tuned.weight < 1


@pytest.mark.parametrize("name", MEASURES)
def test_the_interval_covers_as_often_as_it_says_and_is_narrower(name):
    rng = np.random.default_rng(sum(map(ord, name)))
    function, pair = MEASURES[name]
    s, _, t = world(rng, 2_000_000)
    above, below = pair(s, t)
    right = above.sum() / below.sum()
    covered = narrower = 0
    for _ in range(RUNS):
        found = function(counts(world(rng, 300)), counts(world(rng, 4000)[:2]))
        covered += found.low <= right <= found.high
        narrower += found.high - found.low < found.classical_high - found.classical_low
    # .95, less 3 standard errors of the number of runs and .01 for the normal approximation.
    assert covered / RUNS > 0.95 - 3 * np.sqrt(0.95 * 0.05 / RUNS) - 0.01
    assert narrower / RUNS > 0.95


def test_a_useless_judge_does_no_harm():
    rng = np.random.default_rng(4)
    few, many = world(rng, 500), world(rng, 5000)[:2]
    few[1], many[1] = rng.integers(0, 2, 500), rng.integers(0, 2, 5000)
    found = powered_recall(counts(few), counts(many))
    assert found.weight < 0.2
    assert found.high - found.low < 1.05 * (found.classical_high - found.classical_low)


def test_where_nothing_varies_the_exact_interval_stands():
    found = powered_mean([1], [1], [20], [0, 1], [10, 90])
    assert (found.value, found.low, found.high) == (1, float(exact(20, 20).low), 1)
    assert found.method.startswith("exact")
    assert found.weight == 0
    nothing = powered_recall([[[9, 0], [1, 0]], [[2, 0], [0, 0]]], [[5, 5], [5, 5]])
    assert (nothing.value, nothing.low, nothing.high) == (None, 0, 1)


def test_a_share_ends_at_1():
    """29 of 30 right, and the judge trusted half: 0.9667 + 1.96 · 0.0327 would be more than 1."""
    found = powered_mean([1, 1], [1, 0], [29, 1], [1], [1000], weight=0.5)
    assert found.value == pytest.approx(29 / 30)
    assert found.high == 1
    reach = stats.norm.ppf(0.975) * np.sqrt(29 / 30 / 30 / 30)
    assert found.low == pytest.approx(29 / 30 - reach, abs=2e-3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: powered_mean(*TABLE, weight=2), "trusted from 0"),
        (lambda: powered_mean([0.3], [0.5], [4], [1], [5]), "is 0 or 1"),
        (lambda: powered_mean([1, 0], [1], [4], [1], [5]), "one row a kind of item"),
        (lambda: powered_mean(*TABLE, level=95), "strictly between 0 and 1"),
        (lambda: powered_mean([1], [1], [0], [1], [5]), "no checked items"),
        (lambda: powered_mean([1], [1], [-3], [1], [5]), "a count is >= 0"),
        (lambda: powered_recall([[1, 2], [3, 4]], [[1, 2], [3, 4]]), "over the same labels"),
    ],
)
def test_errors_say_what_to_do(call, words):
    with pytest.raises(OptionError, match=words):
        call()


def test_an_accuracy_is_that_of_the_strata_of_agreement():
    """By hand: 80 of 86 right where they agree, on 956 of 1,100 items; 6 of 14 where they do not."""
    checked = [[[20, 1], [3, 4]], [[4, 3], [5, 60]]]
    found = powered_accuracy(checked, [[250, 60], [70, 620]])
    first, second = 80 / 86, 6 / 14
    share = 956 / 1100
    assert found.value == pytest.approx(share * first + (1 - share) * second)
    assert found.weight == pytest.approx(first - second)
    one = stats.beta(80.5, 6.5).ppf([0.025, 0.975])
    other = stats.beta(6.5, 8.5).ppf([0.025, 0.975])
    of_shares = stats.norm.ppf(0.975) ** 2 * share * (1 - share) / 1100 * (first - second) ** 2
    gaps = [share * (first - one[0]), (1 - share) * (second - other[0]), np.sqrt(of_shares)]
    assert found.low == pytest.approx(found.value - np.hypot(np.hypot(*gaps[:2]), gaps[2]))
    gaps = [share * (one[1] - first), (1 - share) * (other[1] - second), np.sqrt(of_shares)]
    assert found.high == pytest.approx(found.value + np.hypot(np.hypot(*gaps[:2]), gaps[2]))


def test_what_nobody_checked_may_be_all_right_or_all_wrong():
    found = powered_accuracy([[[9, 1], [0, 0]], [[0, 0], [0, 10]]], [[300, 100], [100, 500]])
    share = 200 / 1020
    assert found.high - found.low > share * 0.9


@pytest.mark.parametrize("checked", [30, 100])
def test_few_wrong_items_hold_what_is_said(checked):
    """A system that is right on 97 % of 9,600 items on which a judge agrees, and on 40 % of 400 others."""
    random = np.random.default_rng(0)
    kinds = np.array([9312, 288, 160, 240])
    exact_share = (9312 + 160) / 10_000
    held = 0
    for drawn in random.multivariate_hypergeometric(kinds, checked, size=RUNS):
        agree_right, agree_wrong, other_right, other_wrong = drawn
        counts_of = np.zeros((2, 2, 2))
        counts_of[1, 1] = agree_wrong, agree_right
        counts_of[1, 0] = other_wrong, other_right
        rest = kinds - drawn
        many = np.array([[0, 0], [rest[2] + rest[3], rest[0] + rest[1]]])
        found = powered_accuracy(counts_of, many)
        held += found.low <= exact_share <= found.high
    # Three standard errors of 600 runs are 0.027; the normal approximation held in 0.91 and 0.88.
    assert held / RUNS > 0.95 - 0.027
