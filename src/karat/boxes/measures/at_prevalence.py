"""Average precision where a class is in more images, or in fewer."""

import numpy as np

from karat.boxes.matching.detections import Detections
from karat.boxes.measures.by_class import (
    average_of_images,
    average_precisions,
    bias_of_few_images,
    overlap_places,
)
from karat.boxes.measures.influenced import Influenced
from karat.boxes.measures.precision_curve import (
    averages_of_recalls,
    influence_of_boxes,
    precision_curve,
)
from karat.numeric.arrays import BoolArray

SPLITS = 15
FEWEST = 5
"""So many images must hold a class, and so many not: fewer would represent all others of their kind."""


def average_precisions_at(
    tally: Detections, prevalence: float | None, *, overlap: float | None = None
) -> Influenced:
    """Return the average precision of each class where it is in this share of the images; as it is where None.

    Images that hold the class count p'/p times, others (1-p')/(1-p) times, p the share of images that hold it here:
    a system finds in an image with the class, and in one without it, what it finds here. Undefined where fewer than
    five images are of one of the two kinds. The shares are held as they are, so that the
    intervals are those of given shares.
    """
    if prevalence is None:
        return average_precisions(tally, overlap=overlap)
    layers = overlap_places(tally, overlap)
    classes = len(tally.gallery.classes)
    value = np.full(classes, np.nan)
    by_image = np.zeros((tally.images, classes))
    holding = np.zeros(classes, np.int64)
    bias = np.zeros(classes)
    halves = np.full((SPLITS, 2, classes), np.nan)
    kept = balanced_halves(tally.images)
    for label in range(classes):
        true = tally.true_by_image(0, label)
        holds = true > 0
        share = holds.mean()
        if min(holds.sum(), (~holds).sum()) < FEWEST:
            continue
        # Only the ratio counts; with 1 where the class is, recalls are the same numbers as without weights.
        others = share * (1 - prevalence) / (prevalence * (1 - share))
        weight = np.where(holds, 1.0, others)
        wanted = float((true * weight).sum())
        rows = tally.of_class(label)
        image = tally.image[rows]
        outcomes = tally.outcome[0, layers, rows]
        curve = precision_curve(outcomes, wanted, weight[image])
        for of_found, of_true in zip(*influence_of_boxes(curve), strict=True):
            parts = np.bincount(image, of_found, minlength=tally.images) + of_true * true
            by_image[:, label] += parts * weight / len(layers)
        # Given how many images hold the class, each kind of image varies around its own mean.
        for kind in (holds, ~holds):
            by_image[kind, label] -= by_image[kind, label].mean()
        value[label] = averages_of_recalls(curve).mean()
        holding[label] = np.count_nonzero(holds)
        bias[label] = bias_of_few_images(outcomes, image, true, weight)
        for split, half in np.ndindex(SPLITS, 2):
            there = np.where(kept[split] == half, weight, 0.0)
            if true @ there:
                halves[split, half, label] = average_of_images(outcomes, image, true, there)
    return Influenced(value, by_image, holding, bias, halves)


def balanced_halves(images: int) -> BoolArray:
    """Return splits of the images into two halves, such that two images are as often together as apart.

    Images form 16 groups, and each split has the groups of one row of a Hadamard matrix in one half.
    Reference: McCarthy, Pseudo-replication: half samples, Review of the ISI 37, 1969. doi:10.2307/1402116
    >>> balanced_halves(16).sum(axis=1).tolist() == [8] * 15
    True
    """
    group = np.arange(images) % (SPLITS + 1)
    split = np.arange(1, SPLITS + 1)
    shared_bits = np.bitwise_count(group[None, :] & split[:, None])
    odd: BoolArray = shared_bits % 2 == 1
    return odd
