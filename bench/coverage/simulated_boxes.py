"""Detectors of a made-up world: what they find in image after image, as the tally that karat counts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from karat.boxes.matching.detections import Detections
from karat.boxes.matching.rules import OVERLAPS, SIZES, MatchRules
from karat.boxes.model.box_set import Gallery


@dataclass(frozen=True, kw_only=True)
class World:
    """What images hold, and how well a detector finds it."""

    classes: int = 10
    objects: float = 7.0
    """Per image, in the mean; classes are as frequent as 1, 1/2, 1/3, ..."""
    found: float = 0.75
    """The share of objects that something is found for."""
    false: float = 6.0
    """Boxes per image where nothing is."""
    hard: float = 0.7
    """How much images differ in how hard they are, in log odds."""


def pool(
    world: World,
    images: int,
    *,
    systems: int = 1,
    seed: int = 0,
    overlaps: Sequence[float] = tuple(OVERLAPS),
) -> list[Detections]:
    """Return what systems found in many images; equally good ones, which stumble over the same images and objects."""
    chance = np.random.default_rng(seed)
    share = 1 / np.arange(1, world.classes + 1)
    share /= share.sum()
    crowded = chance.gamma(2.0, 0.5, images)
    ease = chance.normal(0, world.hard, images)
    number = chance.poisson(world.objects * crowded[:, None] * share)
    true_image, true_label = np.nonzero(number)
    repeats = number[true_image, true_label]
    true_image = np.repeat(true_image, repeats)
    true_label = np.repeat(true_label, repeats)
    plain = chance.normal(0, 1, len(true_image))
    gallery = Gallery(
        tuple(map(str, range(images))), tuple(f"class {k}" for k in range(world.classes))
    )
    tallies = []
    for system in range(systems):
        odds = np.log(world.found / (1 - world.found))
        clear = odds + 1.2 * plain + chance.normal(0, 1, len(plain)) + ease[true_image]
        seen = chance.random(len(clear)) < expit(clear)
        quality = expit(0.4 * clear[seen] + chance.normal(1.2, 0.7, seen.sum()))
        surplus = chance.poisson(world.false * crowded[:, None] * share)
        image, label = np.nonzero(surplus)
        surplus_number = surplus[image, label]
        image = np.repeat(image, surplus_number)
        label = np.repeat(label, surplus_number)
        score = np.concatenate(
            [
                0.7 * clear[seen] + chance.normal(0.5, 1, seen.sum()),
                chance.normal(-0.8, 1.2, len(image)) - 0.5 * ease[image],
            ]
        )
        image = np.concatenate([true_image[seen], image])
        label = np.concatenate([true_label[seen], label])
        quality = np.concatenate([quality, np.zeros(len(image) - seen.sum())])
        order = np.lexsort((-score, label))
        outcome = (quality[order] >= np.array(overlaps)[:, None]).astype(np.int8)
        tally = Detections(
            f"system {system}",
            gallery,
            MatchRules(overlaps=tuple(overlaps)),
            image[order],
            label[order],
            np.zeros(len(order), np.int64),
            score[order],
            np.repeat(outcome[None], len(SIZES), axis=0),
            true_image,
            true_label,
            np.ones((len(SIZES), len(true_image)), bool),
        )
        tallies.append(tally)
    return tallies
