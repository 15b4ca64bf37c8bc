"""Boxes in worlds drawn at random, which played no part when the intervals over images were made.

A row is of all worlds together; a world that falls short has its own. In the worlds of seed 28 mAP of many rare classes
was held in .80 of the samples, which led to their bias being taken from other classes: so these are of seed 29.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from simulated_boxes import World, drawn_worlds, pool

from karat.boxes.doubt.image_difference import ImageDifference
from karat.boxes.doubt.image_interval import (
    class_intervals,
    interval_at_prevalence,
    mean_interval,
)
from karat.boxes.doubt.ratio_over_images import ImageRatio, ratio_over_images
from karat.boxes.matching.detections import HIT, IGNORED, Detections
from karat.boxes.measures.at_prevalence import average_precisions_at
from karat.boxes.measures.by_class import average_precisions, average_recalls
from karat.boxes.measures.influenced import Influenced

from .row import LEVEL, Row, rejected

WORLDS = drawn_worlds(12, seed=29)
MANY = 200_000
"""So many images tell the true value. All classes of a world have the same one, so that there they are one class."""
IMAGES = (20, 50, 200, 500)
AT_HALF = "mAP@0.5 over images"
MEASURES: dict[str, Callable[[Detections], Influenced]] = {
    AT_HALF: partial(average_precisions, overlap=0.5),
    "mAP over images": average_precisions,
    "mAP-small over images": partial(average_precisions, size="small"),
    "mAR@100 over images": average_recalls,
}
AT_PREVALENCE = "mAP@0.5 at another prevalence"
POOL = 20_000
"""So many images are sampled from, where classes differ in their true values."""
SURE = 0.0
"""The score, in log odds, from which on a box counts for F."""


def rows(runs: int) -> Iterator[Row]:
    """Measure them."""
    found: dict[tuple[str, int], list[Row]] = {}
    for number, world in enumerate(WORLDS):
        for images in IMAGES:
            for row in in_world(world, images, max(runs // 10, 1), seed=number):
                found.setdefault((row.number, images), []).append(row)
    for (number, images), of_worlds in found.items():
        yield _together(number, f"{images} images, {len(of_worlds)} worlds", of_worlds)
        yield from [row for row in of_worlds if row.short]
    for prevalence in (0.05, 0.01):
        for images in (50, 200):
            yield from _rarer(prevalence, images, max(runs // 10, 1))


def _rarer(prevalence: float, images: int, runs: int) -> Iterator[Row]:
    """Return how often intervals at another prevalence hold, in all worlds and in those that fall short."""
    found: dict[str, list[Row]] = {}
    for number, world in enumerate(WORLDS):
        for row in rarer_in_world(world, prevalence, images, runs, seed=number):
            found.setdefault(row.number, []).append(row)
    for number, of_worlds in found.items():
        setting = f"{images} images, classes in {prevalence:.0%}, {len(of_worlds)} worlds"
        yield _together(number, setting, of_worlds)
        yield from [row for row in of_worlds if row.short]


def rarer_in_world(
    world: World, prevalence: float, images: int, runs: int, *, seed: int
) -> list[Row]:
    """Return how often intervals at another prevalence hold; the true value is of classes that the sample tells of."""
    first, second = pool(world, POOL, systems=2, seed=2000 + seed, overlaps=(0.5,))
    true = [average_precisions_at(tally, prevalence, overlap=0.5) for tally in (first, second)]
    looks = _Looks()
    chance = np.random.default_rng(seed)
    for _ in range(runs):
        kept = np.zeros(POOL, bool)
        kept[chance.choice(POOL, images, replace=False)] = True
        one, other = (
            average_precisions_at(tally.of_images(kept), prevalence, overlap=0.5)
            for tally in (first, second)
        )
        known = ~np.isnan(one.value)
        if not known.any():
            continue
        interval = interval_at_prevalence(one, level=LEVEL)
        looks.at(AT_PREVALENCE, interval.low[0], interval.high[0], true[0].value[known].mean())
        gap = ImageDifference.of(one, other).interval(level=LEVEL)
        gap_there = (true[0].value - true[1].value)[known].mean()
        looks.at(f"difference of {AT_PREVALENCE}", gap.low, gap.high, gap_there)
    return looks.rows(f"{images} images, classes in {prevalence:.0%}, {world}")


def in_world(world: World, images: int, runs: int, *, seed: int) -> list[Row]:
    """Return how often each number's interval holds in one world, and how often equally good systems differ."""
    (many,) = pool(replace(world, classes=1), MANY, seed=1000 + seed)
    true = {name: measure(many).mean() for name, measure in MEASURES.items()}
    true_f = _f(many).value or 0.0
    looks = _Looks()
    for run in range(runs):
        one, other = pool(world, images, systems=2, seed=10_000 * (seed + 1) + run)
        for name, measure in MEASURES.items():
            values = measure(one), measure(other)
            if np.isnan(values[0].mean()):
                continue
            interval = mean_interval(values[0], level=LEVEL)
            looks.at(name, interval.low[0], interval.high[0], true[name])
            gap = ImageDifference.of(*values).interval(level=LEVEL)
            looks.at(f"difference of {name}", gap.low, gap.high, 0.0)
            looks.test(f"equally good: {name}", gap.p_value)
            if name == AT_HALF:
                _look_at_classes(looks, values[0], true[name])
        share = _f(one)
        looks.at("F1 of sure boxes over images", share.low, share.high, true_f)
    return looks.rows(f"{images} images, {world}")


def _look_at_classes(looks: "_Looks", found: Influenced, true: float) -> None:
    """Look at the most frequent class and at the rarest one, if the sample has it."""
    classes = class_intervals(found, level=LEVEL)
    last = len(found.value) - 1
    for kind, label in {"most frequent": 0, "rarest": last}.items():
        if (label or kind == "most frequent") and found.holding[label]:
            looks.at(
                f"class-AP@0.5 over images: the {kind}",
                classes.low[label],
                classes.high[label],
                true,
            )


class _Looks:
    """What was seen in many samples of one world."""

    def __init__(self) -> None:
        self.held: dict[str, list[tuple[bool, float]]] = {}
        self.p_values: dict[str, list[float]] = {}

    def at(self, name: str, low: float, high: float, true: float) -> None:
        """Look at an interval."""
        self.held.setdefault(name, []).append((bool(low <= true <= high), float(high - low)))

    def test(self, name: str, p_value: float) -> None:
        """Look at a test."""
        self.p_values.setdefault(name, []).append(p_value)

    def rows(self, setting: str) -> list[Row]:
        """Return what was seen."""
        seen = [_covered(name, setting, looks) for name, looks in self.held.items()]
        for name, found in self.p_values.items():
            seen.append(rejected(name, setting, np.array(found), None))
        return seen


def _covered(name: str, setting: str, looks: list[tuple[bool, float]]) -> Row:
    held, widths = zip(*looks, strict=True)
    return Row(
        number=name,
        setting=setting,
        said=LEVEL,
        measured=float(np.mean(held)),
        runs=len(looks),
        width=float(np.mean(widths)),
    )


def _f(tally: Detections) -> ImageRatio:
    """Return F of the boxes with a score from the threshold on, over images."""
    sure = tally.score >= SURE
    outcome = tally.outcome[0, 0]
    right = np.bincount(tally.image[sure & (outcome == HIT)], minlength=tally.images)
    boxes = np.bincount(tally.image[sure & (outcome != IGNORED)], minlength=tally.images)
    true = np.bincount(tally.true_image[tally.counted[0]], minlength=tally.images)
    return ratio_over_images(2.0 * right, (true + boxes).astype(float), level=LEVEL)


def _together(number: str, setting: str, of_worlds: list[Row]) -> Row:
    """Return what was measured in all worlds together."""
    runs = sum(row.runs for row in of_worlds)
    measured = sum(row.measured * row.runs for row in of_worlds) / runs
    widths = [row.width for row in of_worlds if row.width is not None]
    return Row(
        number=number,
        setting=setting,
        said=of_worlds[0].said,
        measured=measured,
        runs=runs,
        width=float(np.mean(widths)) if widths else None,
        most=of_worlds[0].most,
    )
