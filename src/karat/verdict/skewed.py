"""What may be said of systems at other class balances: the result, and its words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from karat.doubt.field_balance import Deployed
from karat.doubt.field_balance import Reading as Bounded
from karat.doubt.inversion_interval import InversionInterval
from karat.doubt.inversions import HIGH, LOW
from karat.measure.integrated import Integrated
from karat.measure.pr_curve import Roc
from karat.measure.skew import Achievable
from karat.measure.totals import FloatArray
from karat.result import Result
from karat.result.base import Row
from karat.verdict.fields import Field, percent
from karat.verdict.published import reach
from karat.words import counted

SHOWN = 12
"""So many changes of order are shown to a reader; JSON has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """One system's area under the precision-recall curve in one field, and what goes by similar names."""

    rank: int
    system: str
    field: str
    found: Integrated
    low: float | None
    high: float | None
    average_precision: float
    trapezoid: float
    gain: float | None
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
            "level": None if one.low is None else self.level,
            "method": one.method,
        }

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return a table per field, then what a threshold does there, and where the order changes."""
        tables: dict[str, Sequence[Row]] = {}
        for one in self.fields:
            tables[f"area under the precision-recall curve, {one.name}"] = self._shown(one)
        for name in dict.fromkeys(each.field for each in self.placed):
            rows = [_placed_row(each, self.level) for each in self.placed if each.field == name]
            tables[f"precision from a score of {self.threshold:g} on, {name}; alarms and misses per 1,000 items"] = rows
        for name in dict.fromkeys(each.field for each in self.chosen):
            rows = [_chosen_row(each) for each in self.chosen if each.field == name]
            tables[f"the best threshold for {self.chosen[0].aim}, {name}"] = rows
        if self.turns:
            tables["who leads at which class balance"] = self._leaders()
        if changes := [row for one in self.turns for row in _changes(one)]:
            shown = f", {SHOWN} of {len(changes):,}" if len(changes) > SHOWN else ""
            tables[f"where two systems change places{shown}"] = changes[:SHOWN]
        return tables

    def _shown(self, where: Field) -> list[dict[str, Any]]:
        found = []
        for one in self.areas:
            if one.field != where.name:
                continue
            row: dict[str, Any] = {"rank": one.rank, "system": one.system, "value": one.found.area}
            row |= {"low": one.low, "high": one.high} if one.low is not None else {}
            row |= {"normalised": _three(one.found.normalised)}
            if one.found.low < one.found.high:
                row |= {"at rarest": _three(one.found.at_low), "at most": _three(one.found.at_high)}
            row |= {"steps": _three(one.average_precision)}
            found.append({**row, "level": self.level, "method": one.method} if one.low is not None else row)
        return found

    def _leaders(self) -> list[dict[str, Any]]:
        """Return who is best from where to where; the whole orders where they are short."""
        whole = len(self.curves) <= 4
        found: list[dict[str, Any]] = []
        for one in self.stretches:
            order = " > ".join(one.order if whole else one.order[:1])
            if found and found[-1]["order" if whole else "best"] == order:
                found[-1]["to"] = percent(one.high)
            else:
                found.append({"from": percent(one.low), "to": percent(one.high), "order" if whole else "best": order})
        found[0]["from"], found[-1]["to"] = "0 %", "100 %"
        return found

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
            "orders": [{"low": one.low, "high": one.high, "order": list(one.order)} for one in self.stretches],
            "pairs": [_gap(one, self.level) for one in self.gaps],
        }
        if self.placed:
            found["deployed"] = [_deployed(one, self.level) for one in self.placed]
        if self.chosen:
            found["chosen"] = [_chosen(one) for one in self.chosen]
        if self.checks:
            found["checks"] = [_check(one) for one in self.checks]
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
        from karat.measure.pr_curve import fall_out_along, rises  # noqa: PLC0415 (only where curves are drawn)

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
                {"skew": each.skew, "low": each.low, "high": each.high, "seen": each.seen, "level": each.level}
                for each in one.intervals
            ]
        return row

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return (*self._own(), *self._read(), *self._turned(), *self._checked(), *self._estimated(), *self.remarks)

    def _own(self) -> list[str]:
        found = []
        for name, (yes, no) in self.sides.items():
            table = name if len(self.sides) > 1 else "the data"
            found.append(f"In {table} {percent(yes / (yes + no))} are positive ({yes:,} of {yes + no:,} items).")
        return found

    def _read(self) -> list[str]:
        said = [
            "normalised: the share won of the area that can be won; steps: average precision, without interpolation."
        ]
        if any(one.intervals for one in self.turns):
            said += ["seen in: how many resamples of the items have that change at all."]
        return said

    def _turned(self) -> list[str]:
        if not self.turns:
            return []
        changing = [one for one in self.turns if one.skews]
        if not changing:
            pairs = counted(len(self.turns), "pair")
            return [f"The order of no two systems changes with the class balance ({pairs} looked at)."]
        return [f"The order of {counted(len(changing), 'pair')} of {len(self.turns):,} changes with the class balance."]

    def _checked(self) -> list[str]:
        return [reach(one.field, one.found) for one in self.checks]

    def _estimated(self) -> list[str]:
        return [
            f"By the field's scores of {name} {percent(one.value)} are positive there "
            f"({percent(one.low)} to {percent(one.high)})."
            for name, one in self.balances.items()
            if one.value is not None
        ]


def _changes(one: Turn) -> list[dict[str, Any]]:
    """Return where two systems change places, to no more digits than the interval supports."""
    found = []
    for place, skew in enumerate(one.skews):
        below, above = (one.first, one.second) if one.leads[place] > 0 else (one.second, one.first)
        row = {"positives": percent(skew), "ahead below": below, "ahead above": above}
        if one.intervals:
            known = one.intervals[place]
            row["positives"] = f"{100 * skew:.{max(0, known.digits - 2)}f} %"
            row |= {"between": _span(known), "seen in": f"{100 * known.seen:.0f} %"}
        found.append(row)
    return found


def _span(known: InversionInterval) -> str:
    """Return an interval of class balances; beyond the limits of the search it has no end."""
    low = "0" if known.low <= LOW else f"{100 * known.low:.2g}"
    high = "100" if known.high >= HIGH else f"{100 * known.high:.2g}"
    return f"{low} to {high} %"


def _three(value: float | None) -> str:
    return "undefined" if value is None or np.isnan(value) else f"{value:.3f}"


def _placed_row(one: Placed, level: float) -> Row:
    found = one.deployed
    row: dict[str, Any] = {"system": one.system, "value": found.precision.value}
    row |= {"low": found.precision.low, "high": found.precision.high}
    row |= {"recall": found.tpr.value, "alarms": _range(found.alarms), "misses": _range(found.misses)}
    return {**row, "level": level, "method": found.method.partition(" (")[0]}


def _range(one: Bounded) -> str:
    return "undefined" if one.value is None else f"{one.value:.3g} [{one.low:.3g}, {one.high:.3g}]"


def _deployed(one: Placed, level: float) -> dict[str, Any]:
    found = one.deployed
    parts = ("balance", "tpr", "fpr", "precision", "alarms", "misses")
    row: dict[str, Any] = {"system": one.system, "field": one.field, "threshold": found.threshold}
    return row | {name: _bounded(getattr(found, name)) for name in parts} | {"level": level, "method": found.method}


def _bounded(one: Bounded) -> dict[str, Any]:
    return {"value": one.value, "low": one.low, "high": one.high}


def _chosen_row(one: Chosen) -> Row:
    threshold = "none" if one.threshold is None else f"{one.threshold:.6g}"
    row: dict[str, Any] = {"rank": one.rank, "system": one.system, "threshold": threshold, "value": one.value}
    return row | {"precision": one.precision, "recall": one.recall}


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
