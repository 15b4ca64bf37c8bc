"""Is one system better than another? The verdicts on all pairs, and the ranking they make."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from karat.doubt.resampling.ranks import Ranks, ranks
from karat.doubt.resampling.resampled_difference import least
from karat.doubt.tests.holm import holm
from karat.doubt.tests.two_samples import significant
from karat.errors import OptionError, UnknownNameError
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.planning.interim_power import likely_items
from karat.planning.items import further_items
from karat.tally.votes.patterns import Patterns
from karat.verdict.compare.compared import Compared, Values
from karat.verdict.compare.comparison import BETTER, NO_WORSE, UNDECIDED, WORSE, Comparison
from karat.verdict.compare.comparison_options import FEWEST_DRAWS, ComparisonOptions
from karat.verdict.compare.evidence import CHEAP, evidence_of
from karat.verdict.compare.evidence_parts import Evidence, Pair
from karat.verdict.compare.groups import not_significantly_different
from karat.verdict.compare.measure_ranking import MeasureRanking
from karat.verdict.ranking import ranking_by
from karat.words import counted

__all__ = [
    "FEWEST_DRAWS",
    "ComparisonOptions",
    "compare",
    "few_clusters",
    "of_distributions",
    "pairs_to_compare",
    "verdicts",
]

MOST_PLANNED = 2000
"""Up to how many pairs are all told how many more items would decide them: it takes milliseconds each."""
PLANNED_NEXT = (
    "With so many pairs, only neighbours in the ranking show how many more items would decide."
)


def compare(own: Compared, options: ComparisonOptions) -> tuple[list[Comparison], MeasureRanking]:
    """Return every comparison of one quantity, and the ranking they are about."""
    quantity = own.quantity
    values = own.values()
    order = tuple(ranking_by(quantity, values))
    pairs = pairs_to_compare(own.systems, order, options.baseline)
    known = [values[system] for system in own.systems]
    evidence = evidence_of(own, pairs, known, options)
    comparisons = verdicts(own.systems, pairs, quantity, known, evidence, options)
    return comparisons, _field(own, values, order, comparisons, options)


def of_distributions(quantity: Quantity, patterns: Patterns) -> bool:
    """Return whether a quantity is compared from distributions, or refuse it where items have clusters or weights."""
    if quantity.counted_from != "confidences":
        return False
    if {"c", "w"} & set(patterns.keys):
        raise OptionError(
            f"{quantity} is counted over all items, each counting once; leave --cluster and --weight out"
        )
    return True


def verdicts(
    systems: Sequence[str],
    pairs: Sequence[Pair],
    quantity: Quantity,
    known: Sequence[float | None],
    evidence: Evidence,
    options: ComparisonOptions,
) -> list[Comparison]:
    """Return the verdict on every pair; p-values are adjusted for all pairs that have a difference."""
    evidence = _defined(evidence, quantity)
    adjusted = holm(evidence.p_value)
    no_worse: list[FloatArray | None] = [None, None]
    if evidence.no_worse is not None:
        no_worse = [holm(side) for side in evidence.no_worse]
    comparisons = []
    for place, pair in enumerate(pairs):
        # Each system is compared with all after it, the next one first.
        is_next = place == 0 or pairs[place - 1][0] != pair[0]
        planned = is_next or not (options.plan_neighbours_only or len(pairs) > MOST_PLANNED)
        comparisons.append(
            _comparison(
                systems,
                pair,
                place,
                quantity,
                known,
                evidence,
                adjusted,
                no_worse,
                options,
                planned=planned,
            )
        )
    return comparisons


def pairs_to_compare(
    systems: Sequence[str], order: Sequence[str], baseline: str | None
) -> list[Pair]:
    """Return the pairs to compare: each against the baseline, or each against every one ranked after it."""
    places = [systems.index(name) for name in order]
    if baseline is None:
        return list(combinations(places, 2))
    if baseline not in systems:
        raise UnknownNameError("system", baseline, systems)
    last = systems.index(baseline)
    return [(one, last) for one in places if one != last]


def _defined(evidence: Evidence, quantity: Quantity) -> Evidence:
    """Return the evidence without that of pairs whose difference is undefined: they are not tested."""
    undefined = np.isnan(evidence.difference)
    width = quantity.high - quantity.low
    no_worse = evidence.no_worse
    if no_worse is not None:
        first, second = no_worse
        no_worse = (np.where(undefined, np.nan, first), np.where(undefined, np.nan, second))
    return replace(
        evidence,
        low=np.where(undefined, -width, evidence.low),
        high=np.where(undefined, width, evidence.high),
        p_value=np.where(undefined, np.nan, evidence.p_value),
        no_worse=no_worse,
    )


def few_clusters(own: Compared, options: ComparisonOptions) -> tuple[str, ...]:
    """Return a warning where there are too few clusters to decide anything."""
    if "c" not in own.keys:
        return ()
    clusters = own.units().number
    if significant(least(clusters), level=options.level):
        return ()
    needed = 1
    while not significant(least(needed), level=options.level):
        needed += 1
    few = counted(clusters, "cluster")
    return (
        f"warning: {few} of correlated items; fewer than {needed} decide nothing at this level.",
    )


def _comparison(
    systems: Sequence[str],
    pair: Pair,
    place: int,
    quantity: Quantity,
    known: Sequence[float | None],
    evidence: Evidence,
    adjusted: FloatArray,
    no_worse: Sequence[FloatArray | None],
    options: ComparisonOptions,
    *,
    planned: bool,
) -> Comparison:
    one, other = pair
    difference = float(evidence.difference[place])
    only: list[int | None] = [None, None]
    if evidence.only is not None:
        only = [int(part[place]) for part in evidence.only]
    p_adjusted = _chance(adjusted[place])
    sides = [None if side is None else _chance(side[place]) for side in no_worse]
    verdict = _verdict(difference, p_adjusted, sides[0], quantity, options)
    more_items = None
    more_items_80 = None
    if verdict == UNDECIDED and planned:
        more_items = _more_items(evidence, place, adjusted, options, further_items)
        more_items_80 = _more_items(evidence, place, adjusted, options, likely_items)
    return Comparison(
        first=systems[one],
        second=systems[other],
        quantity=quantity,
        first_value=known[one],
        second_value=known[other],
        difference=None if math.isnan(difference) else difference,
        low=float(evidence.low[place]),
        high=float(evidence.high[place]),
        level=options.level,
        only_first=only[0],
        only_second=only[1],
        items=None if evidence.items is None else int(evidence.items[place]),
        p_value=_chance(evidence.p_value[place]),
        p_adjusted=p_adjusted,
        test=evidence.test,
        verdict=verdict,
        more_items=more_items,
        more_items_80=more_items_80,
        p_no_worse=sides[0],
        p_second_no_worse=sides[1],
    )


def _chance(p_value: float) -> float:
    """Return a p-value, 1 where there is no difference to test."""
    return 1.0 if math.isnan(p_value) else float(p_value)


def _verdict(
    difference: float,
    p_adjusted: float,
    no_worse: float | None,
    quantity: Quantity,
    options: ComparisonOptions,
) -> str:
    """Return the verdict: the adjusted p-value decides, not the interval."""
    differs = difference != 0 and not math.isnan(difference)
    if differs and significant(p_adjusted, level=options.level):
        larger = difference > 0
        return BETTER if larger != quantity.lower_is_better else WORSE
    if no_worse is not None and significant(no_worse, level=options.level):
        return NO_WORSE
    return UNDECIDED


def _more_items(
    evidence: Evidence,
    place: int,
    adjusted: FloatArray,
    options: ComparisonOptions,
    needed: Callable[..., int | None],
) -> int | None:
    """Return how many more items would decide a pair; None where that is not known."""
    if evidence.only is None or evidence.items is None:
        return None
    first, second = (float(part[place]) for part in evidence.only)
    items = float(evidence.items[place])
    pairs = int(np.count_nonzero(~np.isnan(adjusted)))
    return needed(first, second, items, pairs=pairs, level=options.level)


def _field(
    tally: Compared,
    values: Values,
    order: tuple[str, ...],
    comparisons: Sequence[Comparison],
    options: ComparisonOptions,
) -> MeasureRanking:
    """Return the ranking: its order, the groups in which no two differ significantly, and how likely each rank is."""
    not_different = () if options.baseline else not_significantly_different(order, comparisons)
    chances = _ranks(tally, options)
    return MeasureRanking(tally.quantity, order, values, not_different, chances, options.level)


def _ranks(tally: Compared, options: ComparisonOptions) -> Ranks | None:
    """Return the probabilities of ranks; None where they take long and are not requested, or clusters are too few."""
    if "c" in tally.keys:
        smallest = least(tally.units().number)
        if not significant(smallest, level=options.level):
            return None
    requested = options.ranks
    if requested is None:
        requested = tally.rows * options.draws <= CHEAP
    if not requested:
        return None
    drawn = tally.resampled(draws=options.draws, seed=options.seed)
    return ranks(drawn, lower_is_better=tally.quantity.lower_is_better)
