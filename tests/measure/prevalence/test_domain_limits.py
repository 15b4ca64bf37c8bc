"""Limits of the prevalence from data: against the plain formula, clipped; bad input."""

import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from karat.errors import OptionError
from karat.measure.prevalence.domain_limits import prevalence_limits

LAWS = settings(derandomize=True, deadline=None, max_examples=60)
SKEWS = some.lists(some.integers(0, 1000).map(lambda whole: whole / 1000), min_size=2, max_size=9)


@LAWS
@given(SKEWS, some.sampled_from([0.0, 1.0, 3.0]))
def test_mean_and_deviations_within_zero_and_one(skews, deviations):
    found = prevalence_limits(skews, deviations=deviations)
    mean, deviation = statistics.fmean(skews), statistics.stdev(skews)
    assert (found.mean, found.deviation, found.number) == pytest.approx(
        (mean, deviation, len(skews)), abs=1e-12
    )
    assert found.low == pytest.approx(max(0, mean - deviations * deviation), abs=1e-12)
    assert found.high == pytest.approx(min(1, mean + deviations * deviation), abs=1e-12)
    assert 0 <= found.low <= found.mean + 1e-12
    assert found.mean - 1e-12 <= found.high <= 1


def test_equal_skews_leave_no_range():
    found = prevalence_limits([0.25, 0.25])
    assert found.low == found.high == 0.25


@pytest.mark.parametrize(
    ("skews", "options", "words"),
    [
        ([0.2], {}, "1 prevalence cannot show how prevalences differ; give two or more"),
        ([0.2, 1.2], {}, "a prevalence is 1.2"),
        ([0.2, 0.3], {"deviations": -1}, "the limits are -1 deviations from"),
    ],
)
def test_what_gives_no_limits_is_refused(skews, options, words):
    with pytest.raises(OptionError, match=words):
        prevalence_limits(skews, **options)
