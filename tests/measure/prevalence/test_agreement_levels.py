"""Agreement levels as truths: SciPy's correlations of every item, a plain count, and the paper's pattern."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from karat.errors import InputError, OptionError
from karat.measure.prevalence.agreement_levels import (
    following,
    kendall,
    level_curves,
    pearson,
    spearman,
)
from karat.measure.prevalence.integrated import integrated_area
from karat.measure.prevalence.pr_curve import pr_area, roc
from karat.tally.scores.annotator_marks import marks_of
from karat.tally.scores.packed_curve import curve_of

PEERS = {
    pearson: stats.pearsonr,
    spearman: stats.spearmanr,
    kendall: lambda x, y: stats.kendalltau(x, y, method="asymptotic"),
}


@settings(deadline=None, derandomize=True, max_examples=60)
@given(rows=st.lists(st.tuples(st.integers(0, 4), st.integers(-3, 3)), min_size=4, max_size=50))
def test_scipy_finds_the_same_correlations_and_p_values(rows):
    marks, score = np.array(rows).T
    tally = marks_of(marks, score, annotators=5)
    for ours, theirs in PEERS.items():
        found = ours(tally)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = theirs(marks, score)
        if np.isnan(wanted.statistic):
            assert (found.value, found.p_value) == (None, None)
        else:
            assert found.value == pytest.approx(wanted.statistic, abs=1e-12)
            assert found.p_value == pytest.approx(wanted.pvalue, rel=1e-6, abs=1e-12)
        assert found.items == len(rows)


def test_scipy_agrees_on_many_items_too():
    random = np.random.default_rng(1)
    marks = random.binomial(13, random.beta(0.2, 2, 20_000))
    score = np.round(random.normal(size=20_000) + 0.1 * marks, 2)
    tally = marks_of(marks, score, annotators=13)
    for found, part in (
        (following(tally).within, marks > 0),
        (following(tally).over_all, marks >= 0),
    ):
        for ours, theirs in zip(found, PEERS.values(), strict=True):
            wanted = theirs(marks[part], score[part])
            assert ours.value == pytest.approx(wanted.statistic, rel=1e-9)
            assert ours.p_value == pytest.approx(wanted.pvalue, rel=1e-6, abs=1e-300)
            assert ours.items == part.sum()


def test_a_level_is_what_at_least_so_many_marked():
    random = np.random.default_rng(2)
    columns, score = random.random((300, 4)) < 0.3, np.round(random.random(300), 1)
    curves = level_curves(marks_of(columns, score))
    assert list(curves) == [1, 2, 3, 4]
    for level, found in curves.items():
        wanted = curve_of(columns.sum(axis=1) >= level, score)
        assert np.array_equal(found.score, wanted.score)
        assert np.array_equal(found.positive, wanted.positive)
        assert np.array_equal(found.negative, wanted.negative)


def test_levels_that_all_or_none_reach_have_no_curve():
    assert list(level_curves(marks_of([1, 1, 2, 3], [1, 2, 3, 4], annotators=5))) == [2, 3]


def test_agreement_raises_the_integrated_area_while_rarity_lowers_the_plain_one():
    # The pattern of the paper's Table 3, on made data: scores rise with agreement, and the higher levels are rarer.
    random = np.random.default_rng(3)
    marks = random.choice(6, 40_000, p=[0.95, 0.02, 0.012, 0.009, 0.006, 0.003])
    score = random.normal(size=40_000) + np.where(marks, 0.7 + 0.25 * marks, 0)
    curves = level_curves(marks_of(marks, score, annotators=5))
    plain, over = [], []
    for curve in curves.values():
        balance = curve.positive.sum() / (curve.positive.sum() + curve.negative.sum())
        plain.append(float(pr_area(roc(curve), pi=balance)))
        over.append(integrated_area(roc(curve), low=0.0, high=0.5))
    assert np.all(np.diff(over) > 0)
    assert plain[0] > plain[-1]


def test_bad_marks_are_refused_in_words():
    with pytest.raises(InputError, match="2 numbers of marks for 1 scores"):
        marks_of([1, 2], [0.5])
    with pytest.raises(InputError, match="something other than 0 and 1"):
        marks_of([[1, 2]], [0.5])
    with pytest.raises(InputError, match="the marks go from -1"):
        marks_of([-1, 2], [0.5, 0.2])
    with pytest.raises(InputError, match="an item has 3 marks of 2 annotators"):
        marks_of([3, 1], [0.5, 0.2], annotators=2)
    with pytest.raises(InputError, match="1 scores are NaN"):
        marks_of([3, 1], [0.5, np.nan])
    with pytest.raises(OptionError, match="no item has a mark"):
        following(marks_of([0, 0, 0], [1, 2, 3], annotators=2))
