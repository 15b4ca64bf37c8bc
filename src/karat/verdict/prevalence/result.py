"""What may be said of systems at other class balances: the result, and its words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from karat.ask.prevalence import Field
from karat.doubt.prevalence.curve_band import Band
from karat.doubt.prevalence.deployment import Bounded, Deployed
from karat.doubt.prevalence.inversion_interval import InversionInterval
from karat.doubt.prevalence.inversions import HIGH, LOW
from karat.measure.prevalence.integrated import IntegratedArea
from karat.measure.prevalence.pr_curve import Roc
from karat.measure.prevalence.precision_at import Achievable
from karat.numeric.arrays import FloatArray
from karat.result import Result
from karat.result.base import Row

IN_FIELD = "in the field"
"""How a field is called whose balance is read from its scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """One system's area under the precision-recall curve in one field, and what goes by similar names."""

    rank: int
    system: str
    field: str
    found: IntegratedArea
    low: float | None
    high: float | None
    expected: float | None
    """The mean by the true labels, where labels are doubted."""
    average_precision: float
    trapezoid: float
    gain: float | None
    roc_area: float
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Two systems in one field: by how much the first is ahead, and how surely."""

    first: str
    second: str
    field: str
    difference: float
    low: float
    high: float
    better: float
    """The probability that the first is better."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Turn:
    """Two systems' order as a function of the class balance."""

    first: str
    second: str
    skews: tuple[float, ...]
    leads: tuple[int, ...]
    crossings: int
    most: int | None
    intervals: tuple[InversionInterval, ...]

    def changes(self) -> list[tuple[float, InversionInterval | None]]:
        """Return where the order changes, and the interval of each where it is known."""
        return list(zip(self.skews, self.intervals or [None] * len(self.skews), strict=True))


@dataclass(frozen=True, slots=True)
class Stretch:
    """The order of the systems, best first, between two class balances."""

    low: float
    high: float
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """What a system does at a threshold, or which threshold is best, in one field."""

    system: str
    field: str
    deployed: Deployed


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a point can be reached in one field."""

    field: str
    found: Achievable


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The threshold of a system that serves a field best."""

    rank: int
    system: str
    field: str
    aim: str
    threshold: float | None
    value: float | None
    precision: float | None
    recall: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Skewed(Result):
    """How good systems are where positives are rarer or more frequent than in the data."""

    sides: Mapping[str, tuple[int, int]]
    """How many items of each table are positive, and how many negative."""
    fields: tuple[Field, ...]
    curves: Mapping[str, Roc]
    areas: tuple[Area, ...]
    gaps: tuple[Gap, ...]
    turns: tuple[Turn, ...]
    stretches: tuple[Stretch, ...]
    level: float
    threshold: float | None = None
    placed: tuple[Placed, ...] = ()
    checks: tuple[Checked, ...] = ()
    chosen: tuple[Chosen, ...] = ()
    balances: Mapping[str, Bounded] = field(default_factory=dict)
    """The field's balance by the scores of each system."""
    label_error: tuple[float, float] = (0.0, 0.0)
    draws: int = 0
    bands: Mapping[tuple[str, str], Band] = field(default_factory=dict)
    """Where the curve of a system lies in a field."""
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def own(self) -> float:
        """The class balance of the first table."""
        positive, negative = next(iter(self.sides.values()))
        return positive / (positive + negative)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per system and field."""
        return [self._row(one) for one in self.areas]

    def _row(self, one: Area) -> dict[str, Any]:
        found = one.found
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
        """Return a table per field, then what a threshold does there, who leads where, and what changes."""
        return import_module("karat.verdict.prevalence.words").parts(self)  # type: ignore[no-any-return]

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return import_module("karat.verdict.prevalence.words").notes(self)  # type: ignore[no-any-return]

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, the curves' points, the inversions and the orders."""
        found: dict[str, Any] = {
            **self.about,
            "data": [
                {"table": name, "positives": yes, "negatives": no, "skew": yes / (yes + no)}
                for name, (yes, no) in self.sides.items()
            ],
            "points": self._points(),
            "inversions": [self._turn(one) for one in self.turns],
            "orders": [
                {"low": one.low, "high": one.high, "order": list(one.order)}
                for one in self.stretches
            ],
            "pairs": [_gap(one, self.level) for one in self.gaps],
        }
        if self.placed:
            found["deployed"] = [_deployed(one, self.level) for one in self.placed]
        if self.chosen:
            found["chosen"] = [_chosen(one) for one in self.chosen]
        if self.checks:
            found["checks"] = [_check(one) for one in self.checks]
        if self.bands:
            found["bands"] = [_band(*names, one) for names, one in self.bands.items()]
        if self.balances:
            found["field_balance"] = {name: _bounded(one) for name, one in self.balances.items()}
        return found

    def _points(self) -> list[dict[str, Any]]:
        """Return every curve at a hundred recalls in every field."""
        recall = np.linspace(0.01, 1, 100)
        return [
            {
                "system": name,
                "low": where.low,
                "high": where.high,
                "recall": recall.round(2).tolist(),
                "precision": self.precision(name, where, recall).tolist(),
            }
            for where in self.fields
            for name in self.curves
        ]

    def precision(self, system: str, where: Field, recall: FloatArray) -> FloatArray:
        """Return the mean precision of one system in a field at some recalls."""
        from karat.measure.prevalence.pr_curve import fall_out_along, rises  # noqa: PLC0415 (only where curves are drawn)

        return where.mean(recall, fall_out_along(rises(self.curves[system]), recall))

    def _turn(self, one: Turn) -> dict[str, Any]:
        row: dict[str, Any] = {
            "first": one.first,
            "second": one.second,
            "skews": list(one.skews),
            "crossings": one.crossings,
            "most": one.most,
            "leads": [{1: one.first, -1: one.second, 0: None}[sign] for sign in one.leads],
        }
        if one.intervals:
            row["intervals"] = [
                {
                    "skew": each.skew,
                    "low": _end(each.low),
                    "high": _end(each.high),
                    "seen": each.seen,
                    "level": each.level,
                }
                for each in one.intervals
            ]
        return row


def _end(share: float) -> float:
    return 0.0 if share <= LOW else 1.0 if share >= HIGH else share


def _deployed(one: Placed, level: float) -> dict[str, Any]:
    found = one.deployed
    parts = ("balance", "tpr", "fpr", "precision", "alarms", "misses")
    row: dict[str, Any] = {"system": one.system, "field": one.field, "threshold": found.threshold}
    return (
        row
        | {name: _bounded(getattr(found, name)) for name in parts}
        | {"level": level, "method": found.method}
    )


def _band(system: str, where: str, one: Band) -> dict[str, Any]:
    columns = ("recall", "precision", "low", "high", "lowest", "highest")
    told = {name: getattr(one, name).tolist() for name in columns}
    return {"system": system, "field": where, **told, "level": one.level, "method": one.method}


def _bounded(one: Bounded) -> dict[str, Any]:
    return {"value": one.value, "low": one.low, "high": one.high}


def _chosen(one: Chosen) -> dict[str, Any]:
    names = ("rank", "system", "field", "aim", "threshold", "value", "precision", "recall")
    return {name: getattr(one, name) for name in names}


def _check(one: Checked) -> dict[str, Any]:
    found = one.found
    return {
        "field": one.field,
        "precision": found.precision,
        "recall": found.recall,
        "minimum": found.minimum,
        "possible": found.possible,
    }


def _gap(one: Gap, level: float) -> dict[str, Any]:
    names = ("first", "second", "field", "difference", "low", "high", "better")
    return {name: getattr(one, name) for name in names} | {"level": level}
