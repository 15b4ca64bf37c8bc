"""What a reader must know about areas at other prevalences: too few items, binned scores, thresholds between bins."""

from collections.abc import Mapping, Sequence

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence, percent
from karat.measure.prevalence.binning_limits import mean_area_bounds
from karat.measure.prevalence.precision_at import decided_by_few
from karat.tally.scores.curve import Curve
from karat.verdict.prevalence.area_resamples import enough_draws
from karat.verdict.prevalence.resampled_areas import FEW, ScoredTable
from karat.words import counted

FEW_CLUSTERS = 6
"""Below so many clusters an interval rests on an assumed shape of their distribution."""


def too_few_items(
    tables: Mapping[str, ScoredTable], deployments: Sequence[DeploymentPrevalence]
) -> list[str]:
    """Return a warning where the data hardly say anything."""
    positives = min(table.sides[0] for table in tables.values())
    negatives = min(table.sides[1] for table in tables.values())
    warnings = []
    if min(positives, negatives) < FEW:
        few = counted(negatives, "negative")
        if positives < negatives:
            few = counted(positives, "positive")
        warnings.append(f"warning: {few}; with fewer than {FEW} no order is reported.")
    rarest = rarest_of(deployments)
    if decided_by_few(rarest, negatives):
        warnings.append(
            f"warning: at a prevalence of {percent(rarest)} precision depends on the few highest of {negatives:,} "
            "negatives; the intervals allow for one unseen negative, the orders do not."
        )
    return warnings


def few_clusters(tables: Mapping[str, ScoredTable]) -> list[str]:
    """Return a warning where there are too few clusters for an interval."""
    numbers = [table.clusters.number for table in tables.values() if table.clusters is not None]
    fewest = min(numbers, default=FEW_CLUSTERS)
    if fewest >= FEW_CLUSTERS:
        return []
    few = f"{counted(fewest, 'cluster')} of correlated items"
    return [f"warning: {few}; an interval from so few is not reliable."]


def few_draws(draws: int, wanted: int | None, level: float) -> list[str]:
    """Return a remark where an end of an interval rests on very few of the resamples."""
    enough = enough_draws(level)
    if not wanted or draws >= enough:
        return []
    beyond = int(draws * (1 - level) / 2)
    remark = (
        f"{draws} draws: beyond an end of an interval lie {beyond} of them, so that it is a matter of luck; "
        f"--draws {enough} or more are steadier."
    )
    return [remark]


def without_draws(
    tables: Mapping[str, ScoredTable], draws: int, wanted: int | None, level: float
) -> list[str]:
    """Return a remark where clusters were left out and not resampled, which would have taken long."""
    if draws or wanted == 0 or any(table.clusters is None for table in tables.values()):
        return []
    remark = (
        "Clusters were left out one by one and not resampled, which takes more than a moment: intervals allow for no "
        f"negative higher than any here, and changes of order have none. --draws {enough_draws(level)} adds both."
    )
    return [remark]


def rarest_of(deployments: Sequence[DeploymentPrevalence]) -> float:
    """Return the lowest prevalence of all deployments; of a range from 0, its lowest node."""
    return min(_lowest(deployment) for deployment in deployments)


def _lowest(deployment: DeploymentPrevalence) -> float:
    if deployment.low > 0:
        return deployment.low
    return float(deployment.spread.pi.min())


def binning_cost(
    tables: Mapping[str, ScoredTable], deployments: Sequence[DeploymentPrevalence]
) -> tuple[str, ...]:
    """Return in words by how much binning can have moved an area, at most."""
    curves = list(_binned_curves(tables).values())
    if not curves:
        return ()
    widest = 0.0
    for curve in curves:
        for deployment in deployments:
            width = float(mean_area_bounds(curve, deployment.spread).width)
            widest = max(widest, width)
    bins = max(len(curve.score) for curve in curves)
    return (
        f"Scores were counted in up to {bins:,} bins; no order inside them moves an area by more than {widest:.1g}.",
        "Intervals are from the scores as they are, or from a sample of the items.",
    )


def threshold_in_bins(
    tables: Mapping[str, ScoredTable], threshold: float | None
) -> tuple[str, ...]:
    """Return in words from which score on an answer is yes, where scores were counted in bins."""
    curves = _binned_curves(tables)
    if threshold is None or not curves:
        return ()
    starts = []
    for name, curve in curves.items():
        first = float(curve.score[curve.score >= threshold].min(initial=np.inf))
        starts.append(f"{first:.6g} of {name}")
    return (f"A threshold counts from the next bin on: from a score of {', '.join(starts)}.",)


def _binned_curves(tables: Mapping[str, ScoredTable]) -> dict[str, Curve]:
    """Return the curves of the tables whose scores were counted in bins, by system."""
    curves: dict[str, Curve] = {}
    for table in tables.values():
        if table.binned:
            curves.update(table.curves)
    return curves
