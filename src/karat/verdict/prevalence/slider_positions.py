"""The numbers at each position of the page's slider: intervals of areas, warnings, and the effect of a threshold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from karat.ask.prevalence import at_prevalence, percent
from karat.ask.threshold_goal import goal_of
from karat.doubt.prevalence.deployment import BoundedNumber, deployed
from karat.measure.prevalence.operating_point import choose
from karat.measure.prevalence.precision_at import decided_by_few
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve
from karat.verdict.prevalence.area_resamples import enough_draws, only_ends
from karat.verdict.prevalence.resampled_areas import ScoredTable

Ends = tuple[float | None, float | None]
AIM = "f1"
"""What the best threshold of a system is best by, where none is given."""
DIGITS = 6
DEPLOYED = ("precision", "recall", "alarms", "misses")
"""What is told of a threshold, each with its interval."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrevalencePlaces:
    """What is known at each of some prevalences."""

    prevalences: FloatArray
    ends: Mapping[str, Sequence[Ends]]
    """Of each system: the interval of its area at each prevalence."""
    warnings: tuple[str, ...]
    """At each prevalence; empty where there is nothing to warn of."""
    thresholds: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """Of each system: what its threshold does at each prevalence."""
    threshold: float | None = None
    """The threshold of all systems; None where each has the one that is best there by F1."""
    draws: int = 0


def places(
    table: ScoredTable,
    prevalences: FloatArray,
    *,
    level: float,
    seed: int,
    threshold: float | None,
    thresholds_of: Mapping[str, Curve],
) -> PrevalencePlaces:
    """Return what is known of a table at some prevalences; thresholds only of some curves."""
    ends, draws = _ends(table, prevalences, level=level, seed=seed)
    _, negatives = table.sides
    at_threshold = {}
    for system, curve in thresholds_of.items():
        at_threshold[system] = _at_thresholds(curve, prevalences, threshold, level)
    return PrevalencePlaces(
        prevalences=prevalences,
        ends=ends,
        warnings=tuple(_warning(pi, negatives) for pi in prevalences.tolist()),
        thresholds=at_threshold,
        threshold=threshold,
        draws=draws,
    )


def _ends(
    table: ScoredTable, prevalences: FloatArray, *, level: float, seed: int
) -> tuple[dict[str, list[Ends]], int]:
    """Return the interval of each system's area at each prevalence, and how many resamples it is from."""
    ends: dict[str, list[Ends]] = {name: [] for name in table.curves}
    if table.paired is None:
        return {name: [(None, None)] * len(prevalences) for name in ends}, 0
    deployments = [at_prevalence(pi) for pi in prevalences.tolist()]
    resamples = only_ends(table, deployments, draws=enough_draws(level), seed=seed)
    for k in range(len(deployments)):
        there = resamples.ends(k, level)
        for name, low, high in zip(ends, there.low.tolist(), there.high.tolist(), strict=True):
            ends[name].append((_rounded(low), _rounded(high)))
    return ends, len(resamples.joint.low)


def _warning(pi: float, negatives: int) -> str:
    """Return a warning where the few highest of the negatives decide."""
    if not decided_by_few(pi, negatives):
        return ""
    return (
        f"Where {percent(pi)} are positive, precision depends on the few highest of the {negatives:,} negatives here: "
        "the intervals allow for one that was not seen, the order does not."
    )


def _at_thresholds(
    curve: Curve, prevalences: FloatArray, threshold: float | None, level: float
) -> list[dict[str, Any]]:
    """Return what a threshold does at each prevalence: the one given, or the best there by F1."""
    found = []
    for pi in prevalences.tolist():
        chosen = threshold
        if chosen is None:
            (choice,) = choose({"": curve}, at_prevalence(pi).spread, goal_of(AIM))
            chosen = choice.threshold
        if not np.isfinite(chosen):
            found.append(_without_threshold())
            continue
        outcome = deployed(curve, threshold=chosen, pi=pi, level=level)
        numbers: dict[str, Any] = {"threshold": float(chosen)}
        bounded = (outcome.precision, outcome.tpr, outcome.alarms, outcome.misses)
        for name, number in zip(DEPLOYED, bounded, strict=True):
            numbers.update(_plain(name, number))
        found.append(numbers)
    return found


def _without_threshold() -> dict[str, Any]:
    """Return what is told where no threshold serves: that nothing is known."""
    numbers: dict[str, Any] = {"threshold": None}
    for name in DEPLOYED:
        numbers.update(dict.fromkeys((name, f"{name}_low", f"{name}_high")))
    return numbers


def _plain(name: str, number: BoundedNumber) -> dict[str, float | None]:
    return {
        name: _rounded(number.value),
        f"{name}_low": _rounded(number.low),
        f"{name}_high": _rounded(number.high),
    }


def _rounded(value: float | None) -> float | None:
    """Return a number in few digits: a page carries thousands of them."""
    return None if value is None else float(f"{value:.{DIGITS}g}")
