"""How good systems are by what at least one, two, ... annotators marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.ask.prevalence import DeploymentPrevalence, percent
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

SMALLEST = 1e-99
"""Smaller p-values are shown as smaller than this."""
SUBSETS = {"within": "the items with a mark", "over_all": "all items"}
"""Over which items scores and agreement are correlated."""


@dataclass(frozen=True, slots=True)
class DeployedArea:
    """The area at a deployment prevalence, and how much was won of what can be won."""

    field: str
    area: float
    normalised: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelArea:
    """One system by one level of agreement: at its own prevalence, and at each deployment prevalence."""

    system: str
    at_least: int
    positives: int
    skew: float
    """The prevalence at this level."""
    area: float
    normalised: float | None
    fields: tuple[DeployedArea, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AgreementLevels(Result):
    """Every system by every level, and how its scores follow agreement."""

    annotators: tuple[str, ...]
    items: int
    found: tuple[LevelArea, ...]
    correlations: Mapping[str, Following]
    about: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per system, level and prevalence; the first is the level's own prevalence."""
        rows = []
        for level in self.found:
            name = f"{percent(level.skew)} positive, as at this level"
            own = DeployedArea(name, level.area, level.normalised)
            for each in (own, *level.fields):
                row = {
                    "system": level.system,
                    "at_least": level.at_least,
                    "positives": level.positives,
                    "skew": level.skew,
                    "field": each.field,
                    "area": each.area,
                    "normalised": each.normalised,
                }
                rows.append(row)
        return rows

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return a table per system, a line per level."""
        tables: dict[str, list[Row]] = {}
        for level in self.found:
            title = f"{level.system}: area under the precision-recall curve by level of agreement"
            tables.setdefault(title, []).append(_line(level))
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
        tables["correlation of scores with agreement"] = correlations
        return dict(tables)

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature and the correlations."""
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
            "correlations": correlations,
        }

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        sentences = [
            "The higher the level, the rarer the positives: areas at a level's own prevalence mix both."
        ]
        if not any(level.fields for level in self.found):
            sentences.append("Compare levels at a common prevalence: --to P, or --low P --high P.")
        number = len(self.annotators)
        left_out = number - len({level.at_least for level in self.found})
        if left_out:
            sentences.append(
                f"{counted(left_out, 'level')} of {number} left out: all items reach them, or none does."
            )
        sentences.append(f"{counted(self.items, 'item')}, {counted(number, 'annotator')}.")
        return tuple(sentences)


def levels(
    annotators: Sequence[str], tallies: Mapping[str, Marks], fields: Sequence[DeploymentPrevalence]
) -> AgreementLevels:
    """How good are systems by what at least k annotators marked, for each k, and do their scores follow agreement?"""
    if len(annotators) < 2:
        raise OptionError(
            "agreement needs two annotators or more; name their columns, each once, with --annotators A,B"
        )
    rows: list[LevelArea] = []
    for name, tally in tallies.items():
        rows += _levels(name, tally, fields)
    first = next(iter(tallies.values()))
    return AgreementLevels(
        annotators=tuple(annotators),
        items=int(first.number.sum()),
        found=tuple(rows),
        correlations={name: following(tally) for name, tally in tallies.items()},
    )


def _levels(name: str, tally: Marks, fields: Sequence[DeploymentPrevalence]) -> list[LevelArea]:
    rows = []
    for at_least, counts in level_curves(tally).items():
        curve = roc(counts)
        positives = int(counts.positive.sum())
        prevalence = positives / (positives + int(counts.negative.sum()))
        own = integrated(curve, single(prevalence))
        deployed = []
        for where in fields:
            value = integrated(curve, where.spread)
            deployed.append(DeployedArea(where.name, value.area, value.normalised))
        row = LevelArea(
            system=name,
            at_least=at_least,
            positives=positives,
            skew=prevalence,
            area=own.area,
            normalised=own.normalised,
            fields=tuple(deployed),
        )
        rows.append(row)
    return rows


def _line(level: LevelArea) -> Row:
    row = {
        "marked by": f"{level.at_least} or more",
        "positive": percent(level.skew),
        "area (normalised)": _with_normalised(level.area, level.normalised),
    }
    for each in level.fields:
        row[each.field] = _with_normalised(each.area, each.normalised)
    return row


def _with_normalised(area: float, normalised: float | None) -> str:
    share = "undefined" if normalised is None else f"{normalised:.3f}"
    return f"{area:.3f} ({share})"


def _written(one: Correlation) -> dict[str, str]:
    if one.value is None or one.p_value is None:
        return {"correlation": "undefined", "p": "undefined"}
    p_value = f"{one.p_value:.2g}" if one.p_value > SMALLEST else "< 1e-99"
    return {"correlation": f"{one.value:.3f}", "p": p_value}


def _plain(one: Correlation) -> dict[str, Any]:
    return {"method": one.method, "value": one.value, "p_value": one.p_value, "items": one.items}
