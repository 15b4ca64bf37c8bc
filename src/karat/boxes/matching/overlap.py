"""How much two boxes overlap, and which pairs overlap enough to match."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from karat.boxes.model.box_set import BoxSet
from karat.numeric.arrays import BoolArray, FloatArray, IntArray

AT_ONCE = 2_000_000
"""How many pairs of boxes are compared at once."""


def overlap(found: FloatArray, true: FloatArray, crowd: BoolArray) -> FloatArray:
    """Intersection over union of each box that was found with the true one beside it.

    Of a crowd the union is the found box alone: a box inside of it overlaps wholly. Boxes of no size overlap nothing.
    >>> one = np.array([[0.0, 0.0, 10.0, 10.0]])
    >>> print(overlap(one, np.array([[5.0, 0.0, 10.0, 10.0]]), np.array([False])).round(4))
    [0.3333]
    """
    right = np.minimum(found[:, 0] + found[:, 2], true[:, 0] + true[:, 2])
    bottom = np.minimum(found[:, 1] + found[:, 3], true[:, 1] + true[:, 3])
    width = right - np.maximum(found[:, 0], true[:, 0])
    height = bottom - np.maximum(found[:, 1], true[:, 1])
    meet = (width > 0) & (height > 0)
    shared = np.where(meet, width * height, 0.0)
    found_area = found[:, 2] * found[:, 3]
    true_area = true[:, 2] * true[:, 3]
    union = np.where(crowd, found_area, found_area + true_area - shared)
    return np.divide(shared, union, out=np.zeros(len(shared)), where=meet)


@dataclass(frozen=True, slots=True, eq=False)
class Overlaps:
    """Pairs of a found box and a true one of the same image and class that overlap enough."""

    found: IntArray
    true: IntArray
    value: FloatArray

    def __len__(self) -> int:
        return len(self.found)


def overlaps(found: BoxSet, truth: BoxSet, *, least: float) -> Overlaps:
    """Return the pairs that overlap by at least so much; true boxes lie together by image and class."""
    classes = len(truth.gallery.classes)
    of_true = truth.image * classes + truth.label
    of_found = found.image * classes + found.label
    first = np.searchsorted(of_true, of_found, side="left")
    last = np.searchsorted(of_true, of_found, side="right")
    parts = []
    for start, end in _portions(last - first):
        rows, beside = _side_by_side(first[start:end], last[start:end])
        rows += start
        values = overlap(found.box[rows], truth.box[beside], truth.crowd[beside])
        enough = values >= least
        parts.append((rows[enough], beside[enough], values[enough]))
    if not parts:
        none = np.zeros(0, np.int64)
        return Overlaps(none, none, np.zeros(0))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Overlaps(*columns)


def _portions(pairs: IntArray) -> Iterator[tuple[int, int]]:
    """Yield ranges of found boxes that have about so many pairs together."""
    total = np.concatenate([[0], pairs.cumsum()])
    start = 0
    while start < len(pairs):
        end = int(np.searchsorted(total, total[start] + AT_ONCE, side="right")) - 1
        end = max(end, start + 1)
        yield start, end
        start = end


def _side_by_side(first: IntArray, last: IntArray) -> tuple[IntArray, IntArray]:
    """Return each found box as often as there are true boxes from its first to its last, and these."""
    counts = last - first
    rows = np.repeat(np.arange(len(first)), counts)
    before = counts.cumsum() - counts
    beside = np.arange(len(rows)) - np.repeat(before - first, counts)
    return rows, beside
