"""The order of the draws: by hand, the same everywhere, and even."""

import hashlib
from fractions import Fraction

import numpy as np
import pytest

from karat.verdict.audit.draws import drawn_by_pull, draws, shuffled


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


def guided_by_hand(seed, items, pulls):
    left, drawn = list(items), []
    for draw in range(1, len(items) + 1):
        text = "\0".join(["karat audit", seed, "guided", str(draw)]).encode()
        number = int(hashlib.sha256(text).hexdigest(), 16) % sum(pulls[item] for item in left)
        for item in left:
            number -= pulls[item]
            if number < 0:
                break
        drawn.append(item)
        left.remove(item)
    return drawn


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 100])
def test_guided_draws_take_the_item_in_whose_part_the_number_falls(size):
    random = np.random.default_rng(size)
    pulls = random.integers(1, 300, 3 * size)
    items = np.sort(random.choice(3 * size, size, replace=False))
    found = drawn_by_pull("5", items, pulls)
    assert found.tolist() == guided_by_hand("5", items.tolist(), pulls.tolist())


def test_what_some_of_the_items_are_drawn_by_does_not_depend_on_the_others():
    """The first of a part of the items: in proportion to the pulls in that part."""
    pulls = np.array([100, 400, 50, 250, 1])
    part = [0, 2, 3]
    runs = 3000
    first = np.zeros(5)
    for seed in range(runs):
        order = drawn_by_pull(str(seed), np.arange(5), pulls).tolist()
        first[next(item for item in order if item in part)] += 1
    expected = runs * pulls[part] / pulls[part].sum()
    statistic = ((first[part] - expected) ** 2 / expected).sum()
    assert statistic < 13.8  # the 0.999 quantile of chi-squared with 2 degrees of freedom
