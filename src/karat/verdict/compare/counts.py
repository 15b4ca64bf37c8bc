"""Shares of which only the counts are known: of different items, and what is possible if they are the same."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from karat.ask.counts import Count
from karat.doubt.tests import TESTS
from karat.doubt.tests.holm import holm
from karat.doubt.tests.same_items import same_items
from karat.doubt.tests.significance_test import as_test
from karat.doubt.tests.two_samples import significant
from karat.errors import OptionError, UnknownNameError
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.verdict.compare.compare import verdicts
from karat.verdict.compare.comparison import BETTER, UNDECIDED, WORSE, Comparison, SameItems
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.compare.evidence import samples
from karat.verdict.compare.evidence_parts import Evidence, Pair, gaps_of

SHARE = Quantity("share")
DEPENDS = "depends"
DIFFERENT = (
    "Taken as samples of different items; a table of answers to the same items decides more."
)
ROUNDED = (
    "Of rounded shares, the p-value is that of the counts that fit and are closest to each other."
)


def compare_counts(counts: Sequence[Count], options: ComparisonOptions) -> list[Comparison]:
    """Return the verdicts on all pairs of shares, as samples of different items, by the exact test."""
    test = "exact" if options.test == "auto" else options.test
    if as_test(TESTS[test]).needs_items:
        raise OptionError(
            f"counts do not tell which system was right on which item, as {test} needs; use --test exact"
        )
    if len(counts) < 2:
        raise OptionError(
            "one share has nothing to be compared with; give two, such as 40/50 92/100"
        )
    names = [count.name for count in counts]
    known = [count.value for count in counts]
    pairs = _pairs(names, options.baseline)
    evidence = _evidence(counts, pairs, test, options)
    comparisons = verdicts(names, pairs, SHARE, known, evidence, options)
    ranges = _if_same_items(counts, pairs, evidence)
    return [
        replace(one, same_items=_same(one, smallest, largest))
        for one, smallest, largest in zip(comparisons, *ranges, strict=True)
    ]


def remarks(counts: Sequence[Count]) -> tuple[str, ...]:
    """Return what was taken for granted."""
    if any(count.share is not None for count in counts):
        return DIFFERENT, ROUNDED
    return (DIFFERENT,)


def _pairs(names: Sequence[str], baseline: str | None) -> list[Pair]:
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    if baseline not in names:
        raise UnknownNameError("count", baseline, names)
    last = names.index(baseline)
    return [(place, last) for place in range(len(names)) if place != last]


def _evidence(
    counts: Sequence[Count], pairs: Sequence[Pair], test: str, options: ComparisonOptions
) -> Evidence:
    """Return the evidence of every pair; of rounded shares the weakest of all counts that fit."""
    extremes = _extreme_pairs(counts, pairs)
    evidence = samples(extremes.shares, SHARE, extremes.closest, test, options)
    if all(count.least == count.most for count in counts):
        return evidence
    lowest = samples(extremes.shares, SHARE, extremes.first_lowest, "exact", options)
    highest = samples(extremes.shares, SHARE, extremes.first_highest, "exact", options)
    no_worse = None
    if lowest.no_worse is not None and highest.no_worse is not None:
        no_worse = (lowest.no_worse[0], highest.no_worse[1])
    may_be_equal = (lowest.difference <= 0) & (highest.difference >= 0)
    return replace(
        evidence,
        difference=gaps_of([count.value for count in counts], pairs),
        low=lowest.low,
        high=highest.high,
        p_value=np.where(may_be_equal, 1.0, evidence.p_value),
        no_worse=no_worse,
    )


@dataclass(frozen=True, slots=True)
class _ExtremePairs:
    """Each pair at the ends of what rounding leaves open, as places in `shares`."""

    shares: list[tuple[float, float]]
    """The least successes of each count, then the most, with its trials."""
    first_lowest: list[Pair]
    """The first at its least, the second at its most."""
    first_highest: list[Pair]
    closest: list[Pair]
    """The two as close to each other as they may be."""


def _extreme_pairs(counts: Sequence[Count], pairs: Sequence[Pair]) -> _ExtremePairs:
    least = [(float(count.least), float(count.trials)) for count in counts]
    most = [(float(count.most), float(count.trials)) for count in counts]
    size = len(counts)  # the most of a count is so many places after its least
    first_lowest = []
    first_highest = []
    closest = []
    for first, second in pairs:
        lowest = (first, second + size)
        highest = (first + size, second)
        first_lowest.append(lowest)
        first_highest.append(highest)
        first_is_below = counts[first].middle < counts[second].middle
        closest.append(highest if first_is_below else lowest)
    return _ExtremePairs([*least, *most], first_lowest, first_highest, closest)


def _if_same_items(
    counts: Sequence[Count], pairs: Sequence[Pair], evidence: Evidence
) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest p-value of each pair, adjusted; NaN where the numbers of items differ."""
    first = [counts[one] for one, _ in pairs]
    second = [counts[other] for _, other in pairs]
    trials = np.array([count.trials for count in first])
    same = trials == np.array([count.trials for count in second])
    found = same_items(
        np.where(same, [count.least for count in first], 0),
        np.where(same, [count.most for count in first], 0),
        np.where(same, [count.least for count in second], 0),
        np.where(same, [count.most for count in second], 0),
        trials,
    )
    adjusted = []
    for p_values in (found.low, found.high):
        # Pairs of other items belong to the family of tests all the same.
        every = holm(np.where(same, p_values, evidence.p_value))
        adjusted.append(np.where(same, every, np.nan))
    return adjusted[0], adjusted[1]


def _same(one: Comparison, smallest: float, largest: float) -> SameItems | None:
    """Return what may be said of a pair if the items are the same."""
    if np.isnan(smallest):
        return None
    ahead = one.difference or 0.0
    decided = BETTER if ahead > 0 else WORSE
    verdict = DEPENDS
    if significant(largest, level=one.level):
        verdict = decided
    elif not significant(smallest, level=one.level):
        verdict = UNDECIDED
    return SameItems(float(smallest), float(largest), verdict)
