"""Masks of objects: runs of pixels, counted down the columns of an image from left to right, as COCO counts them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray, IntArray
from karat.numeric.ragged import portions, positions

AT_ONCE = 4_000_000
"""How many runs are compared at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Masks:
    """Masks, one after the other; the runs of each are in order and do not overlap."""

    bounds: IntArray
    """Where the runs of each mask begin, and the last ones end."""
    begin: IntArray
    """The first pixel of each run."""
    end: IntArray
    """The first pixel after it."""
    height: IntArray
    """The height of each mask's image."""

    def __len__(self) -> int:
        return len(self.height)

    def areas(self) -> FloatArray:
        """Return the number of pixels of each mask."""
        total = np.concatenate([[0], (self.end - self.begin).cumsum()])
        areas: FloatArray = (total[self.bounds[1:]] - total[self.bounds[:-1]]).astype(float)
        return areas

    def chosen(self, rows: npt.NDArray[np.generic]) -> "Masks":
        """Return some of the masks."""
        places = np.arange(len(self))[rows]
        counts = np.diff(self.bounds)[places]
        runs = positions(self.bounds[places], counts)
        bounds = np.concatenate([[0], counts.cumsum()])
        return Masks(bounds, self.begin[runs], self.end[runs], self.height[places])

    def boxes(self) -> FloatArray:
        """Return x, y, width and height of the box around each mask; of an empty one all are 0."""
        boxes = np.zeros((len(self), 4))
        counts = np.diff(self.bounds)
        full = np.flatnonzero(counts)
        if not len(full):
            return boxes
        height = np.repeat(self.height, counts)
        last = self.end - 1
        left, top = np.divmod(self.begin, height)
        right, bottom = np.divmod(last, height)
        # A run that goes on in the next column touches the lower edge, and there the upper one.
        several = right > left
        top[several] = 0
        bottom[several] = height[several] - 1
        starts = self.bounds[full]
        x = np.minimum.reduceat(left, starts)
        y = np.minimum.reduceat(top, starts)
        boxes[full, 0] = x
        boxes[full, 1] = y
        boxes[full, 2] = np.maximum.reduceat(right, starts) - x + 1
        boxes[full, 3] = np.maximum.reduceat(bottom, starts) - y + 1
        return boxes

    def shared(self, other: "Masks", rows: IntArray, beside: IntArray) -> FloatArray:
        """Return how many pixels each of the rows has in common with the mask of the other beside it."""
        pixels = np.zeros(len(rows))
        if not len(other.begin) or not len(self.begin):
            return pixels
        apart = int(max(self.end.max(), other.end.max())) + 1
        covered = _Covered(other, apart)
        for part in portions(np.diff(self.bounds)[rows], most=AT_ONCE):
            counts = np.diff(self.bounds)[rows[part]]
            runs = positions(self.bounds[rows[part]], counts)
            offset = np.repeat(beside[part] * apart, counts)
            of_run = covered.below(offset + self.end[runs]) - covered.below(
                offset + self.begin[runs]
            )
            total = np.concatenate([[0], of_run.cumsum()])
            ends = counts.cumsum()
            pixels[part] = total[ends] - total[ends - counts]
        return pixels


def joined_masks(parts: Sequence[Masks]) -> Masks:
    """Return masks of several sets, one after the other."""
    counts = np.concatenate([np.diff(one.bounds) for one in parts])
    return Masks(
        np.concatenate([[0], counts.cumsum()]),
        np.concatenate([one.begin for one in parts]),
        np.concatenate([one.end for one in parts]),
        np.concatenate([one.height for one in parts]),
    )


def in_order(masks: Masks, places: IntArray) -> Masks:
    """Return masks each at its place."""
    order = np.empty(len(places), np.int64)
    order[places] = np.arange(len(places))
    return masks.chosen(order)


class _Covered:
    """How many pixels are in masks that follow each other, so far apart."""

    def __init__(self, masks: Masks, apart: int) -> None:
        counts = np.diff(masks.bounds)
        offset = np.repeat(np.arange(len(masks)) * apart, counts)
        self.begin = offset + masks.begin
        self.length = masks.end - masks.begin
        self.before = self.length.cumsum() - self.length

    def below(self, pixel: IntArray) -> IntArray:
        """Return how many lie before each pixel."""
        run = np.searchsorted(self.begin, pixel, side="right") - 1
        inside = np.minimum(pixel - self.begin[run], self.length[run])
        return np.where(run < 0, 0, self.before[run] + inside)
