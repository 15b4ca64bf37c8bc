"""How many items are needed, and what a number of items can show."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from karat.errors import OptionError
from karat.planning.items import (
    PlannedItems,
    design_effect,
    figure_one,
    figure_two,
    items_for_bound,
    items_for_bound_power,
    items_for_increase,
    items_for_increase_power,
    items_for_no_worse,
    items_for_pair,
    lower_bound,
    smallest_increase,
    whole,
)
from karat.result import Result
from karat.verdict.plan.area_plans import for_area, for_areas

Given = Mapping[str, Any]
"""The numbers of a question, by the names of their options."""
Answer = tuple[dict[str, Any], str]
"""A row, and the same in words."""
FORMS = (
    "--estimate P --trials N, --baseline P --trials N1[,N2], --baseline P --increase D, --lower P --estimate Q, "
    "--alone A,B [--margin M], --area A --width W, --area A,B or --figure 1|2"
)
NO_WORSE_POWER = 0.8
"""The power of a plan to show that a system is no worse, where nobody requests another."""


@dataclass(frozen=True, slots=True, repr=False)
class Plan(Result):
    """The answer to a planning question, in numbers and in words."""

    found: tuple[Mapping[str, Any], ...]
    sentence: str
    about: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row per question."""
        return self.found

    def beside(self) -> Mapping[str, Any]:
        """Return the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return the answer in words."""
        return (self.sentence,)


@dataclass(frozen=True, slots=True, repr=False)
class Figure(Result):
    """The curves of one of the paper's figures."""

    section: ClassVar[str | None] = "trials"
    number: int
    found: tuple[Mapping[str, Any], ...]
    about: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row per number of trials and estimate."""
        return self.found

    def beside(self) -> Mapping[str, Any]:
        """Return the signature."""
        return self.about


def answer(
    *,
    estimate: float | None,
    trials: Sequence[int] | None,
    baseline: float | None,
    increase: float | None,
    lower: float | None,
    alone: Sequence[float] | None,
    margin: float | None = None,
    power: float | None,
    level: float,
    cluster_size: float | None = None,
    correlation: float | None = None,
    area: Sequence[float] | None = None,
    width: float | None = None,
    prevalence: float | None = None,
    score_correlation: float | None = None,
) -> Answer:
    """Return the answer to the question that these numbers make, as a row and in words."""
    shares = {
        "estimate": estimate,
        "baseline": baseline,
        "increase": increase,
        "lower": lower,
        "margin": margin,
        "power": power,
        "width": width,
        "prevalence": prevalence,
        "score-correlation": score_correlation,
    }
    _check_shares(shares)
    question = {
        "estimate": estimate,
        "trials": trials,
        "baseline": baseline,
        "increase": increase,
        "lower": lower,
        "alone": alone,
        "margin": margin,
        "area": area,
        "width": width,
    }
    given: dict[str, Any] = {name: value for name, value in question.items() if value is not None}
    if power is not None and "trials" in given:
        raise OptionError(
            "--power is for how many items are needed; with --trials their number is given, so leave it out"
        )
    solve = _ANSWERS.get(frozenset(given))
    if solve is None or not _right_lengths(given):
        raise OptionError(f"this is not a question to plan for; use {FORMS}")
    if area is not None:
        given |= {"prevalence": prevalence, "score_correlation": score_correlation}
    elif prevalence is not None or score_correlation is not None:
        raise OptionError("--prevalence and --score-correlation are for areas; say --area")
    row, sentence = solve(given, level, power)
    if cluster_size is None and correlation is None:
        return row, sentence
    return _clustered(row, sentence, cluster_size, correlation)


def _clustered(
    row: dict[str, Any], sentence: str, cluster_size: float | None, correlation: float | None
) -> Answer:
    """Return how many items it takes if they come in clusters: as many more as the design effect says."""
    if cluster_size is None or correlation is None:
        raise OptionError(
            "--cluster-size and --correlation go together: how many items a cluster has, and their correlation in it"
        )
    if "power" not in row:
        raise OptionError("clusters are for how many items are needed; leave --trials out")
    effect = design_effect(cluster_size, correlation)
    row["independent_trials"] = row["trials"]
    row["design_effect"] = effect
    if row["trials"] is None:
        return row, sentence
    if "positives" in row:
        row["positives"] = _times(row["positives"], effect)
        row["negatives"] = _times(row["negatives"], effect)
        row["trials"] = row["positives"] + row["negatives"]
    else:
        row["trials"] = _times(row["trials"], effect)
    words = (
        f"In clusters of {cluster_size:g} with a correlation of {correlation:g} it takes {effect:.3g} times as many: "
        f"{row['trials']:,}."
    )
    return row, f"{sentence} {words}"


def _times(items: int, effect: float) -> int:
    """Return so many times as many items, as whole items; rounding adds none."""
    return math.ceil(round(items * effect, 9))


def _right_lengths(given: Given) -> bool:
    """Whether there are as many trials and shares as the question takes."""
    if "alone" in given:
        return len(given["alone"]) == 2
    if "area" in given:
        return len(given["area"]) == (1 if "width" in given else 2)
    if "trials" not in given:
        return True
    most = 1 if "estimate" in given else 2
    return 1 <= len(given["trials"]) <= most


def _check_shares(shares: Mapping[str, float | None]) -> None:
    for name, value in shares.items():
        if value is None or 0 <= value <= 1:
            continue
        hint = ""
        if 1 < value <= 100:
            hint = f"; {value:g} % is {value / 100:g}"
        raise OptionError(f"--{name} is {value:g}; a share lies between 0 and 1{hint}")


def _guaranteed(given: Given, level: float, _power: float | None) -> Answer:
    """What does an estimate guarantee?"""
    estimate = given["estimate"]
    trials = int(given["trials"][0])
    bound = lower_bound(estimate, trials, level=level)
    low = float(bound.lower)
    successes = int(bound.successes)
    row = {
        "trials": trials,
        "estimate": estimate,
        "lower": low,
        "observed": successes,
        "level": level,
        "method": "exact",
    }
    counts = f"{successes:,} of {trials:,}"
    return row, f"{counts} guarantee at least {low:.4f}, at level {level:g}, one-sided."


def _least_increase(given: Given, level: float, _power: float | None) -> Answer:
    """Which increase over a baseline is significant?"""
    baseline = given["baseline"]
    first = int(given["trials"][0])
    second = int(given["trials"][-1])
    successes = float(whole(baseline, first))
    needed = _known(float(smallest_increase(successes, first, second, level=level)))
    row: dict[str, Any] = {
        "first_trials": first,
        "second_trials": second,
        "baseline": baseline,
        "increase": None,
        "needed": None,
        "level": level,
        "method": "exact",
    }
    before = f"{int(successes):,} of {first:,}"
    if needed is None:
        return row, f"No result of {second:,} items is significantly better than {before}."
    increase = needed / second - successes / first
    row["increase"] = increase
    row["needed"] = int(needed)
    least = f"{int(needed):,} of {second:,}"
    return row, f"{least} is the least that is significantly better than {before}: +{increase:.4f}."


def _for_increase(given: Given, level: float, power: float | None) -> Answer:
    """How many items does an increase need?"""
    baseline = given["baseline"]
    increase = given["increase"]
    if power is None:
        needed = items_for_increase(baseline, increase, level=level)
    else:
        needed = items_for_increase_power(baseline, increase, level=level, power=power)
    question = {"baseline": baseline, "increase": increase}
    return _items(needed, question, "items in each sample")


def _for_bound(given: Given, level: float, power: float | None) -> Answer:
    """How many items does a guarantee need?"""
    lower = given["lower"]
    estimate = given["estimate"]
    if power is None:
        needed = items_for_bound(lower, estimate, level=level)
    else:
        needed = items_for_bound_power(lower, estimate, level=level, power=power)
    return _items(needed, {"lower": lower, "estimate": estimate}, "items")


def _for_pair(given: Given, level: float, power: float | None) -> Answer:
    """How many shared items does a difference need?"""
    only_first, only_second = given["alone"]
    needed = items_for_pair(only_first, only_second, level=level, power=power)
    question = {"only_first": only_first, "only_second": only_second}
    return _items(needed, question, "items that both systems answer")


def _for_no_worse(given: Given, level: float, power: float | None) -> Answer:
    """How many shared items does it take to show that the first is no worse?"""
    only_first, only_second = given["alone"]
    margin = given["margin"]
    chance = NO_WORSE_POWER if power is None else power
    needed = items_for_no_worse(only_first, only_second, margin, level=level, power=chance)
    question = {"only_first": only_first, "only_second": only_second, "margin": margin}
    return _items(needed, question, "items that both systems answer")


_ANSWERS: dict[frozenset[str], Callable[[Given, float, float | None], Answer]] = {
    frozenset({"estimate", "trials"}): _guaranteed,
    frozenset({"baseline", "trials"}): _least_increase,
    frozenset({"baseline", "increase"}): _for_increase,
    frozenset({"estimate", "lower"}): _for_bound,
    frozenset({"alone"}): _for_pair,
    frozenset({"alone", "margin"}): _for_no_worse,
    frozenset({"area", "width"}): for_area,
    frozenset({"area"}): for_areas,
}
"""Who answers the question that is made by numbers of these names."""


def _items(needed: PlannedItems, question: Given, what: str) -> Answer:
    row = {
        "trials": needed.items,
        **question,
        "power": needed.power,
        "level": needed.level,
        "method": needed.method,
    }
    return row, _sentence(needed, what)


def _sentence(needed: PlannedItems, what: str) -> str:
    if needed.items is None:
        return "No number of items is enough."
    if needed.power is None:
        return f"{needed.items:,} {what}, if exactly this is observed."
    return f"{needed.items:,} {what} show it with probability {needed.power:g}."


def curves(number: int, level: float) -> tuple[dict[str, Any], ...]:
    """Return the curves of the paper's Figure 1 (lower bounds) or 2 (significant increases)."""
    if number not in {1, 2}:
        raise OptionError(f"the paper has figures 1 and 2; there is no figure {number}")
    if number == 1:
        name = "lower"
        lines = figure_one(level=level)
    else:
        name = "increase"
        lines = figure_two(level=level)
    rows = []
    for line in lines:
        for share, value in zip(line.estimate.tolist(), line.value.tolist(), strict=True):
            row = {"trials": line.trials, "estimate": share, name: _known(value), "level": level}
            rows.append(row)
    return tuple(rows)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
