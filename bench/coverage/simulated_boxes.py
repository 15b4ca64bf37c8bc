"""Detectors of a made-up world: what they find in image after image, as the tally that karat counts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from karat.boxes.matching.detections import HIT, IGNORED, MISS, Detections
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
    own: float = 1.0
    """How much two systems differ in what they find hard, in log odds; at 0 they stumble over the same objects."""
    shared: float = 0.0
    """The share of boxes where nothing is that both systems have."""
    small: float = 0.0
    """The share of objects that are small, and harder to find."""

    def __str__(self) -> str:
        """Name what matters of it."""
        words = [
            f"{self.classes} classes",
            f"{self.objects:.1f} objects",
            f"{self.found:.0%} found",
            f"{self.false:.1f} false",
        ]
        return ", ".join(words)


def drawn_worlds(number: int, *, seed: int) -> list[World]:
    """Return worlds drawn at random, from wide ranges, so that nobody has chosen them by what comes of it."""
    chance = np.random.default_rng(seed)
    return [_drawn_world(chance) for _ in range(number)]


def _drawn_world(chance: np.random.Generator) -> World:
    return World(
        classes=int(np.exp(chance.uniform(0, np.log(80)))),
        objects=float(np.exp(chance.uniform(np.log(0.5), np.log(12)))),
        found=float(chance.uniform(0.35, 0.97)),
        false=float(np.exp(chance.uniform(np.log(0.3), np.log(15)))),
        hard=float(chance.uniform(0, 1.5)),
        own=float(chance.uniform(0.2, 1.2)),
        shared=float(chance.uniform(0, 0.8)),
        small=float(chance.uniform(0.1, 0.6)),
    )


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
    true_image, true_label = _each(number)
    plain = chance.normal(0, 1, len(true_image))
    # Worlds without small objects draw no number for them, so that they stay as they were.
    is_small = _some(chance, len(true_image), world.small)
    plain = plain - is_small
    gallery = Gallery(
        tuple(map(str, range(images))), tuple(f"class {k}" for k in range(world.classes))
    )
    both_image, both_label, both_score, both_small = _surplus(
        chance, world, world.shared, crowded, share
    )
    tallies = []
    for system in range(systems):
        odds = np.log(world.found / (1 - world.found))
        clear = odds + 1.2 * plain + chance.normal(0, world.own, len(plain)) + ease[true_image]
        seen = chance.random(len(clear)) < expit(clear)
        quality = expit(0.4 * clear[seen] + chance.normal(1.2, 0.7, seen.sum()))
        image, label, score, small = _surplus(chance, world, 1 - world.shared, crowded, share)
        score = np.concatenate(
            [
                0.7 * clear[seen] + chance.normal(0.5, 1, seen.sum()),
                score - 0.5 * ease[image],
                both_score + chance.normal(0, 0.5, len(both_score)) - 0.5 * ease[both_image],
            ]
        )
        image = np.concatenate([true_image[seen], image, both_image])
        label = np.concatenate([true_label[seen], label, both_label])
        small = np.concatenate([is_small[seen], small, both_small])
        quality = np.concatenate([quality, np.zeros(len(image) - seen.sum())])
        order = np.lexsort((-score, label))
        hits = quality[order] >= np.array(overlaps)[:, None]
        tally = Detections(
            f"system {system}",
            gallery,
            MatchRules(overlaps=tuple(overlaps)),
            image[order],
            label[order],
            np.zeros(len(order), np.int64),
            score[order],
            _outcomes(hits, small[order]),
            true_image,
            true_label,
            np.array([np.ones(len(is_small), bool), is_small, ~is_small, ~is_small]),
        )
        tallies.append(tally)
    return tallies


def _each(number: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the image and class of each object, from their numbers."""
    image, label = np.nonzero(number)
    repeats = number[image, label]
    return np.repeat(image, repeats), np.repeat(label, repeats)


def _some(chance: np.random.Generator, number: int, share: float) -> np.ndarray:
    if not share:
        return np.zeros(number, bool)
    return chance.random(number) < share


def _surplus(
    chance: np.random.Generator,
    world: World,
    part: float,
    crowded: np.ndarray,
    share: np.ndarray,
) -> tuple[np.ndarray, ...]:
    """Return image, class, score and whether it is small of boxes where nothing is: a part of the world's."""
    if not part:
        none = np.zeros(0, np.int64)
        return none, none, np.zeros(0), np.zeros(0, bool)
    image, label = _each(chance.poisson(part * world.false * crowded[:, None] * share))
    score = chance.normal(-0.8, 1.2, len(image))
    return image, label, score, _some(chance, len(image), world.small)


def _outcomes(hits: np.ndarray, small: np.ndarray) -> np.ndarray:
    """Return by size, overlap and box what it is; one of another size is ignored."""
    whole = np.where(hits, HIT, MISS).astype(np.int8)
    of_small = np.where(small, whole, IGNORED).astype(np.int8)
    others = np.where(small, IGNORED, whole).astype(np.int8)
    by_size = {"all": whole, "small": of_small}
    return np.array([by_size.get(size, others) for size in SIZES])
