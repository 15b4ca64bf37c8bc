"""The prevalence and what a threshold does there by unlabelled scores, where items are clustered."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from karat.doubt.interval import Interval
from karat.doubt.prevalence.score_bins import ScoreUnits
from karat.doubt.prevalence.unlabelled_scores import deployed_by_unlabelled_scores
from karat.tally.scores.paired_scores import PairedScores

from .row import Row, covered

PARTS = {
    "balance": "prevalence",
    "precision": "precision",
    "tpr": "recall",
    "fpr": "false positive rate",
    "alarms": "alarms per 1,000 items",
    "misses": "misses per 1,000 items",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """Clusters of items with normal scores."""

    clusters: int
    size: int
    skewed: bool
    positive: float
    distance: float
    correlation: float
    """Of two items in a cluster."""
    field_clusters: int
    """Of some 20 unlabelled items; 0 for 1,000 independent ones."""
    pi: float

    def __str__(self) -> str:
        sizes = f"skewed sizes around {self.size}" if self.skewed else f"{self.size} items each"
        field = f"{self.field_clusters} clusters" if self.field_clusters else "1,000 scores"
        return (
            f"{self.clusters} clusters, {sizes}, {self.positive:.0%} positive, "
            f"d' {self.distance:g}, correlation {self.correlation:g}; {field}, "
            f"{self.pi:.0%} positive"
        )

    def scores(
        self, clusters: int, positive: float, random: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Draw the cluster, the truth and the score of each item."""
        sizes = np.full(clusters, self.size)
        if self.skewed:
            sizes = random.geometric(1 / self.size, clusters)
        cluster = np.repeat(np.arange(clusters), sizes)
        truth = random.random(len(cluster)) < positive
        shared = np.sqrt(self.correlation) * random.normal(size=clusters)[cluster]
        own = np.sqrt(1 - self.correlation) * random.normal(size=len(cluster))
        return cluster, truth, shared + own + self.distance * truth


SETTINGS = (
    Setting(50, 20, True, 0.2, 2.0, 0.3, 100, 0.05),
    Setting(50, 20, True, 0.2, 2.0, 0.3, 0, 0.05),
    Setting(20, 20, True, 0.2, 2.0, 0.2, 50, 0.1),
    Setting(12, 20, False, 0.2, 2.0, 0.2, 200, 0.05),
    Setting(6, 60, False, 0.3, 2.0, 0.1, 30, 0.2),
)


def rows(runs: int) -> Iterator[Row]:
    """Yield the coverage of everything that unlabelled scores say."""
    random = np.random.default_rng(29)
    for setting in SETTINGS:
        yield from _setting(setting, max(20, runs // 4), random)


def _setting(setting: Setting, runs: int, random: np.random.Generator) -> Iterator[Row]:
    cut = setting.distance / 2 + 0.5
    tpr = float(ndtr(setting.distance - cut))
    fpr = float(ndtr(-cut))
    share = setting.pi * tpr + (1 - setting.pi) * fpr
    right = {
        "balance": setting.pi,
        "precision": setting.pi * tpr / share,
        "tpr": tpr,
        "fpr": fpr,
        "alarms": 1000 * share,
        "misses": 1000 * setting.pi * (1 - tpr),
    }
    found: dict[str, list[Interval]] = {name: [] for name in PARTS}
    for run in range(runs):
        cluster, truth, score = setting.scores(setting.clusters, setting.positive, random)
        if truth.all() or not truth.any():
            continue
        field_cluster = None
        if setting.field_clusters:
            field_cluster, _, field = setting.scores(setting.field_clusters, setting.pi, random)
        else:
            field = random.normal(setting.distance * (random.random(1000) < setting.pi))
        once = np.ones(len(truth), int)
        items = PairedScores(
            ("a",), truth, score[:, None], once, cluster=cluster, clusters=setting.clusters
        )
        units = ScoreUnits(items.in_clusters().systems["a"], field_cluster)
        one = deployed_by_unlabelled_scores(
            items.curve("a"), field, threshold=cut, units=units, draws=400, seed=run
        )
        for name, own in found.items():
            number = getattr(one, name)
            own.append(Interval(np.array(number.low), np.array(number.high), 0.95, ""))
    for name, words in PARTS.items():
        number = f"{words} by unlabelled scores, of clusters (skew --to FILE)"
        yield covered(number, str(setting), right[name], found[name], runs=len(found[name]))
