"""Bands around a precision-recall curve: a plain loop, every order statistic tried, and coverage of a known curve."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from karat.doubt.prevalence.curve_band import curve_band, envelope
from karat.errors import OptionError
from karat.measure.prevalence.distribution import single
from karat.measure.prevalence.pr_curve import precision_along, roc
from karat.measure.prevalence.precision_at import precision_at
from karat.measure.prevalence.priors.uniform import integrated_precision, uniform
from karat.tally.scores.packed_curve import curve_of

POINTS = np.array([0.1, 0.3, 0.5, 0.8, 1.0])


def scored(seed, number=300, digits=9):
    random = np.random.default_rng(seed)
    truth = np.arange(number) < number // 3
    return truth, np.round(random.normal(size=number) + 1.5 * truth, digits)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 6)] * 3), min_size=2, max_size=20),
    level=st.sampled_from([0.3, 0.5, 0.9]),
)
def test_the_envelope_is_the_innermost_that_holds_enough_rows(rows, level):
    drawn = np.array(rows, float)
    low, high = envelope(drawn, level)
    ordered, number = np.sort(drawn, axis=0), len(drawn)
    holds = [
        np.mean(np.all((ordered[k] <= drawn) & (drawn <= ordered[number - 1 - k]), axis=1))
        >= level - 1e-9
        for k in range((number + 1) // 2)
    ]
    best = max(k for k, enough in enumerate(holds) if enough)
    assert np.array_equal(low, ordered[best])
    assert np.array_equal(high, ordered[number - 1 - best])


def test_the_points_are_quantiles_of_a_plain_loop_over_items():
    truth, score = scored(1, digits=1)
    draws, random = 400, np.random.default_rng(4)
    found = curve_band(curve_of(truth, score), single(0.2), recall=POINTS, draws=draws)
    plain = []
    for _ in range(draws):
        rows = np.concatenate(
            [random.choice(np.flatnonzero(truth == kind), (truth == kind).sum()) for kind in (1, 0)]
        )
        plain.append(precision_along(roc(curve_of(truth[rows], score[rows])), POINTS, pi=0.2))
    wide = np.std(plain, axis=0)
    # a quantile at 2.5 % of a normal sample has a standard error of 2.67 deviations over the root of the draws
    for ours, side in ((found.low, 0.025), (found.high, 0.975)):
        assert np.all(
            np.abs(ours - np.quantile(plain, side, axis=0)) <= 4 * 2.67 * np.sqrt(2 / draws) * wide
        )
    assert found.precision == pytest.approx(
        precision_along(roc(curve_of(truth, score)), POINTS, pi=0.2), rel=1e-12
    )


def test_the_band_of_the_whole_curve_is_wider_and_both_follow_the_level():
    curve = curve_of(*scored(2))
    found, narrow = (
        curve_band(curve, uniform(0.0, 0.5), draws=200, level=level) for level in (0.95, 0.5)
    )
    assert np.all(found.lowest <= found.low)
    assert np.all(found.low <= found.high)
    assert np.all(found.high <= found.highest)
    assert (found.highest - found.lowest).mean() > 1.1 * (found.high - found.low).mean()
    assert (narrow.high - narrow.low).mean() < (found.high - found.low).mean()
    assert (narrow.highest - narrow.lowest).mean() < (found.highest - found.lowest).mean()
    assert "uniform(0, 0.5)" in found.method


def test_over_a_range_the_precision_is_the_integrated_one():
    curve = curve_of(*scored(3))
    found = curve_band(curve, uniform(0.01, 0.4), recall=POINTS, draws=2)
    from karat.measure.prevalence.pr_curve import fall_out_along, rises

    wanted = integrated_precision(
        POINTS, fall_out_along(rises(roc(curve)), POINTS), low=0.01, high=0.4
    )
    assert found.precision == pytest.approx(wanted, rel=1e-9)


@pytest.mark.slow
def test_both_bands_cover_the_curve_of_the_population():
    recall = np.array([0.2, 0.4, 0.6, 0.8])
    true = precision_at(recall, 1 - ndtr(1.5 + ndtri(1 - recall)), pi=0.3)
    runs, points, whole = 120, 0, 0
    for seed in range(runs):
        found = curve_band(
            curve_of(*scored(seed + 50)), single(0.3), recall=recall, draws=200, level=0.9
        )
        points += np.mean((found.low <= true) & (true <= found.high))
        whole += np.all((found.lowest <= true) & (true <= found.highest))
    error = np.sqrt(0.9 * 0.1 / runs)
    assert points / runs == pytest.approx(0.9, abs=4 * error)
    assert whole / runs == pytest.approx(0.9, abs=4 * error)


def test_bad_options_are_refused_in_words():
    curve = curve_of(*scored(1))
    with pytest.raises(OptionError, match="begins above 0"):
        curve_band(curve, single(0.2), recall=[0.0, 0.5])
    with pytest.raises(OptionError, match="draws is 1"):
        curve_band(curve, single(0.2), draws=1)
    with pytest.raises(OptionError, match=r"the recall is 1\.5"):
        curve_band(curve, single(0.2), recall=[1.5])
