"""Curves from arrays in memory: a plain loop's counts, no area changed by joining, and clear words for bad input."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.errors import InputError
from karat.measure.of_scores.roc_area import roc_area
from karat.measure.prevalence.packed_area import rises_of
from karat.measure.prevalence.pr_curve import areas, pr_area, roc
from karat.measure.prevalence.step_areas import average_precision_at
from karat.tally.scores import packed_curve
from karat.tally.scores.curve import curves
from karat.tally.scores.packed_curve import curve_of, steps_of

NUMBERS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, -1.0, float("-inf"), float("inf"), 5e-324]), st.floats(-9, 9)
)
ITEMS = st.lists(st.tuples(st.booleans(), NUMBERS), min_size=1, max_size=60)
KINDS = (np.float64, np.float32, np.float16, np.int32)


def plain(truth, score):
    """A loop over the items."""
    sides = Counter(), Counter()
    for yes, value in zip(truth, score, strict=True):
        sides[0 if yes else 1][float(value)] += 1
    return [
        (value, sides[0][value], sides[1][value])
        for value in sorted(sides[0] | sides[1], reverse=True)
    ]


def rows(curve):
    return list(
        zip(curve.score.tolist(), curve.positive.tolist(), curve.negative.tolist(), strict=True)
    )


def scored(items, rate, kind, seed=0):
    random = np.random.default_rng(seed)
    truth = random.random(items) < rate
    truth[:2] = [True, False]
    return truth, ((random.normal(size=items) + truth) * 20).astype(kind)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(items=ITEMS)
def test_the_counts_are_those_of_a_loop_whatever_the_numbers(items):
    truth, score = (
        np.array([*(yes for yes, _ in items), True, False]),
        np.array([*(x for _, x in items), 0.5, 0.5]),
    )
    assert rows(curve_of(truth, score)) == plain(truth, score)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rate", [0.02, 0.5, 0.97])
def test_every_kind_of_number_is_counted_also_in_threads_and_parts(kind, rate, monkeypatch):
    monkeypatch.setattr(packed_curve, "SMALL", 500)
    monkeypatch.setattr(packed_curve, "AT_ONCE", 7)
    truth, score = scored(4000, rate, kind)
    assert rows(curve_of(truth, score)) == plain(truth, score)
    assert rows(curve_of(truth.astype(np.int8), score)) == plain(truth, score)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rate", [0.02, 0.5, 0.97])
def test_the_area_needs_only_the_scores_of_positives(kind, rate, monkeypatch):
    monkeypatch.setattr(packed_curve, "SMALL", 500)
    monkeypatch.setattr(packed_curve, "AT_ONCE", 7)
    truth, score = scored(4000, rate, kind)
    pi = [0.001, 0.2, 0.9]
    assert areas(rises_of(truth, score), pi) == pytest.approx(
        pr_area(roc(curve_of(truth, score)), pi=pi), rel=1e-12
    )


@settings(deadline=None, derandomize=True, max_examples=150)
@given(items=ITEMS)
def test_the_area_is_that_of_the_curve_whatever_the_numbers(items):
    truth, score = (
        np.array([*(yes for yes, _ in items), True, False]),
        np.array([*(x for _, x in items), 0.5, 0.5]),
    )
    ours, wanted = areas(rises_of(truth, score), 0.3), pr_area(roc(curve_of(truth, score)), pi=0.3)
    assert ours == pytest.approx(wanted, rel=1e-12)


def test_scikit_learn_finds_the_same_average_precision_and_roc_area():
    metrics = pytest.importorskip("sklearn.metrics")
    truth, score = scored(5000, 0.1, np.float32)
    curve = curve_of(truth, score)
    ours = average_precision_at(roc(curve), pi=truth.mean())
    assert ours == pytest.approx(metrics.average_precision_score(truth, score), rel=1e-9)
    assert roc_area(curve) == pytest.approx(metrics.roc_auc_score(truth, score), rel=1e-12)


def test_a_table_of_the_same_scores_has_the_same_curve():
    truth, score = scored(300, 0.3, np.float32)
    bench = karat.read({"truth": truth.astype(int), "a": score.astype(float) / 7})
    found = bench.counter.count(curves)["a"]
    assert rows(found) == rows(curve_of(truth, score.astype(float) / 7))


@pytest.mark.parametrize("count", [curve_of, steps_of])
@pytest.mark.parametrize(
    ("truth", "score", "words"),
    [
        (
            [1, 0, 1],
            [0.5, float("nan"), float("nan")],
            "2 scores are NaN, the first that of item 1",
        ),
        ([1, 1], [0.5, 0.2], "the truth has only positives"),
        ([0, 0], [0.5, 0.2], "the truth has no positives"),
        ([], [], "the truth has no positives"),
        ([1, 0], [0.5], "1 scores for 2 items"),
        ([1, 2], [0.5, 0.2], "the truth holds .*2"),
        ([1, 0], ["a", "b"], "a curve needs numbers"),
    ],
)
def test_bad_input_is_refused_in_words(count, truth, score, words):
    with pytest.raises(InputError, match=words):
        count(truth, score)
