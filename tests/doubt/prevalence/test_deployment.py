"""The field's balance from unlabelled scores: against expectation-maximisation, simulated fields, known balances."""

import numpy as np
import pytest

from karat.doubt.prevalence.deployment import deployed
from karat.doubt.prevalence.score_bins import binned, edges_of, smoothed
from karat.doubt.prevalence.unlabelled_scores import (
    adjusted_count,
    deployed_by_unlabelled_scores,
    likeliest_prevalence,
)
from karat.errors import OptionError
from karat.measure.prevalence.precision_at import precision_at
from karat.tally.scores.curve import Curve


def drawn(random, items, pi, shift=1.5):
    truth = random.random(items) < pi
    return truth, random.normal(size=items) + shift * truth


def counted(truth, score):
    distinct, place = np.unique(-score, return_inverse=True)
    return Curve(
        -distinct,
        np.bincount(place, truth).astype(np.int64),
        np.bincount(place, ~truth).astype(np.int64),
    )


def labelled(random, positives=300, negatives=300):
    truth = np.arange(positives + negatives) < positives
    return counted(truth, random.normal(size=len(truth)) + 1.5 * truth)


def slow_prior(positive, negative, field, rounds=20_000):
    """Saerens, Latinne and Decaestecker, eqs 2.9: posteriors under the prior, then the prior as their mean."""
    pi = 0.5
    for _ in range(rounds):
        posterior = pi * positive / (pi * positive + (1 - pi) * negative)
        pi = (field * posterior).sum() / field.sum()
    return pi


@pytest.mark.parametrize("pi", [0.03, 0.3, 0.8])
def test_the_likeliest_balance_is_where_expectation_maximisation_ends(pi):
    random = np.random.default_rng(1)
    curve, (_, field) = labelled(random), drawn(random, 2000, pi)
    counts = binned(curve, field, edges_of(curve))
    parts = (counts.positive, counts.negative, counts.unlabelled)
    right = slow_prior(*(smoothed(part) for part in parts))
    assert likeliest_prevalence(curve, field, draws=10).value == pytest.approx(right, abs=1e-6)


@pytest.mark.parametrize("method", ["count", "likeliest"])
@pytest.mark.parametrize("pi", [0.1, 0.5])
def test_the_interval_holds_the_balance_of_the_field(method, pi):
    random = np.random.default_rng(7)
    runs, held, values = 200, 0, []
    for run in range(runs):
        curve, (_, field) = labelled(random), drawn(random, 800, pi)
        found = (
            adjusted_count(curve, field, threshold=0.7, draws=400, seed=run)
            if method == "count"
            else likeliest_prevalence(curve, field, draws=400, seed=run)
        )
        held += found.low <= pi <= found.high
        values.append(found.value)
    assert held / runs >= 0.95 - 4 * np.sqrt(0.95 * 0.05 / runs)
    assert np.mean(values) == pytest.approx(pi, abs=0.03)


def test_all_scores_say_more_than_one_threshold():
    random = np.random.default_rng(3)
    curve, (_, field) = labelled(random, 2000, 2000), drawn(random, 3000, 0.2)
    one, all_of_them = (
        adjusted_count(curve, field, threshold=1.5),
        likeliest_prevalence(curve, field),
    )
    assert all_of_them.high - all_of_them.low < one.high - one.low


def test_a_field_beyond_the_labelled_scores_has_a_balance_at_the_end():
    random = np.random.default_rng(4)
    curve = labelled(random)
    assert likeliest_prevalence(curve, np.full(500, 99.0)).value > 0.95
    assert likeliest_prevalence(curve, np.full(500, -99.0)).value < 0.05
    assert adjusted_count(curve, np.full(500, 99.0), threshold=0.7).value == 1
    assert adjusted_count(curve, np.full(500, -99.0), threshold=0.7).value == 0


def test_a_threshold_that_tells_nothing_apart_says_nothing():
    curve = Curve(np.array([1.0, 0.0]), np.array([5, 5]), np.array([5, 5]))
    found = adjusted_count(curve, [1.0, 0.0], threshold=0.5)
    assert (found.value, found.low, found.high) == (None, 0.0, 1.0)


@pytest.mark.parametrize("pi", [0.01, 0.4])
def test_precision_alarms_and_misses_hold_the_truth_of_the_field(pi):
    random = np.random.default_rng(11)
    big = drawn(random, 2_000_000, pi)
    alarm = big[1] >= 1.0
    right = big[0][alarm].mean(), 1000 * alarm.mean(), 1000 * (big[0] & ~alarm).mean()
    runs, held = 100, np.zeros((2, 3))
    for run in range(runs):
        curve, (_, field) = labelled(random), drawn(random, 1500, pi)
        options = {"threshold": 1.0, "draws": 400, "seed": run}
        for row, found in enumerate(
            (
                deployed(curve, pi=pi, threshold=1.0),
                deployed_by_unlabelled_scores(curve, field, **options),
            )
        ):
            parts = found.precision, found.alarms, found.misses
            held[row] += [
                part.low <= value <= part.high for part, value in zip(parts, right, strict=True)
            ]
    assert np.all(held / runs >= 0.95 - 4 * np.sqrt(0.95 * 0.05 / runs))


def test_a_known_balance_gives_the_values_of_the_rates():
    curve = Curve(np.arange(4.0)[::-1], np.array([50, 30, 10, 10]), np.array([5, 15, 30, 150]))
    found = deployed(curve, threshold=2.0, pi=0.05)
    assert found.precision.value == pytest.approx(float(precision_at(0.8, 0.1, pi=0.05)))
    assert (found.tpr.value, found.fpr.value) == (0.8, 0.1)
    assert found.alarms.value == pytest.approx(1000 * (0.05 * 0.8 + 0.95 * 0.1))
    assert found.misses.value == pytest.approx(10)
    assert found.balance.low == found.balance.high == 0.05


def test_no_false_positive_seen_does_not_make_the_precision_certain():
    curve = Curve(np.array([1.0, 0.0]), np.array([40, 10]), np.array([0, 60]))
    found = deployed(curve, threshold=0.5, pi=0.01)
    assert found.precision.value == 1
    assert found.precision.low < 0.5
    nothing = deployed(curve, threshold=2.0, pi=0.01)
    assert nothing.precision.value is None


def test_the_same_seed_gives_the_same_numbers():
    random = np.random.default_rng(5)
    curve, (_, field) = labelled(random), drawn(random, 500, 0.2)
    one, other = (
        deployed_by_unlabelled_scores(curve, field, threshold=1.0, draws=100, seed=3)
        for _ in range(2)
    )
    assert one == other
    assert one.method == "likeliest prevalence of 500 unlabelled scores (draws=100, seed=3)"


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ([], "0 of 0 unlabelled scores are missing"),
        ([0.5, np.nan], "1 of 2 unlabelled scores are missing"),
    ],
)
def test_a_field_without_scores_is_refused(field, words):
    with pytest.raises(OptionError, match=words):
        likeliest_prevalence(labelled(np.random.default_rng(0)), field)


def test_one_kind_only_is_refused():
    with pytest.raises(OptionError, match="3 positives and 0 negatives; both are needed"):
        deployed(Curve(np.ones(1), np.array([3]), np.array([0])), threshold=0.5, pi=0.1)


def test_what_a_threshold_does_follows_from_the_likeliest_prevalence_and_both_rates():
    random = np.random.default_rng(9)
    curve, (_, field) = labelled(random), drawn(random, 900, 0.3)
    found = deployed_by_unlabelled_scores(curve, field, threshold=1.0, draws=400)
    reached = curve.score >= 1.0
    tpr = curve.positive[reached].sum() / 300
    fpr = curve.negative[reached].sum() / 300
    pi = found.balance.value
    assert 0.2 < pi < 0.4
    assert (found.tpr.value, found.fpr.value) == pytest.approx((tpr, fpr))
    precision = pi * tpr / (pi * tpr + (1 - pi) * fpr)
    assert found.precision.value == pytest.approx(precision)
    assert found.misses.value == pytest.approx(1000 * pi * (1 - tpr))
    assert found.alarms.value == pytest.approx(1000 * (field >= 1.0).mean())
    for part in (found.balance, found.tpr, found.fpr, found.precision):
        assert 0 <= part.low < part.value < part.high <= 1
    # Of shares that are known apart: about 1.96 standard errors to each side.
    error = np.sqrt(found.alarms.value * (1000 - found.alarms.value) / 900)
    assert found.alarms.high - found.alarms.low == pytest.approx(2 * 1.96 * error, rel=0.2)
    error = np.sqrt(tpr * (1 - tpr) / 300)
    assert found.tpr.high - found.tpr.low == pytest.approx(2 * 1.96 * error, rel=0.2)


def test_the_count_above_a_threshold_has_the_spread_of_its_three_shares():
    curve = Curve(np.array([1.0, 0.0]), np.array([800, 200]), np.array([200, 800]))
    found = adjusted_count(curve, [1.0] * 380 + [0.0] * 620, threshold=0.5, draws=20_000)
    assert found.value == pytest.approx(0.3)
    # (q - f) / (t - f): the delta method on three independent shares.
    variance = (0.38 * 0.62 + 0.7**2 * 0.16 + 0.3**2 * 0.16) / 1000 / 0.6**2
    assert found.low == pytest.approx(0.3 - 1.96 * np.sqrt(variance), abs=0.003)
    assert found.high == pytest.approx(0.3 + 1.96 * np.sqrt(variance), abs=0.003)
