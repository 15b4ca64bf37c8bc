"""Systems by level of annotators' agreement, as a result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from karat.ask.prevalence import DeploymentPrevalence, percent
from karat.measure.prevalence.agreement_levels import Correlation, Following
from karat.measure.prevalence.pr_curve import RocCurve
from karat.result import Result
from karat.result.base import Row
from karat.result.probabilities import chance
from karat.words import counted

SUBSETS = {"within": "the items with a mark", "over_all": "all items"}
"""Over which items scores and agreement are correlated."""
ROC = "ROC area"
OWN = "as at this level"
"""The prevalence that a level has in the data."""


@dataclass(frozen=True, slots=True)
class AreaAtLevel:
    """An area, how much was won of what can be won, and where it lies; None if that is not known."""

    field: str
    area: float
    normalised: float | None
    low: float | None
    high: float | None
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelArea:
    """One system by one level of agreement: its ROC area, and areas at its own and at each deployment prevalence."""

    system: str
    at_least: int
    positives: int
    skew: float
    """The prevalence at this level."""
    roc: AreaAtLevel
    own: AreaAtLevel
    areas: tuple[AreaAtLevel, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """The ROC area, that at the level's own prevalence, and those at the others."""
        return (self.roc.area, self.own.area, *(each.area for each in self.areas))


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelLead:
    """By how much one system is ahead of the next."""

    better: str
    worse: str
    difference: float
    low: float
    high: float
    p_value: float
    p_adjusted: float = 1.0

    def adjusted(self, p_adjusted: float) -> "LevelLead":
        """Return it with the p-value that allows for all levels."""
        return replace(self, p_adjusted=p_adjusted)


@dataclass(frozen=True, slots=True)
class LevelOrder:
    """The systems by one level and at one prevalence, the best first."""

    at_least: int
    field: str
    order: tuple[str, ...]
    values: Mapping[str, float]
    leads: tuple[LevelLead, ...] = ()

    def led(self, leads: Sequence[LevelLead]) -> "LevelOrder":
        """Return it with how sure each system is of the next."""
        return replace(self, leads=tuple(leads))


@dataclass(frozen=True, slots=True)
class LevelInversion:
    """The prevalences at which two systems change places, by one level."""

    first: str
    second: str
    at_least: int
    skews: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class AgreementLevels(Result):
    """Every system by every level, in which order, and how its scores follow agreement."""

    annotators: tuple[str, ...]
    items: int
    most: int
    """How many annotators there are."""
    levels: tuple[LevelArea, ...]
    correlations: Mapping[str, Following]
    deployments: tuple[DeploymentPrevalence, ...] = ()
    curves: Mapping[tuple[str, int], RocCurve] = field(default_factory=dict)
    orders: tuple[LevelOrder, ...] = ()
    inversions: tuple[LevelInversion, ...] = ()
    level: float = 0.95
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per system, level and prevalence; the first is the level's own prevalence."""
        rows = []
        for one in self.levels:
            for each in (one.own, *one.areas):
                row = {
                    "system": one.system,
                    "at_least": one.at_least,
                    "positives": one.positives,
                    "skew": one.skew,
                    "field": _named(each, one.skew),
                    "area": each.area,
                    "area_low": each.low,
                    "area_high": each.high,
                    "normalised": each.normalised,
                    "roc_area": one.roc.area,
                    "roc_low": one.roc.low,
                    "roc_high": one.roc.high,
                    "level": self.level,
                    "method": each.method,
                    "roc_method": one.roc.method,
                }
                rows.append(row)
        return rows

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return a table per system, a line per level; then orders, what changes, and correlations."""
        tables: dict[str, list[Row]] = {}
        for one in self.levels:
            title = f"{one.system}: areas by level of agreement"
            tables.setdefault(title, []).append(_line(one))
        tables |= self._order_tables()
        if changes := self.changes():
            tables["systems that change places from level to level"] = changes
        if turns := [_turn(one) for one in self.inversions if one.skews]:
            tables["where two systems change places"] = turns
        tables["correlation of scores with agreement"] = self._correlations()
        return dict(tables)

    def _order_tables(self) -> dict[str, list[Row]]:
        tables: dict[str, list[Row]] = {}
        for order in self.orders:
            where = order.field if order.field != OWN else f"prevalence {OWN}"
            tables.setdefault(f"order by level: {where}", []).append(_order_line(order))
        return tables

    def changes(self) -> list[Row]:
        """Return which pairs of systems stand in one order by one level, and in the other by the next."""
        rows: list[Row] = []
        by_field: dict[str, list[LevelOrder]] = {}
        for order in self.orders:
            by_field.setdefault(order.field, []).append(order)
        for name, orders in by_field.items():
            for before, after in pairwise(orders):
                for better, worse in _reversed(before, after):
                    row = {
                        "at": name,
                        "by": f"{before.at_least} or more",
                        "ahead": better,
                        "then by": f"{after.at_least} or more",
                        "ahead then": worse,
                    }
                    rows.append(row)
        return rows

    def _correlations(self) -> list[Row]:
        correlations: list[Row] = []
        for system, following_of in self.correlations.items():
            for subset, of in SUBSETS.items():
                for each in getattr(following_of, subset):
                    row = {
                        "system": system,
                        "of": of,
                        "items": f"{each.items:,}",
                        "by": each.method,
                    }
                    correlations.append({**row, **_written(each)})
        return correlations

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, orders, inversions and the correlations."""
        correlations = {}
        for system, following_of in self.correlations.items():
            by_subset = {}
            for subset in SUBSETS:
                by_subset[subset] = [_plain(each) for each in getattr(following_of, subset)]
            correlations[system] = by_subset
        return {
            **self.about,
            "annotators": list(self.annotators),
            "items": self.items,
            "orders": [_order_row(order) for order in self.orders],
            "inversions": [_inversion_row(one) for one in self.inversions],
            "correlations": correlations,
        }

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        sentences = [
            "The higher the level, the rarer the positives: areas at a level's own prevalence mix both."
        ]
        if not self.deployments:
            sentences.append("Compare levels at a common prevalence: --to P, or --low P --high P.")
        left_out = self.most - len({one.at_least for one in self.levels})
        if left_out:
            sentences.append(
                f"{counted(left_out, 'level')} of {self.most} left out: all items reach them, or none does."
            )
        methods = {one.roc.method for one in self.levels}
        methods |= {one.own.method for one in self.levels if one.own.method}
        sentences.append(f"Intervals of level {self.level:g}: {'; '.join(sorted(methods))}.")
        if any(order.leads for order in self.orders):
            sentences.append(
                "p: that of each system and the next, adjusted (Holm) over all levels."
            )
        sentences += self.remarks
        sentences.append(f"{counted(self.items, 'item')}, {counted(self.most, 'annotator')}.")
        return tuple(sentences)


def _named(each: AreaAtLevel, prevalence: float) -> str:
    if each.field == OWN:
        return f"{percent(prevalence)} positive, {OWN}"
    return each.field


def _line(one: LevelArea) -> Row:
    row = {
        "marked by": f"{one.at_least} or more",
        "positive": percent(one.skew),
        "ROC area": _with_interval(one.roc, with_normalised=False),
        "area (normalised)": _with_interval(one.own),
    }
    for each in one.areas:
        row[each.field] = _with_interval(each)
    return row


def _with_interval(each: AreaAtLevel, *, with_normalised: bool = True) -> str:
    text = f"{each.area:.3f}"
    if with_normalised:
        share = "undefined" if each.normalised is None else f"{each.normalised:.3f}"
        text += f" ({share})"
    if each.low is not None and each.high is not None:
        text += f" [{each.low:.3f}, {each.high:.3f}]"
    return text


def _order_line(order: LevelOrder) -> Row:
    row: dict[str, Any] = {
        "marked by": f"{order.at_least} or more",
        "best first": ", ".join(order.order),
    }
    if order.leads:
        row["p"] = ", ".join(chance(lead.p_adjusted) for lead in order.leads)
    return row


def _reversed(before: LevelOrder, after: LevelOrder) -> list[tuple[str, str]]:
    """Return the pairs of which the first is ahead before, and the second after."""
    pairs = []
    for place, better in enumerate(before.order):
        for worse in before.order[place + 1 :]:
            if worse not in after.values or better not in after.values:
                continue
            was_ahead = before.values[better] > before.values[worse]
            if was_ahead and after.values[better] < after.values[worse]:
                pairs.append((better, worse))
    return pairs


def _turn(one: LevelInversion) -> Row:
    return {
        "systems": f"{one.first}, {one.second}",
        "marked by": f"{one.at_least} or more",
        "positives": ", ".join(percent(skew) for skew in one.skews),
    }


def _order_row(order: LevelOrder) -> dict[str, Any]:
    leads = []
    for lead in order.leads:
        row = {
            "better": lead.better,
            "worse": lead.worse,
            "difference": lead.difference,
            "low": lead.low,
            "high": lead.high,
            "p_value": lead.p_value,
            "p_adjusted": lead.p_adjusted,
        }
        leads.append(row)
    return {
        "at_least": order.at_least,
        "field": order.field,
        "order": list(order.order),
        "leads": leads,
    }


def _inversion_row(one: LevelInversion) -> dict[str, Any]:
    return {
        "first": one.first,
        "second": one.second,
        "at_least": one.at_least,
        "skews": list(one.skews),
    }


def _written(one: Correlation) -> dict[str, str]:
    if one.value is None or one.p_value is None:
        return {"correlation": "undefined", "p": "undefined"}
    return {"correlation": f"{one.value:.3f}", "p": chance(one.p_value)}


def _plain(one: Correlation) -> dict[str, Any]:
    return {"method": one.method, "value": one.value, "p_value": one.p_value, "items": one.items}
