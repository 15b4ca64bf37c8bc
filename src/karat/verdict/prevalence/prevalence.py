"""What happens where positives are rarer or more frequent than in the data?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence, at_prevalence, distinct, over_range, percent
from karat.doubt.prevalence.curve_band import CurveBand, curve_band
from karat.doubt.prevalence.deployment import BoundedNumber
from karat.doubt.prevalence.inversions import OrdersByPrevalence, rankings
from karat.doubt.prevalence.unlabelled_scores import likeliest_prevalence
from karat.errors import OptionError
from karat.measure.prevalence.integrated import IntegratedArea, integrated
from karat.measure.prevalence.pr_curve import RocCurve, roc
from karat.measure.prevalence.step_areas import average_precision_at, gain_area, trapezoid_area
from karat.tally.scores.curve import Curve
from karat.verdict.prevalence.area_resamples import enough_draws, resampled
from karat.verdict.prevalence.near_copies_of_scores import near_copies_of_scores
from karat.verdict.prevalence.question import PrevalenceQuestion
from karat.verdict.prevalence.remarks import (
    binning_cost,
    few_clusters,
    few_draws,
    threshold_in_bins,
    too_few_items,
    without_draws,
)
from karat.verdict.prevalence.resampled_areas import FEW, ResampledAreas, ScoredTable
from karat.verdict.prevalence.result import (
    IN_FIELD,
    AreaComparison,
    CheckedPoint,
    ChosenThreshold,
    DeployedSystem,
    OrderStretch,
    PairOrder,
    PrevalenceResult,
    SystemArea,
)
from karat.verdict.prevalence.thresholds import (
    SystemUnits,
    best_thresholds,
    deployed_at,
    deployed_by_scores,
)
from karat.verdict.ranking import ranking

BAND_DRAWS = 1000
"""Resamples of a band by default."""


def skew(tables: Mapping[str, ScoredTable], question: PrevalenceQuestion) -> PrevalenceResult:
    """Return areas, their intervals, changes of order and what a threshold does, at each deployment prevalence.

    Several tables are of different items: each is resampled by itself, and a system is named with its table.
    """
    if question.scores is not None and len(tables) > 1:
        raise OptionError(
            "unlabelled scores go with one table; leave --beside out, or name a prevalence"
        )
    named = _with_table_names(tables)
    curves: dict[str, Curve] = {}
    for table in named.values():
        curves.update(table.curves)
    rocs = {name: roc(curve) for name, curve in curves.items()}
    units = SystemUnits(list(named.values()))
    estimates = _estimated_prevalences(curves, units, question)
    deployments = requested_deployments(question, estimates, tables)
    orders = OrdersByPrevalence((), (), {})
    if len(rocs) > 1:
        orders = rankings(rocs)
    drawn = _resampled(named, deployments, orders, question)
    doubt = drawn if isinstance(drawn, ResampledAreas) else None
    why_none = [drawn] if isinstance(drawn, str) else []
    # Of too few items resamples hardly differ: areas keep their intervals, but no order is reported.
    enough = min(min(table.sides) for table in tables.values()) >= FEW
    doubt_of_orders = doubt if enough else None
    draws = 0 if doubt is None else len(doubt.joint.drawn)
    return PrevalenceResult(
        sides={name: table.sides for name, table in tables.items()},
        prevalences={name: table.prevalence for name, table in tables.items()},
        deployments=deployments,
        curves=rocs,
        areas=_areas(rocs, deployments, doubt, question),
        differences=_differences(rocs, deployments, doubt_of_orders, question.level),
        pair_orders=_pair_orders(orders, doubt_of_orders, question.level),
        orders=_stretches(orders),
        level=question.level,
        threshold=question.threshold,
        deployed=_deployed(curves, deployments, units, question),
        checks=_checks(deployments, question),
        chosen=_chosen(curves, deployments, units, question),
        estimated_prevalences=estimates,
        label_error=question.label_error,
        bands=_bands(curves, deployments, units, question),
        draws=draws,
        remarks=(
            *too_few_items(tables, deployments),
            *near_copies_of_scores(named),
            *binning_cost(tables, deployments),
            *threshold_in_bins(named, question.threshold),
            *few_clusters(tables),
            *few_draws(draws, question.draws, question.level),
            *without_draws(tables, draws, question.draws, question.level),
            *why_none,
            *(() if question.scores is None else question.scores.remarks),
        ),
    )


def _with_table_names(tables: Mapping[str, ScoredTable]) -> Mapping[str, ScoredTable]:
    """Return the tables with their systems' names, which say the table where there are several."""
    if len(tables) == 1:
        return tables
    named = {}
    for name, table in tables.items():
        curves = {f"{system} in {name}": curve for system, curve in table.curves.items()}
        named[name] = replace(table, curves=curves)
    return named


def _estimated_prevalences(
    curves: Mapping[str, Curve], units: SystemUnits, question: PrevalenceQuestion
) -> dict[str, BoundedNumber]:
    """Return the deployment prevalence as the unlabelled scores of each system give it."""
    estimates: dict[str, BoundedNumber] = {}
    if question.scores is None:
        return estimates
    for name, scores in question.scores.by_system.items():
        own = units.of_scores(name, question.scores.cluster)
        estimates[name] = likeliest_prevalence(
            curves[name], scores, units=own, level=question.level, seed=question.seed
        )
    return estimates


def requested_deployments(
    question: PrevalenceQuestion,
    estimates: Mapping[str, BoundedNumber],
    tables: Mapping[str, ScoredTable],
) -> tuple[DeploymentPrevalence, ...]:
    """Return the deployment prevalences: those named, that of the unlabelled scores, or the data's own."""
    deployments = [*question.deployments, *_estimated_deployments(estimates)]
    if deployments:
        return distinct(deployments)
    if len(tables) > 1:
        raise OptionError(
            "tables are compared at a common prevalence; say --to P, or --low P --high P"
        )
    (table,) = tables.values()
    own = table.prevalence
    return (at_prevalence(own, f"{percent(own)} positive, as in the data"),)


def _estimated_deployments(estimates: Mapping[str, BoundedNumber]) -> list[DeploymentPrevalence]:
    """Return the estimate with the narrowest interval, and that interval as a range."""
    if not estimates:
        return []
    known = {name: each for name, each in estimates.items() if each.value is not None}
    if not known:
        raise OptionError(
            "the unlabelled scores do not tell the prevalence: no system separates positives from negatives"
        )
    name = min(known, key=lambda system: known[system].high - known[system].low)
    best = known[name]
    prevalence = float(best.value or 0)
    title = f"{IN_FIELD}: {percent(prevalence, digits=2)} positive by {name}"
    deployments = [at_prevalence(prevalence, title)]
    if best.low < best.high:
        deployments.append(over_range(best.low, best.high))
    return deployments


def _resampled(
    tables: Mapping[str, ScoredTable],
    deployments: Sequence[DeploymentPrevalence],
    orders: OrdersByPrevalence,
    question: PrevalenceQuestion,
) -> ResampledAreas | str | None:
    """Return the resamples, or why there are none; None if none are wanted."""
    if question.draws == 0:
        return None
    drawn = resampled(
        tables,
        deployments,
        orders,
        draws=question.draws,
        seed=question.seed,
        level=question.level,
        error=question.label_error,
    )
    if isinstance(drawn, str) and question.labels_may_be_wrong:
        raise OptionError(f"--label-error needs resamples. {drawn}")
    return drawn


def _areas(
    rocs: Mapping[str, RocCurve],
    deployments: Sequence[DeploymentPrevalence],
    doubt: ResampledAreas | None,
    question: PrevalenceQuestion,
) -> tuple[SystemArea, ...]:
    """Return every system at every deployment prevalence, the best first."""
    systems = list(rocs)
    rows: list[SystemArea] = []
    for k, deployment in enumerate(deployments):
        values = {name: integrated(curve, deployment.spread) for name, curve in rocs.items()}
        ranks = ranking({name: value.area for name, value in values.items()})
        rows_here = {
            name: _area(name, rank, rocs[name], deployment, values[name])
            for name, rank in ranks.items()
        }
        if doubt is not None:
            ends = doubt.ends(k, question.level)
            expected = doubt.expected(k) if question.labels_may_be_wrong else None
            for name, row in rows_here.items():
                place = systems.index(name)
                rows_here[name] = replace(
                    row,
                    low=float(ends.low[place]),
                    high=float(ends.high[place]),
                    expected=None if expected is None else float(expected[place]),
                    method=doubt.method,
                )
        rows += rows_here.values()
    return tuple(rows)


def _area(
    name: str, rank: int, curve: RocCurve, deployment: DeploymentPrevalence, value: IntegratedArea
) -> SystemArea:
    """Return one system's area, and the numbers that go by similar names, without intervals."""
    prevalences = deployment.spread
    gain = prevalences.mean(gain_area(curve, pi=prevalences.pi))
    widths = np.diff(curve.fpr)
    twice_heights = curve.tpr[1:] + curve.tpr[:-1]
    return SystemArea(
        rank=rank,
        system=name,
        field=deployment.name,
        integrated=value,
        average_precision=prevalences.mean(average_precision_at(curve, pi=prevalences.pi)),
        trapezoid=prevalences.mean(trapezoid_area(curve, pi=prevalences.pi)),
        gain=None if np.isnan(gain) else gain,
        roc_area=float((widths * twice_heights).sum() / 2),
        method="closed form",
    )


def _differences(
    rocs: Mapping[str, RocCurve],
    deployments: Sequence[DeploymentPrevalence],
    doubt: ResampledAreas | None,
    level: float,
) -> tuple[AreaComparison, ...]:
    """Return every pair at every deployment prevalence: by how much and how surely the first is ahead."""
    if doubt is None:
        return ()
    gaps: list[AreaComparison] = []
    for k, deployment in enumerate(deployments):
        values = {name: integrated(curve, deployment.spread).area for name, curve in rocs.items()}
        gaps += doubt.gaps(k, level, values)
    return tuple(gaps)


def _pair_orders(
    orders: OrdersByPrevalence, doubt: ResampledAreas | None, level: float
) -> tuple[PairOrder, ...]:
    """Return for every pair where its order changes, and how surely."""
    rows = []
    for (first, second), inversions in orders.pairs.items():
        skews = tuple(inversions.skews.tolist())
        row = PairOrder(
            first=first,
            second=second,
            skews=skews,
            leads=inversions.leads,
            crossings=inversions.crossings,
            most=inversions.most,
            intervals=doubt.around(first, second, skews, level) if doubt and skews else (),
        )
        rows.append(row)
    return tuple(rows)


def _stretches(orders: OrdersByPrevalence) -> tuple[OrderStretch, ...]:
    """Return the order of the systems between each two prevalences at which it changes."""
    if not orders.orders:
        return ()
    edges = [0.0, *(change.skew for change in orders.changes), 1.0]
    rows = []
    for (low, high), order in zip(pairwise(edges), orders.orders, strict=True):
        rows.append(OrderStretch(low, high, order))
    return tuple(rows)


def _deployed(
    curves: Mapping[str, Curve],
    deployments: Sequence[DeploymentPrevalence],
    units: SystemUnits,
    question: PrevalenceQuestion,
) -> tuple[DeployedSystem, ...]:
    """Return what the threshold does: by the unlabelled scores of each system, and at each named prevalence."""
    if question.threshold is None:
        return ()
    threshold = question.threshold
    level = question.level
    if question.scores is None:
        return tuple(deployed_at(curves, deployments, units, threshold=threshold, level=level))
    # Each system's own estimate stands for the deployment of the scores: the fields made of them are left out.
    named = deployments[: len(question.deployments)]
    by_scores = deployed_by_scores(
        curves, question.scores, units, threshold=threshold, level=level, seed=question.seed
    )
    return (*by_scores, *deployed_at(curves, named, units, threshold=threshold, level=level))


def _chosen(
    curves: Mapping[str, Curve],
    deployments: Sequence[DeploymentPrevalence],
    units: SystemUnits,
    question: PrevalenceQuestion,
) -> tuple[ChosenThreshold, ...]:
    """Return the best thresholds for what they are to serve."""
    if question.choose is None:
        return ()
    return best_thresholds(curves, deployments, question.choose, units, level=question.level)


def _checks(
    deployments: Sequence[DeploymentPrevalence], question: PrevalenceQuestion
) -> tuple[CheckedPoint, ...]:
    """Return whether the point can be reached at each deployment prevalence."""
    if question.check is None:
        return ()
    precision, recall = question.check
    return tuple(
        CheckedPoint(deployment.name, deployment.achievable(precision, recall))
        for deployment in deployments
    )


def _bands(
    curves: Mapping[str, Curve],
    deployments: Sequence[DeploymentPrevalence],
    units: SystemUnits,
    question: PrevalenceQuestion,
) -> dict[tuple[str, str], CurveBand]:
    """Return where the curve of each system lies at each deployment prevalence."""
    if not question.bands:
        return {}
    draws = question.draws or max(BAND_DRAWS, enough_draws(question.level))
    chance = {"draws": draws, "seed": question.seed}
    bands = {}
    for deployment in deployments:
        for name, curve in curves.items():
            resamples = units.resamples(name, **chance)
            bands[name, deployment.name] = curve_band(
                curve, deployment.spread, resamples=resamples, level=question.level, **chance
            )
    return bands
