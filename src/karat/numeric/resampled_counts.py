"""Counts of resampled items: how many of them fall into each cell."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
Drawing = Callable[[np.random.Generator, int], IntArray]
"""From a generator and a number of resamples to their counts: a row a resample, a column a cell."""
CACHED = 250_000
"""Items that the cache of a core holds."""
BY_ITEM = 16
"""Up to so many items a cell, single items are drawn; if there are more, counts of cells, which is faster there."""
BY_ITEM_BEYOND_CACHE = 4
"""The same limit where the items do not fit into the cache."""
FEW_UNITS = 10_000
"""Units whose counts are drawn one by one; of more that takes ten times as long as to draw units."""


def drawing(number: IntArray) -> Drawing:
    """Return a function that draws as many items as there are, with replacement.

    Multinomial with the shares of the cells, item by item or cell by cell, whichever is faster.
    >>> counts = drawing(np.array([3, 0, 9]))(np.random.default_rng(0), 2)
    >>> counts.sum(axis=1).tolist(), counts[:, 1].tolist()
    ([12, 12], [0, 0])
    """
    size = int(number.sum())
    cells = len(number)
    limit = BY_ITEM if size <= CACHED else BY_ITEM_BEYOND_CACHE

    def by_cell(random: np.random.Generator, rows: int) -> IntArray:
        return random.multinomial(size, number / size, size=rows)

    if size > cells * limit:
        return by_cell
    owner = np.repeat(np.arange(cells), number)

    def by_item(random: np.random.Generator, rows: int) -> IntArray:
        places = owner[random.integers(0, size, (rows, size))]
        # One count for all rows: the cells of each row get numbers of their own.
        places += cells * np.arange(rows)[:, None]
        counts = np.bincount(places.ravel(), minlength=rows * cells)
        return counts.reshape(rows, cells)

    return by_item


def drawing_of_units(number: IntArray) -> Drawing:
    """Return a function that draws as many units as there are, where a cell holds few of them, most often one.

    >>> drawing_of_units(np.ones(3, int))(np.random.default_rng(0), 2).sum(axis=1).tolist()
    [3, 3]
    """
    if len(number) > FEW_UNITS:
        return drawing(number)
    size = int(number.sum())
    shares = number / size
    return lambda random, rows: random.multinomial(size, shares, size=rows)
