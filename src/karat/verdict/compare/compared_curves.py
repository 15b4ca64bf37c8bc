"""What a comparison of curves takes from a tally: areas, what each item adds to them, and resamples."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat.doubt.estimate_from_items import CurveEstimator, prevalence_of
from karat.doubt.estimate_from_scores import of_curve
from karat.doubt.estimates import IntervalOptions
from karat.doubt.resampling.curve_influences import (
    CurveInfluences,
    PlacedItems,
    curve_influences,
    effective_sides,
)
from karat.doubt.resampling.joint import Joint
from karat.doubt.resampling.left_out_curves import left_out_curves, number_of
from karat.doubt.tests.mover import BoundedValue
from karat.errors import OptionError
from karat.measure.paired import Paired
from karat.measure.prevalence.precision_at import decided_by_few
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.numeric.resampled_counts import drawing
from karat.tally.scores.curve import Counts, Curve
from karat.tally.scores.paired_scores import PairedBlocks, PairedScores
from karat.verdict.compare.compared import UnitsToResample, Values, no_share

FEW = 100
AREA_CAUTION = (
    f"roc-area: the interval of a difference is approximate with fewer than {FEW} positives or negatives; of 50 and "
    "950, far apart, it covered 0.92 instead of 0.95. The p-value is DeLong's, and decides."
)
CLUSTER_CAUTION = (
    f"jackknife: the interval of a difference is approximate with fewer than {FEW} clusters; of 50 of very different "
    "sizes it covered 0.92 instead of 0.95."
)
WEIGHT_CAUTION = (
    "weights: the interval of a difference is approximate where positives or negatives tell as much as fewer than "
    f"{FEW} of equal weight; where 100 told as much as 37, it covered 0.91 instead of 0.95."
)
RARE_CAUTION = (
    "pr-area: where positives are so rare, the few highest negatives decide; of 20 positives and 20 negatives at 0.01 "
    "two equally good systems were called different in 0.09 to 0.15 instead of 0.05; intervals covered 0.86 to 0.91."
)


@dataclass(frozen=True, slots=True)
class AllDiffer:
    """So many blocks of items, in each of which any two systems differ."""

    number: int

    @property
    def freedom(self) -> float:
        """Student's degrees of freedom."""
        return max(1.0, self.number - 1.0)

    def differ(self, one: int, other: int) -> int:
        """Return the number of blocks in which two systems differ."""
        del one, other
        return self.number


class ComparedCurves:
    """A number of curves, from all systems' scores of the same items; or of blocks, where the items are too many."""

    def __init__(
        self,
        tally: PairedScores | PairedBlocks,
        quantity: Quantity,
        curves: dict[str, Curve],
    ) -> None:
        self.quantity = quantity
        self.systems = tuple(curves)
        self.keys: set[str] = set()
        self._curves = curves
        self._items: PairedScores | None = None
        if isinstance(tally, PairedBlocks):
            self._blocks = tally
            self.keys.add("c")
            return
        self._items = tally
        self._blocks = tally.in_clusters()
        if tally.cluster is not None:
            self.keys.add("c")
        if tally.weight is not None:
            self.keys.add("w")

    @property
    def rows(self) -> int:
        """How many distinct rows a resample draws from, for each system by itself."""
        return sum(len(blocks.bin) for blocks in self._blocks.systems.values())

    @property
    def fitting(self) -> str:
        """The test that fits: clusters left out, DeLong's of ROC areas, or what each item adds."""
        if "c" in self.keys:
            return "jackknife"
        if self.quantity.traits.bounded_by == "delong":
            return "delong"
        return "bootstrap" if self.influences is None else "jackknife"

    @cached_property
    def influences(self) -> CurveInfluences | None:
        """What each item adds to each system's value; None where that is not known."""
        if self._items is None:
            return None
        return curve_influences(self.quantity, self._items, self.systems)

    def cautions(self) -> list[str]:
        """Return cautions where intervals and tests fell short of their level in simulations of such settings."""
        first = next(iter(self._curves.values()))
        fewer = min(first.positive.sum(), first.negative.sum())
        if self._items is not None:
            fewer = min(self._items.sides)
        cautions = []
        if self._few_of_equal_weight():
            cautions.append(WEIGHT_CAUTION)
        if "c" in self.keys and self._blocks.number < FEW:
            cautions.append(CLUSTER_CAUTION)
        elif self.quantity.traits.bounded_by == "delong" and fewer < FEW:
            cautions.append(AREA_CAUTION)
        if self.quantity.traits.bounded_by == "prevalence":
            negatives = int(first.negative.sum()) if self._items is None else self._items.sides[1]
            if decided_by_few(prevalence_of(self.quantity, first), negatives):
                cautions.append(RARE_CAUTION)
        return cautions

    def _few_of_equal_weight(self) -> bool:
        """Return whether the weighted items are worth no more than a few of equal weight."""
        if self._items is None or "w" not in self.keys:
            return False
        return effective_sides(self._items).fewer < FEW

    def values(self) -> Values:
        """Return every system's value."""
        value = number_of(self.quantity)
        return {name: float(np.asarray(value(curve))) for name, curve in self._curves.items()}

    def share(self, system: str) -> tuple[float, float]:
        """Refuse: a number of a curve is no share."""
        del system
        raise no_share(self.quantity)

    def paired(self) -> Paired | None:
        """Return None: items are not right or wrong."""
        return None

    def units(self) -> UnitsToResample:
        """Return what is resampled: items, or clusters of them."""
        if self._items is None:
            return AllDiffer(self._blocks.number)
        return PlacedItems.of(self._items, self.systems)

    def resampled(self, *, draws: int, seed: int) -> Joint:
        """Return every system's value in each resample of the items, or of clusters of them."""
        value = number_of(self.quantity)
        worst = self.quantity.worst
        blocks = [self._blocks.systems[name] for name in self.systems]
        drawn = np.full((draws, len(blocks)), worst)
        for draw, times in enumerate(self._times(draws, seed)):
            for place, one in enumerate(blocks):
                curve = one.curve_where(times[one.block])
                if curve.positive.any() and curve.negative.any():
                    drawn[draw, place] = value(curve)
        method = f"bootstrap over {self._what()} (draws={draws}, seed={seed})"
        return Joint(self.systems, drawn, method)

    def _what(self) -> str:
        """Return in words how many items, or clusters, are drawn."""
        if self._items is None or "c" in self.keys:
            return f"{self._blocks.number:,} {self._blocks.what}"
        return f"{sum(self._items.sides):,} items"

    def _times(self, draws: int, seed: int) -> Iterator[Counts]:
        """Yield how often each cluster is drawn; of items, how often for each one of a row."""
        random = np.random.default_rng(seed)
        if self._items is None or "c" in self.keys:
            once_each = np.ones(self._blocks.number, np.int64)
            draw = drawing(once_each)
            for _ in range(draws):
                yield draw(random, 1)[0]
            return
        # A row stands for several equal items, which its counts hold already.
        number = self._items.number
        draw = drawing(number)
        for _ in range(draws):
            yield draw(random, 1)[0] / number

    def without_clusters(self, *, seed: int) -> tuple[FloatArray, Joint]:
        """Return every system's value, and that without one cluster after the other."""
        if "c" not in self.keys:
            raise OptionError(f"{self.quantity} takes items as independent; use --test bootstrap")
        value = number_of(self.quantity)
        found = left_out_curves(self._blocks, self.systems, value, seed=seed)
        without = np.nan_to_num(found.without, nan=self.quantity.worst)
        return found.whole, Joint(self.systems, without, f"jackknife over {found.what}")

    def intervals(self, *, level: float, seed: int) -> list[BoundedValue] | None:
        """Return every system's value with its interval; None of areas at a prevalence, whose take resamples."""
        if self.quantity.traits.bounded_by == "prevalence":
            return None
        how = IntervalOptions(level=level, seed=seed)
        if self.keys:
            tally = self._blocks if self._items is None else self._items
            estimates = CurveEstimator(tally, self._curves, how).estimate(self.quantity)
        else:
            estimates = {
                name: of_curve(self.quantity, curve, how) for name, curve in self._curves.items()
            }
        bounded = []
        for one in estimates.values():
            low, high = float(one.interval.low[0]), float(one.interval.high[0])
            bounded.append(BoundedValue(float(one.value[0]), low, high))
        return bounded
