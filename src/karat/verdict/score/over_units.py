"""How good each system is by measures of texts or of items with several samples: ratios of sums, over these."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from karat.doubt.bounds.ratio_of_sums import largest, ratio_of_sums, variance_of_ratio
from karat.doubt.estimates import Estimates, IntervalOptions
from karat.doubt.group_mean import (
    LIKE_THESE,
    GroupValues,
    MeanOver,
    mean_of_groups,
    mean_of_groups_like_these,
    mean_of_these_groups,
)
from karat.errors import OptionError
from karat.measure.quantity import MACRO, Quantity
from karat.measure.ratios import Ratios
from karat.measure.unit_values import THINGS, UnitTally, thing, unit_ratios
from karat.tally.votes.edits import Edits
from karat.tally.votes.samples import SampleCounts
from karat.verdict.score.result import MEAN, Entry
from karat.words import counted


def scores_over_units(
    quantity: Quantity, tally: UnitTally, how: IntervalOptions, *, group: str | None = None
) -> list[Entry]:
    """Return a quantity of every system with its interval over texts, items or clusters."""
    ratios = unit_ratios(quantity, tally)
    entries = []
    for place, system in enumerate(tally.systems):
        own = ratios.of(place)
        interval = ratio_of_sums(
            own,
            low=quantity.low,
            high=quantity.high,
            level=how.level,
            side=how.side,
            things=thing(quantity, tally),
        )
        estimates = Estimates.of(quantity, (None,), own.values, interval)
        if quantity.traits.pools and quantity.average != MACRO:
            estimates = _with_counts(estimates, own)
        parts = edit_parts(tally, place)
        entries.append(Entry(system, estimates, group=group, parts=parts))
    return entries


def _with_counts(estimates: Estimates, own: Ratios) -> Estimates:
    return Estimates(
        estimates.quantity,
        estimates.labels,
        estimates.value,
        estimates.interval,
        own.above.sum(axis=0),
        own.below.sum(axis=0),
    )


def edit_parts(tally: UnitTally, system: int) -> dict[str, int]:
    """Return the substitutions, deletions and insertions of all texts of a system."""
    if not isinstance(tally, Edits):
        return {}
    parts = {
        "substitutions": tally.substituted,
        "deletions": tally.deleted,
        "insertions": tally.inserted,
    }
    return {name: int(tally.number @ counts[:, system]) for name, counts in parts.items()}


def group_scores_over_units(
    quantity: Quantity, tallies: Mapping[str, UnitTally], mean_over: MeanOver, how: IntervalOptions
) -> list[Entry]:
    """Return a quantity of every system in each group, and the mean over the groups."""
    if MEAN in tallies:
        raise OptionError(
            f"a group is called {MEAN!r}, as the mean over groups is; give it another name"
        )
    entries: list[Entry] = []
    for group, tally in tallies.items():
        entries += scores_over_units(quantity, tally, how, group=group)
    first = next(iter(tallies.values()))
    for place, system in enumerate(first.systems):
        within = [_within(unit_ratios(quantity, tally).of(place)) for tally in tallies.values()]
        mean = _mean(quantity, GroupValues.stacked(within), mean_over, how)
        no_parts = dict.fromkeys(edit_parts(first, place))
        entries.append(Entry(system, mean, group=MEAN, parts=no_parts))
    return entries


def _within(own: Ratios) -> GroupValues:
    return GroupValues(own.values, np.array([variance_of_ratio(own)]), own.number.astype(float))


def _mean(
    quantity: Quantity, groups: GroupValues, mean_over: MeanOver, how: IntervalOptions
) -> Estimates:
    if mean_over == LIKE_THESE:
        interval = mean_of_groups_like_these(
            groups, low=quantity.low, high=quantity.high, level=how.level, side=how.side
        )
    else:
        interval = mean_of_these_groups(
            groups,
            low=quantity.low,
            high=quantity.high,
            bound=how.bound,
            level=how.level,
            side=how.side,
        )
    value = mean_of_groups(groups)
    most = largest(quantity.high, float(value[0]))
    interval = replace(interval, high=np.where(np.isinf(interval.high), most, interval.high))
    return Estimates(quantity, (None,), value, interval)


def left_out(quantities: Sequence[Quantity], tallies: Sequence[UnitTally]) -> list[str]:
    """Return what some texts or items do not count for: means over empty texts, and more samples than there are."""
    remarks = []
    for quantity, tally in zip(quantities, tallies, strict=True):
        uncounted = _uncounted(quantity, tally)
        if isinstance(tally, SampleCounts) and uncounted:
            remarks.append(_too_few_samples(quantity, tally, uncounted))
        elif quantity.average == MACRO and uncounted:
            thing_of_one = THINGS[quantity.counted_from].rstrip("s")
            few = counted(uncounted, thing_of_one)
            remarks.append(
                f"{quantity}: {few} in which it is undefined for some system, left out there."
            )
    return list(dict.fromkeys(remarks))


def _too_few_samples(quantity: Quantity, tally: SampleCounts, uncounted: int) -> str:
    if uncounted < tally.number.sum():
        few = counted(uncounted, "item")
        return f"{quantity}: {few} with fewer samples of some system, left out."
    most = int(tally.taken.min(axis=1).max())
    return (
        f"{quantity}: no item has so many samples of every system; the most is {most}, so that pass@{most} is the "
        "last that can be computed."
    )


def _uncounted(quantity: Quantity, tally: UnitTally) -> int:
    """Return how many texts or items do not count for every system."""
    ratios: Ratios = quantity.traits(tally, **quantity.arguments)
    counts = (ratios.below > 0).all(axis=1)
    return int(tally.number[~counts].sum())
