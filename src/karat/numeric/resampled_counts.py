"""Resampled items, as counts: how many of them fall into each cell."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
Drawing = Callable[[np.random.Generator, int], IntArray]
"""From a generator and a number of resamples to their counts: a row a resample, a column a cell."""
CACHED = 250_000
"""Items that the cache of a core holds."""
BY_ITEM, BEYOND = 16, 4
"""Up to so many items a cell, items are drawn; of more, counts, which is quicker there. Beyond the cache, earlier."""


def drawing(number: IntArray) -> Drawing:
    """Return what draws as many items as there are, with replacement.

    Multinomial with the shares of the cells, item by item or cell by cell, whichever is quicker.
    >>> found = drawing(np.array([3, 0, 9]))(np.random.default_rng(0), 2)
    >>> found.sum(axis=1).tolist(), found[:, 1].tolist()
    ([12, 12], [0, 0])
    """
    size, cells = int(number.sum()), len(number)
    if size > cells * (BY_ITEM if size <= CACHED else BEYOND):
        return lambda random, rows: random.multinomial(size, number / size, size=rows)
    owner = np.repeat(np.arange(cells), number)

    def drawn(random: np.random.Generator, rows: int) -> IntArray:
        places = owner[random.integers(0, size, (rows, size))]
        places += cells * np.arange(rows)[:, None]
        return np.bincount(places.ravel(), minlength=rows * cells).reshape(rows, cells)

    return drawn
