"""Leaving out empty cells changes no resample: the curve is that of all cells with the unseen items beside them."""

import numpy as np
import pytest

from karat.doubt.prevalence.curve_cells import CurveCells, cells, stretches
from karat.doubt.prevalence.filled_cells import filled_cells, with_harm, without_harm
from karat.doubt.prevalence.unseen_items import Unseen, extremes, unseen
from karat.tally.scores.packed_curve import curve_of


def weighted(counts, random):
    """Weights of all cells, those of the filled ones, and those of the unseen items."""
    filled = filled_cells(counts)
    few = random.standard_gamma(filled.positive), random.standard_gamma(filled.negative)
    every = np.zeros(len(counts.positive)), np.zeros(len(counts.negative))
    every[0][counts.positive > 0], every[1][counts.negative > 0] = few
    return filled, few, every, unseen(random)


def assert_same(one, other):
    for name in ("r0", "f0", "r1", "f1"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("seed", range(60))
def test_stretches_are_those_of_all_cells(seed):
    random = np.random.default_rng(seed)
    size = int(random.integers(2, 40))
    truth = random.random(size) < random.random()
    truth[[0, -1]] = [True, False]
    score = np.round(random.normal(size=size) + truth, int(random.integers(0, 4)))
    counts = cells(curve_of(truth, score))
    filled, few, every, more = weighted(counts, random)
    both = extremes(*every, more)
    assert_same(
        with_harm(filled).stretches(*few, more), stretches(both.low.positive, both.low.negative)
    )
    assert_same(
        without_harm(filled).stretches(*few, more),
        stretches(both.high.positive, both.high.negative),
    )


def test_a_perfect_curve_loses_its_precision_of_1_to_the_unseen_negative():
    filled = filled_cells(CurveCells(np.array([3, 0]), np.array([0, 5])))
    found = with_harm(filled).stretches(np.array([3.0]), np.array([5.0]), Unseen(1.0, 1.0))
    assert found.r1.tolist() == [0.75, 1.0]
    assert found.f0.tolist() == [0, 1 / 6]
    assert found.f1.tolist() == [1 / 6, 1]
