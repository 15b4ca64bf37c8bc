"""Pairs of whole numbers in order."""

import numpy as np

from karat.numeric.arrays import IntArray

BITS = 63
"""Of a number from 0 up."""


def sorted_pairs(first: IntArray, second: IntArray) -> tuple[IntArray, IntArray]:
    """Return pairs of whole numbers from 0 up in the order of the first, and where these are equal of the second.

    Where both fit into one number, that is sorted as it is, which is ten times as fast as to look for an order.

    >>> sorted_pairs(np.array([1, 0, 1]), np.array([3, 4, 2]))
    (array([0, 1, 1]), array([4, 2, 3]))
    """
    bits = int(second.max(initial=0)).bit_length()
    if int(first.max(initial=0)).bit_length() + bits > BITS:
        order = np.lexsort((second, first))
        return first[order], second[order]
    both = np.sort((first << bits) | second)
    return both >> bits, both & ((1 << bits) - 1)
