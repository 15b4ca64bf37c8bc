"""Certified bounds from bins: against every order of few items, random orders of many, and true scores."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from karat.errors import OptionError
from karat.measure.of_scores.roc_area import roc_area
from karat.measure.prevalence.binning_limits import (
    area_bounds,
    average_precision_bounds,
    bin_costs,
    mean_area_bounds,
    roc_area_bounds,
)
from karat.measure.prevalence.integrated import area_over
from karat.measure.prevalence.pr_curve import pr_area, roc
from karat.measure.prevalence.priors.uniform import uniform
from karat.measure.prevalence.step_areas import average_precision_at
from karat.tally.scores.curve import Curve

LAWS = settings(derandomize=True, deadline=None, max_examples=25)
BINS = some.lists(
    some.tuples(some.integers(0, 3), some.integers(0, 2)), min_size=1, max_size=3
).filter(lambda bins: all(sum(part) for part in zip(*bins, strict=True)))
SKEW = some.sampled_from([0.001, 0.2, 0.5, 0.93])


def tally(cells):
    positive, negative = (np.array(part, np.int64) for part in zip(*cells, strict=True))
    return Curve(-np.arange(len(cells), dtype=float), positive, negative)


def orders(positives, negatives):
    """Every order of a bin's items, ties included: sequences of (positives, negatives) at distinct scores."""
    items = set(permutations([(1, 0)] * positives + [(0, 1)] * negatives))
    for order in items:
        for cuts in product([False, True], repeat=max(len(order) - 1, 0)):
            groups = [list(order[0])] if order else []
            for item, cut in zip(order[1:], cuts, strict=True):
                if cut:
                    groups.append(list(item))
                else:
                    groups[-1] = [groups[-1][0] + item[0], groups[-1][1] + item[1]]
            yield groups


def refinements(bins):
    for choice in product(*(list(orders(*each)) for each in bins)):
        yield tally([group for groups in choice for group in groups])


@LAWS
@given(BINS.filter(lambda bins: sum(map(sum, bins)) <= 6), SKEW)
def test_no_order_lies_outside_and_some_order_attains_each_bound(bins, pi):
    curves = [roc(each) for each in refinements(bins)]
    found = area_bounds(tally(bins), pi=pi)
    every = [float(pr_area(each, pi=pi)) for each in curves]
    assert (float(found.low), float(found.high)) == pytest.approx(
        (min(every), max(every)), rel=1e-12
    )
    steps = average_precision_bounds(tally(bins), pi=pi)
    every = [float(average_precision_at(each, pi=pi)) for each in curves]
    assert (float(steps.low), float(steps.high)) == pytest.approx(
        (min(every), max(every)), rel=1e-9
    )
    under = [roc_area(each) for each in refinements(bins)]
    ends = roc_area_bounds(tally(bins))
    assert (float(ends.low), float(ends.high)) == pytest.approx((min(under), max(under)), abs=1e-12)


@LAWS
@given(BINS, SKEW)
def test_the_costs_of_the_bins_add_up_to_the_width(bins, pi):
    costs = bin_costs(tally(bins), pi=pi)
    assert np.all(costs >= -1e-12)
    assert costs.sum() == pytest.approx(float(area_bounds(tally(bins), pi=pi).width), abs=1e-11)


def scored(items, seed=0):
    random = np.random.default_rng(seed)
    truth = random.random(items) < 0.05
    return truth, 1 / (1 + np.exp(-random.normal(size=items) - 2 * truth))


def binned(truth, score, bins):
    place = np.minimum((score * bins).astype(int), bins - 1)
    counts = [np.bincount(place[kind], minlength=bins)[::-1] for kind in (truth, ~truth)]
    return Curve(np.arange(bins)[::-1] / bins, *counts)


@pytest.mark.parametrize("pi", [0.0, 1e-4, 0.05, 0.5, 1.0])
def test_more_bins_narrow_the_bounds_around_the_exact_area(pi):
    truth, score = scored(20_000)
    order = np.argsort(-score)
    exact = roc(
        Curve(score[order], truth[order].astype(np.int64), (~truth[order]).astype(np.int64))
    )
    widths = []
    for bins in (10, 100, 1000, 100_000):
        tallied = binned(truth, score, bins)
        found = area_bounds(tallied, pi=pi)
        assert float(found.low) - 1e-12 <= float(pr_area(exact, pi=pi)) <= float(found.high) + 1e-12
        assert bin_costs(tallied, pi=pi).sum() == pytest.approx(float(found.width), abs=1e-9)
        steps = average_precision_bounds(tallied, pi=pi)
        assert (
            float(steps.low) - 1e-9
            <= float(average_precision_at(exact, pi=pi))
            <= float(steps.high) + 1e-9
        )
        widths.append(float(found.width))
    assert np.all(np.diff(widths) <= 1e-12)


def test_bounds_over_a_range_and_at_many_skews():
    truth, score = scored(5000, 1)
    tallied, order = binned(truth, score, 50), np.argsort(-score)
    exact = roc(
        Curve(score[order], truth[order].astype(np.int64), (~truth[order]).astype(np.int64))
    )
    found = mean_area_bounds(tallied, uniform(0.0, 0.5))
    assert float(found.low) < area_over(exact, uniform(0.0, 0.5)) < float(found.high)
    many = area_bounds(tallied, pi=[[0.1, 0.2], [0.3, 0.4]])
    assert many.width.shape == (2, 2)
    assert float(many.low[1, 0]) == float(area_bounds(tallied, pi=0.3).low)


def test_pure_bins_cost_nothing():
    pure = tally([(3, 0), (0, 4), (2, 0), (0, 1)])
    assert float(area_bounds(pure, pi=0.1).width) == 0
    assert float(roc_area_bounds(pure).width) == 0


def test_one_kind_only_is_refused():
    with pytest.raises(OptionError, match="the curve has no negatives"):
        area_bounds(tally([(3, 0)]), pi=0.5)
