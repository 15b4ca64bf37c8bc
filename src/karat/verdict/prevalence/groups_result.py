"""What may be said of systems at other class balances in each group: the result, and its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from karat.ask.prevalence import Field
from karat.measure.prevalence.integrated import IntegratedArea
from karat.result import Result
from karat.result.base import Row
from karat.words import counted

MEAN, ALL = "(mean)", "(all)"
"""The mean over groups, every group counting alike; and all items together."""
SHOWN, SHORT = 12, 4
"""So many groups, the largest, are shown to a reader, and of so many systems all, of more the best; JSON has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupArea:
    """One system's area in one group and one field; None where the group has only one kind of items."""

    field: str
    group: str
    sides: tuple[int, int]
    """How many of its items are positive, and how many negative."""
    system: str
    rank: int | None = None
    found: IntegratedArea | None = None
    average_precision: float | None = None
    low: float | None = None
    high: float | None = None
    best: float | None = None
    """The probability that no other system is better here."""
    method: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedSkew(Result):
    """How good systems are in every group, on average over the groups, and on all items together."""

    fields: tuple[Field, ...]
    areas: tuple[GroupArea, ...]
    level: float
    draws: int = 0
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per field, group and system; the groups (mean) and (all) come first."""
        return [self._row(one) for one in self.areas]

    def _row(self, one: GroupArea) -> dict[str, Any]:
        names = ("minimum", "normalised", "random", "at_low", "at_high")
        where = next(each for each in self.fields if each.name == one.field)
        return {
            "group": one.group,
            "positives": one.sides[0],
            "negatives": one.sides[1],
            "rank": one.rank,
            "system": one.system,
            "field": one.field,
            "low": where.low,
            "high": where.high,
            "area": one.found and one.found.area,
            "area_low": one.low,
            "area_high": one.high,
            "best": one.best,
            **{name: None if one.found is None else getattr(one.found, name) for name in names},
            "average_precision": one.average_precision,
            "level": None if one.low is None else self.level,
            "method": one.method,
        }

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return per field the means over groups beside all items together, then the groups."""
        tables: dict[str, Sequence[Row]] = {}
        for where in self.fields:
            own = [one for one in self.areas if one.field == where.name]
            groups = [one for one in own if one.group not in {MEAN, ALL} and one.found is not None]
            number = len({one.group for one in groups})
            head = f"area under the precision-recall curve, {where.name}"
            tables[f"{head}: mean over {counted(number, 'group')}"] = self._means(own, groups)
            shown = (
                f"the largest {SHOWN} of {number:,} groups" if number > SHOWN else "group by group"
            )
            best = "the best, " if len({one.system for one in groups}) > SHORT else ""
            tables[f"{head}: {best}{shown}"] = self._groups(groups)
        return tables

    def _means(self, own: Sequence[GroupArea], groups: Sequence[GroupArea]) -> Sequence[Row]:
        whole = {one.system: one for one in own if one.group == ALL}
        rows = []
        for one in own:
            if one.group == MEAN:
                wins = sum(each.system == one.system and each.rank == 1 for each in groups)
                row = self._shown(one) | {"all items": _bounded(whole[one.system])}
                row |= {"best in": counted(wins, "group")} if len(whole) > 1 else {}
                rows.append({**row, **self._method(one)})
        return rows

    def _groups(self, groups: Sequence[GroupArea]) -> Sequence[Row]:
        """Return the largest groups: every system where they are few, else the best."""
        largest, rows = self.largest(SHOWN), []
        for name, members in groupby(groups, lambda one: one.group):
            found = list(members)
            for one in (found if len(found) <= SHORT else found[:1]) if name in largest else ():
                row = {"group": name, "positive": f"{one.sides[0]:,} of {sum(one.sides):,}"}
                rows.append({**row, **self._shown(one), **self._method(one)})
        return rows

    def largest(self, most: int) -> tuple[str, ...]:
        """Return the groups that have areas, in order; of many the largest."""
        held = {
            one.group: sum(one.sides)
            for one in self.areas
            if one.group not in {MEAN, ALL} and one.found is not None
        }
        kept = set(sorted(held, key=lambda name: -held[name])[:most])
        return tuple(name for name in held if name in kept)

    def _shown(self, one: GroupArea) -> dict[str, Any]:
        row: dict[str, Any] = {
            "rank": one.rank,
            "system": one.system,
            "value": one.found and one.found.area,
        }
        if one.low is not None:
            row |= {"low": one.low, "high": one.high}
        return row | {"P(best)": one.best}

    def _method(self, one: GroupArea) -> dict[str, Any]:
        return {} if one.low is None else {"level": self.level, "method": one.method}

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return self.remarks


def _bounded(one: GroupArea) -> str:
    value = "undefined" if one.found is None else f"{one.found.area:.4f}"
    return value if one.low is None else f"{value} [{one.low:.4f}, {one.high:.4f}]"
