"""Resampled items counted in the cells of every system's curve: many resamples at once, for all systems the same."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import islice

import numpy as np

from karat.doubt.prevalence.curve_cells import CurveCells
from karat.doubt.prevalence.resampled_items import IntArray, ItemResample
from karat.doubt.prevalence.unseen_items import Unseen
from karat.measure.prevalence.pr_curve import AT_ONCE
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Counts


@dataclass(frozen=True, slots=True, eq=False)
class CountedResamples:
    """Some resamples: of each system what is in its cells, a row a resample."""

    rows: int
    systems: list[CurveCells]
    """Empty where only ends are wanted."""
    of_ends: list[CurveCells]
    """The same with the weights for the ends of intervals; empty where none are wanted."""
    more: Unseen
    """What was not seen."""


def counted_resamples(
    resamples: Iterator[ItemResample],
    cells: Sequence[IntArray],
    weights: FloatArray | None,
    *,
    only_ends: bool = False,
) -> Iterator[CountedResamples]:
    """Yield resamples counted: as many together as the cache of a core holds.

    `cells` has the cell of each item, system by system. Where items are many and cells few, resamples are counted one
    by one, and handed on together.
    """
    items = len(cells[0])
    widest = 1 + max(int(cell.max()) for cell in cells)
    at_once = max(1, AT_ONCE // items)
    waiting: list[CountedResamples] = []
    while batch := list(islice(resamples, at_once)):
        waiting.append(_counted(batch, cells, weights, only_ends=only_ends))
        if widest * at_once * len(waiting) >= AT_ONCE:
            yield _joined(waiting)
            waiting = []
    if waiting:
        yield _joined(waiting)


def _counted(
    resamples: list[ItemResample],
    cells: Sequence[IntArray],
    weights: FloatArray | None,
    *,
    only_ends: bool,
) -> CountedResamples:
    """Count the items of some resamples at once.

    A resample of a few hundred items is far too little work for one call of NumPy. So the items of all resamples stand
    one after the other, `row` says to which resample each belongs, and a single bincount over row * cells + cell counts
    them all: a matrix of resamples x cells for each system. An item has a cell for each system, so that all systems are
    counted on the same items.
    """
    positive = _concatenated([each.items.positive for each in resamples])
    negative = _concatenated([each.items.negative for each in resamples])
    positive_ends = _concatenated([each.weighted.positive for each in resamples])
    negative_ends = _concatenated([each.weighted.negative for each in resamples])
    positive_weights = np.concatenate([each.positive_weights for each in resamples])
    negative_weights = np.concatenate([each.negative_weights for each in resamples])
    more = Unseen(*np.array([astuple(each.more) for each in resamples]).T)
    once_positive = once_negative = None
    if weights is not None:
        once_positive = weights[positive.item]
        once_negative = weights[negative.item]
        positive_weights = positive_weights * weights[positive_ends.item]
        negative_weights = negative_weights * weights[negative_ends.item]
        more = _as_heavy(more, once_positive, once_negative)
    systems = []
    of_ends = []
    for cell in cells:
        if not only_ends:
            hits = _in_cells(positive, once_positive, cell)
            false = _in_cells(negative, once_negative, cell)
            systems.append(CurveCells(hits, false))
        if len(positive_ends.item):
            hits = _in_cells(positive_ends, positive_weights, cell)
            false = _in_cells(negative_ends, negative_weights, cell)
            of_ends.append(CurveCells(hits, false))
    return CountedResamples(len(resamples), systems, of_ends, more)


def _as_heavy(more: Unseen, positive: FloatArray, negative: FloatArray) -> Unseen:
    """Return the unseen items as heavy as those drawn are on average."""
    return Unseen(more.positive * positive.mean(), more.negative * negative.mean())


@dataclass(frozen=True, slots=True, eq=False)
class _Concatenated:
    """The items of several resamples, and to which resample each belongs."""

    item: IntArray
    row: IntArray
    rows: int


def _concatenated(items: list[IntArray]) -> _Concatenated:
    sizes = [len(each) for each in items]
    row = np.repeat(np.arange(len(items)), sizes)
    return _Concatenated(np.concatenate(items), row, len(items))


def _in_cells(items: _Concatenated, weights: FloatArray | None, cell: IntArray) -> Counts:
    """Return how many items, or how much weight, each cell of each resample has."""
    size = int(cell.max()) + 1
    cells = items.row * size + cell[items.item]
    return np.bincount(cells, weights, minlength=items.rows * size).reshape(items.rows, size)


def _joined(parts: list[CountedResamples]) -> CountedResamples:
    """Return the resamples of all parts as one."""
    if len(parts) == 1:
        return parts[0]
    more = [astuple(part.more) for part in parts]
    return CountedResamples(
        sum(part.rows for part in parts),
        [_rows_of(each) for each in zip(*(part.systems for part in parts), strict=True)],
        [_rows_of(each) for each in zip(*(part.of_ends for part in parts), strict=True)],
        Unseen(*np.concatenate(more, axis=1)),
    )


def _rows_of(parts: Sequence[CurveCells]) -> CurveCells:
    positive = np.concatenate([part.positive for part in parts])
    negative = np.concatenate([part.negative for part in parts])
    return CurveCells(positive, negative)
