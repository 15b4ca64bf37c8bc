"""How many items are needed, and what a number of items can show."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from karat.errors import OptionError
from karat.planning.items import (
    Items,
    figure_one,
    figure_two,
    items_for_bound,
    items_for_bound_power,
    items_for_increase,
    items_for_increase_power,
    items_for_pair,
    lower_bound,
    smallest_increase,
    whole,
)
from karat.result import Result

FORMS = (
    "--estimate P --trials N, --baseline P --trials N1[,N2], --baseline P --increase D, --lower P --estimate Q, "
    "--alone A,B or --figure 1|2"
)


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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
    power: float | None,
    level: float,
) -> tuple[dict[str, Any], str]:
    """Return the answer to the question that these numbers ask, as a row and in words."""
    given = {name for name, value in locals().items() if value is not None} - {"level", "power"}
    _check_shares(
        {
            "estimate": estimate,
            "baseline": baseline,
            "increase": increase,
            "lower": lower,
            "power": power,
        }
    )
    match sorted(given):
        case ["estimate", "trials"] if (
            trials and len(trials) == 1 and estimate is not None and power is None
        ):
            return _guaranteed(estimate, int(trials[0]), level)
        case ["baseline", "trials"] if (
            trials and len(trials) <= 2 and baseline is not None and power is None
        ):
            return _least(baseline, int(trials[0]), int(trials[-1]), level)
        case ["baseline", "increase"] if baseline is not None and increase is not None:
            found = _with(
                items_for_increase, items_for_increase_power, baseline, increase, level, power
            )
            return _row(found, {"baseline": baseline, "increase": increase}, "items in each sample")
        case ["estimate", "lower"] if lower is not None and estimate is not None:
            found = _with(items_for_bound, items_for_bound_power, lower, estimate, level, power)
            return _row(found, {"lower": lower, "estimate": estimate}, "items")
        case ["alone"] if alone and len(alone) == 2:
            found = items_for_pair(alone[0], alone[1], level=level, power=power)
            return _row(
                found,
                {"only_first": alone[0], "only_second": alone[1]},
                "items that both systems answer",
            )
    if power is not None and "trials" in given:
        raise OptionError(
            "--power is for numbers of items that are asked for; with --trials they are given, so leave it out"
        )
    raise OptionError(f"this is no question to plan for; ask with {FORMS}")


def _check_shares(shares: Mapping[str, float | None]) -> None:
    for name, value in shares.items():
        if value is not None and not 0 <= value <= 1:
            said = f"; {value:g} % is {value / 100:g}" * (1 < value <= 100)
            raise OptionError(f"--{name} is {value:g}; a share lies between 0 and 1{said}")


def _with(
    observed: Callable[..., Items],
    likely: Callable[..., Items],
    one: float,
    other: float,
    level: float,
    power: float | None,
) -> Items:
    return (
        observed(one, other, level=level)
        if power is None
        else likely(one, other, level=level, power=power)
    )


def _row(found: Items, asked: dict[str, Any], what: str) -> tuple[dict[str, Any], str]:
    row = {
        "trials": found.items,
        **asked,
        "power": found.power,
        "level": found.level,
        "method": found.method,
    }
    return row, _needed(found, what)


def _needed(found: Items, what: str) -> str:
    if found.items is None:
        return "No number of items would do."
    if found.power is None:
        return f"{found.items:,} {what}, if they turn out exactly so."
    return f"{found.items:,} {what} show it with probability {found.power:g}."


def _guaranteed(estimate: float, trials: int, level: float) -> tuple[dict[str, Any], str]:
    """What does an estimate guarantee?"""
    bound = lower_bound(estimate, trials, level=level)
    low, successes = float(bound.lower), int(bound.successes)
    row = {
        "trials": trials,
        "estimate": estimate,
        "lower": low,
        "observed": successes,
        "level": level,
        "method": "exact",
    }
    return (
        row,
        f"{successes:,} of {trials:,} guarantee at least {low:.4f}, at level {level:g}, one-sided.",
    )


def _least(baseline: float, first: int, second: int, level: float) -> tuple[dict[str, Any], str]:
    """Which increase over a baseline is significant?"""
    successes = float(whole(baseline, first))
    needed = float(smallest_increase(successes, first, second, level=level))
    none = math.isnan(needed)
    increase = None if none else needed / second - successes / first
    row: dict[str, Any] = {
        "first_trials": first,
        "second_trials": second,
        "baseline": baseline,
        "increase": increase,
    }
    row |= {"needed": None if none else int(needed), "level": level, "method": "exact"}
    before = f"{int(successes):,} of {first:,}"
    if increase is None:
        return row, f"No result of {second:,} items is significantly better than {before}."
    least = f"{int(needed):,} of {second:,}"
    return row, f"{least} is the least that is significantly better than {before}: +{increase:.4f}."


def curves(number: int, level: float) -> tuple[dict[str, Any], ...]:
    """Return the curves of the paper's Figure 1 (lower bounds) or 2 (significant increases)."""
    if number not in {1, 2}:
        raise OptionError(f"the paper has figures 1 and 2; there is no figure {number}")
    name = "lower" if number == 1 else "increase"
    found = figure_one(level=level) if number == 1 else figure_two(level=level)
    return tuple(
        {
            "trials": curve.trials,
            "estimate": float(share),
            name: _known(float(value)),
            "level": level,
        }
        for curve in found
        for share, value in zip(curve.estimate, curve.value, strict=True)
    )


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
