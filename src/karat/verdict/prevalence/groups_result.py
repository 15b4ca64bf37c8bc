"""What may be said about systems at other prevalences in each group: the result, and its tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from karat.ask.prevalence import DeploymentPrevalence
from karat.measure.prevalence.integrated import IntegratedArea
from karat.result import Result
from karat.result.base import Row
from karat.words import counted

MEAN = "(mean)"
"""The mean over groups, every group counting the same."""
ALL = "(all)"
"""All items together."""
SHOWN = 12
"""So many groups, the largest, are shown to a reader; JSON has all."""
SHORT = 4
"""Of so many systems all are shown, of more the best; JSON has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupArea:
    """One system's area in one group at one deployment prevalence; None where the group has only one kind of items."""

    field: str
    group: str
    sides: tuple[int, int]
    """How many of its items are positive, and how many negative."""
    system: str
    rank: int | None = None
    integrated: IntegratedArea | None = None
    average_precision: float | None = None
    low: float | None = None
    high: float | None = None
    best: float | None = None
    """The probability that no other system is better here."""
    method: str | None = None

    @property
    def area(self) -> float | None:
        """The area, None where there is none."""
        return None if self.integrated is None else self.integrated.area

    @property
    def is_group(self) -> bool:
        """Whether this is a group of the data with an area, not a summary of groups."""
        return self.group not in {MEAN, ALL} and self.integrated is not None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GroupedPrevalenceResult(Result):
    """How good systems are in every group, on average over the groups, and on all items together."""

    deployments: tuple[DeploymentPrevalence, ...]
    areas: tuple[GroupArea, ...]
    level: float
    draws: int = 0
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per deployment prevalence, group and system; the groups (mean) and (all) come first."""
        return [self._row(one) for one in self.areas]

    def _row(self, one: GroupArea) -> dict[str, Any]:
        where = next(each for each in self.deployments if each.name == one.field)
        row = {
            "group": one.group,
            "positives": one.sides[0],
            "negatives": one.sides[1],
            "rank": one.rank,
            "system": one.system,
            "field": one.field,
            "low": where.low,
            "high": where.high,
            "area": one.area,
            "area_low": one.low,
            "area_high": one.high,
            "best": one.best,
        }
        for name in ("minimum", "normalised", "random", "at_low", "at_high"):
            row[name] = None if one.integrated is None else getattr(one.integrated, name)
        return {
            **row,
            "average_precision": one.average_precision,
            "level": None if one.low is None else self.level,
            "method": one.method,
        }

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return per deployment prevalence the means over groups beside all items together, then the groups."""
        tables: dict[str, Sequence[Row]] = {}
        for where in self.deployments:
            own = [one for one in self.areas if one.field == where.name]
            groups = [one for one in own if one.is_group]
            number = len({one.group for one in groups})
            systems = len({one.system for one in groups})
            title = f"area under the precision-recall curve, {where.name}"
            tables[f"{title}: mean over {counted(number, 'group')}"] = self._means(own, groups)
            shown = "group by group"
            if number > SHOWN:
                shown = f"the largest {SHOWN} of {number:,} groups"
            if systems > SHORT:
                shown = f"the best, {shown}"
            tables[f"{title}: {shown}"] = self._groups(groups)
        return tables

    def _means(self, own: Sequence[GroupArea], groups: Sequence[GroupArea]) -> Sequence[Row]:
        """Return the mean over groups of each system, beside its area on all items together."""
        whole = {one.system: one for one in own if one.group == ALL}
        wins = Counter(one.system for one in groups if one.rank == 1)
        rows = []
        for one in own:
            if one.group == MEAN:
                row = self._shown(one) | {"all items": _with_interval(whole[one.system])}
                if len(whole) > 1:
                    row["best in"] = counted(wins[one.system], "group")
                rows.append({**row, **self._method(one)})
        return rows

    def _groups(self, groups: Sequence[GroupArea]) -> Sequence[Row]:
        """Return the largest groups: every system where they are few, else the best."""
        largest = self.largest(SHOWN)
        rows = []
        for name, members in groupby(groups, lambda one: one.group):
            if name not in largest:
                continue
            systems = list(members)
            shown = systems if len(systems) <= SHORT else systems[:1]
            for one in shown:
                row = {"group": name, "positive": f"{one.sides[0]:,} of {sum(one.sides):,}"}
                rows.append({**row, **self._shown(one), **self._method(one)})
        return rows

    def largest(self, most: int) -> tuple[str, ...]:
        """Return the groups that have areas, in order; of many the largest."""
        sizes = {one.group: sum(one.sides) for one in self.areas if one.is_group}
        by_size = sorted(sizes, key=lambda name: -sizes[name])
        kept = set(by_size[:most])
        return tuple(name for name in sizes if name in kept)

    def _shown(self, one: GroupArea) -> dict[str, Any]:
        row: dict[str, Any] = {"rank": one.rank, "system": one.system, "value": one.area}
        if one.low is not None:
            row |= {"low": one.low, "high": one.high}
        return {**row, "first in": one.best}

    def _method(self, one: GroupArea) -> dict[str, Any]:
        if one.low is None:
            return {}
        return {"level": self.level, "method": one.method}

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return self.remarks


def _with_interval(one: GroupArea) -> str:
    value = "undefined" if one.area is None else f"{one.area:.4f}"
    if one.low is None:
        return value
    return f"{value} [{one.low:.4f}, {one.high:.4f}]"
