"""The tally of boxes: what was found in every image, sure boxes first, and which of it is right.

Every measure of boxes, and what each image adds to it, is a function of this.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np
import numpy.typing as npt

from karat.boxes.matching.greedy import greedy
from karat.boxes.matching.optimal import optimal
from karat.boxes.matching.overlap import Overlaps, overlaps
from karat.boxes.matching.rules import ALMOST_ONE, SIZES, Layers, MatchRules
from karat.boxes.model.box_set import BoxSet, Gallery
from karat.numeric.arrays import BoolArray, FloatArray, IntArray
from karat.tally.digest import Part, digest, joined

HIT = 1
MISS = 0
IGNORED = -1
Outcomes = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Detections:
    """What one system found: its boxes by class, the surest first, and what each is at each size and overlap."""

    system: str
    gallery: Gallery
    rules: MatchRules
    image: IntArray
    label: IntArray
    place: IntArray
    """Which box of its image and class it is, from 0, the surest first."""
    score: FloatArray
    outcome: Outcomes
    """By size, overlap and box: a hit, a miss, or ignored."""
    true_image: IntArray
    true_label: IntArray
    counted: BoolArray
    """By size and true box: whether it is to be found."""

    @property
    def images(self) -> int:
        """The number of images."""
        return len(self.gallery.images)

    @cached_property
    def bounds(self) -> IntArray:
        """Where the boxes of each class begin, and the last ones end."""
        return np.searchsorted(self.label, np.arange(len(self.gallery.classes) + 1))

    def of_class(self, place: int) -> slice:
        """Return where the boxes of a class are."""
        return slice(int(self.bounds[place]), int(self.bounds[place + 1]))

    def true_by_image(self, size: int, label: int) -> FloatArray:
        """Return how many boxes of a class and size are to be found in each image."""
        rows = self.counted[size] & (self.true_label == label)
        return np.bincount(self.true_image[rows], minlength=self.images).astype(float)

    @cached_property
    def wanted(self) -> IntArray:
        """By size and class, how many boxes are to be found."""
        classes = len(self.gallery.classes)
        rows = [np.bincount(self.true_label[one], minlength=classes) for one in self.counted]
        return np.array(rows)

    def of_images(self, kept: BoolArray) -> "Detections":
        """Return what was found in some of the images."""
        place = kept.cumsum() - 1
        gallery = Gallery(tuple(compress(self.gallery.images, kept)), self.gallery.classes)
        rows = kept[self.image]
        true_rows = kept[self.true_image]
        return Detections(
            self.system,
            gallery,
            self.rules,
            place[self.image[rows]],
            self.label[rows],
            self.place[rows],
            self.score[rows],
            self.outcome[:, :, rows],
            place[self.true_image[true_rows]],
            self.true_label[true_rows],
            self.counted[:, true_rows],
        )

    def digest(self) -> str:
        """Return a hash of what was counted."""
        names = [joined(self.gallery.images), joined(self.gallery.classes)]
        found = (self.image, self.label, self.score, self.outcome)
        true = (self.true_image, self.true_label, self.counted)
        parts: list[Part] = [*names, *found, *true]
        return digest(parts)


def by_image(boxes: BoxSet) -> BoxSet:
    """Return boxes in the order of image and class, the surest first, and as in the file where these are equal."""
    return boxes.chosen(np.lexsort((-boxes.score, boxes.label, boxes.image)))


def places(boxes: BoxSet) -> IntArray:
    """Return which box of its image and class each one is, from 0, of boxes in the order of image and class."""
    key = boxes.image * len(boxes.gallery.classes) + boxes.label
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    lengths = np.diff(starts, append=len(key))
    return np.arange(len(key)) - np.repeat(starts, lengths)


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """Boxes of a system side by side with those of the truth, at every size and overlap."""

    truth: BoxSet
    found: BoxSet
    place: IntArray
    pairs: Overlaps
    layers: Layers
    true: IntArray
    """By layer and found box, the true box that it matches; -1 where none."""


def match(truth: BoxSet, system: BoxSet, rules: MatchRules) -> Matched:
    """Match a system's boxes with the truth's."""
    truth = by_image(truth)
    found = by_image(system)
    place = places(found)
    kept = place < rules.most
    found = found.chosen(kept)
    place = place[kept]
    layers = _layers(truth, rules)
    pairs = overlaps(found, truth, least=float(layers.least.min()))
    if rules.matching == "greedy":
        true = greedy(pairs, place, layers)
    else:
        true = optimal(pairs, len(found), layers)
    return Matched(truth, found, place, pairs, layers, true)


def detections(truth: BoxSet, system: BoxSet, rules: MatchRules) -> Detections:
    """Count what a system found."""
    matched = match(truth, system, rules)
    found = matched.found
    outcome = _outcomes(matched, len(rules.overlaps))
    # By class, the surest first; where scores are equal in the order of images.
    order = np.lexsort((-found.score, found.label))
    counted = ~matched.layers.ignored[:: len(rules.overlaps)]
    return Detections(
        system.name,
        truth.gallery,
        rules,
        found.image[order],
        found.label[order],
        matched.place[order],
        found.score[order],
        np.ascontiguousarray(outcome[:, :, order]),
        matched.truth.image,
        matched.truth.label,
        counted,
    )


def _layers(truth: BoxSet, rules: MatchRules) -> Layers:
    """Return one layer for each size and overlap."""
    overlap = np.minimum(rules.overlaps, ALMOST_ONE)
    least = np.tile(overlap, len(SIZES))
    ignored = []
    for low, high in SIZES.values():
        other_size = (truth.area < low) | (truth.area > high)
        ignored.append(truth.ignored | other_size)
    return Layers(least, np.repeat(np.array(ignored), len(overlap), axis=0), truth.ignored)


def _outcomes(matched: Matched, overlap_number: int) -> Outcomes:
    """Return what each found box is: also ignored if it matches nothing and is of another size."""
    true = matched.true
    any_match = true >= 0
    layer = np.arange(len(true))[:, None]
    has_truth = len(matched.truth) > 0
    of_ignored = any_match & matched.layers.ignored[layer, true] if has_truth else any_match
    area = matched.found.area
    outside = [(area < low) | (area > high) for low, high in SIZES.values()]
    other_size = np.repeat(np.array(outside), overlap_number, axis=0)
    outcome = np.where(any_match, HIT, MISS).astype(np.int8)
    outcome[of_ignored | (~any_match & other_size)] = IGNORED
    return outcome.reshape(len(SIZES), overlap_number, -1)
