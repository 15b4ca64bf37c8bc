"""Differences of two systems with intervals and p-values: the test that fits the measure, for all pairs at once."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.resampling.jackknife import gap_of_clusters, no_worse_of_clusters
from karat.doubt.resampling.left_out_curves import variance_without
from karat.doubt.resampling.resampled_difference import (
    difference_of_resamples,
    difference_of_spread,
    least,
    no_worse_of_resamples,
    no_worse_of_spread,
)
from karat.doubt.tests import TESTS
from karat.doubt.tests.mover import correlation_of, mover
from karat.doubt.tests.newcombe import newcombe
from karat.doubt.tests.noninferiority import noninferior, noninferior_samples
from karat.doubt.tests.significance_test import as_test
from karat.doubt.tests.tango import tango
from karat.errors import OptionError
from karat.measure.paired import Paired
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.verdict.compare.compared import Compared
from karat.verdict.compare.contest import ComparisonOptions

Pair = tuple[int, int]
Sides = tuple[FloatArray, FloatArray] | None
"""The p-values of each pair if the first, or if the second, is worse by the margin or more; None without a margin."""
CHEAP = 40_000_000
"""Patterns times draws up to which ranks are simulated by default."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """For each pair: the difference with its interval, the p-value, and the counts under it."""

    difference: FloatArray
    """Of what the test compares: on the same items, if it needs those. NaN where it is undefined."""
    low: FloatArray
    high: FloatArray
    p_value: FloatArray
    no_worse: Sides
    test: str
    only: tuple[FloatArray, FloatArray] | None = None
    items: FloatArray | None = None


def evidence_of(
    tally: Compared, pairs: list[Pair], known: Sequence[float | None], contest: ComparisonOptions
) -> Evidence:
    """Return the evidence of every pair by the requested test, or by the one that fits."""
    shared = None if tally.keys else tally.paired()
    test = contest.test
    if test == "auto":
        test = _fitting(tally, shared)
    basis = as_test(TESTS[test]).basis
    if basis == "queries":
        raise OptionError(
            f"--test {test} is for rankings of documents, query by query; use mcnemar or bootstrap"
        )
    if basis == "scores":
        _check_areas(tally, test)
    on_its_own = basis == "clusters" and "c" not in tally.keys
    if basis == "scores" or (on_its_own and tally.influences is not None):
        return _by_influences(tally, pairs, known, contest, normal=basis == "scores")
    if basis == "resamples":
        return _bootstrap(tally, pairs, known, contest)
    if basis == "clusters":
        return _jackknife(tally, pairs, known, contest)
    if tally.keys:
        remedy = "with clusters use jackknife or bootstrap, with weights bootstrap"
        raise OptionError(f"--test {test} takes items as independent and equal; {remedy}")
    if basis == "counts":
        shares = [tally.share(system) for system in tally.systems]
        return samples(shares, tally.quantity, pairs, test, contest)
    if shared is None:
        raise OptionError(
            f"{tally.quantity} does not have the same trials for all systems, as {test} needs; use bootstrap"
        )
    return _discordant(shared, tally.quantity, pairs, test, contest)


def _fitting(tally: Compared, shared: Paired | None) -> str:
    """Return the test that fits: on the same trials if there are such, by clusters if there are such."""
    if tally.fitting is not None:
        return tally.fitting
    if shared is not None:
        return "mcnemar"
    if "c" in tally.keys:
        return "jackknife"
    return "bootstrap"


def _sides(
    worse: Callable[[bool], FloatArray], quantity: Quantity, contest: ComparisonOptions
) -> Sides:
    """Return the p-values of no worse both ways, from those of being smaller by the margin; `True` swaps the two."""
    if contest.margin is None:
        return None
    return worse(quantity.lower_is_better), worse(not quantity.lower_is_better)


def _places(pairs: Sequence[Pair]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the first and the second system of every pair."""
    places = np.array(pairs, np.int64).reshape(-1, 2)
    return places[:, 0], places[:, 1]


def _discordant(
    shared: Paired, quantity: Quantity, pairs: list[Pair], test: str, contest: ComparisonOptions
) -> Evidence:
    one, other = _places(pairs)
    first = shared.only[one, other].astype(float)
    second = shared.only[other, one].astype(float)
    items = shared.items[one, other].astype(float)
    interval = tango(first, second, items, level=contest.level)
    with np.errstate(invalid="ignore"):
        difference = (first - second) / items

    def worse(swapped: bool) -> FloatArray:
        counts = (second, first) if swapped else (first, second)
        test = noninferior(*counts, items, margin=contest.margin or 0.0)
        return test.p_value

    return Evidence(
        difference,
        interval.low,
        interval.high,
        as_test(TESTS[test]).p_values(first, second),
        _sides(worse, quantity, contest),
        test,
        (first, second),
        items,
    )


def samples(
    shares: Sequence[tuple[float, float]],
    quantity: Quantity,
    pairs: Sequence[Pair],
    test: str,
    contest: ComparisonOptions,
) -> Evidence:
    """Return the evidence of shares, successes of trials, as if no two had an item in common."""
    one, other = _places(pairs)
    successes = np.array([share[0] for share in shares])
    trials = np.array([share[1] for share in shares])
    first = (successes[one], trials[one])
    second = (successes[other], trials[other])
    interval = newcombe(*first, *second, level=contest.level)
    with np.errstate(invalid="ignore"):
        difference = first[0] / first[1] - second[0] / second[1]

    def worse(swapped: bool) -> FloatArray:
        counts = (*second, *first) if swapped else (*first, *second)
        one_sided = noninferior_samples(*counts, margin=contest.margin or 0.0)
        return one_sided.p_value

    p_value = as_test(TESTS[test]).p_values(*first, *second)
    no_worse = _sides(worse, quantity, contest)
    return Evidence(difference, interval.low, interval.high, p_value, no_worse, test)


def _bootstrap(
    tally: Compared, pairs: list[Pair], known: Sequence[float | None], contest: ComparisonOptions
) -> Evidence:
    quantity = tally.quantity
    width = quantity.high - quantity.low
    drawn = tally.resampled(draws=contest.draws, seed=contest.seed)
    # What is undefined counts in a resample as it does in a ranking; a pair of which one is undefined is not tested.
    values = [math.nan if value is None else value for value in known]
    units = tally.units()

    def gaps(one: int, other: int) -> FloatArray:
        return np.asarray(drawn.drawn[:, one] - drawn.drawn[:, other])

    def worse(swapped: bool) -> FloatArray:
        margin = contest.margin or 0.0
        p_values = []
        for one, other in pairs:
            first, second = (other, one) if swapped else (one, other)
            p_value = no_worse_of_resamples(
                values[first] - values[second],
                gaps(first, second),
                units=units.number,
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
            differ=units.differ(*pair),
            level=contest.level,
            width=width,
        )
        differences.append(difference)
    return Evidence(
        _gaps(known, pairs),
        np.array([one.low for one in differences]),
        np.array([one.high for one in differences]),
        np.array([one.p_value for one in differences]),
        _sides(worse, quantity, contest),
        drawn.method,
    )


def _check_areas(tally: Compared, test: str) -> None:
    """Refuse a test of ROC areas for anything else, and for clustered items."""
    if tally.quantity.traits.bounded_by != "delong":
        raise OptionError(f"--test {test} compares ROC areas; {tally.quantity} is none")
    if "c" in tally.keys:
        raise OptionError(
            f"--test {test} takes items as independent; with clusters use jackknife or bootstrap"
        )


def _by_influences(
    tally: Compared,
    pairs: list[Pair],
    known: Sequence[float | None],
    contest: ComparisonOptions,
    *,
    normal: bool,
) -> Evidence:
    """Return the evidence from what each item adds to each system's value.

    `normal`: by the normal distribution, as DeLong has it, and not by Student's with as many degrees of freedom as
    there are items of the rarer kind, less one.
    """
    influences = tally.influences
    assert influences is not None  # noqa: S101 (the caller looked)
    quantity = tally.quantity
    width = quantity.high - quantity.low
    units = tally.units()
    freedom = math.inf if normal else max(1.0, influences.fewer - 1)
    gaps = _gaps(known, pairs)
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
                margin=contest.margin or 0.0,
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
            level=contest.level,
            width=width,
        )
        differences.append(difference)
    ends = Ends(
        np.array([one.low for one in differences]), np.array([one.high for one in differences])
    )
    variances = [influences.variance(place) for place in range(len(tally.systems))]
    of_gaps = np.square(spreads)
    ends = _from_both_intervals(tally, pairs, ends, variances, of_gaps, contest)
    return Evidence(
        gaps,
        ends.low,
        ends.high,
        np.array([one.p_value for one in differences]),
        _sides(worse, quantity, contest),
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
    contest: ComparisonOptions,
) -> Ends:
    """Return the intervals of differences from those of both systems, where these are not symmetric and known.

    A pair that does not differ at all keeps its own: there is nothing to recover a variance from.
    """
    intervals = tally.intervals(level=contest.level, seed=contest.seed)
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


def _jackknife(
    tally: Compared, pairs: list[Pair], known: Sequence[float | None], contest: ComparisonOptions
) -> Evidence:
    if "c" not in tally.keys:
        raise OptionError(
            "--test jackknife leaves out clusters of items; name their column with --cluster"
        )
    quantity = tally.quantity
    width = quantity.high - quantity.low
    whole, without = tally.without_clusters(seed=contest.seed)
    first, second = _places(pairs)
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
    gap = gap_of_clusters(values, values_without, least=floor, level=contest.level, width=width)

    def worse(swapped: bool) -> FloatArray:
        step = -1 if swapped else 1
        return no_worse_of_clusters(
            values[..., ::step],
            values_without[..., ::step],
            least=floor,
            margin=contest.margin or 0.0,
            width=width,
        )

    units = tally.units()
    smallest = [least(units.differ(*pair)) for pair in pairs]
    p_value = np.clip(gap.p_value, smallest, 1.0)
    no_worse = _sides(worse, quantity, contest)
    ends = Ends(gap.low, gap.high)
    variances = variance_without(whole, without.drawn)
    of_gaps = variance_without(
        values[..., 0] - values[..., 1], values_without[..., 0] - values_without[..., 1]
    )
    ends = _from_both_intervals(tally, pairs, ends, variances, of_gaps, contest)
    return Evidence(_gaps(known, pairs), ends.low, ends.high, p_value, no_worse, without.method)


def _gaps(known: Sequence[float | None], pairs: Sequence[Pair]) -> FloatArray:
    """Return the differences of the values, NaN where one of them is undefined."""
    values = np.array([math.nan if value is None else value for value in known])
    first, second = _places(pairs)
    return np.asarray(values[first] - values[second])


def _independent(
    shared: Paired, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]
) -> FloatArray:
    """Return the variance of a difference of two shares as of independent items."""
    items = np.maximum(shared.items[first, second], 1).astype(float)
    one = shared.only[first, second] / items
    other = shared.only[second, first] / items
    return np.asarray((one + other - (one - other) ** 2) / items)
