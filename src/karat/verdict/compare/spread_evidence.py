"""Differences of two systems by how far they spread: over resamples, over items, or over clusters of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.resampling.jackknife import gap_of_clusters, no_worse_of_clusters
from karat.doubt.resampling.left_out_curves import variance_without
from karat.doubt.resampling.resampled_difference import (
    difference_of_resamples,
    difference_of_spread,
    freedom_of_differing,
    least,
    no_worse_of_resamples,
    no_worse_of_spread,
)
from karat.doubt.tests.mover import correlation_of, mover
from karat.errors import OptionError
from karat.measure.paired import Paired
from karat.numeric.arrays import FloatArray
from karat.numeric.ties import equal_but_for_rounding
from karat.verdict.compare.compared import Compared
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.compare.evidence_parts import Evidence, Pair, gaps_of, places, sides


def by_resamples(
    tally: Compared, pairs: list[Pair], known: Sequence[float | None], options: ComparisonOptions
) -> Evidence:
    """Return the evidence from resamples of the items, or of clusters of them."""
    quantity = tally.quantity
    width = quantity.high - quantity.low
    drawn = tally.resampled(draws=options.draws, seed=options.seed)
    resampled = equal_but_for_rounding(drawn.drawn)
    # What is undefined counts in a resample as it does in a ranking; a pair of which one is undefined is not tested.
    values = [math.nan if value is None else value for value in known]
    units = tally.units()

    def gaps(one: int, other: int) -> FloatArray:
        return np.asarray(resampled[:, one] - resampled[:, other])

    def worse(swapped: bool) -> FloatArray:
        margin = options.margin or 0.0
        p_values = []
        for one, other in pairs:
            first, second = (other, one) if swapped else (one, other)
            p_value = no_worse_of_resamples(
                values[first] - values[second],
                gaps(first, second),
                units=units.number,
                freedom=freedom_of_differing(units.freedom, units.differ(first, second)),
                margin=margin,
                width=width,
            )
            p_values.append(p_value)
        return np.array(p_values)

    differences = []
    for pair in pairs:
        difference = difference_of_resamples(
            values[pair[0]] - values[pair[1]],
            gaps(*pair),
            units=units.number,
            freedom=units.freedom,
            differ=units.differ(*pair),
            level=options.level,
            width=width,
        )
        differences.append(difference)
    return Evidence(
        gaps_of(known, pairs),
        np.array([one.low for one in differences]),
        np.array([one.high for one in differences]),
        np.array([one.p_value for one in differences]),
        sides(worse, quantity, options),
        drawn.method,
    )


def by_influences(
    tally: Compared,
    pairs: list[Pair],
    known: Sequence[float | None],
    options: ComparisonOptions,
    *,
    normal: bool,
) -> Evidence:
    """Return the evidence from what each item adds to each system's value.

    `normal`: by the normal distribution, as DeLong has it, and not by Student's with as many degrees of freedom as
    there are items of the rarer kind, less one. Weighted items take Student's with their effective number in any case.
    """
    influences = tally.influences
    assert influences is not None  # noqa: S101 (the caller looked)
    quantity = tally.quantity
    width = quantity.high - quantity.low
    units = tally.units()
    freedom = max(1.0, influences.fewer - 1)
    if normal and "w" not in tally.keys:
        freedom = math.inf
    gaps = gaps_of(known, pairs)
    spreads = [math.sqrt(influences.variance_of_difference(*pair)) for pair in pairs]

    def worse(swapped: bool) -> FloatArray:
        sign = -1 if swapped else 1
        p_values = []
        for gap, spread in zip(gaps, spreads, strict=True):
            p_value = no_worse_of_spread(
                sign * float(gap),
                spread,
                freedom=freedom,
                units=units.number,
                margin=options.margin or 0.0,
                width=width,
            )
            p_values.append(p_value)
        return np.array(p_values)

    differences = []
    for pair, gap, spread in zip(pairs, gaps, spreads, strict=True):
        difference = difference_of_spread(
            float(gap),
            spread,
            freedom=freedom,
            units=units.number,
            differ=units.differ(*pair),
            level=options.level,
            width=width,
        )
        differences.append(difference)
    ends = Ends(
        np.array([one.low for one in differences]), np.array([one.high for one in differences])
    )
    variances = [influences.variance(place) for place in range(len(tally.systems))]
    of_gaps = np.square(spreads)
    ends = _from_both_intervals(tally, pairs, ends, variances, of_gaps, options)
    return Evidence(
        gaps,
        ends.low,
        ends.high,
        np.array([one.p_value for one in differences]),
        sides(worse, quantity, options),
        "delong" if normal else "infinitesimal jackknife",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Both ends of the interval of each pair's difference."""

    low: FloatArray
    high: FloatArray


def _from_both_intervals(
    tally: Compared,
    pairs: Sequence[Pair],
    ends: Ends,
    variances: Sequence[float] | FloatArray,
    of_gaps: FloatArray,
    options: ComparisonOptions,
) -> Ends:
    """Return the intervals of differences from those of both systems, where these are not symmetric and known.

    A pair that does not differ at all keeps its own: there is nothing to recover a variance from.
    """
    intervals = tally.intervals(level=options.level, seed=options.seed)
    if intervals is None:
        return ends
    low = ends.low.copy()
    high = ends.high.copy()
    for place, (one, other) in enumerate(pairs):
        if not of_gaps[place] > 0:
            continue
        correlation = correlation_of(
            float(variances[one]), float(variances[other]), float(of_gaps[place])
        )
        bounds = mover(intervals[one], intervals[other], correlation=correlation)
        low[place], high[place] = bounds
    return Ends(low, high)


def by_clusters(
    tally: Compared, pairs: list[Pair], known: Sequence[float | None], options: ComparisonOptions
) -> Evidence:
    """Return the evidence from leaving out one cluster after the other."""
    if "c" not in tally.keys:
        raise OptionError(
            "--test jackknife leaves out clusters of items; name their column with --cluster"
        )
    quantity = tally.quantity
    width = quantity.high - quantity.low
    whole, without = tally.without_clusters(seed=options.seed)
    first, second = places(pairs)
    # Weighted items have no counts from which the least variance would follow.
    shared = None if "w" in tally.keys else tally.paired()
    floor = np.zeros(len(pairs))
    if shared is not None:
        floor = _independent(shared, first, second)
    elif tally.influences is not None:
        of_items = [tally.influences.variance_of_difference(*pair) for pair in pairs]
        floor = np.array(of_items)
    # The last axis is that of the two systems of a pair.
    values = np.stack([whole[..., first], whole[..., second]], axis=-1)
    values_without = np.stack([without.drawn[..., first], without.drawn[..., second]], axis=-1)
    gap = gap_of_clusters(values, values_without, least=floor, level=options.level, width=width)

    def worse(swapped: bool) -> FloatArray:
        step = -1 if swapped else 1
        return no_worse_of_clusters(
            values[..., ::step],
            values_without[..., ::step],
            least=floor,
            margin=options.margin or 0.0,
            width=width,
        )

    units = tally.units()
    smallest = [least(units.differ(*pair)) for pair in pairs]
    p_value = np.clip(gap.p_value, smallest, 1.0)
    no_worse = sides(worse, quantity, options)
    ends = Ends(gap.low, gap.high)
    variances = variance_without(whole, without.drawn)
    of_gaps = variance_without(
        values[..., 0] - values[..., 1], values_without[..., 0] - values_without[..., 1]
    )
    ends = _from_both_intervals(tally, pairs, ends, variances, of_gaps, options)
    return Evidence(gaps_of(known, pairs), ends.low, ends.high, p_value, no_worse, without.method)


def _independent(
    shared: Paired, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]
) -> FloatArray:
    """Return the variance of a difference of two shares as of independent items."""
    items = np.maximum(shared.items[first, second], 1).astype(float)
    one = shared.only[first, second] / items
    other = shared.only[second, first] / items
    return np.asarray((one + other - (one - other) ** 2) / items)
