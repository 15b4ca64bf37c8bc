"""Confidence bands of precision-recall curves at the deployment prevalence: at single recalls, and as a whole."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from karat.doubt.prevalence.curve_band import RECALL, CurveBand, curve_band
from karat.doubt.prevalence.curve_resamples import of_clusters, of_weights
from karat.measure.prevalence.distribution import single
from karat.tally.scores.packed_curve import curve_of
from karat.tally.scores.paired_scores import PairedScores

from .row import LEVEL, Row

SHOWN = (0.1, 0.5, 0.9)
"""At these recalls a band is looked at."""
DRAWS = 400
"""Fewer than the default of 1,000, so that it takes minutes."""
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Items:
    """Independent items, or items with weights, with normal scores."""

    positives: int
    negatives: int
    distance: float
    pi: float
    weights: float = 0.0
    """The standard deviation of the logarithm of the weights."""

    def __str__(self) -> str:
        weights = f", weights lognormal with deviation {self.weights:g}" if self.weights else ""
        return (
            f"{self.positives}/{self.negatives} normal, d' {self.distance:g}{weights}, "
            f"at {self.pi:g}"
        )

    def band(self, random: np.random.Generator, seed: int) -> CurveBand:
        """Draw items, and return the band of their curve."""
        truth = np.arange(self.positives + self.negatives) < self.positives
        score = random.normal(size=len(truth)) + self.distance * truth
        if not self.weights:
            return curve_band(curve_of(truth, score), single(self.pi), draws=DRAWS, seed=seed)
        weight = np.exp(self.weights * random.normal(size=len(truth)))
        items = PairedScores(("a",), truth, score[:, None], np.ones(len(truth), int), weight)
        resamples = of_weights(items, "a", draws=DRAWS, seed=seed)
        return curve_band(items.curve("a"), single(self.pi), resamples=resamples, seed=seed)


@dataclass(frozen=True, slots=True)
class Clusters:
    """Clusters of items whose normal scores are correlated."""

    clusters: int
    size: int
    skewed: bool
    positive: float
    distance: float
    correlation: float
    contrast: bool
    """Whether what raises the positives of a cluster lowers its negatives."""
    pi: float

    def __str__(self) -> str:
        sizes = f"skewed sizes around {self.size}" if self.skewed else f"{self.size} items each"
        also = ", negatives the other way" if self.contrast else ""
        return (
            f"{self.clusters} clusters, {sizes}, {self.positive:.0%} positive, "
            f"correlation {self.correlation:g}{also}, d' {self.distance:g}, at {self.pi:g}"
        )

    def band(self, random: np.random.Generator, seed: int) -> CurveBand | None:
        """Draw clusters, and return the band of their curve; None where one kind of items is missing."""
        sizes = np.full(self.clusters, self.size)
        if self.skewed:
            sizes = random.geometric(1 / self.size, self.clusters)
        cluster = np.repeat(np.arange(self.clusters), sizes)
        truth = random.random(len(cluster)) < self.positive
        if truth.all() or not truth.any():
            return None
        shared = random.normal(size=self.clusters)[cluster]
        if self.contrast:
            shared = np.where(truth, shared, -shared)
        own = random.normal(size=len(cluster))
        score = np.sqrt(self.correlation) * shared + np.sqrt(1 - self.correlation) * own
        score += self.distance * truth
        once = np.ones(len(truth), int)
        items = PairedScores(
            ("a",), truth, score[:, None], once, cluster=cluster, clusters=self.clusters
        )
        found = items.in_clusters()
        resamples = of_clusters(found, found.systems["a"], draws=DRAWS, seed=seed)
        return curve_band(items.curve("a"), single(self.pi), resamples=resamples, seed=seed)


ALONE = (
    Items(20, 20, 2.0, 0.5),
    Items(50, 200, 1.5, 0.2),
    Items(20, 200, 2.0, 0.01),
    Items(30, 300, 3.5, 0.05),
    Items(145, 1352, 2.0, 0.01),
    Items(300, 1200, 2.0, 0.001),
    Items(100, 100, 0.5, 0.3),
)
TOGETHER = (
    Items(100, 300, 2.0, 0.05, 1.0),
    Items(50, 50, 1.0, 0.2, 0.5),
    Clusters(50, 20, True, 0.2, 1.5, 0.3, False, 0.01),
    Clusters(50, 20, True, 0.2, 1.5, 0.3, True, 0.2),
    Clusters(20, 20, True, 0.1, 2.5, 0.2, False, 0.01),
    Clusters(12, 15, True, 0.3, 1.5, 0.3, False, 0.1),
    Clusters(6, 40, False, 0.3, 1.5, 0.2, False, 0.1),
    Clusters(4, 100, True, 0.3, 1.5, 0.1, False, 0.3),
)


def rows(runs: int) -> Iterator[Row]:
    """Yield how often bands hold the curve of the population, at some recalls and as a whole."""
    random = np.random.default_rng(23)
    for setting in ALONE:
        yield from _setting(setting, "skew --bands", max(20, runs // 16), random)
    for setting in TOGETHER:
        name = "skew --bands, of clusters or with weights"
        yield from _setting(setting, name, max(20, runs // 16), random)


def _setting(
    setting: Items | Clusters, what: str, runs: int, random: np.random.Generator
) -> Iterator[Row]:
    false = ndtr(ndtri(RECALL) - setting.distance)
    true = setting.pi * RECALL / (setting.pi * RECALL + (1 - setting.pi) * false)
    held = np.zeros(len(RECALL))
    width = np.zeros(len(RECALL))
    whole = 0
    whole_width = 0.0
    drawn = 0
    for run in range(runs):
        band = setting.band(random, run)
        if band is None:
            continue
        drawn += 1
        held += _inside(band.low, true, band.high)
        width += band.high - band.low
        whole += _inside(band.lowest, true, band.highest).all()
        whole_width += float((band.highest - band.lowest).mean())
    for recall in SHOWN:
        place = int(np.abs(RECALL - recall).argmin())
        yield Row(
            number=f"precision at a recall ({what})",
            setting=f"{setting}, at recall {recall:g}",
            said=LEVEL,
            measured=held[place] / drawn,
            runs=drawn,
            width=width[place] / drawn,
        )
    yield Row(
        number=f"the whole curve ({what})",
        setting=str(setting),
        said=LEVEL,
        measured=whole / drawn,
        runs=drawn,
        width=whole_width / drawn,
    )


def _inside(low: np.ndarray, true: np.ndarray, high: np.ndarray) -> np.ndarray:
    return np.asarray((low <= true + ROUNDING) & (true <= high + ROUNDING))
