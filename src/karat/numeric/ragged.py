"""Rows of different lengths, one after the other in one array."""

from collections.abc import Iterator

import numpy as np

from karat.numeric.arrays import IntArray


def positions(starts: IntArray, counts: IntArray) -> IntArray:
    """Return the places of rows that begin at these starts and have so many entries.

    >>> positions(np.array([7, 3]), np.array([2, 3])).tolist()
    [7, 8, 3, 4, 5]
    """
    before = counts.cumsum() - counts
    return np.arange(int(counts.sum())) - np.repeat(before - starts, counts)


def portions(counts: IntArray, *, most: int) -> Iterator[slice]:
    """Yield ranges of rows that have up to so many entries together, or one row that has more.

    >>> list(portions(np.array([3, 2, 9, 1]), most=5))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    total = np.concatenate([[0], counts.cumsum()])
    start = 0
    while start < len(counts):
        end = int(np.searchsorted(total, total[start] + most, side="right")) - 1
        end = max(end, start + 1)
        yield slice(start, end)
        start = end
