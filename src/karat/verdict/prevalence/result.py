"""What may be said about systems at other prevalences: the result, its rows and its JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence
from karat.doubt.prevalence.curve_band import CurveBand
from karat.doubt.prevalence.deployment import BoundedNumber, DeployedThreshold
from karat.doubt.prevalence.inversion_interval import InversionInterval
from karat.doubt.prevalence.inversions import HIGH, LOW
from karat.measure.prevalence.integrated import IntegratedArea
from karat.measure.prevalence.pr_curve import RocCurve
from karat.measure.prevalence.precision_at import Achievable
from karat.numeric.arrays import FloatArray
from karat.result import Result
from karat.result.base import Row

IN_FIELD = "in the field"
"""How a deployment is called whose prevalence is read from its scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemArea:
    """One system's area under the precision-recall curve at one deployment prevalence, and what has similar names."""

    rank: int
    system: str
    field: str
    integrated: IntegratedArea
    low: float | None = None
    high: float | None = None
    expected: float | None = None
    """The mean by the true labels, where some of the given ones may be wrong."""
    average_precision: float
    trapezoid: float
    gain: float | None
    roc_area: float
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaComparison:
    """Two systems at one deployment prevalence: by how much the first is ahead, and how surely."""

    first: str
    second: str
    field: str
    difference: float
    low: float
    high: float
    better: float
    """The share of resamples in which the first is ahead; of clusters and samples, one less the one-sided p-value."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairOrder:
    """The order of two systems as a function of the prevalence."""

    first: str
    second: str
    skews: tuple[float, ...]
    """The prevalences at which it changes."""
    leads: tuple[int, ...]
    crossings: int
    most: int | None
    intervals: tuple[InversionInterval, ...]

    def changes(self) -> list[tuple[float, InversionInterval | None]]:
        """Return where the order changes, and the interval of each where it is known."""
        if not self.intervals:
            return [(skew, None) for skew in self.skews]
        return list(zip(self.skews, self.intervals, strict=True))


@dataclass(frozen=True, slots=True)
class OrderStretch:
    """The order of the systems, best first, between two prevalences."""

    low: float
    high: float
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeployedSystem:
    """What a system does with a threshold at one deployment prevalence."""

    system: str
    field: str
    deployed: DeployedThreshold


@dataclass(frozen=True, slots=True)
class CheckedPoint:
    """Whether a point can be reached at one deployment prevalence."""

    field: str
    found: Achievable


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenThreshold:
    """The threshold of a system that serves an aim best at one deployment prevalence."""

    rank: int
    system: str
    field: str
    aim: str
    threshold: float | None
    value: float | None
    precision: float | None
    recall: float | None
    precision_low: float | None = None
    precision_high: float | None = None
    recall_low: float | None = None
    recall_high: float | None = None
    level: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrevalenceResult(Result):
    """How good systems are where positives are rarer or more frequent than in the data."""

    sides: Mapping[str, tuple[int, int]]
    """How many items of each table are positive, and how many negative."""
    prevalences: Mapping[str, float]
    """The share of each table's items that is positive, each item with its weight."""
    deployments: tuple[DeploymentPrevalence, ...]
    curves: Mapping[str, RocCurve]
    areas: tuple[SystemArea, ...]
    differences: tuple[AreaComparison, ...]
    pair_orders: tuple[PairOrder, ...]
    orders: tuple[OrderStretch, ...]
    level: float
    threshold: float | None = None
    deployed: tuple[DeployedSystem, ...] = ()
    checks: tuple[CheckedPoint, ...] = ()
    chosen: tuple[ChosenThreshold, ...] = ()
    estimated_prevalences: Mapping[str, BoundedNumber] = field(default_factory=dict)
    """The deployment prevalence by the unlabelled scores of each system."""
    label_error: tuple[float, float] = (0.0, 0.0)
    draws: int = 0
    bands: Mapping[tuple[str, str], CurveBand] = field(default_factory=dict)
    """Where the curve of a system lies at a deployment prevalence."""
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def own(self) -> float:
        """The prevalence of the first table."""
        return next(iter(self.prevalences.values()))

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per system and deployment prevalence."""
        return [self._row(area) for area in self.areas]

    def _row(self, one: SystemArea) -> dict[str, Any]:
        found = one.integrated
        return {
            "rank": one.rank,
            "system": one.system,
            "field": one.field,
            "low": found.low,
            "high": found.high,
            "area": found.area,
            "area_low": one.low,
            "area_high": one.high,
            "minimum": found.minimum,
            "normalised": found.normalised,
            "random": found.random,
            "at_low": found.at_low,
            "at_high": found.at_high,
            "average_precision": one.average_precision,
            "trapezoid": one.trapezoid,
            "gain": one.gain,
            "roc_area": one.roc_area,
            "expected": one.expected,
            "level": None if one.low is None else self.level,
            "method": one.method,
        }

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return a table per deployment prevalence, what a threshold does there, who leads where, and what changes."""
        return import_module("karat.verdict.prevalence.words").parts(self)  # type: ignore[no-any-return]

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return import_module("karat.verdict.prevalence.words").notes(self)  # type: ignore[no-any-return]

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, the curves' points, the inversions and the orders."""
        entries: dict[str, Any] = {
            **self.about,
            "data": [
                _data(name, *sides, self.prevalences[name]) for name, sides in self.sides.items()
            ],
            "points": self._points(),
            "inversions": [_inversions(pair) for pair in self.pair_orders],
            "orders": [_order(stretch) for stretch in self.orders],
            "pairs": [{**asdict(gap), "level": self.level} for gap in self.differences],
        }
        # What was not requested is left out.
        if self.deployed:
            entries["deployed"] = [_deployed(one, self.level) for one in self.deployed]
        if self.chosen:
            entries["chosen"] = [asdict(one) for one in self.chosen]
        if self.checks:
            entries["checks"] = [_check(one) for one in self.checks]
        if self.bands:
            entries["bands"] = [_band(*names, band) for names, band in self.bands.items()]
        if self.estimated_prevalences:
            estimates = {
                name: asdict(estimate) for name, estimate in self.estimated_prevalences.items()
            }
            entries["field_balance"] = estimates
        return entries

    def _points(self) -> list[dict[str, Any]]:
        """Return every curve at a hundred recalls, at every deployment prevalence."""
        recall = np.linspace(0.01, 1, 100)
        shown = recall.round(2).tolist()
        points = []
        for where in self.deployments:
            for name in self.curves:
                precision = self.precision(name, where, recall).tolist()
                row = {"system": name, "low": where.low, "high": where.high}
                points.append({**row, "recall": shown, "precision": precision})
        return points

    def precision(self, system: str, where: DeploymentPrevalence, recall: FloatArray) -> FloatArray:
        """Return the mean precision of one system at a deployment prevalence, at some recalls."""
        from karat.measure.prevalence.pr_curve import fall_out_along, rises  # noqa: PLC0415 (only where curves are drawn)

        fall_out = fall_out_along(rises(self.curves[system]), recall)
        return where.mean(recall, fall_out)


def _data(table: str, positives: int, negatives: int, prevalence: float) -> dict[str, Any]:
    return {
        "table": table,
        "positives": positives,
        "negatives": negatives,
        "skew": prevalence,
    }


def _order(stretch: OrderStretch) -> dict[str, Any]:
    return {"low": stretch.low, "high": stretch.high, "order": list(stretch.order)}


def _inversions(pair: PairOrder) -> dict[str, Any]:
    leader = {1: pair.first, -1: pair.second, 0: None}
    row: dict[str, Any] = {
        "first": pair.first,
        "second": pair.second,
        "skews": list(pair.skews),
        "crossings": pair.crossings,
        "most": pair.most,
        "leads": [leader[sign] for sign in pair.leads],
    }
    if pair.intervals:
        row["intervals"] = [_interval(each) for each in pair.intervals]
    return row


def _interval(interval: InversionInterval) -> dict[str, Any]:
    return {
        "skew": interval.skew,
        "low": _end(interval.low),
        "high": _end(interval.high),
        "seen": interval.seen,
        "level": interval.level,
    }


def _end(prevalence: float) -> float:
    """Return an end of an interval; at the limit of the search no end is known."""
    if prevalence <= LOW:
        return 0.0
    if prevalence >= HIGH:
        return 1.0
    return prevalence


def _deployed(one: DeployedSystem, level: float) -> dict[str, Any]:
    outcome = one.deployed
    row: dict[str, Any] = {"system": one.system, "field": one.field, "threshold": outcome.threshold}
    for name in ("balance", "tpr", "fpr", "precision", "alarms", "misses"):
        row[name] = asdict(getattr(outcome, name))
    return {**row, "level": level, "method": outcome.method}


def _band(system: str, field_name: str, band: CurveBand) -> dict[str, Any]:
    row: dict[str, Any] = {"system": system, "field": field_name}
    for name in ("recall", "precision", "low", "high", "lowest", "highest"):
        row[name] = getattr(band, name).tolist()
    return {**row, "level": band.level, "method": band.method}


def _check(one: CheckedPoint) -> dict[str, Any]:
    return {"field": one.field, **asdict(one.found)}
