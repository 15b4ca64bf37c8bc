"""Boxes: average precision and recall over images, and the difference of two detectors on the same images."""

from collections.abc import Iterator

import numpy as np
from simulated_boxes import World, pool

from karat.boxes.doubt.image_difference import ImageDifference
from karat.boxes.doubt.image_interval import (
    class_intervals,
    interval_at_prevalence,
    mean_interval,
)
from karat.boxes.matching.detections import Detections
from karat.boxes.matching.rules import OVERLAPS
from karat.boxes.measures.at_prevalence import average_precisions_at
from karat.boxes.measures.by_class import average_precisions
from karat.boxes.measures.influenced import Influenced

from .row import LEVEL, Row

IMAGES = 20_000
"""What is sampled from: its own value is the true one."""
WORLDS = {
    "10 classes": World(),
    "30 classes, some very rare": World(classes=30, objects=4.0),
    "3 classes, strong detector": World(classes=3, found=0.92, false=2.0),
    "2 classes, weak detector": World(classes=2, objects=1.0, found=0.5),
}


def rows(runs: int) -> Iterator[Row]:
    """Measure them."""
    for name, world in WORLDS.items():
        for images in (20, 50, 200):
            yield from _measured(name, world, images, runs // 4, at=0.5)
    for images in (50, 200):
        yield from _measured("10 classes", WORLDS["10 classes"], images, runs // 10, at=None)
    for name in ("10 classes", "2 classes, weak detector"):
        for prevalence in (0.05, 0.01):
            for images in (50, 200):
                yield from _rarer(name, images, prevalence, runs // 10)


def _measured(
    name: str, world: World, images: int, runs: int, *, at: float | None
) -> Iterator[Row]:
    overlaps = tuple(OVERLAPS) if at is None else (at,)
    first, second = pool(world, IMAGES, systems=2, seed=5, overlaps=overlaps)
    true = [average_precisions(tally, overlap=at) for tally in (first, second)]
    chance = np.random.default_rng(images)
    means = _Held()
    frequent = _Held()
    rare = _Held()
    gaps = _Held()
    last = world.classes - 1
    for _ in range(runs):
        kept = np.zeros(IMAGES, bool)
        kept[chance.choice(IMAGES, images, replace=False)] = True
        one = _value(first, kept, at)
        other = _value(second, kept, at)
        whole = mean_interval(one, level=LEVEL)
        means.add(float(whole.low[0]), float(whole.high[0]), true[0].mean())
        by_class = class_intervals(one, level=LEVEL)
        for held, place in ((frequent, 0), (rare, last)):
            if one.holding[place]:
                low, high = float(by_class.low[place]), float(by_class.high[place])
                held.add(low, high, float(true[0].value[place]))
        gap = ImageDifference.of(one, other).interval(level=LEVEL)
        gaps.add(gap.low, gap.high, true[0].mean() - true[1].mean())
    measure = "mAP" if at is None else f"mAP@{at:g}"
    setting = f"{images} images, {name}"
    yield means.row(f"{measure} over images", setting)
    yield frequent.row(f"class-{measure[1:]} over images", f"{setting}: the most frequent")
    yield rare.row(f"class-{measure[1:]} over images", f"{setting}: the rarest")
    yield gaps.row(f"difference of {measure} over images", setting)


def _rarer(name: str, images: int, prevalence: float, runs: int) -> Iterator[Row]:
    """Classes in fewer images than here; the true value is the mean over those that the sample says something of."""
    first, second = pool(WORLDS[name], IMAGES, systems=2, seed=5, overlaps=(0.5,))
    true = [average_precisions_at(tally, prevalence, overlap=0.5) for tally in (first, second)]
    chance = np.random.default_rng(images)
    means = _Held()
    gaps = _Held()
    for _ in range(runs):
        kept = np.zeros(IMAGES, bool)
        kept[chance.choice(IMAGES, images, replace=False)] = True
        one, other = (
            average_precisions_at(tally.of_images(kept), prevalence, overlap=0.5)
            for tally in (first, second)
        )
        known = ~np.isnan(one.value)
        interval = interval_at_prevalence(one, level=LEVEL)
        means.add(float(interval.low[0]), float(interval.high[0]), true[0].value[known].mean())
        gap = ImageDifference.of(one, other).interval(level=LEVEL)
        gaps.add(gap.low, gap.high, (true[0].value - true[1].value)[known].mean())
    setting = f"{images} images, {name}, classes in {prevalence:.0%} of the images there"
    yield means.row("mAP@0.5 at another prevalence", setting)
    yield gaps.row("difference of mAP@0.5 at another prevalence", setting)


def _value(tally: Detections, kept: np.ndarray, at: float | None) -> Influenced:
    return average_precisions(tally.of_images(kept), overlap=at)


class _Held:
    """How often intervals hold the true value."""

    def __init__(self) -> None:
        self.held: list[bool] = []
        self.width: list[float] = []

    def add(self, low: float, high: float, true: float) -> None:
        """Look at one interval."""
        self.held.append(low <= true <= high)
        self.width.append(high - low)

    def row(self, number: str, setting: str) -> Row:
        """Return what was measured."""
        return Row(
            number=number,
            setting=setting,
            said=LEVEL,
            measured=float(np.mean(self.held)),
            runs=len(self.held),
            width=float(np.mean(self.width)),
        )
