"""Precision at another prevalence: against counts, the paper's formulae, and laws."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as some

from karat.errors import OptionError
from karat.measure.prevalence.precision_at import (
    achievable,
    flach_precision,
    from_negatives_per_positive,
    minimum_precision,
    precision_at,
    transformed_precision,
)
from karat.numeric.fraction_mean import fraction_mean

LAWS = settings(derandomize=True, deadline=None, max_examples=150)
INSIDE = some.integers(1, 999).map(lambda whole: whole / 1000)
RATE = some.integers(0, 1000).map(lambda whole: whole / 1000)
COUNTS = some.integers(1, 10**6)


@LAWS
@given(COUNTS, COUNTS, COUNTS, COUNTS, INSIDE)
def test_the_transform_is_that_of_the_counts(hits, missed, false, rejected, new):
    positives, negatives = hits + missed, false + rejected
    old = Fraction(positives, positives + negatives)
    phi = old / (1 - old)
    share = Fraction(new)
    printed = share / (share + (1 - share) * phi * (Fraction(hits + false, hits) - 1))
    found = transformed_precision(hits / (hits + false), old=float(old), new=new)
    assert float(found) == pytest.approx(float(printed), rel=1e-9)
    rates = precision_at(hits / positives, false / negatives, pi=new)
    assert float(rates) == pytest.approx(float(printed), rel=1e-9)


@LAWS
@given(INSIDE, INSIDE, INSIDE, INSIDE)
def test_a_way_over_a_third_prevalence_is_the_direct_way(precision, first, second, third):
    over = transformed_precision(
        transformed_precision(precision, old=first, new=second), old=second, new=third
    )
    assert float(over) == pytest.approx(
        float(transformed_precision(precision, old=first, new=third)), rel=1e-9
    )
    back = transformed_precision(
        transformed_precision(precision, old=first, new=second), old=second, new=first
    )
    assert float(back) == pytest.approx(precision, rel=1e-9)


@LAWS
@given(RATE, RATE, INSIDE)
def test_flach_has_the_same_precision_by_another_name(tpr, fpr, pi):
    ours = precision_at(tpr, fpr, pi=pi)
    his = flach_precision(tpr, fpr, ratio=(1 - pi) / pi)
    assert ours == pytest.approx(his, rel=1e-12, nan_ok=True)
    if tpr + fpr > 0:
        assert float(his) == pytest.approx(tpr / (tpr + (1 / pi - 1) * fpr), rel=1e-12)


@LAWS
@given(INSIDE)
def test_a_prevalence_follows_from_the_negatives_per_positive(pi):
    assert float(from_negatives_per_positive((1 - pi) / pi)) == pytest.approx(pi, rel=1e-12)


def test_the_ends_of_the_prevalences():
    assert from_negatives_per_positive([0, np.inf]).tolist() == [1.0, 0.0]
    assert precision_at(
        [0.5, 0.5, 0, 0.5, 0], [0, 0.1, 0.1, 0.1, 0], pi=[0, 0, 1, 1, 0.5]
    ).tolist()[:4] == [1, 0, 0, 1]
    assert np.isnan(precision_at(0, 0, pi=0.5))
    assert transformed_precision(
        [1, 0, 1, 0, 0.5, 0.5], old=0.3, new=[0, 1, 1, 0, 0, 1]
    ).tolist() == [1, 0, 1, 0, 0, 1]


@LAWS
@given(INSIDE, RATE, INSIDE)
def test_a_point_is_achievable_where_its_false_positives_are_no_more_than_the_negatives(
    precision, recall, pi
):
    rate = pi / (1 - pi) * recall * (1 / precision - 1)  # theorem 1's false positive rate
    assume(abs(rate - 1) > 1e-9)
    found = achievable(precision, recall, pi=pi)
    assert found.possible == (rate <= 1)
    if recall > 0 and rate <= 1:
        assert float(precision_at(recall, rate, pi=pi)) == pytest.approx(precision, rel=1e-9)


@pytest.mark.parametrize("pi", [0.01, 0.3, 0.7])
def test_the_least_precision_at_full_recall_is_the_prevalence_and_is_achievable(pi):
    assert float(minimum_precision(1, pi=pi)) == pytest.approx(pi)
    assert achievable(pi, 1.0, pi=pi).possible
    assert not achievable(pi - 1e-9, 1.0, pi=pi).possible


@LAWS
@given(some.floats(-0.999999, 0.999999), some.floats(-2, 2), some.floats(-2, 2))
def test_the_mean_of_a_linear_fraction_is_its_integral(slope, top, change):
    from mpmath import mp, mpf, quad

    if abs(slope) > 1e-3:
        t, m, h = mpf(slope), mpf(top), mpf(change)
        arc = mp.atanh(t)
        right = m * arc / t - h * (arc - t) / t**2
    else:
        right = quad(lambda x: (mpf(top) + mpf(change) * x) / (1 + mpf(slope) * x), [-1, 1]) / 2
    parts = [np.array([value]) for value in (top, change, slope)]
    found = fraction_mean(*parts, first=np.array([1 - slope]), last=np.array([1 + slope]))
    assert found[0] == pytest.approx(float(right), rel=1e-12, abs=1e-13)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: precision_at(0.8, 0.2, pi=-0.1),
            "the prevalence is -0.1; as the share of positives",
        ),
        (lambda: precision_at(1.8, 0.2, pi=0.1), "TPR is 1.8; it must be between 0 and 1"),
        (lambda: precision_at(0.8, np.nan, pi=0.1), "FPR is nan"),
        (
            lambda: transformed_precision(0.5, old=0, new=0.5),
            "prevalence of the data is 0; a precision needs both",
        ),
        (
            lambda: from_negatives_per_positive(-1),
            "negatives per positive is -1; a ratio of counts",
        ),
        (lambda: achievable(1.2, 0.5, pi=0.5), "the precision is 1.2"),
    ],
)
def test_what_is_no_rate_is_refused(call, words):
    with pytest.raises(OptionError, match=words):
        call()
