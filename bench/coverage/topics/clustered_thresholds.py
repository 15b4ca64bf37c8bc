"""What a threshold does at the deployment prevalence, where items are clustered or weighted."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from karat.doubt.interval import Interval
from karat.doubt.prevalence.deployment import BoundedNumber, deployed
from karat.doubt.prevalence.threshold_units import ThresholdUnits
from karat.tally.scores.curve import Curve

from .row import Row, covered

PARTS = {
    "precision": "precision at a threshold, of clusters or with weights",
    "tpr": "recall at a threshold, of clusters or with weights",
    "fpr": "false positive rate at a threshold, of clusters or with weights",
    "alarms": "alarms per 1,000 items, of clusters or with weights",
    "misses": "misses per 1,000 items, of clusters or with weights",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """Clusters of items with normal scores, and a threshold."""

    clusters: int
    size: int
    skewed: bool
    positive: float
    distance: float
    correlation: float
    """Of two items of one kind in a cluster."""
    contrast: bool
    """Whether what raises the positives of a cluster lowers its negatives."""
    cut: float
    pi: float
    weights: float = 0.0
    """The standard deviation of the logarithm of the weights of single items; 0 where items are clustered."""

    def __str__(self) -> str:
        tail = f"d' {self.distance:g}, threshold {self.cut:g}, prevalence {self.pi:g}"
        if self.weights:
            number = self.clusters
            return f"{number} items, weights lognormal with deviation {self.weights:g}, {tail}"
        sizes = f"skewed sizes around {self.size}" if self.skewed else f"{self.size} items each"
        also = ", negatives the other way" if self.contrast else ""
        return (
            f"{self.clusters} clusters, {sizes}, {100 * self.positive:g}% positive, "
            f"correlation {self.correlation:g}{also}, {tail}"
        )


SETTINGS = (
    Setting(50, 20, True, 0.2, 1.5, 0.3, False, 1.0, 0.01),
    Setting(50, 20, True, 0.2, 1.5, 0.3, True, 1.0, 0.2),
    Setting(50, 20, True, 0.2, 2.5, 0.3, False, 2.5, 0.01),
    Setting(20, 20, True, 0.1, 2.5, 0.2, False, 2.0, 0.01),
    Setting(12, 15, True, 0.3, 1.5, 0.3, False, 0.7, 0.1),
    Setting(6, 40, False, 0.3, 1.5, 0.2, False, 1.0, 0.1),
    Setting(50, 10, True, 0.1, 3.5, 0.1, False, 3.0, 0.001),
    Setting(300, 1, False, 0.2, 2.0, 0.0, False, 1.0, 0.05, 1.0),
    Setting(100, 1, False, 0.5, 2.0, 0.0, False, 1.0, 0.05, 0.5),
)


def rows(runs: int) -> Iterator[Row]:
    """Yield the coverage of everything that is said of a threshold."""
    random = np.random.default_rng(19)
    for setting in SETTINGS:
        yield from _setting(setting, runs // 2, random)


def _setting(setting: Setting, runs: int, random: np.random.Generator) -> Iterator[Row]:
    found: dict[str, list[Interval]] = {name: [] for name in PARTS}
    for _ in range(runs):
        units = _units(setting, random)
        if not (units.positives.any() and units.negatives.any()):
            continue
        one = deployed(_curve(units), threshold=0.5, pi=setting.pi, units=units)
        for name in PARTS:
            found[name].append(_interval(getattr(one, name)))
    tpr = float(ndtr(setting.distance - setting.cut))
    fpr = float(ndtr(-setting.cut))
    share = setting.pi * tpr + (1 - setting.pi) * fpr
    true = {
        "precision": setting.pi * tpr / share,
        "tpr": tpr,
        "fpr": fpr,
        "alarms": 1000 * share,
        "misses": 1000 * setting.pi * (1 - tpr),
    }
    for name, number in PARTS.items():
        own = found[name]
        yield covered(number, str(setting), true[name], own, runs=len(own))


def _units(setting: Setting, random: np.random.Generator) -> ThresholdUnits:
    sizes = np.full(setting.clusters, setting.size)
    if setting.skewed:
        sizes = random.geometric(1 / setting.size, size=setting.clusters)
    cluster = np.repeat(np.arange(setting.clusters), sizes)
    truth = random.random(len(cluster)) < setting.positive
    shared = random.normal(size=setting.clusters)[cluster]
    if setting.contrast:
        shared = np.where(truth, shared, -shared)
    own = random.normal(size=len(cluster))
    score = np.sqrt(setting.correlation) * shared + np.sqrt(1 - setting.correlation) * own
    reached = score + setting.distance * truth >= setting.cut
    weight = np.exp(setting.weights * random.normal(size=len(cluster)))

    def total(which: np.ndarray) -> np.ndarray:
        return np.bincount(cluster, weight * which, minlength=setting.clusters)

    return ThresholdUnits(
        hits=total(truth & reached),
        positives=total(truth),
        false=total(~truth & reached),
        negatives=total(~truth),
        what="clusters",
        weighted=setting.weights > 0,
    )


def _curve(units: ThresholdUnits) -> Curve:
    hits = units.hits.sum()
    false = units.false.sum()
    positive = np.array([hits, units.positives.sum() - hits])
    negative = np.array([false, units.negatives.sum() - false])
    return Curve(np.array([1.0, 0.0]), positive, negative)


def _interval(number: BoundedNumber) -> Interval:
    return Interval(np.array(number.low), np.array(number.high), 0.95, "")
