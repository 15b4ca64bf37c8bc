"""Resampled areas: against a plain loop over items, the interval's coverage, and pairs of systems."""

import numpy as np
import pytest
from scipy.special import ndtr

from karat.doubt.prevalence.area_bootstrap import (
    area_draws,
    area_interval,
    mean_area_interval,
    unpaired_areas,
)
from karat.doubt.prevalence.curve_cells import cells, stretches
from karat.doubt.prevalence.inversion_interval import around, inversion_interval
from karat.doubt.prevalence.inversions import inversions
from karat.doubt.prevalence.joint_areas import paired_areas
from karat.errors import OptionError
from karat.measure.prevalence.integrated import area_over
from karat.measure.prevalence.pr_curve import areas, pr_area, roc
from karat.measure.prevalence.priors.uniform import uniform
from karat.tally.scores.curve import Curve
from karat.tally.scores.packed_curve import curve_of


def counted(truth, score):
    distinct, place = np.unique(-score, return_inverse=True)
    return Curve(
        -distinct,
        np.bincount(place, truth).astype(np.int64),
        np.bincount(place, ~truth).astype(np.int64),
    )


def scored(seed, items, levels=10**9, rate=0.3, shift=1.0):
    random = np.random.default_rng(seed)
    truth = random.random(items) < rate
    truth[:2] = [True, False]
    return truth, np.floor((random.normal(size=items) + shift * truth) * levels) / levels


def slow_draws(truth, score, pi, draws, seed):
    """Items drawn one by one and sorted anew."""
    random, found = np.random.default_rng(seed), []
    for _ in range(draws):
        rows = [
            random.choice(np.flatnonzero(truth == kind), (truth == kind).sum())
            for kind in (True, False)
        ]
        chosen = np.concatenate(rows)
        found.append(pr_area(roc(counted(truth[chosen], score[chosen])), pi=pi))
    return np.array(found)


@pytest.mark.parametrize("levels", [1, 4, 10**9])
def test_the_resamples_are_those_of_a_plain_loop_over_items(levels):
    truth, score = scored(1, 400, levels)
    pi, draws = [0.02, 0.3, 0.9], 600
    ours, plain = (
        area_draws(counted(truth, score), pi, draws=draws, seed=3),
        slow_draws(truth, score, pi, draws, 4),
    )
    spread = np.sqrt(ours.var(axis=0) + plain.var(axis=0))
    assert np.abs(ours.mean(axis=0) - plain.mean(axis=0)) == pytest.approx(
        np.zeros(3), abs=4 * spread.max() / 24
    )
    # the variance of a variance of about normal values is 2 / draws of its square
    assert ours.var(axis=0) / plain.var(axis=0) == pytest.approx(
        np.ones(3), abs=4 * 2 / np.sqrt(draws)
    )


def test_joined_cells_have_the_same_area():
    for levels in (2, 10**9):
        curve = counted(*scored(2, 500, levels))
        found = cells(curve)
        assert len(found.positive) < len(curve.positive) or levels == 2
        pi = [0.01, 0.4]
        assert areas(stretches(found.positive, found.negative), pi) == pytest.approx(
            pr_area(roc(curve), pi=pi), rel=1e-13
        )


def test_many_items_on_few_scores_are_drawn_by_their_counts():
    curve = Curve(
        np.arange(3.0)[::-1], np.array([500_000, 300_000, 200_000]), np.array([10, 1000, 8_000_000])
    )
    found = area_draws(curve, [0.1], draws=400, seed=1)
    rare = curve.negative[0] / curve.negative.sum()
    assert found.std() > 0
    assert found.mean() == pytest.approx(
        float(pr_area(roc(curve), pi=0.1)), abs=5 * found.std() / 20 + rare
    )


def test_the_same_seed_gives_the_same_interval_and_the_method_says_which():
    curve = counted(*scored(5, 300))
    one, other = (area_interval(curve, [0.1, 0.5], draws=200, seed=7) for _ in range(2))
    assert np.array_equal(one.low, other.low)
    assert one.method == "bootstrap within positives and negatives (draws=200, seed=7)"
    assert not np.array_equal(one.low, area_interval(curve, [0.1, 0.5], draws=200, seed=8).low)


@pytest.mark.parametrize("pi", [0.05, 0.5])
def test_the_interval_holds_the_area_of_the_population(pi):
    population = float(pr_area(roc(counted(*scored(0, 400_000))), pi=pi))
    runs, held = 120, 0
    for run in range(runs):
        found = area_interval(counted(*scored(100 + run, 400)), pi, draws=200, seed=run)
        held += float(found.low) <= population <= float(found.high)
    assert held / runs >= 0.95 - 4 * np.sqrt(0.95 * 0.05 / runs)


def test_weak_detectors_of_rare_positives_are_held():
    """d' of 1 at a prevalence of 1 in 2,000, from data with as many positives as negatives: 0.0023 by quadrature."""
    cut = np.linspace(-9, 10, 200_001)
    recall, false = ndtr(1 - cut), ndtr(-cut)
    pi = 0.0005
    exact = -np.trapezoid(pi * recall / (pi * recall + (1 - pi) * false), recall)
    random = np.random.default_rng(0)
    labels = np.arange(400) < 200
    runs, held = 60, 0
    for run in range(runs):
        found = area_interval(curve_of(labels, random.normal(labels)), pi, draws=100, seed=run)
        held += float(found.low) <= exact <= float(found.high)
    # It held in 0.33 of 150 runs when the unseen negative had a single place, with positives before it.
    assert held / runs >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / runs)


def test_one_side_leaves_the_other_open():
    curve = counted(*scored(6, 200))
    lower, upper = (area_interval(curve, 0.3, side=side, draws=100) for side in ("lower", "upper"))
    assert float(lower.high) == 1
    assert float(upper.low) == 0
    assert lower.low.shape == ()


def test_a_perfect_system_is_not_certain():
    curve = Curve(np.array([1.0, 0.0]), np.array([20, 0]), np.array([0, 30]))
    found = area_interval(curve, [0.01, 0.5], draws=50)
    assert np.all(found.high == 1)
    assert 0 < found.low[0] < found.low[1] < 1
    assert 0 < float(mean_area_interval(curve, uniform(0.0, 0.5, nodes=16), draws=50).low) < 1


def test_the_area_over_a_range_is_the_mean_of_the_areas():
    curve, spread = counted(*scored(9, 500)), uniform(0.0, 0.5, nodes=16)
    found = mean_area_interval(curve, spread, draws=300, seed=2)
    assert float(found.low) < area_over(roc(curve), uniform(0.0, 0.5)) < float(found.high)
    narrow = mean_area_interval(curve, uniform(0.2, 0.2), draws=300, seed=2)
    assert float(narrow.low) == float(area_interval(curve, 0.2, draws=300, seed=2).low)


def two_systems(seed, items):
    """One system is better where positives are rare, the other where they are frequent."""
    random = np.random.default_rng(seed)
    truth = random.random(items) < 0.3
    easy = random.random(items) < 0.35
    shared = random.normal(size=items)
    first = shared + 0.3 * random.normal(size=items) + np.where(easy, 4.0, 0.2) * truth
    second = shared + 0.3 * random.normal(size=items) + 1.7 * truth
    return truth, first, second


def test_pairs_drawn_together_are_surer_than_pairs_drawn_apart():
    truth, first, second = two_systems(1, 1500)
    together = paired_areas(truth, first, second, [0.3], draws=300)
    apart = unpaired_areas(counted(truth, first), counted(truth, second), [0.3], draws=300)
    widths = [
        float((found.difference().high - found.difference().low)[0]) for found in (together, apart)
    ]
    assert widths[0] < widths[1]
    single = area_draws(counted(truth, first), [0.3], draws=300)
    assert together.first_draws.std() == pytest.approx(single.std(), rel=0.25)


def test_a_system_against_itself_is_even():
    truth, first, _ = two_systems(2, 300)
    found = paired_areas(truth, first, first, [0.1, 0.9], draws=50)
    assert found.better.tolist() == [0.5, 0.5]
    assert found.difference().low.tolist() == found.difference().high.tolist() == [0, 0]


def test_the_skew_of_an_inversion_has_an_interval():
    truth, first, second = two_systems(3, 3000)
    known = inversions(*(roc(counted(truth, score)) for score in (first, second)))
    assert len(known.skews) == 1
    skew = float(known.skews[0])
    wide = [
        inversion_interval(
            paired_areas(
                *(part[:size] for part in (truth, first, second)), around(skew), draws=200
            ),
            skew,
        )
        for size in (300, 3000)
    ]
    assert wide[1].low < skew < wide[1].high
    assert wide[1].high - wide[1].low < wide[0].high - wide[0].low
    assert wide[1].seen > 0.95
    assert wide[1].digits >= 1
    whole = two_systems(4, 200_000)
    truth_of_it = inversions(*(roc(counted(whole[0], score)) for score in whole[1:])).skews
    assert wide[1].low < truth_of_it[0] < wide[1].high


def test_an_inversion_that_is_hardly_ever_there_has_open_ends():
    truth, first, second = two_systems(3, 3000)
    found = paired_areas(truth, first, second, around(0.999), draws=60)
    shown = inversion_interval(found, 0.999)
    assert shown.seen < 0.5
    assert shown.low == pytest.approx(1e-6)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: area_draws(Curve(np.ones(1), np.array([3]), np.array([0])), [0.5]),
            "the curve has no negatives",
        ),
        (
            lambda: area_draws(counted(*scored(1, 20)), [0.5], draws=0),
            "draws is 0; draw at least once",
        ),
        (lambda: area_interval(counted(*scored(1, 20)), 1.5), "the prevalence is 1.5"),
        (
            lambda: paired_areas([1, 0], [0.5, np.nan], [0.1, 0.2], [0.5]),
            "2 scores for 2 items, 1 of them missing",
        ),
        (lambda: paired_areas([1, 0], [0.5], [0.1, 0.2], [0.5]), "1 scores for 2 items"),
        (lambda: around(1.0), "it must be strictly between 0 and 1"),
        (
            lambda: inversion_interval(
                paired_areas([1, 0, 1], [1, 2, 3], [3, 2, 1], [0.5], draws=2), 0.5
            ),
            r"make them with around\(0.5\)",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(call, words):
    with pytest.raises(OptionError, match=words):
        call()
