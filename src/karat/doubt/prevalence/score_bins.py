"""Labelled and unlabelled scores in a few bins, and draws of the bins' shares."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.few_clusters import worth
from karat.doubt.prevalence.deployment import sizes
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import Blocks

CLUSTER_CAUTION = (
    "By unlabelled scores intervals over clusters are approximate: in simulations of 6 to 50 clusters they covered "
    "0.92 to 0.99 instead of 0.95."
)
MOST_BINS = 8
AT_ONCE = 2_000_000
"""So many weights of clusters are held at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreBins:
    """How many labelled positives, labelled negatives and unlabelled items each bin of scores has, or their shares."""

    positive: FloatArray
    negative: FloatArray
    unlabelled: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ScoreUnits:
    """Which scores belong together: the clusters of the labelled and of the unlabelled ones, or weights.

    Items whose clusters are not given are independent of each other.
    """

    labelled: Blocks | None = None
    unlabelled: npt.NDArray[np.int64] | None = None
    """The cluster of each unlabelled score, from 0 up."""
    worth: tuple[float, float] | None = None
    """How many positives and negatives of equal weight the labelled ones are worth, where they have weights."""

    @property
    def clusters(self) -> float:
        """How many clusters of equal size the fewest of the three kinds of items are worth."""
        numbers = [np.inf]
        if self.labelled is not None:
            block = self.labelled.block
            numbers.append(worth(np.bincount(block, self.labelled.positive)))
            numbers.append(worth(np.bincount(block, self.labelled.negative)))
        if self.unlabelled is not None:
            numbers.append(worth(np.bincount(self.unlabelled)))
        return min(numbers)


INDEPENDENT = ScoreUnits()


def edges_of(curve: Curve) -> FloatArray:
    """Return the lower edges of bins that hold equal shares of positives and negatives taken together."""
    positives, negatives = sizes(curve)
    bins = int(np.clip(np.sqrt(min(positives, negatives)), 2, MOST_BINS))
    share = (curve.positive / positives + curve.negative / negatives).cumsum() / 2
    place = np.searchsorted(share, np.arange(1, bins) / bins)
    return np.unique(curve.score[np.minimum(place, len(share) - 1)])


def binned(curve: Curve, unlabelled: FloatArray, edges: FloatArray) -> ScoreBins:
    """Return how many of each kind each bin has."""
    bins = len(edges) + 1
    labelled_bin = np.searchsorted(edges, curve.score, side="right")
    unlabelled_bin = np.searchsorted(edges, unlabelled, side="right")
    return ScoreBins(
        positive=np.bincount(labelled_bin, weights=curve.positive, minlength=bins).astype(float),
        negative=np.bincount(labelled_bin, weights=curve.negative, minlength=bins).astype(float),
        unlabelled=np.bincount(unlabelled_bin, minlength=bins).astype(float),
    )


def smoothed(counts: FloatArray) -> FloatArray:
    """Return shares none of which is 0: half an item more in each bin."""
    return np.asarray((counts + 0.5) / (counts + 0.5).sum())


def drawn_shares(
    counts: ScoreBins,
    unlabelled: FloatArray,
    edges: FloatArray,
    units: ScoreUnits,
    *,
    draws: int,
    seed: int,
) -> ScoreBins:
    """Draw the shares of all three kinds of items: a row a draw.

    From their posteriors if items are independent, with weights as if there were as many items as they are worth; of
    clusters, each with an exponential weight and all its items, and half an item more in each bin.
    """
    random = np.random.default_rng(seed)
    if units.labelled is None:
        positives, negatives = units.worth or (counts.positive.sum(), counts.negative.sum())
        positive = _posterior(counts.positive, positives, random, draws)
        negative = _posterior(counts.negative, negatives, random, draws)
    else:
        positive, negative = _of_blocks(units.labelled, edges, random, draws)
    if units.unlabelled is None:
        number = counts.unlabelled.sum()
        return ScoreBins(positive, negative, _posterior(counts.unlabelled, number, random, draws))
    place = np.searchsorted(edges, unlabelled, side="right")
    by_cluster = _table(units.unlabelled, place, np.ones(len(place)), len(edges) + 1)
    (drawn,) = _weighted([by_cluster], random, draws)
    return ScoreBins(positive, negative, drawn)


def _posterior(
    counts: FloatArray, number: float, random: np.random.Generator, draws: int
) -> FloatArray:
    scaled = counts * (number / counts.sum())
    return random.dirichlet(scaled + 0.5, draws)


def _of_blocks(
    blocks: Blocks, edges: FloatArray, random: np.random.Generator, draws: int
) -> list[FloatArray]:
    """Return the shares of positives and of negatives in each bin, both with the same weights of clusters."""
    assert blocks.score is not None  # noqa: S101 (only bins without scores have none)
    place = np.searchsorted(edges, blocks.score, side="right")[blocks.bin]
    kinds = (blocks.positive, blocks.negative)
    tables = [_table(blocks.block, place, np.asarray(kind), len(edges) + 1) for kind in kinds]
    return _weighted(tables, random, draws)


def _table(
    cluster: npt.NDArray[np.int64],
    place: npt.NDArray[np.int64],
    counts: npt.NDArray[np.generic],
    bins: int,
) -> FloatArray:
    """Return how many items each cluster has in each bin: a row a cluster."""
    number = int(cluster.max()) + 1
    cell = cluster * bins + place
    found = np.bincount(cell, counts, minlength=number * bins).reshape(number, bins)
    return np.asarray(found, np.float64)


def _weighted(
    tables: list[FloatArray], random: np.random.Generator, draws: int
) -> list[FloatArray]:
    """Return the bins' shares where clusters have exponential weights, the same for all tables: a row a draw."""
    clusters = len(tables[0])
    at_once = max(1, AT_ONCE // clusters)
    parts: list[list[FloatArray]] = [[] for _ in tables]
    for begin in range(0, draws, at_once):
        weight = random.standard_gamma(1.0, (min(at_once, draws - begin), clusters))
        for own, table in zip(parts, tables, strict=True):
            total = weight @ table
            total = total + random.standard_gamma(0.5, total.shape)
            own.append(total / total.sum(axis=1, keepdims=True))
    return [np.concatenate(own) for own in parts]
