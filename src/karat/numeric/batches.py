"""Many resamples, as many at once as fit into the cache."""

from collections.abc import Callable

import numpy as np

from karat.numeric.arrays import FloatArray

AT_ONCE = 2_000_000
"""Numbers worked on in one step."""


def in_batches(
    work: Callable[[FloatArray], FloatArray], numbers: FloatArray, *, size: int
) -> FloatArray:
    """Return what some work makes of the rows of an array, a few rows at a time; each takes so many numbers.

    >>> in_batches(lambda rows: rows + 1, np.zeros((3, 2)), size=1_000_000)
    array([[1., 1.],
           [1., 1.],
           [1., 1.]])
    """
    step = max(1, AT_ONCE // size)
    starts = range(0, len(numbers), step)
    return np.concatenate([work(numbers[start : start + step]) for start in starts])
