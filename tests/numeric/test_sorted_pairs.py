"""Pairs of whole numbers in order, whether or not both fit into one number."""

import numpy as np
import pytest

from karat.numeric.sorted_pairs import sorted_pairs


@pytest.mark.parametrize("largest", [0, 3, 2**31, 2**60, 2**63 - 1])
def test_pairs_are_in_the_order_of_python(largest):
    draw = np.random.default_rng(3)
    first = draw.integers(0, 5, 200)
    second = draw.integers(0, largest, 200, endpoint=True)
    second[:2] = largest
    expected = sorted(zip(first.tolist(), second.tolist(), strict=True))
    found = sorted_pairs(first, second)
    assert list(zip(*map(np.ndarray.tolist, found), strict=True)) == expected


def test_of_nothing_there_is_nothing():
    none = np.zeros(0, np.int64)
    assert [len(one) for one in sorted_pairs(none, none)] == [0, 0]
