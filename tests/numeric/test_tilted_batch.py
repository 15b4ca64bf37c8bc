"""Many sums at once, against one sum at a time and against plain convolution."""

import numpy as np
import pytest

from karat.numeric.tilted_batch import inside, split_many
from karat.numeric.tilted_sums import split, sum_of_steps

STEPS = np.array([-2.0, -1, 0, 1, 2])


def convolved(counts, chances, target):
    """The three probabilities from the distribution of the sum, item by item."""
    distribution = np.ones(1)
    for count, chance in zip(counts.astype(int), chances, strict=True):
        for _ in range(count):
            distribution = np.convolve(distribution, chance)
    values = np.arange(len(distribution)) - 2 * int(counts.sum())
    sides = (values < target, values == target, values > target)
    return [distribution[side].sum() for side in sides]


@pytest.mark.parametrize("seed", range(20))
def test_many_sums_are_those_of_a_convolution(seed):
    random = np.random.default_rng(seed)
    counts = random.integers(1, 15, 4).astype(float)
    chances = random.dirichlet(np.full(5, 0.4), size=(6, 4))
    for target in (-3.0, 0.0, 0.5, 4.0):
        found = split_many(counts, STEPS, chances, target)
        wanted = [convolved(counts, one, target) for one in chances]
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_far_tails_keep_their_digits():
    counts = np.array([400.0, 300.0])
    rates = np.array([1e-4, 1e-3, 0.01, 0.2])
    chances = np.zeros((4, 2, 5))
    chances[:, 0, 3] = rates
    chances[:, 0, 2] = 1 - rates
    chances[:, 1, 4] = rates / 2
    chances[:, 1, 2] = 1 - rates / 2
    found = split_many(counts, STEPS, chances, 90.0)
    for place in range(4):
        one = split(sum_of_steps(counts, STEPS, chances[place].copy()), 90.0)
        above = one[2] if not np.isnan(one[2]) else 1 - one[0] - one[1]
        assert found[place, 2] == pytest.approx(above, rel=1e-9)


def test_what_cannot_cross_the_point_is_not_inside():
    certain = np.zeros((2, 1, 5))
    certain[0, 0, 2] = 1
    certain[1, 0] = 0.2
    assert inside(np.array([3.0]), STEPS, certain, 1.0).tolist() == [False, True]
