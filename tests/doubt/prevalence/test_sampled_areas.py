"""How far areas vary by a sample of the items: derivatives as slopes show them, and the spread of all items."""

import numpy as np
import pytest

from karat.doubt.prevalence.area_influences import area_influences
from karat.doubt.prevalence.curve_cells import stretches
from karat.doubt.prevalence.joint_areas import joint_areas
from karat.doubt.prevalence.sampled_areas import joint_sample, sampled_areas
from karat.measure.prevalence.pr_curve import areas
from karat.tally.scores.curve import Curve
from karat.tally.scores.packed_curve import curve_of
from karat.tally.scores.paired_scores import PairedScores
from karat.tally.scores.sampled_scores import SampledScores

PI = np.array([0.002, 0.05, 0.5, 0.9])


def area(positive, negative):
    return areas(stretches(positive, negative), PI)


def slope(positive, negative, cell, kind):
    """How the area changes with one cell's number, from one side where the cell has none of the kind."""
    step = 1e-5 * np.eye(len(positive))[cell]

    def at(steps):
        if kind == "positive":
            return area(positive + steps * step, negative)
        return area(positive, negative + steps * step)

    if (positive if kind == "positive" else negative)[cell]:
        return (at(1) - at(-1)) / 2e-5
    return (4 * at(1) - at(2) - 3 * at(0)) / 2e-5


@pytest.mark.parametrize("seed", range(20))
def test_an_influence_is_the_slope_of_the_area(seed):
    random = np.random.default_rng(seed)
    size = int(random.integers(2, 12))
    positive = random.integers(0, 6, size) * random.integers(0, 2, size)
    negative = random.integers(0, 300, size) * random.integers(0, 2, size)
    positive[random.integers(size)] += 1
    negative[random.integers(size)] += 1
    found = area_influences(Curve(-np.arange(float(size)), positive, negative), PI)
    for cell in np.flatnonzero(positive + negative):
        for kind, ours in (("positive", found.of_positive), ("negative", found.of_negative)):
            wanted = slope(positive, negative, cell, kind)
            assert ours[cell] == pytest.approx(wanted, rel=5e-3, abs=1e-6)
    assert positive @ found.of_positive == pytest.approx(0, abs=1e-10)
    assert negative @ found.of_negative == pytest.approx(0, abs=1e-10)


def items(number=20_000, seed=3):
    random = np.random.default_rng(seed)
    truth = random.random(number) < 0.2
    shared = random.normal(size=number)
    first = 1.5 * truth + 0.8 * shared + 0.6 * random.normal(size=number)
    second = 1.3 * truth + 0.8 * shared + 0.6 * random.normal(size=number)
    return truth, np.stack([first, second], axis=1)


def sampled(truth, scores, chosen, times):
    numbers = np.ones(int(chosen.sum()), np.int64)
    rows = PairedScores(("a", "b"), truth[chosen], scores[chosen], numbers)
    return SampledScores(rows, np.broadcast_to(times, numbers.shape))


def curves_of(truth, scores):
    return {name: curve_of(truth, scores[:, place]) for place, name in enumerate("ab")}


ONE = np.array([1.0])


def test_the_spread_is_that_of_resampled_items():
    truth, scores = items()
    found = sampled_areas(
        sampled(truth, scores, np.full(len(truth), True), 1.0), curves_of(truth, scores), [0.05]
    )
    drawn = joint_areas(truth, dict(zip("ab", scores.T, strict=True)), [0.05], draws=400).drawn
    by_items = (drawn[:, 0, 0] - drawn[:, 1, 0]).std()
    # A standard deviation of 1,000 groups is off by 1 / sqrt(2,000), one of 400 draws by 1 / sqrt(800).
    assert found.difference(0, 1, ONE).error / by_items == pytest.approx(
        1, abs=4 * np.sqrt(1 / 2000 + 1 / 800)
    )


def test_a_tenth_of_the_items_tells_the_same_spread():
    truth, scores = items(100_000)
    curves = curves_of(truth, scores)
    of_all = sampled_areas(sampled(truth, scores, np.full(len(truth), True), 1.0), curves, [0.1])
    chosen = np.random.default_rng(0).random(len(truth)) < 0.1
    of_some = sampled_areas(sampled(truth, scores, chosen, 10.0), curves, [0.1])
    assert of_some.items == chosen.sum()
    ratio = of_some.difference(0, 1, ONE).error / of_all.difference(0, 1, ONE).error
    assert ratio == pytest.approx(1, abs=4 * np.sqrt(2 / 2000 + 1 / 10_000))


def test_what_few_items_tell_has_few_degrees_of_freedom():
    truth, scores = items(10_000)
    scores[:, 1] = scores[:, 0]
    scores[:5, 1] -= 2
    found = sampled_areas(
        sampled(truth, scores, np.full(len(truth), True), 1.0), curves_of(truth, scores), [0.1]
    )
    difference = found.difference(0, 1, ONE)
    assert 1 <= difference.freedom < 40
    assert difference.reach(0.95) > 2 * difference.error


def test_two_copies_of_one_system_may_still_differ_unseen():
    truth, scores = items(10_000)
    scores[:, 1] = scores[:, 0]
    found = sampled_areas(
        sampled(truth, scores, np.full(len(truth), True), 1.0), curves_of(truth, scores), [0.1]
    )
    difference = found.difference(0, 1, ONE)
    own = np.sqrt((found.moved[:, 0, 0] ** 2).sum())
    assert difference.error == pytest.approx(own * np.sqrt(2 / 10_000))
    assert difference.above(0.0) == 0.5


def test_draws_and_ends_lie_around_the_areas_of_all_items():
    truth, scores = items()
    curves = curves_of(truth, scores)
    found = sampled_areas(
        sampled(truth, scores, np.full(len(truth), True), 1.0), curves, [0.05, 0.5]
    )
    joint = joint_sample(found, curves, ends=1, draws=300, seed=4)
    assert joint.drawn.shape == (300, 2, 2)
    spread = joint.drawn.std(axis=0)
    assert joint.drawn.mean(axis=0) == pytest.approx(found.whole, abs=4 * spread.max() / 17)
    assert np.all(np.quantile(joint.low[:, :, 0], 0.025, axis=0) < found.whole[:, 0])
    assert np.all(np.quantile(joint.high[:, :, 0], 0.975, axis=0) > found.whole[:, 0])
    again = joint_sample(found, curves, ends=1, draws=300, seed=4)
    assert np.array_equal(joint.drawn, again.drawn)
