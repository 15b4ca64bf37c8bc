"""Resamples of tables of scores: of their items, of clusters of them, or by a sample where items are too many."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence
from karat.doubt.prevalence.clustered_areas import areas_at
from karat.doubt.prevalence.inversions import HIGH, LOW, OrdersByPrevalence, logit
from karat.doubt.prevalence.joint_areas import JointAreas, affordable, joint_areas
from karat.doubt.prevalence.joint_blocks import joint_blocks
from karat.doubt.prevalence.sampled_areas import BINS, SampledAreas, joint_sample, sampled_areas
from karat.doubt.resampling.left_out_curves import LeftOutCurves, left_out_curves
from karat.errors import OptionError
from karat.measure.prevalence.pr_curve import roc
from karat.numeric.arrays import FloatArray
from karat.tally.scores.paired_scores import BLOCK_BINS, MOST, PairedBlocks, PairedScores
from karat.tally.scores.sampled_scores import SampledScores
from karat.verdict.prevalence.resampled_areas import (
    ResampledAreas,
    ScoredTable,
    SystemSpread,
    coarse,
)

BEYOND = 10
"""How many draws lie beyond each end of an interval, if nobody requested a number of draws."""
STEP = 0.25
"""Between the prevalences at which inversions are sought in resamples, in logit."""
REACH = 4.0
"""How far these prevalences reach beyond the outermost inversions, in logit."""


def resampled(
    tables: Mapping[str, ScoredTable],
    deployments: Sequence[DeploymentPrevalence],
    orders: OrdersByPrevalence,
    *,
    draws: int | None,
    seed: int,
    level: float,
    error: tuple[float, float],
) -> ResampledAreas | str:
    """Return the resamples, or why there are none; None draws as many as are quickly made."""
    grid = _grid(orders)
    nodes = [coarse(deployment).pi for deployment in deployments]
    prevalences = np.concatenate([*nodes, grid])
    # Intervals of single areas are wanted at the deployment prevalences, not on the grid.
    ends = len(prevalences) - len(grid)
    needed = needed_draws(level)
    if draws is None:
        draws = _quick_draws(tables, len(prevalences) + 2 * ends, enough_draws(level))
    elif draws < needed:
        raise OptionError(
            f"--draws is {draws}; an interval of level {level:g} needs {needed} or more, or 0 for none"
        )
    clustered = all(table.clusters is not None for table in tables.values())
    if any(table.paired is None for table in tables.values()) or not (draws or clustered):
        return _too_much(tables, enough_draws(level))
    spreads: list[SystemSpread] = []
    parts = []
    for place, table in enumerate(tables.values()):
        without = _without_clusters(table, prevalences[:ends], seed)
        sampled = _sampled(table, prevalences, seed + place)
        spreads += _spreads(table, without, sampled)
        if not draws:
            parts.append(_not_resampled(table, prevalences, ends))
        elif sampled is not None:
            _refuse_label_errors(error)
            part = joint_sample(sampled, table.curves, ends=ends, draws=draws, seed=seed + place)
            parts.append(part)
        else:
            at_ends = prevalences[:ends]
            part = _resampled_table(table, prevalences, at_ends, draws, seed + place, error)
            parts.append(part)
    return ResampledAreas(_side_by_side(parts), tuple(deployments), grid, tuple(spreads))


def _sampled(table: ScoredTable, prevalences: FloatArray, seed: int) -> SampledAreas | None:
    """Return how a sample of the items moves the areas, where they are too many to resample."""
    if not isinstance(table.paired, SampledScores):
        return None
    return sampled_areas(table.paired, table.curves, prevalences, seed=seed)


def _spreads(
    table: ScoredTable, without: LeftOutCurves | None, sampled: SampledAreas | None
) -> list[SystemSpread]:
    return [SystemSpread(without, sampled, place) for place in range(len(table.curves))]


def _refuse_label_errors(error: tuple[float, float]) -> None:
    if any(error):
        raise OptionError(f"labels are flipped for up to {MOST:,} items; leave --label-error out")


def only_left_out(
    table: ScoredTable, deployments: Sequence[DeploymentPrevalence], *, seed: int, most: int
) -> ResampledAreas:
    """Return the areas of a table without one cluster after the other, and no resamples."""
    prevalences = np.concatenate([coarse(deployment).pi for deployment in deployments])
    without = _without_clusters(table, prevalences, seed, most)
    joint = _not_resampled(table, prevalences, len(prevalences))
    spreads = _spreads(table, without, None)
    return ResampledAreas(joint, tuple(deployments), np.empty(0), tuple(spreads))


def only_ends(
    table: ScoredTable, deployments: Sequence[DeploymentPrevalence], *, draws: int, seed: int
) -> ResampledAreas:
    """Return resamples that hold only what intervals of single areas take: neither orders nor differences."""
    prevalences = np.concatenate([coarse(deployment).pi for deployment in deployments])
    without = _without_clusters(table, prevalences, seed)
    sampled = _sampled(table, prevalences, seed)
    if sampled is None:
        joint = _resampled_table(table, np.empty(0), prevalences, draws, seed, (0.0, 0.0))
    else:
        joint = joint_sample(sampled, table.curves, ends=len(prevalences), draws=draws, seed=seed)
    return ResampledAreas(
        joint, tuple(deployments), np.empty(0), tuple(_spreads(table, without, sampled))
    )


def _without_clusters(
    table: ScoredTable, prevalences: FloatArray, seed: int, most: int | None = None
) -> LeftOutCurves | None:
    """Return the areas of a table's systems without one cluster after the other, if its items are clustered."""
    clusters = table.clusters
    if clusters is None:
        return None
    systems = tuple(clusters.systems)
    return left_out_curves(clusters, systems, areas_at(prevalences), seed=seed, most=most)


def _not_resampled(table: ScoredTable, prevalences: FloatArray, ends: int) -> JointAreas:
    """Return the curves of a table without a resample, where these take too long."""
    rocs = {name: roc(curve) for name, curve in table.curves.items()}
    none = np.empty((0, len(rocs), len(prevalences)))
    return JointAreas(prevalences, rocs, none, none[..., :ends], none[..., :ends], "")


def _quick_draws(tables: Mapping[str, ScoredTable], prevalences: int, enough: int) -> int:
    """Return how many draws are quickly made, and no fewer than are enough; 0 if they take too long."""
    size = max(_size(table) for table in tables.values())
    quick = affordable(size, _systems(tables), prevalences)
    if not quick:
        return 0
    return max(quick, enough)


def _size(table: ScoredTable) -> int:
    """Return how many rows of counts each resample sums up."""
    if isinstance(table.paired, SampledScores):
        return BINS
    if isinstance(table.paired, PairedBlocks) and table.paired.what != "clusters":
        return BLOCK_BINS
    return sum(table.sides)


def _most_items(tables: Mapping[str, ScoredTable]) -> int:
    return max(sum(table.sides) for table in tables.values())


def _systems(tables: Mapping[str, ScoredTable]) -> int:
    return sum(len(table.curves) for table in tables.values())


def _too_much(tables: Mapping[str, ScoredTable], draws: int) -> str:
    many = f"{_most_items(tables):,} items, {_systems(tables)} systems"
    return f"No intervals: {many} take more than a moment; request them with --draws {draws}."


def _side_by_side(parts: Sequence[JointAreas]) -> JointAreas:
    """Return the systems of several tables in one: resamples of different items, so any may stand beside any."""
    rows = min(len(part.drawn) for part in parts)  # draws without both kinds of items were left out
    rocs = dict(parts[0].rocs)
    for part in parts[1:]:
        rocs.update(part.rocs)
    return JointAreas(
        parts[0].pi,
        rocs,
        np.concatenate([part.drawn[:rows] for part in parts], axis=1),
        np.concatenate([part.low[:rows] for part in parts], axis=1),
        np.concatenate([part.high[:rows] for part in parts], axis=1),
        parts[0].method,
    )


def needed_draws(level: float) -> int:
    """Return how many resamples an interval of this level needs at the least."""
    return int(np.ceil(2 / (1 - level) - 1 - 1e-9))


def enough_draws(level: float) -> int:
    """Return how many resamples are drawn at the least where nobody requested a number.

    Ten beyond either end of the interval: an end that is the second or third value of all is itself a matter of luck.
    """
    return int(np.ceil(2 * BEYOND / (1 - level) - 1e-9))


def _resampled_table(
    table: ScoredTable,
    prevalences: FloatArray,
    ends: FloatArray,
    draws: int,
    seed: int,
    error: tuple[float, float],
) -> JointAreas:
    """Return resamples of one table: of its items, or of clusters of them."""
    if isinstance(table.paired, PairedBlocks):
        if any(error):
            raise OptionError(
                "wrong labels are taken to be independent of each other; leave --label-error or --cluster out"
            )
        systems = dict(zip(table.curves, table.paired.systems.values(), strict=True))
        blocks = replace(table.paired, systems=systems)
        return joint_blocks(blocks, prevalences, ends=ends, draws=draws, seed=seed)
    assert isinstance(table.paired, PairedScores)  # noqa: S101 (the caller looked)
    truth, scores = table.paired.items()
    columns = dict(zip(table.curves, scores.T, strict=True))
    return joint_areas(
        truth,
        columns,
        prevalences,
        error=error,
        ends=ends,
        draws=draws,
        seed=seed,
        weight=table.paired.item_weights(),
    )


def _grid(orders: OrdersByPrevalence) -> FloatArray:
    """Return prevalences around all inversions, evenly in logit; none where there are no inversions."""
    if not orders.changes:
        return np.empty(0)
    places = [logit(change.skew) for change in orders.changes]
    first = max(logit(LOW), min(places) - REACH)
    last = min(logit(HIGH), max(places) + REACH)
    steps = int(np.ceil((last - first) / STEP)) + 1
    grid = np.linspace(first, last, steps)
    return np.asarray(1 / (1 + np.exp(-grid)))
