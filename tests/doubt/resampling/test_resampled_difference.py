"""Differences of two systems from resamples: the formula by hand, and how often they are right."""

import numpy as np
import pytest
from scipy import stats

from karat.doubt.resampling.resampled_difference import (
    difference_of_resamples,
    no_worse_of_resamples,
)

GAPS = np.array([0.02, 0.08, 0.11, 0.05, 0.14, 0.09])


def test_the_interval_and_the_p_value_are_students():
    found = difference_of_resamples(0.08, GAPS, units=30, differ=12)
    spread = GAPS.std(ddof=1)
    ends = stats.t.interval(
        0.95, 11, 0.08, spread
    )  # 12 items differ, the others hardly show the spread
    assert (found.low, found.high) == pytest.approx(ends)
    assert found.p_value == pytest.approx(2 * stats.t.sf(0.08 / spread, 11))


def test_few_items_that_differ_are_not_significant():
    found = difference_of_resamples(0.08, 0.08 + 1e-6 * GAPS, units=30, differ=5)
    assert found.p_value == 2**-4
    assert found.low == 0


def test_what_never_differs_has_the_interval_of_tango():
    found = difference_of_resamples(0.0, np.zeros(9), units=40, differ=0)
    z_squared = stats.norm.ppf(0.975) ** 2
    assert found.high == pytest.approx(z_squared / (40 + z_squared))
    assert (found.low, found.p_value) == (-found.high, 1)


def test_no_worse_is_one_sided():
    spread = GAPS.std(ddof=1)
    found = no_worse_of_resamples(-0.01, GAPS, units=500, margin=0.05)
    assert found == pytest.approx(stats.t.sf(0.04 / spread, 499))
    assert no_worse_of_resamples(0.3, GAPS, units=3, margin=0.05) == pytest.approx(0.95**3)


def f1(counts, swapped):
    """F1 of a system; counts[..., truth, first, second]."""
    if swapped:
        counts = np.swapaxes(counts, -1, -2)
    hits = counts[..., 1, 1, :].sum(-1)
    missed = counts[..., 1, 0, :].sum(-1)
    false = counts[..., 0, 1, :].sum(-1)
    return 2 * hits / np.maximum(2 * hits + missed + false, 1)


def test_two_equal_systems_are_seldom_different_by_f1():
    """50 items, half of them positive, both systems right on 70 %: quantiles of resamples said so in 7 %."""
    random = np.random.default_rng(0)
    right = np.array([0.3, 0.7])
    shares = np.einsum("ti,tj->tij", np.array([right[::-1], right]), np.array([right[::-1], right]))
    runs, items = 1500, 50
    different, held = 0, 0
    for drawn in random.multinomial(items, 0.5 * shares.ravel(), size=runs):
        resampled = random.multinomial(items, drawn / items, size=300).reshape(-1, 2, 2, 2)
        gaps = f1(resampled, swapped=False) - f1(resampled, swapped=True)
        counts = drawn.reshape(2, 2, 2)
        gap = float(f1(counts, swapped=False) - f1(counts, swapped=True))
        differ = int(counts[:, 0, 1].sum() + counts[:, 1, 0].sum())
        found = difference_of_resamples(gap, gaps, units=items, differ=differ)
        different += found.p_value <= 0.05
        held += found.low <= 0 <= found.high
    # Three standard errors of 1,500 runs are 0.017.
    assert different / runs < 0.05 + 0.017
    assert held / runs > 0.95 - 0.017


def test_a_single_item_tells_nothing_and_two_tell_something():
    alone = difference_of_resamples(0.5, GAPS, units=1, differ=1, width=2.0)
    assert (alone.low, alone.high, alone.p_value) == (-2, 2, 1)
    assert no_worse_of_resamples(0.5, GAPS, units=1, margin=0.1) == 1
    two = difference_of_resamples(0.08, GAPS, units=2, differ=9)
    assert two.p_value == pytest.approx(2 * stats.t.sf(0.08 / GAPS.std(ddof=1), 1))
    surely = no_worse_of_resamples(0.08, GAPS, units=2, margin=0.9)
    assert surely == pytest.approx(stats.t.sf(0.98 / GAPS.std(ddof=1), 1))


def test_no_difference_is_no_surprise_and_a_small_loss_may_be_none():
    assert difference_of_resamples(0.0, GAPS, units=30, differ=12).p_value == 1
    few = difference_of_resamples(-0.08, -0.08 - 1e-6 * GAPS, units=30, differ=5)
    assert (few.high, few.p_value) == (0, 2**-4)
    one = difference_of_resamples(-0.08, -0.08 - 1e-6 * GAPS, units=30, differ=1)
    assert one.p_value == 1


def test_other_degrees_of_freedom_widen_the_interval_and_raise_the_p_value():
    spread = GAPS.std(ddof=1)
    found = difference_of_resamples(0.08, GAPS, units=30, differ=12, freedom=4.5)
    assert found.high - 0.08 == pytest.approx(stats.t.ppf(0.975, 4.5) * spread)
    assert found.p_value == pytest.approx(2 * stats.t.sf(0.08 / spread, 4.5))
    no_worse = no_worse_of_resamples(0.01, GAPS, units=500, margin=0.05, freedom=4.5)
    assert no_worse == pytest.approx(stats.t.sf(0.06 / spread, 4.5))
