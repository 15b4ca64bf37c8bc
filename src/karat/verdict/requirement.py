"""Conditions that a release must meet, for use in CI."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.doubt.tests.two_samples import significant
from karat.errors import OptionError, UnknownNameError
from karat.measure.quantity import Quantity
from karat.result.base import Row
from karat.verdict.compare.comparison import BETTER, Comparison
from karat.verdict.compare.result import ComparisonResult
from karat.verdict.score.result import ScoreResult
from karat.verdict.stability.result import StabilityResult
from karat.words import NUMBER

FORMS = (
    "better:NEW,OLD, no-worse:NEW,OLD,MARGIN, recall[cat]>=0.9, error-rate<=0.1, kept>=0.95 "
    "or, of counts, share>=0.9"
)


@dataclass(frozen=True, slots=True)
class Pairwise:
    """One system must be better, or no worse, than another."""

    new: str
    old: str
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The lower bound of a quantity must reach a value, for every system."""

    quantity: Quantity
    least: float


@dataclass(frozen=True, slots=True)
class AtMost:
    """The upper bound of a quantity must not exceed a value, for every system."""

    quantity: Quantity
    most: float


@dataclass(frozen=True, slots=True)
class OrderKeptAtLeast:
    """Every order must be kept with this probability."""

    least: float


def parse(text: str) -> Pairwise | AtLeast | AtMost | OrderKeptAtLeast:
    """Return the condition that a text states.

    >>> parse("better:new,old")
    Pairwise(new='new', old='old', margin=None)
    """
    if match := re.fullmatch(r"better:(.+),(.+)", text, re.DOTALL):
        return Pairwise(match[1], match[2])
    if match := re.fullmatch(rf"no-worse:(.+),(.+),({NUMBER})", text, re.DOTALL):
        return Pairwise(match[1], match[2], float(match[3]))
    if match := re.fullmatch(rf"kept>=({NUMBER})", text):
        return OrderKeptAtLeast(float(match[1]))
    if match := re.fullmatch(rf"(.+)([<>])=({NUMBER})", text, re.DOTALL):
        quantity = Quantity.parse(match[1].strip())
        bound = float(match[3])
        if match[2] == "<":
            return AtMost(quantity, bound)
        return AtLeast(quantity, bound)
    raise OptionError(f"--require {text!r} is not a condition; write {FORMS}")


def unmet_by_scores(conditions: Sequence[AtLeast | AtMost], scores: ScoreResult) -> list[str]:
    """Return the conditions that are not met, each with the bound that was computed."""
    unmet = []
    rows = scores.rows()
    for condition in conditions:
        own = [row for row in rows if _named(row, condition.quantity)]
        if not own:
            raise _not_computed(condition, rows)
        for row in own:
            reason = _missed(condition, row)
            if reason:
                unmet.append(f"{condition.quantity} of {row['system']!r}: {reason}")
    return unmet


def _missed(condition: AtLeast | AtMost, row: Row) -> str | None:
    """Return why a system does not meet a condition on its bounds; None if it does."""
    if isinstance(condition, AtLeast):
        if row["low"] >= condition.least:
            return None
        return f"the lower bound is {row['low']:.4f}, not {condition.least:g}"
    if row["high"] <= condition.most:
        return None
    return f"the upper bound is {row['high']:.4f}, not {condition.most:g}"


def _not_computed(condition: AtLeast | AtMost, rows: Sequence[Row]) -> OptionError:
    """Return the error for a condition on a measure that was not computed."""
    remedy = "ask for it with --measure"
    only_counts = all(Quantity.parse(row["measure"]).counted_from == "counts" for row in rows)
    if only_counts:
        if isinstance(condition, AtLeast):
            bound = f">={condition.least:g}"
        else:
            bound = f"<={condition.most:g}"
        remedy = f"counts are shares, write share{bound}"
    return OptionError(f"--require names {condition.quantity}, which was not computed; {remedy}")


def _named(row: Row, quantity: Quantity) -> bool:
    return row["measure"] == quantity.name and quantity.label in {None, row["label"]}


def unmet_by_stability(
    conditions: Sequence[OrderKeptAtLeast], stability: StabilityResult
) -> list[str]:
    """Return the orders that are not kept often enough, each with its probability."""
    if conditions and all(pair.kept is None and pair.tie is None for pair in stability.pairs):
        raise OptionError(
            "--require kept needs a share of wrong labels; give one with --label-error"
        )
    unmet = []
    for condition in conditions:
        for pair in stability.pairs:
            kept = pair.kept or 0
            if kept < condition.least:
                order = f"{pair.better!r} before {pair.worse!r}"
                unmet.append(
                    f"{order} is kept with probability {kept:.4f}, not {condition.least:g}"
                )
    return unmet


def unmet_by_comparisons(
    conditions: Sequence[Pairwise], made: Mapping[float | None, ComparisonResult]
) -> list[str]:
    """Return the conditions that are not met, each with the verdict; `made` are the comparisons by margin."""
    unmet = []
    for condition in conditions:
        comparisons = made[condition.margin]
        _check_systems(condition, comparisons)
        several_measures = len(comparisons.rankings) > 1
        for comparison in _turned(condition, comparisons):
            reason = _reason(condition, comparison)
            if reason is None:
                continue
            if several_measures:
                reason = f"{comparison.quantity}: {reason}"
            unmet.append(reason)
    return unmet


def _check_systems(condition: Pairwise, comparisons: ComparisonResult) -> None:
    systems = set()
    for one in comparisons.comparisons:
        systems |= {one.first, one.second}
    for name in (condition.new, condition.old):
        if name not in systems:
            raise UnknownNameError("system", name, systems)


def _reason(condition: Pairwise, comparison: Comparison) -> str | None:
    """Return why a condition on two systems is not met; None if it is."""
    if comparison.verdict == BETTER:
        return None
    new = repr(condition.new)
    old = repr(condition.old)
    if condition.margin is None:
        return f"{new} is not shown to be better than {old}: {comparison.verdict}"
    if _no_worse(comparison):
        return None
    ends = f"[{comparison.low:.4f}, {comparison.high:.4f}]"
    worse = f"{new} may be worse than {old} by {condition.margin:g} or more"
    return f"{worse}: the difference lies in {ends}"


def _no_worse(comparison: Comparison) -> bool:
    """Return whether the first is worse by less than the margin, by the p-value that decides `no worse` everywhere."""
    p_value = comparison.p_no_worse
    return p_value is not None and bool(significant(p_value, level=comparison.level))


def _turned(condition: Pairwise, comparisons: ComparisonResult) -> list[Comparison]:
    """Return the new system against the old one by every measure, turned round where it was the other way."""
    turned = []
    for one in comparisons.comparisons:
        if (one.first, one.second) == (condition.new, condition.old):
            turned.append(one)
        elif (one.second, one.first) == (condition.new, condition.old):
            turned.append(one.swapped())
    if not turned:
        raise OptionError(
            f"{condition.new!r} and {condition.old!r} were not compared; leave out --baseline, or name one"
        )
    return turned
