"""Boxes of one truth or one system: columns, one row a box."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """The images and classes that boxes are of, in their order: what a truth and its systems share."""

    images: tuple[str, ...]
    classes: tuple[str, ...]
    sizes: FloatArray | None = None
    """Width and height of each image; NaN where it is not known, None where none is."""
    files: tuple[str, ...] = ()
    """The name of each image's file, where it is not the image's own name."""


@dataclass(frozen=True, slots=True, eq=False)
class BoxSet:
    """Boxes in images: of the truth, or of one system with scores."""

    name: str
    origin: str
    gallery: Gallery
    image: IntArray
    """The place of each box's image in the gallery."""
    label: IntArray
    """The place of its class."""
    box: FloatArray
    """x, y, width and height: x and y are the left and upper edge."""
    score: FloatArray
    """How sure the system is; 1 in a truth."""
    area: FloatArray
    """The area by which a box is small, medium or large; in COCO that of the object, not of its box."""
    crowd: BoolArray
    """Whether a box of the truth stands for many objects: what is found there counts neither for nor against."""
    ids: tuple[Any, ...] = ()
    """What each box is called, where the file says it."""
    has_scores: bool = True
    notes: tuple[str, ...] = field(default=())
    """What a reader must know of how the file was read."""

    def __len__(self) -> int:
        return len(self.image)

    def chosen(self, rows: npt.NDArray[Any]) -> "BoxSet":
        """Return some of the boxes."""
        ids: tuple[Any, ...] = ()
        if self.ids:
            places = np.arange(len(self))[rows].tolist()
            ids = tuple(self.ids[place] for place in places)
        return BoxSet(
            self.name,
            self.origin,
            self.gallery,
            self.image[rows],
            self.label[rows],
            self.box[rows],
            self.score[rows],
            self.area[rows],
            self.crowd[rows],
            ids,
            self.has_scores,
            self.notes,
        )

    def without_classes(self) -> "BoxSet":
        """Return the boxes as if there were one class: what is found, whatever it is called."""
        gallery = Gallery(self.gallery.images, ("(any)",), self.gallery.sizes, self.gallery.files)
        return BoxSet(
            self.name,
            self.origin,
            gallery,
            self.image,
            np.zeros(len(self), np.int64),
            self.box,
            self.score,
            self.area,
            self.crowd,
            self.ids,
            self.has_scores,
            self.notes,
        )
