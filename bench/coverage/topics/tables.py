"""Averages over classes, measures of the whole table, clusters and weights."""

from collections.abc import Iterator

import numpy as np

from karat.doubt.bounds.delta import delta
from karat.doubt.estimate_from_confusion import ConfusionEstimator
from karat.doubt.estimates import IntervalOptions
from karat.doubt.resampling.bootstrap import units
from karat.doubt.resampling.jackknife import deleted, jackknife
from karat.measure.quantity import Quantity, values
from karat.measure.totals import totals
from karat.tally.codes import gather
from karat.tally.votes.confusion import Confusion

from .row import Row, covered

AVERAGES = ("macro-f1", "macro-precision", "macro-recall", "kappa", "matthews")
TABLES = (
    (5, 0.7, True, 30),
    (5, 0.9, True, 30),
    (5, 0.9, True, 100),
    (3, 0.7, False, 30),
    (10, 0.9, False, 50),
    (3, 0.7, False, 200),
    (10, 0.9, False, 1000),
    (8, 0.6, True, 40),
    (15, 0.5, True, 100),
    (6, 0.8, True, 200),
    (20, 0.85, False, 60),
)
CLUSTERS = (
    (5, 0.8, 0.3, True),
    (5, 0.95, 0.1, False),
    (12, 0.8, 0.3, True),
    (20, 0.5, 0.2, False),
    (50, 0.98, 0.1, True),
    (3, 0.7, 0.1, True),
    (10, 0.5, 0.3, True),
    (30, 0.9, 0.3, True),
)
"""Clusters, accuracy, correlation within them, and whether their sizes are skewed."""


def rows(runs: int) -> Iterator[Row]:
    """Measure them."""
    random = np.random.default_rng(3)
    for classes, accuracy, uneven, items in TABLES:
        yield from _averages(classes, accuracy, items, runs, random, uneven=uneven)
    yield from _rare_class(runs, random)
    for clusters, accuracy, alike, skewed in CLUSTERS:
        yield _clusters(clusters, accuracy, alike, runs, random, skewed=skewed)
    for items, accuracy in ((30, 0.8), (100, 0.8), (100, 0.97)):
        yield _weights(items, accuracy, runs, random)


def joint(classes: int, accuracy: float, *, uneven: bool) -> np.ndarray:
    """Return joint shares of truth and answer: each class half the one before if uneven, errors spread evenly."""
    truth = 0.5 ** np.arange(classes) if uneven else np.ones(classes)
    answer = np.full((classes, classes), (1 - accuracy) / (classes - 1))
    np.fill_diagonal(answer, accuracy)
    return truth[:, None] / truth.sum() * answer


def table_of(number: np.ndarray, classes: int) -> Confusion:
    """Return counts of truth and answer as a confusion."""
    place = np.flatnonzero(number)
    (truth, answer), number = gather([place // classes, place % classes], number[place])
    return Confusion(tuple(map(str, range(classes))), truth, answer, number)


def _averages(
    classes: int,
    accuracy: float,
    items: int,
    runs: int,
    random: np.random.Generator,
    *,
    uneven: bool,
) -> Iterator[Row]:
    shares = joint(classes, accuracy, uneven=uneven)
    kind = "uneven" if uneven else "even"
    setting = f"{classes} {kind} classes, {items} items, right on {accuracy:g}"
    yield from _of_shares(shares, items, setting, runs, random)


def _rare_class(runs: int, random: np.random.Generator) -> Iterator[Row]:
    shares = np.array([[0.85, 0.05], [0.02, 0.08]])
    yield from _of_shares(shares, 30, "2 classes, one of them a tenth, 30 items", runs, random)
    shares = np.array([[0.96, 0.01], [0.012, 0.018]])
    yield from _of_shares(
        shares, 300, "2 classes, 3 % of the items in one, 300 items", runs, random
    )


def _of_shares(
    shares: np.ndarray, items: int, setting: str, runs: int, random: np.random.Generator
) -> Iterator[Row]:
    classes = len(shares)
    whole = totals(table_of((1e15 * shares).round().astype(np.int64).ravel(), classes))
    drawn = random.multinomial(items, shares.ravel(), size=runs)
    for name in AVERAGES:
        quantity = Quantity.parse(name)
        truth = float(values(quantity, whole))
        found = (delta(quantity, table_of(number, classes)) for number in drawn)
        yield covered(f"{name}, delta method", setting, truth, found, runs=runs)


def _clusters(
    clusters: int,
    accuracy: float,
    alike: float,
    runs: int,
    random: np.random.Generator,
    *,
    skewed: bool,
) -> Row:
    found = []
    for _ in range(runs):
        table = clustered(clusters, accuracy, alike, random, skewed=skewed)
        items = int(table.number.sum())
        found.append(jackknife(Quantity("accuracy"), deleted(units(table)), items=items))
    sizes = "skewed sizes" if skewed else "sizes about 10"
    setting = f"{clusters} clusters, {sizes}, correlation {alike:g}, right on {accuracy:g}"
    return covered("accuracy of clusters, jackknife", setting, accuracy, found, runs=runs)


def clustered(
    clusters: int, accuracy: float, alike: float, random: np.random.Generator, *, skewed: bool
) -> Confusion:
    """Return items of some ten a cluster, which are right together: beta-binomial, `alike` their correlation."""
    own = accuracy * (1 - alike) / alike, (1 - accuracy) * (1 - alike) / alike
    size = random.poisson(10, clusters)
    if skewed:
        size = random.lognormal(np.log(10), 0.8, clusters).round()
    number = np.maximum(size, 1).astype(np.int64)
    right = random.binomial(number, random.beta(*own, clusters))
    truth = np.zeros(2 * clusters, np.int64)
    answer = np.repeat([0, 1], clusters)
    cluster = np.tile(np.arange(clusters), 2)
    counts = np.concatenate([right, number - right])
    there = counts > 0
    return Confusion(
        ("x", "y"), truth[there], answer[there], counts[there], keys={"c": cluster[there]}
    )


def _weights(items: int, accuracy: float, runs: int, random: np.random.Generator) -> Row:
    """Items with lognormal weights, rounded to a few values so that patterns share them."""
    found = []
    for run in range(runs):
        weight = np.exp(random.normal(0, 0.5, items)).round(1) + 0.1
        right = random.random(items) < accuracy
        (wrong, kind), number = gather(
            [(~right).astype(np.int64), (10 * weight).astype(np.int64)], np.ones(items, np.int64)
        )
        table = Confusion(
            ("x", "y"), np.zeros(len(wrong), np.int64), wrong, number, keys={"w": kind / 10}
        )
        how = IntervalOptions(draws=1000, seed=run)
        found.append(ConfusionEstimator(table, how).estimate(Quantity("accuracy")).interval)
    setting = f"{items} weighted items, right on {accuracy:g}"
    return covered("accuracy with weights, bootstrap", setting, accuracy, found, runs=runs)
