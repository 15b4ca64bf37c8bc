"""A number of every system's curve, and that without one cluster of items after the other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.resampling.jackknife import grouped
from karat.measure.item_mean import ItemMean
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import Blocks, PairedBlocks

Valued = Callable[[Curve], npt.ArrayLike]
"""From a curve to its number, or numbers; called only with curves of both kinds of items."""
WORK = 200_000_000
"""Scores of systems that may be looked at while clusters are left out; then groups of clusters are left out instead."""
FEWEST_GROUPS = 50


@dataclass(frozen=True, slots=True, eq=False)
class LeftOutCurves:
    """Numbers of every system's curve; the last axes are those of the systems and of the numbers."""

    whole: FloatArray
    without: FloatArray
    """A row a cluster; NaN where only one kind of items is left."""
    clusters: int
    """In how many clusters there are positives, or negatives if these are in fewer."""
    what: str

    @property
    def variance(self) -> FloatArray:
        """The jackknife's variance, (k-1)/k Σ (v(i) - v)² over the k clusters; NaN where one is all there is."""
        return variance_without(self.whole, self.without)

    @property
    def freedom(self) -> int:
        """The degrees of freedom of the variance."""
        return max(1, min(self.clusters, len(self.without)) - 1)


def variance_without(whole: FloatArray, without: FloatArray) -> FloatArray:
    """Return the jackknife's variance of numbers, given those without one cluster after the other, a row each."""
    k = len(without)
    return np.asarray((k - 1) / k * ((without - whole) ** 2).sum(axis=0))


def left_out_curves(
    found: PairedBlocks,
    systems: Sequence[str],
    value: Valued,
    *,
    seed: int = 0,
    most: int | None = None,
) -> LeftOutCurves:
    """Return every system's numbers on all items, and without one cluster after the other.

    If there are very many clusters, or items, random groups of clusters are left out instead; `most` says of how many
    groups, so that parts of the items are treated alike.
    """
    blocks = [found.systems[system] for system in systems]
    most = most_groups(found) if most is None else most
    group, what = grouped(found.number, seed=seed, most=most, things=found.what)
    whole = np.array([value(one.curve()) for one in blocks], float)
    none = np.full(whole.shape[1:], np.nan)
    without = []
    for left_out in range(int(group.max(initial=-1)) + 1):
        numbers = []
        for one in blocks:
            kept = (group[one.block] != left_out).astype(np.int64)
            curve = one.curve_where(kept)
            both_kinds = curve.positive.any() and curve.negative.any()
            numbers.append(value(curve) if both_kinds else none)
        without.append(np.array(numbers, float))
    return LeftOutCurves(whole, np.array(without), _clusters_of_both(blocks[0]), what)


def most_groups(found: PairedBlocks) -> int:
    """Return how many clusters, or groups of them, are left out one by one in a moment."""
    rows = sum(len(one.bin) for one in found.systems.values())
    return max(FEWEST_GROUPS, WORK // max(1, rows))


def _clusters_of_both(blocks: Blocks) -> int:
    """Return in how many clusters there are positives, or negatives if these are in fewer."""
    with_positives = np.unique(blocks.block[blocks.positive > 0])
    with_negatives = np.unique(blocks.block[blocks.negative > 0])
    return min(len(with_positives), len(with_negatives))


def number_of(quantity: Quantity) -> Valued:
    """Return what takes a curve to its number by a measure."""

    def value(curve: Curve) -> npt.ArrayLike:
        measured = quantity.traits(curve, **quantity.arguments)
        if isinstance(measured, ItemMean):
            return float(measured.values)
        return float(measured)

    return value
