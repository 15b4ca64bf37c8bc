"""Areas under label errors: every flip one by one, a plain loop, and what no error and total error must give."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.doubt.prevalence.area_under_label_noise import area_under_label_noise, expected_area
from karat.doubt.prevalence.inversion_interval import around, inversion_interval
from karat.doubt.prevalence.joint_areas import paired_areas
from karat.errors import OptionError
from karat.measure.prevalence.pr_curve import pr_area, roc
from karat.numeric.sparse_successes import successes
from karat.tally.scores.curve import Curve
from karat.tally.scores.packed_curve import curve_of


def every_flip(truth, scores, pi, up, down):
    """Each of the 2^n true labels, its probability, and each system's area."""
    for flips in product([False, True], repeat=len(truth)):
        true = truth ^ np.array(flips)
        if true.all() or not true.any():
            continue
        chance = np.prod(
            [
                (down if yes else up) if flip else 1 - (down if yes else up)
                for yes, flip in zip(truth, flips, strict=True)
            ]
        )
        yield chance, [float(pr_area(roc(curve_of(true, score)), pi=pi)) for score in scores]


TRUTH = np.array([True, False, True, False, False, True, False, True, False, False])
FIRST = np.array([9, 8, 8, 7, 6, 5, 5, 4, 2, 1.0])
SECOND = np.array([8, 9, 7, 8, 3, 6, 1, 2, 5, 5.0])


@pytest.mark.parametrize("error", [0.0, 0.1, (0.05, 0.3), 0.5])
def test_the_law_is_that_of_every_flip_one_by_one(error):
    up, down = np.broadcast_to(error, 2)
    found = area_under_label_noise(curve_of(TRUTH, FIRST), [0.2], error=error)
    rows = [(chance, value[0]) for chance, value in every_flip(TRUTH, [FIRST], 0.2, up, down)]
    total = sum(chance for chance, _ in rows)
    assert found.method == "exact"
    assert found.undefined == pytest.approx(1 - total, abs=1e-12)
    assert found.mean[0] == pytest.approx(
        sum(chance * value for chance, value in rows) / total, rel=1e-12
    )
    for end, side in ((found.low[0], 0.025), (found.high[0], 0.975)):
        assert sum(chance for chance, value in rows if value <= end + 1e-12) / total >= side - 1e-12
        assert sum(chance for chance, value in rows if value < end - 1e-12) / total <= side


def scored(number=400, seed=3):
    random = np.random.default_rng(seed)
    truth = random.random(number) < 0.25
    shared = random.normal(size=number) + truth
    return truth, *(
        np.round(shared + random.normal(size=number) * width + more * truth, 2)
        for width, more in ((1, 0), (0.5, 0.2))
    )


@pytest.mark.parametrize("crowd", [1, 40])
def test_the_simulation_is_that_of_a_plain_loop_over_items(crowd):
    truth, score, _ = scored()
    truth, score = (
        np.repeat(truth, crowd)[: 400 * crowd],
        np.repeat(np.round(score, 0 if crowd > 1 else 2), crowd),
    )
    draws, random = 300, np.random.default_rng(9)
    found = area_under_label_noise(
        curve_of(truth, score), [0.1, 0.5], error=(0.02, 0.2), draws=draws
    )
    plain = []
    for _ in range(draws):
        true = truth ^ (random.random(len(truth)) < np.where(truth, 0.2, 0.02))
        plain.append(pr_area(roc(curve_of(true, score)), pi=[0.1, 0.5]))
    plain = np.array(plain)
    wide = plain.std(axis=0)
    assert found.mean == pytest.approx(plain.mean(axis=0), abs=4 * wide.max() * np.sqrt(2 / draws))
    assert (found.high - found.low) / (3.92 * wide) == pytest.approx(
        1, abs=0.25
    )  # a normal's, roughly
    assert (
        np.abs(found.mean - found.plugged).max() < 0.02
    )  # of the expected counts: near, not equal


def test_without_errors_everything_stays_and_with_nothing_but_errors_everything_turns():
    truth, score, _ = scored()
    curve, pi = curve_of(truth, score), [0.02, 0.5]
    found = area_under_label_noise(curve, pi, error=0.0, draws=3)
    assert found.mean == pytest.approx(found.given, rel=1e-12)
    assert found.low == pytest.approx(found.high, rel=1e-12)
    turned = pr_area(roc(curve_of(~truth, score)), pi=pi)
    assert area_under_label_noise(curve, pi, error=1.0, draws=3).mean == pytest.approx(
        turned, rel=1e-12
    )
    assert expected_area(curve, pi, error=1.0) == pytest.approx(turned, rel=1e-12)
    assert expected_area(curve, pi, error=0.5) == pytest.approx(
        pi, rel=1e-9
    )  # labels by the coin know no score


@settings(deadline=None, derandomize=True, max_examples=60)
@given(trials=st.integers(0, 400), chance=st.floats(0, 1), seed=st.integers(0, 99))
def test_successes_are_places_among_the_trials_in_order(trials, chance, seed):
    found = successes(np.random.default_rng(seed), trials, chance)
    assert np.all(np.diff(found) > 0)
    assert not len(found) or (found[0] >= 0 and found[-1] < trials)


def test_successes_are_as_frequent_at_every_place():
    random = np.random.default_rng(0)
    seen = np.bincount(
        np.concatenate([successes(random, 50, 0.07) for _ in range(20_000)]), minlength=50
    )
    assert np.abs(seen / 20_000 - 0.07).max() < 4.5 * np.sqrt(0.07 * 0.93 / 20_000)


def test_the_chance_to_be_better_is_that_of_every_flip_one_by_one():
    draws = 5_000
    found = paired_areas(
        TRUTH, FIRST, SECOND, [0.3], error=(0.1, 0.25), doubt="labels", draws=draws
    )
    rows = list(every_flip(TRUTH, [FIRST, SECOND], 0.3, 0.1, 0.25))
    total = sum(chance for chance, _ in rows)
    wanted = sum(chance * ((a > b) + 0.5 * (a == b)) for chance, (a, b) in rows) / total
    assert found.better[0] == pytest.approx(wanted, abs=4 * 0.5 / np.sqrt(draws))
    assert "left out" in found.method
    means = [sum(chance * pair[k] for chance, pair in rows) / total for k in (0, 1)]
    assert found.first_draws.mean() == pytest.approx(
        means[0], abs=4 * found.first_draws.std() / np.sqrt(draws)
    )
    assert found.second_draws.mean() == pytest.approx(
        means[1], abs=4 * found.second_draws.std() / np.sqrt(draws)
    )


def test_items_alone_are_a_paired_bootstrap_and_both_doubts_are_wider_than_either():
    truth, first, second = scored()
    pi, draws = [0.1], 400
    gaps = {}
    for doubt in ("labels", "items", "both"):
        found = paired_areas(truth, first, second, pi, error=0.08, doubt=doubt, draws=draws)
        gaps[doubt] = (found.first_draws - found.second_draws)[:, 0]
    plain = paired_areas(truth, first, second, pi, draws=draws, seed=5)
    assert gaps["items"].std() / (plain.first_draws - plain.second_draws).std() == pytest.approx(
        1, abs=4 / np.sqrt(draws)
    )
    same = paired_areas(truth, first, second, pi, error=0.0, doubt="both", draws=draws)
    assert (same.first_draws - same.second_draws).std() == pytest.approx(
        gaps["items"].std(), rel=0.2
    )
    assert gaps["both"].std() > gaps["labels"].std()
    assert abs(gaps["labels"].mean()) < abs(
        float(np.diff([pr_area(roc(curve_of(truth, s)), pi=0.1) for s in (first, second)])[0])
    )


def test_an_inversion_gets_its_interval_from_faulty_labels_too():
    truth, first, second = scored(800)
    found = paired_areas(truth, first, second, around(0.2, steps=9), error=0.03, draws=60)
    interval = inversion_interval(found, 0.2)
    assert 0 < interval.low <= interval.high < 1
    assert "label errors 0.03" in interval.method


def test_bad_options_are_refused_in_words():
    curve = Curve(np.array([1.0, 0.0]), np.array([1, 0]), np.array([0, 1]))
    with pytest.raises(OptionError, match="the error rate of the labels is 3"):
        area_under_label_noise(curve, [0.5], error=3)
    with pytest.raises(OptionError, match="all true labels are of one kind"):
        area_under_label_noise(curve, [0.5], error=(1.0, 0.0))
    with pytest.raises(OptionError, match="all true labels are of one kind"):
        expected_area(curve, [0.5], error=(1.0, 0.0))
    with pytest.raises(OptionError, match="doubt is 'rows'"):
        paired_areas([1, 0], [1.0, 0.0], [1.0, 0.0], [0.5], error=0.1, doubt="rows")
    with pytest.raises(OptionError, match="in none of 5 draws"):
        paired_areas([1, 0], [1.0, 0.0], [1.0, 0.0], [0.5], error=(1.0, 0.0), draws=5)
