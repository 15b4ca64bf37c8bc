"""Areas by level of agreement where items are clustered, leads of one system over the next, and correlations."""

from collections.abc import Iterator

import numpy as np

from karat.doubt.interval import Interval
from karat.doubt.prevalence.level_areas import (
    cluster_intervals,
    clustered_correlation,
    level_values,
    without_clusters,
)
from karat.doubt.resampling.jackknife import gap_of_clusters
from karat.measure.prevalence.agreement_levels import level_curves, pearson
from karat.measure.prevalence.distribution import single
from karat.tally.scores.annotator_marks import Marks

from .row import LEVEL, Row, covered, rejected

MANY = 20_000
"""Clusters whose area stands for that of all."""
AT = 0.05
SETTINGS = ((12, "skewed"), (20, "even"), (50, "skewed"), (50, "even"))


def rows(runs: int) -> Iterator[Row]:
    """Measure them."""
    random = np.random.default_rng(11)
    for clusters, sizes in SETTINGS:
        yield from _areas(clusters, sizes, runs=max(20, runs // 2), random=random)
        yield _null(clusters, sizes, runs=max(20, runs // 2), random=random)
    for items in (100, 1000):
        yield _blocks(items, runs=max(20, runs // 2), random=random)


def _items(clusters: int, sizes: str, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return the cluster of each item, and what the items of a cluster share: prevalence, and how hard it is."""
    size = np.full(clusters, 60)
    if sizes == "skewed":
        size = 10 + np.round(random.exponential(60, clusters)).astype(int)
    cluster = np.repeat(np.arange(clusters), size)
    return cluster, random.normal(size=(2, clusters))[:, cluster]


def _drawn(
    clusters: int, sizes: str, random: np.random.Generator, apart: tuple[float, ...]
) -> tuple[list[Marks], np.ndarray]:
    """Return the marks and scores of systems, positives so far above negatives, less in a hard cluster."""
    cluster, shared = _items(clusters, sizes, random)
    marked = (random.random(len(cluster)) < 0.2 * np.exp(0.5 * shared[0] - 0.125)).astype(int)
    systems = []
    for each in apart:
        score = (
            random.normal(size=len(cluster)) + marked * (each + 0.5 * shared[1]) + 0.3 * shared[1]
        )
        ones = np.ones(len(cluster), int)
        systems.append(Marks(1, marked, np.round(score, 2), ones, cluster=cluster, clustered=True))
    return systems, cluster


def _values(marks: Marks) -> np.ndarray:
    return level_values(level_curves(marks)[1], [single(AT)])


def _areas(clusters: int, sizes: str, *, runs: int, random: np.random.Generator) -> Iterator[Row]:
    whole, _ = _drawn(MANY, sizes, random, (1.5, 1.5))
    right = _values(whole[0])
    found: list[list[Interval]] = [[], [], []]
    p_values = np.ones(runs)
    for run in range(runs):
        systems, _ = _drawn(clusters, sizes, random, (1.5, 1.5))
        values = [_values(each) for each in systems]
        without = [without_clusters(each, [single(AT)]).by_level[1] for each in systems]
        ends = cluster_intervals(values[0], without[0], level=LEVEL)
        for place in range(3):
            found[place].append(Interval(ends.low[place], ends.high[place], LEVEL, ""))
        # Both systems are as good: their ROC areas differ by chance only.
        pair = np.stack([without[0][:, 0], without[1][:, 0]], axis=-1)[:, None, :]
        own = np.array([[values[0][0], values[1][0]]])
        p_values[run] = gap_of_clusters(own, pair, least=np.zeros(1)).p_value[0]
    setting = f"{clusters} clusters, {sizes} sizes"
    names = ("ROC area", "area at the level's own prevalence", f"area at {AT:.0%} positives")
    for name, intervals, value in zip(names, found, right, strict=True):
        number = f"{name}, skew agreement --cluster"
        yield covered(number, setting, float(value), intervals, runs=runs)
    yield rejected("lead of ROC areas, skew agreement --cluster", setting, p_values, None)


def _blocks(items: int, *, runs: int, random: np.random.Generator) -> Row:
    """Two systems as good as each other, of the same independent items, which chance puts into 256 blocks."""
    p_values = np.ones(runs)
    for run in range(runs):
        marked = (np.arange(items) % 5 == 0).astype(int)
        _, block = np.unique(random.integers(0, 256, items), return_inverse=True)
        own, without = [], []
        for _ in range(2):
            marks = Marks(
                1, marked, random.normal(1.5 * marked), np.ones(items, int), cluster=block
            )
            own.append(_values(marks)[0])
            without.append(without_clusters(marks, []).by_level[1][:, 0])
        pair = np.stack(without, axis=-1)[:, None, :]
        p_values[run] = gap_of_clusters(np.array([own]), pair, least=np.zeros(1)).p_value[0]
    number = "lead of ROC areas, skew agreement, blocks of items"
    return rejected(number, f"{items} items, a fifth of them marked", p_values, None)


def _null(clusters: int, sizes: str, *, runs: int, random: np.random.Generator) -> Row:
    """Scores and marks that have nothing to do with each other, but each with its cluster."""
    p_values = np.ones(runs)
    for run in range(runs):
        cluster, shared = _items(clusters, sizes, random)
        marked = (random.random(len(cluster)) < 0.2 * np.exp(0.5 * shared[0] - 0.125)).astype(int)
        score = random.normal(size=len(cluster)) + 0.5 * shared[1]
        ones = np.ones(len(cluster), int)
        marks = Marks(1, marked, score, ones, cluster=cluster, clustered=True)
        rest = [pearson(marks.chosen(cluster != each)) for each in range(clusters)]
        p_values[run] = clustered_correlation(pearson(marks), rest).p_value
    setting = f"{clusters} clusters, {sizes} sizes"
    return rejected("correlation with agreement, over clusters", setting, p_values, None)
