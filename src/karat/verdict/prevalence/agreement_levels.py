"""What a system is worth by what at least one, two, ... annotators marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.ask.prevalence import Field, percent
from karat.errors import OptionError
from karat.measure.prevalence.agreement_levels import (
    Correlation,
    Following,
    following,
    level_curves,
)
from karat.measure.prevalence.distribution import single
from karat.measure.prevalence.integrated import integrated
from karat.measure.prevalence.pr_curve import roc
from karat.result import Result
from karat.result.base import Row
from karat.tally.scores.annotator_marks import Marks
from karat.words import counted

LEAST = 1e-99
WHERE = {"within": "the items with a mark", "over_all": "all items"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One system by one level of agreement: at its own class balance, and in each field."""

    system: str
    at_least: int
    positives: int
    skew: float
    area: float
    normalised: float | None
    fields: tuple[tuple[str, float, float | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels(Result):
    """Every system by every level, and how its scores follow agreement."""

    annotators: tuple[str, ...]
    items: int
    found: tuple[Level, ...]
    correlations: Mapping[str, Following]
    about: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per system, level and field; the first field is the level's own class balance."""
        rows = []
        for one in self.found:
            own = (f"{percent(one.skew)} positive, as at this level", one.area, one.normalised)
            for name, area, normalised in (own, *one.fields):
                row = {
                    "system": one.system,
                    "at_least": one.at_least,
                    "positives": one.positives,
                    "skew": one.skew,
                }
                rows.append({**row, "field": name, "area": area, "normalised": normalised})
        return rows

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return a table per system, a line per level."""
        tables: dict[str, Sequence[Row]] = {}
        for system in dict.fromkeys(one.system for one in self.found):
            rows = []
            for one in self.found:
                if one.system == system:
                    row = {"marked by": f"{one.at_least} or more", "positive": percent(one.skew)}
                    row |= {"area (normalised)": _both(one.area, one.normalised)}
                    row |= {name: _both(area, normalised) for name, area, normalised in one.fields}
                    rows.append(row)
            tables[f"{system}: area under the precision-recall curve by level of agreement"] = rows
        tables["correlation of scores with agreement"] = [
            {
                "system": system,
                "of": WHERE[where],
                "items": f"{each.items:,}",
                "by": each.method,
                **_told(each),
            }
            for system, one in self.correlations.items()
            for where in WHERE
            for each in getattr(one, where)
        ]
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature and the correlations."""
        found = {
            system: {where: [_plain(each) for each in getattr(one, where)] for where in WHERE}
            for system, one in self.correlations.items()
        }
        return {
            **self.about,
            "annotators": list(self.annotators),
            "items": self.items,
            "correlations": found,
        }

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        said = [
            "The higher the level, the rarer the positives: areas at a level's own balance mix both."
        ]
        if not any(one.fields for one in self.found):
            said.append("Compare levels at a common class balance: --to P, or --low P --high P.")
        if rest := len(self.annotators) - len({one.at_least for one in self.found}):
            levels_left = f"{counted(rest, 'level')} of {len(self.annotators)}"
            said.append(f"{levels_left} left out: all items reach them, or none does.")
        return (
            *said,
            f"{counted(self.items, 'item')}, {counted(len(self.annotators), 'annotator')}.",
        )


def levels(
    annotators: Sequence[str], tallies: Mapping[str, Marks], fields: Sequence[Field]
) -> Levels:
    """How do systems fare by what at least k annotators marked, for each k, and do their scores follow agreement?"""
    if len(annotators) < 2:
        raise OptionError(
            "agreement needs two annotators or more; name their columns, each once, with --levels A,B"
        )
    return Levels(
        annotators=tuple(annotators),
        items=int(next(iter(tallies.values())).number.sum()),
        found=tuple(one for name, tally in tallies.items() for one in _levels(name, tally, fields)),
        correlations={name: following(tally) for name, tally in tallies.items()},
    )


def _levels(name: str, tally: Marks, fields: Sequence[Field]) -> list[Level]:
    found = []
    for level, counts in level_curves(tally).items():
        curve, yes = roc(counts), int(counts.positive.sum())
        skew = yes / (yes + int(counts.negative.sum()))
        own = integrated(curve, single(skew))
        there = [(where.name, integrated(curve, where.spread)) for where in fields]
        found.append(
            Level(
                system=name,
                at_least=level,
                positives=yes,
                skew=skew,
                area=own.area,
                normalised=own.normalised,
                fields=tuple((where, each.area, each.normalised) for where, each in there),
            )
        )
    return found


def _both(area: float, normalised: float | None) -> str:
    return f"{area:.3f} ({'undefined' if normalised is None else f'{normalised:.3f}'})"


def _told(one: Correlation) -> dict[str, str]:
    if one.value is None or one.p_value is None:
        return {"correlation": "undefined", "p": "undefined"}
    return {
        "correlation": f"{one.value:.3f}",
        "p": f"{one.p_value:.2g}" if one.p_value > LEAST else "< 1e-99",
    }


def _plain(one: Correlation) -> dict[str, Any]:
    return {"method": one.method, "value": one.value, "p_value": one.p_value, "items": one.items}
