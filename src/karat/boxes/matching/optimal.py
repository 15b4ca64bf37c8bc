"""Which box matches which, so that as many match as can."""

import numpy as np

from karat.boxes.matching.overlap import Overlaps
from karat.boxes.matching.rules import Layers
from karat.numeric.arrays import BoolArray, FloatArray, IntArray

A_MATCH = 1e3
"""What one more match counts for; the overlaps of all boxes of an image together count less."""
A_COUNTED = 1e6
"""What a match with a true box that is to be found counts for; all ignored ones together count less."""


def optimal(pairs: Overlaps, number: int, layers: Layers) -> IntArray:
    """Return the true box that each of a number of found boxes matches in each layer, -1 where none.

    One to one, with as many matches as there can be, and of these matchings the one whose overlaps have the largest
    sum; scores play no part. What is left and is in a crowd matches it.
    Reference: Kuhn, The Hungarian method for the assignment problem, 1955. doi:10.1002/nav.3800020109
    """
    matched = np.full((len(layers), number), -1, np.int64)
    in_crowd = layers.open[pairs.true]
    for layer, least in enumerate(layers.least):
        enough = pairs.value >= least
        _assign(_some(pairs, enough & ~in_crowd), layers.ignored[layer], matched[layer])
        _join_crowds(_some(pairs, enough & in_crowd), matched[layer])
    return matched


def _some(pairs: Overlaps, rows: BoolArray) -> Overlaps:
    return Overlaps(pairs.found[rows], pairs.true[rows], pairs.value[rows])


def _assign(pairs: Overlaps, ignored: BoolArray, matched: IntArray) -> None:
    """Match one to one; boxes that nothing else wants are matched at once, others by groups that share some."""
    if not len(pairs):
        return
    alone = np.bincount(pairs.found)[pairs.found] == 1
    alone &= np.bincount(pairs.true)[pairs.true] == 1
    matched[pairs.found[alone]] = pairs.true[alone]
    rest = _some(pairs, ~alone)
    for rows in _groups(rest):
        group = Overlaps(rest.found[rows], rest.true[rows], rest.value[rows])
        _assign_group(group, ignored, matched)


def _groups(pairs: Overlaps) -> list[IntArray]:
    """Return the pairs of each group of boxes that overlap directly or through others."""
    if not len(pairs):
        return []
    from scipy.sparse import coo_array  # noqa: PLC0415 (only where boxes compete)
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    found, of_found = np.unique(pairs.found, return_inverse=True)
    true, of_true = np.unique(pairs.true, return_inverse=True)
    size = len(found) + len(true)
    edges = (np.ones(len(pairs)), (of_found, len(found) + of_true))
    _, group = connected_components(coo_array(edges, shape=(size, size)), directed=False)
    of_pair = group[of_found]
    order = np.argsort(of_pair, kind="stable")
    starts = np.flatnonzero(np.diff(of_pair[order])) + 1
    return np.split(order, starts)


def _assign_group(pairs: Overlaps, ignored: BoolArray, matched: IntArray) -> None:
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 (only where boxes compete)

    found, row = np.unique(pairs.found, return_inverse=True)
    true, column = np.unique(pairs.true, return_inverse=True)
    worth: FloatArray = np.zeros((len(found), len(true)))
    worth[row, column] = pairs.value + A_MATCH + A_COUNTED * ~ignored[pairs.true]
    rows, columns = linear_sum_assignment(worth, maximize=True)
    real = worth[rows, columns] > 0
    matched[found[rows[real]]] = true[columns[real]]


def _join_crowds(pairs: Overlaps, matched: IntArray) -> None:
    """Match what is left with the crowd that it overlaps most."""
    order = np.argsort(pairs.value, kind="stable")
    found = pairs.found[order]
    true = pairs.true[order]
    left = matched[found] < 0
    # Of several crowds of one box the last, which overlaps most, is the one that stays.
    matched[found[left]] = true[left]
