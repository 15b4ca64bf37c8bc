"""By how much each item moves a number of a curve: what variances of it, and of differences, follow from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.bounds.average_precision_interval import influences as of_average_precision
from karat.measure.item_mean import ItemMean
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import PairedScores

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CurveInfluences:
    """The derivative of each system's value by the presence of each item; a row for equal items, a column a system."""

    each: FloatArray
    scale: FloatArray
    """How many items each row stands for, times n / (n-1), n the items that the value is a mean over."""
    fewer: float
    """The number of positives or of negatives, whichever is smaller; of weighted items their effective number."""

    def variance(self, system: int) -> float:
        """Return the variance of a system's value."""
        return float(self.scale @ self.each[:, system] ** 2)

    def variance_of_difference(self, first: int, second: int) -> float:
        """Return the variance of the difference of two systems on the same items."""
        gap = self.each[:, first] - self.each[:, second]
        return float(self.scale @ gap**2)


def curve_influences(
    quantity: Quantity, paired: PairedScores, systems: Sequence[str]
) -> CurveInfluences | None:
    """Return how each item moves each system's value; None for a measure whose derivative is not known.

    Of the ROC area these are DeLong's placements: the share of negatives below each positive, less the area, as a part
    of all positives, and the same for negatives. Of the average precision, and of a mean over items, it is the
    derivative by the item's weight, as in the infinitesimal jackknife.
    Reference: DeLong, DeLong, Clarke-Pearson, Biometrics 44, 1988, doi:10.2307/2531595; Efron, The Jackknife, the
    Bootstrap and Other Resampling Plans, SIAM 1982, chapter 6. doi:10.1137/1.9781611970319
    """
    weight = np.ones(len(paired.number)) if paired.weight is None else paired.weight
    columns = []
    for system in systems:
        by_weight = _by_weight(quantity, paired, system)
        if by_weight is None:
            return None
        columns.append(weight * by_weight)
    each = np.stack(columns, axis=1)
    return CurveInfluences(each, _scale(quantity, paired), effective_sides(paired).fewer)


def _scale(quantity: Quantity, paired: PairedScores) -> FloatArray:
    """Return the items of each row, times the correction for a mean that was estimated from them."""
    number = paired.number.astype(float)
    if quantity.traits.bounded_by != "delong":
        items = number.sum()
        return np.asarray(number * items / max(items - 1, 1))
    positives, negatives = paired.sides
    of_positives = positives / max(positives - 1, 1)
    of_negatives = negatives / max(negatives - 1, 1)
    return np.asarray(number * np.where(paired.positive, of_positives, of_negatives))


def _by_weight(quantity: Quantity, paired: PairedScores, system: str) -> FloatArray | None:
    """Return the derivative of one system's value by the weight of an item in each row."""
    curve = paired.curve(system)
    cell = np.searchsorted(-curve.score, -paired.of(system))
    match quantity.traits.bounded_by:
        case "delong":
            return _of_roc_area(curve, cell, paired.positive)
        case "steps":
            of_positive, of_negative = of_average_precision(curve)
            return np.where(paired.positive, of_positive[cell], of_negative[cell])
    measured = quantity.traits(curve, **quantity.arguments)
    if not isinstance(measured, ItemMean):
        return None
    of_positive, of_negative = np.split(measured.each, 2)
    losses = np.where(paired.positive, of_positive[cell], of_negative[cell])
    return np.asarray((losses - float(measured.values)) / paired.amount.sum())


@dataclass(frozen=True, slots=True, eq=False)
class PlacedItems:
    """Where each system places each item among those of the other kind: what two systems differ in."""

    paired: PairedScores
    placed: FloatArray
    """For each positive the share of negatives below it, for each negative that of positives above it."""

    @classmethod
    def of(cls, paired: PairedScores, systems: Sequence[str]) -> "PlacedItems":
        """Return where these systems place the items."""
        columns = []
        for system in systems:
            curve = paired.curve(system)
            cell = np.searchsorted(-curve.score, -paired.of(system))
            columns.append(_placed(curve, cell, paired.positive))
        return cls(paired, np.stack(columns, axis=1))

    @property
    def number(self) -> int:
        """How many units there are: clusters, or items of the rarer kind."""
        if self.paired.cluster is not None:
            return self.paired.clusters
        return min(self.paired.sides)

    @property
    def freedom(self) -> float:
        """Student's degrees of freedom: one less than there are, or than there would be of equal weight."""
        if self.paired.cluster is not None:
            return max(1.0, self.paired.clusters - 1.0)
        return max(1.0, effective_sides(self.paired).fewer - 1)

    def differ(self, one: int, other: int) -> int:
        """Return how many clusters two systems place differently, or how many items of one kind: the fewer."""
        differ = self.placed[:, one] != self.placed[:, other]
        if self.paired.cluster is not None:
            return len(np.unique(self.paired.cluster[differ]))
        positives, negatives = self.paired.chosen(differ).sides
        return min(positives, negatives)


def _placed(curve: Curve, cell: Ints, positive: npt.NDArray[np.bool_]) -> FloatArray:
    positives = curve.positive.astype(float)
    negatives = curve.negative.astype(float)
    above = (positives.cumsum() - positives / 2) / positives.sum()
    below = 1 - (negatives.cumsum() - negatives / 2) / negatives.sum()
    return np.asarray(np.where(positive, below[cell], above[cell]), float)


def _of_roc_area(curve: Curve, cell: Ints, positive: npt.NDArray[np.bool_]) -> FloatArray:
    positives = float(curve.positive.sum())
    negatives = float(curve.negative.sum())
    above = (curve.positive.cumsum() - curve.positive / 2) / positives
    area = float((above * curve.negative).sum() / negatives)
    amounts = np.where(positive, positives, negatives)
    return np.asarray((_placed(curve, cell, positive) - area) / amounts)


@dataclass(frozen=True, slots=True)
class EffectiveSides:
    """How many items of equal weight would be worth as much: (Σw)² / Σw² of the positives, and of the negatives."""

    positives: float
    negatives: float

    @property
    def fewer(self) -> float:
        """The smaller of both."""
        return min(self.positives, self.negatives)


def effective_sides(paired: PairedScores) -> EffectiveSides:
    """Return the effective numbers of positives and of negatives; the numbers themselves where all weigh the same.

    Reference: Kish, Survey Sampling, Wiley 1965, section 11.7.
    """
    weight = np.ones(len(paired.number)) if paired.weight is None else paired.weight
    numbers = []
    for own in (paired.positive, ~paired.positive):
        sums = float(paired.number[own] @ weight[own])
        squares = float(paired.number[own] @ weight[own] ** 2)
        numbers.append(sums**2 / squares if squares else 0.0)
    return EffectiveSides(*numbers)
