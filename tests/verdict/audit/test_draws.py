"""The order of the draws: by hand, the same everywhere, and even."""

import hashlib
from fractions import Fraction

import numpy as np
import pytest

from karat.verdict.audit.draws import draws, shuffled


def by_hand(seed, what, items):
    left, drawn = list(items), []
    for draw in range(1, len(items) + 1):
        text = "\0".join(["karat audit", seed, what, str(draw)]).encode()
        place = int(hashlib.sha256(text).hexdigest(), 16) % len(left)
        drawn.append(left[place])
        left[place] = left[-1]
        left.pop()
    return drawn


def test_draws_are_hashes_of_seed_and_draw():
    items = np.array([3, 5, 8, 13, 21, 34])
    assert shuffled("7", "disputed", items).tolist() == by_hand("7", "disputed", items.tolist())
    assert shuffled("1", "disputed", np.arange(10)).tolist() == [8, 1, 4, 3, 2, 6, 5, 0, 7, 9]


def test_every_item_is_equally_likely_at_every_draw():
    size, runs = 6, 3000
    orders = np.array([shuffled(str(seed), "disputed", np.arange(size)) for seed in range(runs)])
    expected = runs / size
    for place in range(size):
        counts = np.bincount(orders[:, place], minlength=size)
        statistic = ((counts - expected) ** 2 / expected).sum()
        assert statistic < 20.5  # the 0.999 quantile of chi-squared with 5 degrees of freedom


def test_a_share_goes_to_all_items():
    disputed = np.arange(0, 1000, 2)
    order = draws("1", 1000, disputed, Fraction(1, 5))
    assert order.from_all[:400].mean() == pytest.approx(0.2, abs=0.06)
    assert sorted(order.item[order.from_all].tolist()) == list(range(1000))
    assert sorted(order.item[~order.from_all].tolist()) == disputed.tolist()


def test_without_a_share_only_disputed_items_are_drawn():
    order = draws("1", 50, np.array([1, 2, 3]), Fraction(0))
    assert sorted(order.item.tolist()) == [1, 2, 3]
    assert not order.from_all.any()
