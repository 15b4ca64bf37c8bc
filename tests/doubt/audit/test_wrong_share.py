"""The share of wrong labels: its capitals by hand, and how often it misses, whenever one stops."""

from math import comb

import numpy as np
import pytest

from karat.doubt.audit.wrong_share import possible_numbers, wrong_share


@pytest.mark.parametrize(
    ("items", "checked", "wrong"), [(12, 5, 2), (30, 9, 0), (8, 8, 3), (6, 0, 0)]
)
def test_capitals_are_prior_over_posterior(items, checked, wrong):
    ways = [comb(k, wrong) * comb(items - k, checked - wrong) for k in range(items + 1)]
    kept = []
    for number, way in enumerate(ways):
        posterior = way / sum(ways)
        if posterior and 1 / (items + 1) / posterior < 20:
            kept.append(number)
    assert possible_numbers(items, checked, wrong, 0.05).tolist() == kept


@pytest.mark.parametrize("share", [0.0, 0.03, 0.2, 0.5])
def test_the_interval_misses_seldom_however_often_one_looks(share):
    items, runs = 80, 2000
    number = round(share * items)
    random = np.random.default_rng(3)
    labels = np.tile(np.arange(items) < number, (runs, 1))
    wrong = np.cumsum(random.permuted(labels, axis=1), axis=1)
    missed = np.zeros(runs, bool)
    for checked in range(1, items + 1):
        for found in np.unique(wrong[:, checked - 1]):
            kept = possible_numbers(items, checked, int(found), 0.05)
            if number not in kept:
                missed |= wrong[:, checked - 1] == found
    assert missed.sum() <= 120


def test_undecidable_labels_count_as_the_worst_for_each_end():
    plain = wrong_share(200, 40, 6)
    some = wrong_share(200, 40, 6, 5)
    assert some.low == plain.low
    assert some.high == wrong_share(200, 40, 11).high
    assert some.low <= some.value <= some.high
    assert some.value == 6 / 35


def test_all_checked_leaves_no_doubt_and_none_leaves_all():
    assert wrong_share(10, 10, 3).low == wrong_share(10, 10, 3).high == 0.3
    assert (wrong_share(10, 0, 0).low, wrong_share(10, 0, 0).high) == (0.0, 1.0)
    assert wrong_share(10, 0, 0).value is None
    assert wrong_share(0, 0, 0).items == 0
