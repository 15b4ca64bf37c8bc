"""What happens at another prevalence in each group, and on average over the groups?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence, percent
from karat.doubt.estimates import IntervalOptions
from karat.doubt.interval import tails
from karat.doubt.prevalence.area_bootstrap import share_largest
from karat.doubt.prevalence.clustered_areas import jackknife_ends
from karat.doubt.prevalence.inversions import OrdersByPrevalence
from karat.doubt.prevalence.joint_areas import affordable
from karat.doubt.resampling.left_out_curves import LeftOutCurves, most_groups
from karat.errors import OptionError
from karat.measure.prevalence.integrated import IntegratedArea, integrated
from karat.measure.prevalence.pr_curve import roc
from karat.measure.prevalence.precision_at import decided_by_few
from karat.measure.prevalence.step_areas import average_precision_at
from karat.numeric.arrays import FloatArray
from karat.tally.scores.paired_scores import MOST, PairedBlocks
from karat.tally.sql import NO_GROUP
from karat.verdict.prevalence.area_resamples import enough_draws, only_left_out, resampled
from karat.verdict.prevalence.groups_result import ALL, MEAN, GroupArea, GroupedPrevalenceResult
from karat.verdict.prevalence.prevalence import requested_deployments
from karat.verdict.prevalence.question import PrevalenceQuestion
from karat.verdict.prevalence.remarks import binning_cost, rarest_of
from karat.verdict.prevalence.resampled_areas import FEW, ResampledAreas, ScoredTable, coarse
from karat.verdict.ranking import ranking
from karat.words import counted, listing

GROUP = 200
"""So many items more cost as much as resampling one group by itself."""


@dataclass(frozen=True, slots=True, eq=False)
class AreasHere:
    """The systems' areas in one group, or their means over groups, at one deployment prevalence."""

    areas: Mapping[str, IntegratedArea]
    average_precisions: Mapping[str, float]
    drawn: FloatArray | None
    """The areas as they are drawn, for the low and for the high end: 3 x draws x systems."""
    left_out: LeftOutCurves | None = None
    """The areas without one cluster after the other, where items are clustered: then nothing is drawn."""


def skew_groups(
    groups: Mapping[str, ScoredTable], whole: ScoredTable, question: PrevalenceQuestion
) -> GroupedPrevalenceResult:
    """Return the areas of every group at each prevalence, their mean over groups, who is best, and how sure that is.

    Groups with items of one kind have no area and are no part of the mean. Each group is resampled by itself, the group
    at place k with the seed plus k, all items together with the seed; the mean of draws is a draw of the mean.
    """
    known = _with_both_kinds(groups)
    deployments = requested_deployments(question, {}, {ALL: whole})
    plan = _planned_draws(known, whole, deployments, question)
    clusters = whole.clusters
    if question.draws == 0 or any(group.clusters is None for group in known.values()):
        clusters = None
    areas_of: dict[str, list[AreasHere]] = {}
    for place, (name, group) in enumerate({ALL: whole, **groups}.items()):
        if name != ALL and name not in known:
            continue
        seed = question.seed + place
        doubt = None
        if clusters is not None:
            # The same clusters are left out of all groups, so that the mean over groups is that without them.
            doubt = only_left_out(group, deployments, seed=seed, most=most_groups(clusters))
        elif plan.draws:
            doubt = _resampled(group, deployments, question.level, plan.draws, seed)
        areas_of[name] = _areas(group, deployments, doubt)
    areas_of[MEAN] = _mean([areas_of[name] for name in known])
    remarks = (
        *_remarks(groups, known, whole, deployments, with_ranks=plan.draws > 0, clusters=clusters),
        *binning_cost({ALL: whole}, deployments),
        *plan.why_none,
    )
    return GroupedPrevalenceResult(
        deployments=deployments,
        areas=tuple(_all_rows(groups, whole, deployments, areas_of, question)),
        level=question.level,
        draws=plan.draws,
        remarks=remarks,
    )


def _with_both_kinds(groups: Mapping[str, ScoredTable]) -> dict[str, ScoredTable]:
    """Return the groups that have positives and negatives, and thus curves."""
    own_names = {MEAN, ALL} & set(groups)
    if own_names:
        raise OptionError(
            f"a group is called {min(own_names)!r}, as karat calls its own lines; give it another name"
        )
    known = {name: group for name, group in groups.items() if min(group.sides)}
    if not known:
        raise OptionError(
            "no group has both positives and negatives, so none has a curve; leave --per group out"
        )
    return known


def _all_rows(
    groups: Mapping[str, ScoredTable],
    whole: ScoredTable,
    deployments: Sequence[DeploymentPrevalence],
    areas_of: Mapping[str, Sequence[AreasHere]],
    question: PrevalenceQuestion,
) -> list[GroupArea]:
    """Return the rows of the mean, of all items, and of every group, at each deployment prevalence."""
    known = [group for group in groups.values() if min(group.sides)]
    tables = {MEAN: reduce(_together, known), ALL: whole, **groups}
    fewest = {name: min(table.sides) for name, table in tables.items()}
    fewest[MEAN] = min(min(group.sides) for group in known)
    rows: list[GroupArea] = []
    for place, deployment in enumerate(deployments):
        for name, table in tables.items():
            if name not in areas_of:
                rows += _without_areas(deployment, name, table)
                continue
            areas = areas_of[name][place]
            report_best = fewest[name] >= FEW
            rows += _rows(deployment, name, table, areas, question, report_best=report_best)
    return rows


@dataclass(frozen=True, slots=True)
class PlannedDraws:
    """How often to resample, and why not if not at all."""

    draws: int
    why_none: tuple[str, ...] = ()


def _planned_draws(
    known: Mapping[str, ScoredTable],
    whole: ScoredTable,
    deployments: Sequence[DeploymentPrevalence],
    question: PrevalenceQuestion,
) -> PlannedDraws:
    items = sum(whole.sides)
    if all(group.clusters is not None for group in known.values()):
        return PlannedDraws(0)
    if any(group.paired is None for group in known.values()):
        too_many = f"groups are resampled for up to {MOST:,} items in all; there are {items:,}"
        if question.draws:
            raise OptionError(f"{too_many}, so leave --draws out")
        return PlannedDraws(0, (f"No intervals: {too_many}.",))
    if question.draws is not None:
        return PlannedDraws(question.draws)
    enough = enough_draws(question.level)
    systems = len(whole.curves)
    nodes = sum(len(coarse(deployment).pi) for deployment in deployments)
    # Every item is resampled twice: in its group, and among all items.
    quick = affordable(2 * items + GROUP * len(known), systems, 3 * nodes)
    if quick:
        return PlannedDraws(max(quick, enough))
    size = f"{items:,} items, {counted(systems, 'system')}, {counted(len(known), 'group')}"
    return PlannedDraws(
        0,
        (f"No intervals: {size} take more than a moment; request them with --draws {enough}.",),
    )


def _areas(
    group: ScoredTable, deployments: Sequence[DeploymentPrevalence], doubt: ResampledAreas | None
) -> list[AreasHere]:
    """Return the systems' areas in one group, at each deployment prevalence."""
    rocs = {name: roc(curve) for name, curve in group.curves.items()}
    found = []
    for k, deployment in enumerate(deployments):
        prevalences = deployment.spread
        areas = {}
        average_precisions = {}
        for name, curve in rocs.items():
            steps = average_precision_at(curve, pi=prevalences.pi)
            areas[name] = integrated(curve, prevalences)
            average_precisions[name] = float(prevalences.weight @ steps)
        drawn = None
        left_out = None
        if doubt is not None:
            left_out = doubt.without_clusters(k)
            drawn = doubt.draws(k) if left_out is None else None
        found.append(AreasHere(areas, average_precisions, drawn, left_out))
    return found


def _resampled(
    group: ScoredTable,
    deployments: Sequence[DeploymentPrevalence],
    level: float,
    draws: int,
    seed: int,
) -> ResampledAreas:
    no_orders = OrdersByPrevalence((), (), {})
    resamples = resampled(
        {"": group}, deployments, no_orders, draws=draws, seed=seed, level=level, error=(0, 0)
    )
    if isinstance(resamples, str):
        raise OptionError(resamples)
    return resamples


def _mean(groups: Sequence[Sequence[AreasHere]]) -> list[AreasHere]:
    """Return the mean over groups, at each deployment prevalence."""
    return [_mean_here(here) for here in zip(*groups, strict=True)]


def _mean_here(groups: Sequence[AreasHere]) -> AreasHere:
    """Return the mean over groups at one deployment prevalence: everything that is said of an area is linear in it."""
    first = groups[0]
    areas = {}
    average_precisions = {}
    for system in first.areas:
        areas[system] = _mean_area([group.areas[system] for group in groups])
        each = [group.average_precisions[system] for group in groups]
        average_precisions[system] = float(np.mean(each))
    if first.drawn is None:
        left_out = _mean_left_out([group.left_out for group in groups])
        return AreasHere(areas, average_precisions, None, left_out)
    drawn = sum(group.drawn for group in groups if group.drawn is not None) / len(groups)
    return AreasHere(areas, average_precisions, np.asarray(drawn))


def _mean_left_out(groups: Sequence[LeftOutCurves | None]) -> LeftOutCurves | None:
    """Return the means over groups without one cluster after the other; a group that is gone is no part of the mean."""
    known = [group for group in groups if group is not None]
    if not known:
        return None
    without = np.array([group.without for group in known])
    there = ~np.isnan(without)
    sums = np.where(there, without, 0.0).sum(axis=0)
    with np.errstate(invalid="ignore"):
        means = sums / there.sum(axis=0)
    whole = np.mean([group.whole for group in known], axis=0)
    clusters = max(group.clusters for group in known)
    return replace(known[0], whole=whole, without=means, clusters=clusters)


def _mean_area(areas: Sequence[IntegratedArea]) -> IntegratedArea:
    """Return the mean of every number; undefined where one of them is."""
    means = {}
    for number in fields(IntegratedArea):
        if number.name == "weight":
            continue
        values = [getattr(area, number.name) for area in areas]
        means[number.name] = None if None in values else float(np.mean(values))
    return replace(areas[0], **means)  # type: ignore[arg-type]


def _together(first: ScoredTable, second: ScoredTable) -> ScoredTable:
    curves = {name: curve + second.curves[name] for name, curve in first.curves.items()}
    return ScoredTable(curves, None)


def _without_areas(
    deployment: DeploymentPrevalence, name: str, group: ScoredTable
) -> list[GroupArea]:
    """Return the systems in a group with items of one kind."""
    return [
        GroupArea(field=deployment.name, group=name, sides=group.sides, system=system)
        for system in group.curves
    ]


def _rows(
    deployment: DeploymentPrevalence,
    name: str,
    group: ScoredTable,
    here: AreasHere,
    question: PrevalenceQuestion,
    *,
    report_best: bool,
) -> list[GroupArea]:
    """Return every system in one group, the best first; `report_best`: also how surely it is best."""
    systems = list(group.curves)
    unknown: dict[str, float | None] = dict.fromkeys(systems)
    low = unknown
    high = unknown
    best = unknown
    method = "closed form"
    if here.drawn is not None:
        drawn, lows, highs = here.drawn
        below, above = tails(question.level, "both")
        low = _by_system(systems, np.quantile(lows, below, axis=0))
        high = _by_system(systems, np.quantile(highs, 1 - above, axis=0))
        if report_best and len(systems) > 1:
            best = _by_system(systems, share_largest(drawn))
        over = "over all items" if name == ALL else "group by group"
        method = (
            f"paired bootstrap within positives and negatives, {over} "
            f"(draws={len(drawn)}, seed={question.seed})"
        )
    elif here.left_out is not None:
        left_out = here.left_out
        how = IntervalOptions(level=question.level)
        ends = []
        for place in range(len(systems)):
            value = float(left_out.whole[place])
            ends.append(jackknife_ends(value, left_out.without[:, place], left_out, how))
        low = dict(zip(systems, [end[0] for end in ends], strict=True))
        high = dict(zip(systems, [end[1] for end in ends], strict=True))
        method = f"jackknife over {left_out.what}"
    ranks = ranking({system: area.area for system, area in here.areas.items()})
    rows = []
    for system, rank in ranks.items():
        row = GroupArea(
            field=deployment.name,
            group=name,
            sides=group.sides,
            rank=rank,
            system=system,
            integrated=here.areas[system],
            average_precision=here.average_precisions[system],
            low=low[system],
            high=high[system],
            best=best[system],
            method=method,
        )
        rows.append(row)
    return rows


def _by_system(systems: Sequence[str], values: FloatArray) -> dict[str, float | None]:
    return dict(zip(systems, values.tolist(), strict=True))


def _remarks(
    groups: Mapping[str, ScoredTable],
    known: Mapping[str, ScoredTable],
    whole: ScoredTable,
    deployments: Sequence[DeploymentPrevalence],
    *,
    with_ranks: bool,
    clusters: PairedBlocks | None,
) -> list[str]:
    """Return in words what the groups are like, which have no area, and what a reader must not read into them."""
    positives, negatives = whole.sides
    items = positives + negatives
    sentences = [
        f"In the data {percent(positives / items)} are positive ({positives:,} of {items:,} items)."
    ]
    one_kind = [name for name in groups if name not in known]
    if one_kind:
        number = f"{counted(len(one_kind), 'group')} of {len(groups):,}"
        sentences.append(
            f"{number} with items of one kind only, so without an area: {listing(one_kind)}; no part of the mean."
        )
    nameless = groups.get(NO_GROUP)
    if nameless:
        number = counted(sum(nameless.sides), "item")
        sentences.append(f"{number} without a group; they are the group {NO_GROUP!r}.")
    sentences.append(
        "mean: every group counts the same; all items: scores of different groups are compared with each other."
    )
    several = len(whole.curves) > 1
    if with_ranks and several:
        sentences.append(
            "first in: the share of resamples in which it came first there; no probability that it is the best."
        )
    if clusters is not None:
        sentences.append(
            f"Intervals allow for other {clusters.what}, not for other groups, nor for negatives higher than any here."
        )
    elif with_ranks:
        sentences.append("The interval of the mean allows for other items, not for other groups.")
    return [*sentences, *_warnings(known, deployments, several=several)]


def _warnings(
    known: Mapping[str, ScoredTable], deployments: Sequence[DeploymentPrevalence], *, several: bool
) -> list[str]:
    """Return in which groups the data hardly say anything."""
    warnings = []
    few = [name for name, group in known.items() if min(group.sides) < FEW]
    if few:
        number = f"{counted(len(few), 'group')} of {len(known):,}"
        best = "; no system is reported as best there, nor in the mean" if several else ""
        warnings.append(
            f"warning: {number} with fewer than {FEW} positives or negatives: {listing(few)}{best}."
        )
    rarest = rarest_of(deployments)
    rare = [name for name, group in known.items() if decided_by_few(rarest, group.sides[1])]
    if rare:
        number = f"{counted(len(rare), 'group')} of {len(known):,}"
        warnings.append(
            f"warning: where {percent(rarest)} are positive, the few highest negatives decide on the precision in "
            f"{number}; areas there, and their mean, are rather too high, and intervals allow for one such negative "
            "that was not seen."
        )
    return warnings
