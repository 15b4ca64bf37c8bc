"""Intervals of areas at another prevalence, if items are clustered or weighted."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from karat.doubt.bounds.log_odds import log_odds_ends
from karat.doubt.estimates import IntervalOptions
from karat.doubt.interval import Interval, tails
from karat.doubt.prevalence.curve_cells import stretches
from karat.doubt.prevalence.joint_areas import JointAreas, joint_areas
from karat.doubt.prevalence.joint_blocks import joint_blocks
from karat.doubt.resampling.left_out_curves import (
    LeftOutCurves,
    Valued,
    left_out_curves,
    variance_without,
)
from karat.measure.prevalence.pr_curve import areas
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import PairedBlocks, PairedScores


def areas_at(pi: FloatArray) -> Valued:
    """Return what takes a curve to its areas at these prevalences."""

    def value(curve: Curve) -> FloatArray:
        return areas(stretches(curve.positive, curve.negative), pi)

    return value


def clustered_areas(
    found: PairedBlocks, systems: Sequence[str], pi: float, how: IntervalOptions
) -> dict[str, Interval]:
    """Return the interval of each system's area at a prevalence, where items are clustered.

    The wider of two: by the jackknife over clusters, on log odds with Student's quantile, and quantiles of resampled
    clusters with an unseen item of each kind. The first allows for few clusters, the second for what none has shown.
    """
    prevalence = np.array([pi])
    left_out = left_out_curves(found, systems, areas_at(prevalence), seed=how.seed)
    drawn = joint_blocks(found, prevalence, ends=prevalence, draws=how.draws, seed=how.seed)
    names = list(found.systems)
    intervals = {}
    for place, system in enumerate(systems):
        low, high = _quantiles(drawn, names.index(system), how)
        ends = jackknife_ends(
            float(left_out.whole[place, 0]), left_out.without[:, place, 0], left_out, how
        )
        method = f"jackknife over {left_out.what}, and {drawn.method}"
        intervals[system] = Interval(
            np.array(min(low, ends[0])), np.array(max(high, ends[1])), how.level, method
        )
    return intervals


def jackknife_ends(
    value: float, without: FloatArray, left_out: LeftOutCurves, how: IntervalOptions
) -> tuple[float, float]:
    """Return both ends of a number by its values without one cluster after the other."""
    variance = float(variance_without(np.array(value), without))
    chance: dict[str, Any] = {"level": how.level, "side": how.side}
    return log_odds_ends(
        value, variance, freedom=left_out.freedom, units=left_out.clusters, **chance
    )


def weighted_areas(
    items: PairedScores, systems: Sequence[str], pi: float, how: IntervalOptions
) -> dict[str, Interval]:
    """Return the interval of each system's area at a prevalence, where items have weights."""
    truth, scores = items.items()
    columns = dict(zip(items.systems, scores.T, strict=True))
    drawn = joint_areas(
        truth,
        columns,
        [pi],
        ends=[pi],
        draws=how.draws,
        seed=how.seed,
        weight=items.item_weights(),
    )
    intervals = {}
    for system in systems:
        low, high = _quantiles(drawn, items.systems.index(system), how)
        intervals[system] = Interval(np.array(low), np.array(high), how.level, drawn.method)
    return intervals


def _quantiles(drawn: JointAreas, place: int, how: IntervalOptions) -> tuple[float, float]:
    below, above = tails(how.level, how.side)
    low = 0.0
    high = 1.0
    if below:
        low = float(np.quantile(drawn.low[:, place, 0], below))
    if above:
        high = float(np.quantile(drawn.high[:, place, 0], 1 - above))
    return low, high
