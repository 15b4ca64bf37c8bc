"""Bands around a precision-recall curve: a plain loop, every order statistic tried, and coverage of a known curve."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logit, ndtr, ndtri

from karat.doubt.few_clusters import allowance
from karat.doubt.prevalence.curve_band import curve_band, envelope
from karat.doubt.prevalence.curve_resamples import of_clusters, of_weights
from karat.errors import OptionError
from karat.measure.prevalence.distribution import single
from karat.measure.prevalence.pr_curve import precision_along, roc
from karat.measure.prevalence.precision_at import precision_at
from karat.measure.prevalence.priors.uniform import integrated_precision, uniform
from karat.tally.scores.packed_curve import curve_of
from karat.tally.scores.paired_scores import PairedScores

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
    low, high = envelope(drawn, drawn, level)
    ordered, number = np.sort(drawn, axis=0), len(drawn)
    holds = [
        np.mean(np.all((ordered[k] <= drawn) & (drawn <= ordered[number - 1 - k]), axis=1))
        >= level - 1e-9
        for k in range((number + 1) // 2)
    ]
    best = max(k for k, enough in enumerate(holds) if enough)
    assert np.array_equal(low, ordered[best])
    assert np.array_equal(high, ordered[number - 1 - best])


def plain_precisions(truth, score, weights, *, unseen, end):
    """Precision at the points by plain lists: every item with its weight, and one unseen item of each kind."""
    items = sorted(zip(score, truth, weights, strict=True), key=lambda one: -one[0])
    first_negative = next(place for place, one in enumerate(items) if not one[1])
    last_positive = max(place for place, one in enumerate(items) if one[1])
    more_positive, more_negative = unseen
    if end == "high":
        cells = [(more_positive, 0.0)]
        cells += [(weight * kind, weight * (not kind)) for _, kind, weight in items]
        cells.append((0.0, more_negative))
    else:
        leading = sum(weight for _, _, weight in items[:first_negative])
        trailing = sum(weight for _, _, weight in items[last_positive + 1 :])
        middle = items[first_negative : last_positive + 1]
        cells = [(leading, more_negative)]
        cells += [(weight * kind, weight * (not kind)) for _, kind, weight in middle]
        cells.append((more_positive, trailing))
    positives, negatives = (sum(column) for column in zip(*cells, strict=True))
    found = []
    for point in POINTS:
        hits, false = 0.0, 0.0
        for positive, negative in cells:
            if positive and hits + positive >= point * positives * (1 - 1e-12):
                share = (point * positives - hits) / positive
                rate = (false + share * negative) / negatives
                break
            hits += positive
            false += negative
        found.append(0.2 * point / (0.2 * point + 0.8 * rate))
    return found


def test_the_points_are_quantiles_of_a_plain_loop_over_items():
    truth, score = scored(1, number=90)
    draws, random = 400, np.random.default_rng(4)
    found = curve_band(curve_of(truth, score), single(0.2), recall=POINTS, draws=draws)
    for ours, end, side in ((found.low, "low", 0.025), (found.high, "high", 0.975)):
        plain = []
        for _ in range(draws):
            weights = random.exponential(size=len(truth))
            unseen = random.exponential(size=2)
            plain.append(plain_precisions(truth, score, weights, unseen=unseen, end=end))
        wide = np.std(plain, axis=0)
        # a quantile at 2.5 % of a normal sample has a standard error of 2.67 deviations over the root of the draws
        error = 4 * 2.67 * np.sqrt(2 / draws) * wide
        assert np.all(np.abs(ours - np.quantile(plain, side, axis=0)) <= error + 1e-9)
    assert found.precision == pytest.approx(
        precision_along(roc(curve_of(truth, score)), POINTS, pi=0.2), rel=1e-12
    )


def in_pages(seed, pages=8, size=30):
    random = np.random.default_rng(seed)
    page = np.repeat(np.arange(pages), size)
    truth = random.random(len(page)) < 0.3
    score = random.normal(size=pages)[page] + random.normal(size=len(page)) + 1.5 * truth
    once = np.ones(len(page), int)
    return PairedScores(("a",), truth, score[:, None], once, cluster=page, clusters=pages)


def test_clusters_widen_the_band_and_few_of_them_by_students_t():
    items = in_pages(3)
    found = items.in_clusters()
    curve = items.curve("a")
    alone = curve_band(curve, single(0.2), recall=POINTS, draws=400)

    def band(units):
        resamples = of_clusters(found, found.systems["a"], draws=400, seed=1)
        assert resamples.units == pytest.approx(8, abs=0.8)  # pages of one size
        own = replace(resamples, units=units)
        return curve_band(curve, single(0.2), recall=POINTS, draws=400, resamples=own)

    few = band(8)
    many = band(None)
    assert "8 clusters" in few.method
    assert ((few.high - few.low) > (alone.high - alone.low)).all()
    # t of 7 degrees of freedom is 1.2064 times the normal quantile, and √(8/7) comes on top.
    by = 2.364624 / 1.959964 * np.sqrt(8 / 7)
    inner = POINTS == 0.5
    odds = [logit(np.array([band.low, band.high])[:, inner]) for band in (few, many)]
    assert np.ptp(odds[0]) > np.ptp(odds[1])
    assert np.ptp(odds[0]) < by * np.ptp(odds[1]) + 1e-9


def test_by_so_much_few_clusters_widen_a_band():
    assert allowance(8, 0.95) == pytest.approx(2.364624 / 1.959964 * np.sqrt(8 / 7), rel=1e-6)
    assert allowance(2, 0.9) == pytest.approx(6.313752 / 1.644854 * np.sqrt(2), rel=1e-6)


def test_equal_weights_give_the_band_of_items():
    truth, score = scored(5)
    curve = curve_of(truth, score)
    items = PairedScores(
        ("a",), truth, score[:, None], np.ones(len(truth), int), np.full(len(truth), 3.0)
    )
    resamples = of_weights(items, "a", draws=2000, seed=3)
    weighted = curve_band(curve, single(0.2), recall=POINTS, resamples=resamples)
    plain = curve_band(curve, single(0.2), recall=POINTS, draws=2000)
    width = plain.high - plain.low
    assert np.all(np.abs(weighted.low - plain.low) < 0.15 * width)
    assert np.all(np.abs(weighted.high - plain.high) < 0.15 * width)


@pytest.mark.slow
def test_the_whole_curve_is_held_where_positives_are_few_and_rare():
    # Plain resamples held it in none of the runs: they know nothing of negatives above all that were seen.
    recall = np.linspace(0.01, 1, 100)
    true = precision_at(recall, 1 - ndtr(2 + ndtri(1 - recall)), pi=0.01)
    whole = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        truth = np.arange(220) < 20
        score = random.normal(size=220) + 2 * truth
        found = curve_band(curve_of(truth, score), single(0.01), draws=400, seed=seed)
        whole += np.all((found.lowest <= true + 1e-9) & (true <= found.highest + 1e-9))
    assert whole >= 54  # of 60 at 0.95, four standard errors below 57 are 50


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
    assert points / runs > 0.9 - 4 * error
    assert whole / runs > 0.9 - 4 * error


def test_bad_options_are_refused_in_words():
    curve = curve_of(*scored(1))
    with pytest.raises(OptionError, match="begins above 0"):
        curve_band(curve, single(0.2), recall=[0.0, 0.5])
    with pytest.raises(OptionError, match="draws is 1"):
        curve_band(curve, single(0.2), draws=1)
    with pytest.raises(OptionError, match=r"the recall is 1\.5"):
        curve_band(curve, single(0.2), recall=[1.5])
