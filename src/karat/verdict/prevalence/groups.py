"""What happens at another class balance in each group, and on average over the groups?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce

import numpy as np

from karat.ask.prevalence import Field, percent
from karat.doubt.interval import tails
from karat.doubt.prevalence.area_bootstrap import share_largest
from karat.doubt.prevalence.inversions import Rankings
from karat.doubt.prevalence.joint_areas import FEWEST, affordable
from karat.errors import OptionError
from karat.measure.prevalence.integrated import IntegratedArea, integrated
from karat.measure.prevalence.pr_curve import roc
from karat.measure.prevalence.step_areas import average_precision_at
from karat.numeric.arrays import FloatArray
from karat.tally.codes import NO_GROUP
from karat.tally.scores.paired_scores import MOST
from karat.verdict.prevalence.groups_result import ALL, MEAN, GroupArea, GroupedSkew
from karat.verdict.prevalence.prevalence import (
    Asking,
    cost,
    decided_by_few,
    fields_asked,
    rarest_of,
)
from karat.verdict.prevalence.resampled_areas import FEW, Scored, needed_draws, nodes_of, resampled
from karat.verdict.ranking import ranking
from karat.words import counted, listing

GROUP = 200
"""So many items more cost as much as drawing one group apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The systems' areas in one group, or their sums over groups: by field, and in each resample."""

    found: tuple[Mapping[str, IntegratedArea], ...]
    steps: tuple[Mapping[str, float], ...]
    drawn: tuple[FloatArray, ...]
    """Of each field the areas as they are drawn, for the low and for the high end: 3 x draws x systems."""


def skew_groups(groups: Mapping[str, Scored], whole: Scored, asking: Asking) -> GroupedSkew:
    """Return the areas of every group in each field, their mean over groups, who is best, and how sure that is.

    Groups with items of one kind have no area and are no part of the mean. Each group is drawn anew by itself, the
    group at place k with the seed plus k, all items together with the seed; the mean of draws is a draw of the mean.
    """
    if taken := {MEAN, ALL} & set(groups):
        raise OptionError(
            f"a group is called {min(taken)!r}, as karat calls its own lines; give it another name"
        )
    known = {name: each for name, each in groups.items() if min(each.sides)}
    if not known:
        raise OptionError(
            "no group has both positives and negatives, so none has a curve; leave --per group out"
        )
    where = fields_asked(asking, {}, {ALL: whole})
    draws, why = _draws(known, whole, where, asking)
    seeds = {name: asking.seed + place for place, name in enumerate([ALL, *groups])}
    parts = {
        name: _part(each, where, asking, draws, seeds[name])
        for name, each in {ALL: whole, **known}.items()
    }
    parts[MEAN] = _mean([parts[name] for name in known])
    tables = {MEAN: reduce(_together, known.values()), ALL: whole, **groups}
    least = {name: min(each.sides) for name, each in tables.items()} | {
        MEAN: min(min(e.sides) for e in known.values())
    }
    areas = [
        row
        for k, one in enumerate(where)
        for name, each in tables.items()
        for row in _rows(one, k, name, each, parts.get(name), asking, told=least[name] >= FEW)
    ]
    remarks = (
        *_told(groups, known, whole, where, drawn=draws > 0),
        *cost({ALL: whole}, where),
        *why,
    )
    return GroupedSkew(
        fields=where, areas=tuple(areas), level=asking.level, draws=draws, remarks=remarks
    )


def _draws(
    known: Mapping[str, Scored], whole: Scored, where: Sequence[Field], asking: Asking
) -> tuple[int, tuple[str, ...]]:
    """Return how often to draw, and why not if not at all."""
    items, systems = sum(whole.sides), len(whole.curves)
    if any(each.paired is None for each in known.values()):
        many = f"groups are drawn anew for up to {MOST:,} items in all; there are {items:,}"
        if asking.draws:
            raise OptionError(f"{many}, so leave --draws out")
        return 0, (f"No intervals: {many}.",)
    if asking.draws is not None:
        return asking.draws, ()
    needed, nodes = needed_draws(asking.level), sum(len(nodes_of(one)[0]) for one in where)
    if quick := affordable(2 * items + GROUP * len(known), systems, 3 * nodes):
        return max(quick, needed), ()
    many = f"{items:,} items, {counted(systems, 'system')}, {counted(len(known), 'group')}"
    return 0, (
        f"No intervals: {many} take more than a moment; ask for them with --draws {max(FEWEST, needed)}.",
    )


def _part(each: Scored, where: Sequence[Field], asking: Asking, draws: int, seed: int) -> Part:
    rocs = {name: roc(curve) for name, curve in each.curves.items()}
    found = tuple(
        {name: integrated(curve, one.spread) for name, curve in rocs.items()} for one in where
    )
    spreads = [one.spread for one in where]
    steps = tuple(
        {
            name: float(one.weight @ average_precision_at(curve, pi=one.pi))
            for name, curve in rocs.items()
        }
        for one in spreads
    )
    if not draws:
        return Part(found, steps, ())
    again = resampled(
        {"": each},
        where,
        Rankings((), (), {}),
        draws=draws,
        seed=seed,
        level=asking.level,
        error=(0, 0),
    )
    if isinstance(again, str):
        raise OptionError(again)
    return Part(found, steps, tuple(again.draws(k) for k in range(len(where))))


def _mean(parts: Sequence[Part]) -> Part:
    """Return the mean over groups; in one field all that is said of an area is linear in it."""
    names = [one.name for one in fields(IntegratedArea) if one.name != "weight"]
    found, steps = [], []
    for k, own in enumerate(parts[0].found):
        means = {}
        for system, first in own.items():
            each = [[getattr(part.found[k][system], name) for part in parts] for name in names]
            values = {
                name: None if None in part else float(np.mean(part))
                for name, part in zip(names, each, strict=True)
            }
            means[system] = replace(first, **values)  # type: ignore[arg-type]
        found.append(means)
        steps.append(
            {system: float(np.mean([part.steps[k][system] for part in parts])) for system in own}
        )
    drawn = [sum(part.drawn[k] for part in parts) / len(parts) for k in range(len(parts[0].drawn))]
    return Part(tuple(found), tuple(steps), tuple(np.asarray(each) for each in drawn))


def _together(first: Scored, second: Scored) -> Scored:
    return Scored({name: curve + second.curves[name] for name, curve in first.curves.items()}, None)


def _rows(
    where: Field, k: int, name: str, each: Scored, part: Part | None, asking: Asking, *, told: bool
) -> list[GroupArea]:
    """Return every system in one group, the best first; `told` whether it may be said how surely it is best."""
    systems = list(each.curves)
    if part is None:
        return [
            GroupArea(field=where.name, group=name, sides=each.sides, system=system)
            for system in systems
        ]
    found, method = part.found[k], "closed form"
    low, high, best = ([None] * len(systems) for _ in range(3))
    if part.drawn:
        drawn, lows, highs = part.drawn[k]
        below, above = tails(asking.level, "both")
        low, high = (
            np.quantile(lows, below, axis=0).tolist(),
            np.quantile(highs, 1 - above, axis=0).tolist(),
        )
        best = share_largest(drawn).tolist() if told and len(systems) > 1 else best
        by = "over all items" if name == ALL else "group by group"
        method = f"paired bootstrap within positives and negatives, {by} (draws={len(drawn)}, seed={asking.seed})"
    rows = []
    for system, rank in ranking({system: one.area for system, one in found.items()}).items():
        place = systems.index(system)
        rows.append(
            GroupArea(
                field=where.name,
                group=name,
                sides=each.sides,
                rank=rank,
                system=system,
                found=found[system],
                average_precision=part.steps[k][system],
                low=low[place],
                high=high[place],
                best=best[place],
                method=method,
            )
        )
    return rows


def _told(
    groups: Mapping[str, Scored],
    known: Mapping[str, Scored],
    whole: Scored,
    where: Sequence[Field],
    *,
    drawn: bool,
) -> list[str]:
    """Return in words what the groups are like, which have no area, and what a reader must not read into them."""
    yes, no = whole.sides
    said = [
        f"In the data {percent(yes / (yes + no))} are positive ({yes:,} of {yes + no:,} items)."
    ]
    if lacking := [name for name in groups if name not in known]:
        alone = f"{counted(len(lacking), 'group')} of {len(groups):,} with items of one kind only, so without an area"
        said.append(f"{alone}: {listing(lacking)}; no part of the mean.")
    if nameless := groups.get(NO_GROUP):
        said.append(
            f"{counted(sum(nameless.sides), 'item')} without a group; they are the group {NO_GROUP!r}."
        )
    said.append(
        "mean: every group counts alike; all items: scores of different groups are set against each other."
    )
    if drawn:
        told = "P(best): how likely nobody is better there. " if len(whole.curves) > 1 else ""
        said.append(f"{told}The interval of the mean allows for other items, not for other groups.")
    if few := [name for name, each in known.items() if min(each.sides) < FEW]:
        scarce = f"{counted(len(few), 'group')} of {len(known):,} with fewer than {FEW} positives or negatives"
        best = "; nobody is told best there, nor in the mean" if len(whole.curves) > 1 else ""
        said.append(f"warning: {scarce}: {listing(few)}{best}.")
    rarest = rarest_of(where)
    if rare := [name for name, each in known.items() if decided_by_few(rarest, each.sides[1])]:
        decide = f"where {percent(rarest)} are positive, the few highest negatives decide on the precision"
        said.append(
            f"warning: {decide} in {counted(len(rare), 'group')} of {len(known):,}; areas there, and their mean, are "
            "rather too high, and intervals allow for one such negative that was not seen."
        )
    return said
