"""Average precision and recall of each class, with what every image adds."""

import numpy as np

from karat.boxes.matching.detections import HIT, Detections, Outcomes
from karat.boxes.matching.rules import OVERLAPS, SIZES
from karat.boxes.measures.influenced import Influenced
from karat.boxes.measures.precision_curve import (
    averages_of_hits,
    averages_of_recalls,
    influence_of_boxes,
    precision_curve,
)
from karat.numeric.arrays import FloatArray, IntArray

GROUPS = 10
"""How many groups of images the jackknife leaves out, one after the other."""
SLOW = 3 / 2
ENOUGH = 400
"""From so many images that hold a class on, its bias is not worth the time."""


def average_precisions(
    tally: Detections, *, overlap: float | None = None, size: str = "all"
) -> Influenced:
    """Return the average precision of each class: at one overlap, or its mean over COCO's ten."""
    size_place = list(SIZES).index(size)
    layers = overlap_places(tally, overlap)
    found = _empty(tally)
    for label in range(len(found.value)):
        true = tally.true_by_image(size_place, label)
        wanted = true.sum()
        if not wanted:
            continue
        rows = tally.of_class(label)
        image = tally.image[rows]
        outcomes = tally.outcome[size_place, layers, rows]
        curve = precision_curve(outcomes, wanted)
        by_image = np.zeros(tally.images)
        for of_found, of_true in zip(*influence_of_boxes(curve), strict=True):
            by_image += np.bincount(image, of_found, minlength=tally.images)
            by_image += of_true * true
        found.by_image[:, label] = by_image / len(layers)
        found.value[label] = averages_of_recalls(curve).mean()
        found.holding[label] = np.count_nonzero(true)
        found.bias[label] = bias_of_few_images(outcomes, image, true)
    return found


def bias_of_few_images(
    outcomes: Outcomes, image: IntArray, true: FloatArray, weight: FloatArray | None = None
) -> float:
    """Return by how much an average precision is too high for few images: 3/2 (g-1) (mean without a group - value).

    The g groups have as many images that hold the class each, as nearly as that goes. 3/2 since the best precision from
    a recall on is an envelope, whose bias shrinks with n^(-2/3), not with 1/n as the jackknife supposes. Averages over
    hits are compared: the steps of 101 recalls would be multiplied by g, too. Images may have weights.
    Reference: Quenouille, Notes on bias in estimation, Biometrika 43, 1956. doi:10.1093/biomet/43.3-4.353
    """
    holding = true > 0
    number = int(holding.sum())
    if number < 2 or number > ENOUGH:
        return 0.0
    groups = min(GROUPS, number)
    group = np.empty(len(true), np.int64)
    group[holding] = np.arange(number) % groups
    group[~holding] = np.arange(len(true) - number) % groups
    if weight is None:
        weight = np.ones(len(true))
    without = [
        average_of_images(outcomes, image, true, np.where(group == left_out, 0.0, weight))
        for left_out in range(groups)
    ]
    value = average_of_images(outcomes, image, true, weight)
    return float(SLOW * (groups - 1) * (np.mean(without) - value))


def average_of_images(
    outcomes: Outcomes, image: IntArray, true: FloatArray, weight: FloatArray
) -> float:
    """Return the average over hits where each image counts so often, the mean over overlaps."""
    kept = weight[image] > 0
    wanted = float(true @ weight)
    of_box = weight[image[kept]]
    return float(averages_of_hits(precision_curve(outcomes[:, kept], wanted, of_box)).mean())


def average_recalls(tally: Detections, *, cut: int = 100, size: str = "all") -> Influenced:
    """Return the share of true boxes of each class that are found, its mean over COCO's ten overlaps.

    Of each image and class so many boxes count, the surest first.
    """
    size_place = list(SIZES).index(size)
    layers = overlap_places(tally, None)
    found = _empty(tally)
    for label in range(len(found.value)):
        true = tally.true_by_image(size_place, label)
        wanted = true.sum()
        if not wanted:
            continue
        rows = tally.of_class(label)
        counts = tally.place[rows] < cut
        hits = (tally.outcome[size_place, layers, rows] == HIT) & counts
        number = np.bincount(tally.image[rows], hits.sum(axis=0), minlength=tally.images)
        by_image = number / len(layers)
        found.value[label] = by_image.sum() / wanted
        found.by_image[:, label] = (by_image - found.value[label] * true) / wanted
        found.holding[label] = np.count_nonzero(true)
    return found


def overlap_places(tally: Detections, overlap: float | None) -> list[int]:
    """Return the place of an overlap, or of each of COCO's ten, among those that were counted."""
    wanted = OVERLAPS if overlap is None else [overlap]
    places = []
    for one in wanted:
        distance = np.abs(np.array(tally.rules.overlaps) - one)
        places.append(int(distance.argmin()))
    return places


def _empty(tally: Detections) -> Influenced:
    number = len(tally.gallery.classes)
    return Influenced(
        np.full(number, np.nan),
        np.zeros((tally.images, number)),
        np.zeros(number, np.int64),
        np.zeros(number),
    )
