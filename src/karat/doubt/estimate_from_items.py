"""Estimates of numbers of curves where items are clustered, weighted, or both."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from karat.doubt.bounds.binormal_score import FREEDOM, AreaVariance, binormal_ends, delong_variance
from karat.doubt.bounds.log_odds import log_odds_ends
from karat.doubt.estimates import Estimates, IntervalOptions
from karat.doubt.interval import Interval
from karat.doubt.prevalence.area_bootstrap import area_interval
from karat.doubt.prevalence.clustered_areas import clustered_areas, weighted_areas
from karat.doubt.resampling.curve_influences import (
    CurveInfluences,
    PlacedItems,
    curve_influences,
    effective_sides,
)
from karat.doubt.resampling.jackknife import CAUTION, FEW
from karat.doubt.resampling.left_out_curves import LeftOutCurves, left_out_curves, number_of
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import PairedBlocks, PairedScores


def prevalence_of(quantity: Quantity, curve: Curve) -> float:
    """Return the prevalence at which an area is to be taken; that of the data, unless it is given."""
    if quantity.parameter is not None:
        return quantity.parameter
    positives = float(curve.positive.sum())
    return positives / (positives + float(curve.negative.sum()))


def of_area_at(quantity: Quantity, curve: Curve, how: IntervalOptions) -> Estimates:
    """Return an area at a prevalence with its interval, of independent items that weigh the same."""
    interval = area_interval(
        curve,
        prevalence_of(quantity, curve),
        level=how.level,
        side=how.side,
        draws=how.draws,
        seed=how.seed,
    )
    value = np.array([float(quantity.traits(curve, **quantity.arguments))])
    return Estimates.of(quantity, (None,), value, interval)


class CurveEstimator:
    """Intervals of any number of curves, from all systems' scores of the same items."""

    def __init__(
        self,
        items: PairedScores | PairedBlocks,
        curves: Mapping[str, Curve],
        how: IntervalOptions,
    ) -> None:
        self._curves = curves
        self._how = how
        self._chance: dict[str, Any] = {"level": how.level, "side": how.side}
        self._items = items if isinstance(items, PairedScores) else None
        self._blocks: PairedBlocks | None = None
        if isinstance(items, PairedBlocks):
            self._blocks = items
        elif items.cluster is not None:
            self._blocks = items.in_clusters()

    def estimate(self, quantity: Quantity) -> dict[str, Estimates]:
        """Return every system's number with its interval."""
        value = number_of(quantity)
        if not np.isfinite(quantity.high - quantity.low):
            raise OptionError(f"{quantity} has no largest value, and so no interval here")
        if quantity.traits.bounded_by == "prevalence":
            intervals = self._of_area_at(quantity)
        elif self._blocks is not None:
            intervals = self._of_clusters(quantity)
        else:
            intervals = self._of_weights(quantity)
        estimates = {}
        for system, curve in self._curves.items():
            number = np.array([float(np.asarray(value(curve)))])
            estimates[system] = Estimates.of(quantity, (None,), number, intervals[system])
        return estimates

    def _of_clusters(self, quantity: Quantity) -> dict[str, Interval]:
        assert self._blocks is not None  # noqa: S101 (the caller looked)
        systems = tuple(self._curves)
        found = left_out_curves(self._blocks, systems, number_of(quantity), seed=self._how.seed)
        of_items = None
        if self._items is not None:
            of_items = curve_influences(quantity, self._items, systems)
        caution = CAUTION if found.clusters < FEW else ""
        intervals = {}
        for place, system in enumerate(systems):
            variance = float(found.variance[place])
            if of_items is not None:
                least = self._least(of_items, place, found)
                variance = float(np.maximum(variance, least))
            value = float(found.whole[place])
            if quantity.traits.bounded_by == "delong":
                low, high = self._area_of_clusters(system, variance, found)
            else:
                low, high = log_odds_ends(
                    value, variance, freedom=found.freedom, units=found.clusters, **self._chance
                )
            method = f"jackknife over {found.what}"
            intervals[system] = _interval(low, high, self._how.level, method, caution)
        return intervals

    def _least(self, of_items: CurveInfluences, place: int, found: LeftOutCurves) -> float:
        """Return the variance with which clusters make an interval as wide as independent items do."""
        from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

        above = (1 + self._how.level) / 2
        items = stdtrit(max(1.0, of_items.fewer - 1), above)
        clusters = stdtrit(found.freedom, above)
        return float(of_items.variance(place) * (items / clusters) ** 2)

    def _area_of_clusters(
        self, system: str, variance: float, found: LeftOutCurves
    ) -> tuple[float, float]:
        """Return both ends of an area: as of so many fewer items as clusters enlarge the variance."""
        area = self._area(system)
        if found.clusters < 2 or np.isnan(variance):
            return 0.0, 1.0
        if not area.variance:
            return log_odds_ends(
                area.value, 0.0, freedom=found.freedom, units=found.clusters, **self._chance
            )
        effect = max(1.0, variance / area.variance)
        area = replace(
            area,
            variance=variance,
            positives=max(2.0, area.positives / effect),
            negatives=max(2.0, area.negatives / effect),
        )
        return binormal_ends(area, found.freedom, **self._chance)

    def _of_weights(self, quantity: Quantity) -> dict[str, Interval]:
        assert self._items is not None  # noqa: S101 (weights are of items)
        systems = tuple(self._curves)
        influences = curve_influences(quantity, self._items, systems)
        if influences is None:
            raise OptionError(f"{quantity} takes items that weigh the same; leave --weight out")
        fewer = influences.fewer
        intervals = {}
        for place, system in enumerate(systems):
            if quantity.traits.bounded_by == "delong":
                area = self._area(system)
                freedom = min(area.out_of_order + FREEDOM, max(1.0, fewer - 1))
                ends = (0.0, 1.0)
                if fewer >= 2:
                    ends = binormal_ends(area, freedom, **self._chance)
                method = "binormal score with DeLong's variance, weighted"
            else:
                number = float(np.asarray(number_of(quantity)(self._curves[system])))
                ends = log_odds_ends(
                    number,
                    influences.variance(place),
                    freedom=max(1.0, fewer - 1),
                    units=fewer,
                    **self._chance,
                )
                method = "infinitesimal jackknife on log odds, weighted"
            intervals[system] = _interval(*ends, self._how.level, method, "")
        return intervals

    def _area(self, system: str) -> AreaVariance:
        """Return the area of independent items with DeLong's variance; of weighted ones by their effective number."""
        curve = self._curves[system]
        area = delong_variance(curve)
        if self._items is None or self._items.weight is None:
            return area
        influences = curve_influences(Quantity("roc-area"), self._items, (system,))
        assert influences is not None  # noqa: S101 (those of areas are known)
        sides = effective_sides(self._items)
        placed = PlacedItems.of(self._items, (system,)).placed[:, 0]
        wrong = self._items.chosen(placed != (1.0 if area.value >= 0.5 else 0.0))
        return replace(
            area,
            variance=influences.variance(0),
            positives=sides.positives,
            negatives=sides.negatives,
            out_of_order=min(wrong.sides),
        )

    def _of_area_at(self, quantity: Quantity) -> dict[str, Interval]:
        """Return the intervals of areas at a prevalence, as `skew` has them."""
        pi = prevalence_of(quantity, next(iter(self._curves.values())))
        if self._blocks is not None:
            return clustered_areas(self._blocks, tuple(self._curves), pi, self._how)
        assert self._items is not None  # noqa: S101 (weights are of items)
        return weighted_areas(self._items, tuple(self._curves), pi, self._how)


def _interval(low: float, high: float, level: float, method: str, caution: str) -> Interval:
    return Interval(np.array(low), np.array(high), level, method, caution)
