"""How much two boxes, or two masks, overlap, and which pairs overlap enough to match."""

from dataclasses import dataclass

import numpy as np

from karat.boxes.model.box_set import BoxSet
from karat.boxes.model.masks import Masks
from karat.numeric.arrays import BoolArray, FloatArray, IntArray
from karat.numeric.ragged import portions, positions

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


def mask_overlap(
    found: Masks, true: Masks, rows: IntArray, beside: IntArray, crowd: BoolArray
) -> FloatArray:
    """Intersection over union, in pixels, of masks in rows with the true ones beside them; of crowds as of boxes."""
    shared = found.shared(true, rows, beside)
    found_area = found.areas()[rows]
    union = np.where(crowd, found_area, found_area + true.areas()[beside] - shared)
    return np.divide(shared, union, out=np.zeros(len(shared)), where=shared > 0)


def overlaps(found: BoxSet, truth: BoxSet, *, least: float) -> Overlaps:
    """Return the pairs that overlap by at least so much; true boxes are sorted by image and class."""
    classes = len(truth.gallery.classes)
    of_true = truth.image * classes + truth.label
    of_found = found.image * classes + found.label
    first = np.searchsorted(of_true, of_found, side="left")
    last = np.searchsorted(of_true, of_found, side="right")
    counts = last - first
    parts = []
    for part in portions(counts, most=AT_ONCE):
        rows = np.repeat(np.arange(part.start, part.stop), counts[part])
        beside = positions(first[part], counts[part])
        values = overlap(found.box[rows], truth.box[beside], truth.crowd[beside])
        if found.masks is not None and truth.masks is not None:
            # Where the boxes around two masks do not meet, the masks do not.
            meet = values > 0
            rows, beside = rows[meet], beside[meet]
            values = mask_overlap(found.masks, truth.masks, rows, beside, truth.crowd[beside])
        enough = values >= least
        parts.append((rows[enough], beside[enough], values[enough]))
    if not parts:
        none = np.zeros(0, np.int64)
        return Overlaps(none, none, np.zeros(0))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Overlaps(*columns)
