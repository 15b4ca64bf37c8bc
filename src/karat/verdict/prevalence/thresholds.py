"""What a threshold does at other prevalences, and which threshold is best there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from karat.ask.prevalence import DeploymentPrevalence, percent
from karat.ask.threshold_goal import goal_of
from karat.doubt.few_clusters import worth
from karat.doubt.prevalence.curve_resamples import CurveResamples, of_clusters, of_weights
from karat.doubt.prevalence.deployment import deployed, precision_interval, recall_interval
from karat.doubt.prevalence.score_bins import ScoreUnits
from karat.doubt.prevalence.threshold_units import ThresholdUnits, units_at, weighted_units_at
from karat.doubt.prevalence.unlabelled_scores import deployed_by_unlabelled_scores
from karat.measure.prevalence.operating_point import choose
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import PairedScores
from karat.verdict.prevalence.question import UnlabelledScores
from karat.verdict.prevalence.resampled_areas import ScoredTable
from karat.verdict.prevalence.result import IN_FIELD, ChosenThreshold, DeployedSystem
from karat.verdict.ranking import ranking


class SystemUnits:
    """What independent units of items each system's threshold reaches; none where items are independent and alike."""

    def __init__(self, tables: Sequence[ScoredTable]) -> None:
        self._table_of: dict[str, tuple[ScoredTable, int]] = {}
        for table in tables:
            for place, name in enumerate(table.curves):
                self._table_of[name] = (table, place)

    def at(self, name: str, threshold: float) -> ThresholdUnits | None:
        """Return the clusters, or weighted items, of a system's table at a threshold."""
        table, place = self._table_of[name]
        clusters = table.clusters
        if clusters is not None:
            blocks = list(clusters.systems.values())[place]
            what = f"{clusters.number:,} {clusters.what}"
            return units_at(blocks, threshold, what=what)
        paired = table.paired
        if isinstance(paired, PairedScores) and paired.weight is not None:
            return weighted_units_at(paired, paired.systems[place], threshold)
        return None

    def of_scores(self, name: str, unlabelled: npt.NDArray[np.int64] | None = None) -> ScoreUnits:
        """Return which of a system's labelled scores belong together, or what they are worth with their weights."""
        table, place = self._table_of[name]
        clusters = table.clusters
        if clusters is not None:
            blocks = list(clusters.systems.values())[place]
            return ScoreUnits(labelled=blocks, unlabelled=unlabelled)
        paired = table.paired
        if isinstance(paired, PairedScores) and paired.weight is not None:
            truth, _ = paired.items()
            weight = np.repeat(paired.weight, paired.number)
            return ScoreUnits(
                worth=(worth(weight[truth]), worth(weight[~truth])), unlabelled=unlabelled
            )
        return ScoreUnits(unlabelled=unlabelled)

    def resamples(self, name: str, *, draws: int, seed: int) -> CurveResamples | None:
        """Return resamples of a system's curve by cluster, or by weighted item; None where items are independent."""
        table, place = self._table_of[name]
        clusters = table.clusters
        if clusters is not None:
            blocks = list(clusters.systems.values())[place]
            return of_clusters(clusters, blocks, draws=draws, seed=seed)
        paired = table.paired
        if isinstance(paired, PairedScores) and paired.weight is not None:
            return of_weights(paired, paired.systems[place], draws=draws, seed=seed)
        return None


def deployed_at(
    curves: Mapping[str, Curve],
    deployments: Sequence[DeploymentPrevalence],
    units: SystemUnits,
    *,
    threshold: float,
    level: float,
) -> list[DeployedSystem]:
    """Return what the threshold does at each prevalence, and at both ends of each range."""
    units_of = {system: units.at(system, threshold) for system in curves}
    rows = []
    for deployment in deployments:
        for pi in dict.fromkeys((deployment.low, deployment.high)):
            name = (
                deployment.name if deployment.low == deployment.high else f"{percent(pi)} positive"
            )
            for system, curve in curves.items():
                own = units_of[system]
                outcome = deployed(curve, pi=pi, threshold=threshold, level=level, units=own)
                rows.append(DeployedSystem(system, name, outcome))
    return rows


def deployed_by_scores(
    curves: Mapping[str, Curve],
    scores: UnlabelledScores,
    units: SystemUnits,
    *,
    threshold: float,
    level: float,
    seed: int,
) -> list[DeployedSystem]:
    """Return what the threshold does where unlabelled scores come from."""
    name = f"{IN_FIELD}, each by its own scores"
    rows = []
    for system, unlabelled in scores.by_system.items():
        outcome = deployed_by_unlabelled_scores(
            curves[system],
            unlabelled,
            threshold=threshold,
            units=units.of_scores(system, scores.cluster),
            level=level,
            seed=seed,
        )
        rows.append(DeployedSystem(system, name, outcome))
    return rows


def best_thresholds(
    curves: Mapping[str, Curve],
    deployments: Sequence[DeploymentPrevalence],
    aim: str,
    units: SystemUnits,
    *,
    level: float,
) -> tuple[ChosenThreshold, ...]:
    """Return each system's best threshold at each deployment prevalence; one that cannot reach the aim has none."""
    goal = goal_of(aim)
    rows = []
    for deployment in deployments:
        best = {choice.system: choice for choice in choose(curves, deployment.spread, goal)}
        ranks = ranking({name: choice.value for name, choice in best.items()})
        for name, choice in best.items():
            row = ChosenThreshold(
                rank=ranks[name],
                system=name,
                field=deployment.name,
                aim=aim,
                threshold=choice.threshold if np.isfinite(choice.threshold) else None,
                value=choice.value,
                precision=choice.precision,
                recall=None if choice.value is None else choice.tpr,
            )
            rows.append(_with_intervals(row, curves[name], deployment, units, level))
    return tuple(rows)


def _with_intervals(
    row: ChosenThreshold,
    curve: Curve,
    deployment: DeploymentPrevalence,
    units: SystemUnits,
    level: float,
) -> ChosenThreshold:
    """Return the threshold with the intervals of its precision and recall, as if it had been chosen beforehand."""
    if row.threshold is None or row.precision is None:
        return row
    threshold = row.threshold
    own = units.at(row.system, threshold)
    precision = precision_interval(
        curve, deployment.spread, threshold=threshold, level=level, units=own
    )
    recall = recall_interval(curve, threshold=threshold, level=level, units=own)
    return replace(
        row,
        precision_low=precision.low,
        precision_high=precision.high,
        recall_low=recall.low,
        recall_high=recall.high,
        level=level,
    )
