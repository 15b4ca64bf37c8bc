"""A curve's items in cells of equal rank: what is resampled, and the ROC stretches and areas of a resample."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.measure.prevalence.pr_curve import RocStretches, areas_of_many
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Counts, Curve

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CurveCells:
    """How many items of each kind a curve has, cell by cell, from the highest scores down."""

    positive: Counts
    negative: Counts


def cells(curve: Curve) -> CurveCells:
    """Return the counts with neighbouring scores joined where all are positives, or all negatives: no area changes.

    >>> cells(Curve(np.arange(4.0)[::-1], np.array([1, 2, 0, 1]), np.array([0, 0, 3, 1]))).positive.tolist()
    [3, 0, 1]
    """
    start = np.flatnonzero(begins(curve))
    positive = np.add.reduceat(curve.positive, start)
    negative = np.add.reduceat(curve.negative, start)
    return CurveCells(positive, negative)


def begins(curve: Curve) -> npt.NDArray[np.bool_]:
    """Return at which scores a cell begins: not where all items are of the one kind that the score before has.

    >>> begins(Curve(np.arange(4.0)[::-1], np.array([1, 2, 0, 1]), np.array([0, 0, 3, 1]))).tolist()
    [True, False, True, True]
    """
    both = 3
    kinds = (curve.positive > 0) + 2 * (curve.negative > 0)
    starts_new_cell = (kinds[1:] != kinds[:-1]) | (kinds[1:] == both)
    return np.concatenate([[True], starts_new_cell])


def stretches(positive: Counts, negative: Counts) -> RocStretches:
    """Return the stretches of the ROC curve with these counts, or weights, in its cells.

    >>> stretches(np.array([0, 1]), np.array([2, 2])).f0.tolist()
    [0.5]
    """
    hits = np.concatenate([[0], positive.cumsum()])
    false = np.concatenate([[0], negative.cumsum()])
    recall = hits / hits[-1]
    rate = false / false[-1]
    up = np.flatnonzero(positive)
    return RocStretches(recall[up], rate[up], recall[up + 1], rate[up + 1])


def areas_of_rows(positive: Counts, negative: Counts, pi: npt.ArrayLike) -> FloatArray:
    """Return the area of each row of counts, or weights, at each pi: a row a resample, a column a cell.

    >>> areas_of_rows(np.array([[0, 1], [1, 0]]), np.array([[2, 2], [0, 4]]), [0.5]).round(4).tolist()
    [[0.3586], [1.0]]
    """
    recall = _rates(positive)
    rate = _rates(negative)
    # The stretches of all rows stand one after the other, and `starts` says where each row begins.
    row, cell = np.nonzero(positive)
    rising = RocStretches(
        recall[row, cell], rate[row, cell], recall[row, cell + 1], rate[row, cell + 1]
    )
    starts = np.searchsorted(row, np.arange(len(positive)))
    return areas_of_many(rising, starts, pi)


def _rates(number: Counts) -> FloatArray:
    """Return the cumulative share of each row, with a 0 in front."""
    sums = np.zeros((len(number), number.shape[1] + 1))
    np.cumsum(number, axis=1, out=sums[:, 1:])
    sums /= sums[:, -1:].copy()
    return sums
