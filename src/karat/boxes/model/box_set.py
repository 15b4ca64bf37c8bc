"""Boxes of one truth or one system: columns, one row a box."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.boxes.model.masks import Masks, joined_masks
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
    """Whether a box of the truth is around many objects: what is in it overlaps it wholly."""
    ignored: BoolArray
    """Whether what is found there counts neither for nor against, and how often: crowds, and what is marked so."""
    ids: tuple[Any, ...] = ()
    """What each box is called, where the file says it."""
    has_scores: bool = True
    notes: tuple[str, ...] = field(default=())
    """What a reader must know of how the file was read."""
    masks: Masks | None = None
    """The pixels of each object, where these are compared; `box` is then the box around them."""

    def __len__(self) -> int:
        return len(self.image)

    def chosen(self, rows: npt.NDArray[Any]) -> "BoxSet":
        """Return some of the boxes."""
        ids: tuple[Any, ...] = ()
        if self.ids:
            places = np.arange(len(self))[rows].tolist()
            ids = tuple(self.ids[place] for place in places)
        return replace(
            self,
            image=self.image[rows],
            label=self.label[rows],
            box=self.box[rows],
            score=self.score[rows],
            area=self.area[rows],
            crowd=self.crowd[rows],
            ignored=self.ignored[rows],
            ids=ids,
            masks=None if self.masks is None else self.masks.chosen(rows),
        )

    def without_classes(self) -> "BoxSet":
        """Return the boxes as if there were one class: what is found, whatever it is called."""
        gallery = replace(self.gallery, classes=("(any)",))
        return replace(self, gallery=gallery, label=np.zeros(len(self), np.int64))


def one_after_the_other(sets: Sequence[BoxSet]) -> BoxSet:
    """Return boxes of the same images as one set, with the names of the first and without ids."""
    masks = [one.masks for one in sets if one.masks is not None]
    return replace(
        sets[0],
        image=np.concatenate([one.image for one in sets]),
        label=np.concatenate([one.label for one in sets]),
        box=np.concatenate([one.box for one in sets]),
        score=np.concatenate([one.score for one in sets]),
        area=np.concatenate([one.area for one in sets]),
        crowd=np.concatenate([one.crowd for one in sets]),
        ignored=np.concatenate([one.ignored for one in sets]),
        ids=(),
        masks=joined_masks(masks) if masks else None,
    )
