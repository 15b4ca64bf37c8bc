"""Resamples of one long curve with unseen items, without its empty cells: the numbers of `extremes`, and faster.

Most cells of a curve hold positives alone or negatives alone, in turns. So only cells that hold some are weighted, and
where the positives lie among the negatives is found once, not in every resample.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.doubt.prevalence.curve_cells import CurveCells, IntArray
from karat.doubt.prevalence.unseen_items import Unseen
from karat.measure.prevalence.pr_curve import RocStretches
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class FilledCells:
    """How many items the cells have that hold positives, and those that hold negatives, from the highest scores down.

    Beside each cell of positives: how many cells of negatives are above it, and how many are above it or tied with it.
    """

    positive: FloatArray
    negative: FloatArray
    above: IntArray
    down_to: IntArray


def filled_cells(cells: CurveCells) -> FilledCells:
    """Leave out what is empty.

    >>> found = filled_cells(CurveCells(np.array([2, 0, 1]), np.array([0, 3, 1])))
    >>> found.positive.tolist(), found.negative.tolist(), found.above.tolist(), found.down_to.tolist()
    ([2.0, 1.0], [3.0, 1.0], [0, 1], [0, 2])
    """
    has_positives = cells.positive > 0
    has_negatives = cells.negative > 0
    down_to: IntArray = np.cumsum(has_negatives, dtype=np.int64)
    above = down_to - has_negatives.astype(np.int64)
    return FilledCells(
        cells.positive[has_positives].astype(np.float64),
        cells.negative[has_negatives].astype(np.float64),
        above[has_positives],
        down_to[has_positives],
    )


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """Which unseen item stands first; how many cells of negatives are above each cell of positives, and down to it."""

    first: Literal["positive", "negative"]
    above: IntArray
    down_to: IntArray

    def stretches(self, positive: FloatArray, negative: FloatArray, more: Unseen) -> RocStretches:
        """Return the stretches of the curve with these weights of its cells and of the unseen items."""
        if self.first == "positive":
            recall = _shares(more.positive, positive)
            rate = _shares(negative, more.negative)
        else:
            recall = _shares(positive, more.positive)
            rate = _shares(more.negative, negative)
        return RocStretches(recall[:-1], rate[self.above], recall[1:], rate[self.down_to])


def with_harm(cells: FilledCells) -> Arrangement:
    """Place the unseen negative above all, tied with the positives above every negative; the positive below all.

    The unseen positive is tied with the negatives that are below every positive. See `unseen_items`.
    """
    leads = cells.down_to == 0
    above = np.where(leads, 0, cells.above + 1)
    return Arrangement(
        "negative",
        np.append(above, cells.down_to[-1] + 1),
        np.append(cells.down_to + 1, len(cells.negative) + 1),
    )


def without_harm(cells: FilledCells) -> Arrangement:
    """Place the unseen positive above all and the unseen negative below all."""
    return Arrangement("positive", np.append(0, cells.above), np.append(0, cells.down_to))


def _shares(*weights: npt.ArrayLike) -> FloatArray:
    """Return the cumulative shares of the weights, from 0 to 1."""
    sums = np.concatenate([[0.0], *(np.atleast_1d(part) for part in weights)])
    np.cumsum(sums, out=sums)
    sums /= sums[-1]
    return sums
