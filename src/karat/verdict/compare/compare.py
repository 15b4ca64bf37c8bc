"""Is one system better than another? The verdicts on all pairs, and the ranking they make."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
"""Up to how many pairs the number of further items is computed for all of them: it takes milliseconds each."""
PLANNED_NEXT = (
    "With so many pairs, only neighbours in the ranking show how many more items would decide."
)


def compare(
    compared: Compared, options: ComparisonOptions
) -> tuple[list[Comparison], MeasureRanking]:
    """Return every comparison of one quantity, and the ranking they are about."""
    quantity = compared.quantity
    values = compared.values()
    order = tuple(ranking_by(quantity, values))
    pairs = pairs_to_compare(compared.systems, order, options.baseline)
    known = [values[system] for system in compared.systems]
    evidence = evidence_of(compared, pairs, known, options)
    comparisons = verdicts(compared.systems, pairs, quantity, known, evidence, options)
    return comparisons, _ranking(compared, values, order, comparisons, options)


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
    tested = _TestedPairs(systems, quantity, known, evidence, adjusted, no_worse, options)
    comparisons = []
    for place, pair in enumerate(pairs):
        # Each system is compared with all after it, the next one first.
        is_next = place == 0 or pairs[place - 1][0] != pair[0]
        neighbours_only = options.plan_neighbours_only or len(pairs) > MOST_PLANNED
        planned = is_next or not neighbours_only
        comparisons.append(tested.comparison(place, pair, planned=planned))
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


def few_clusters(compared: Compared, options: ComparisonOptions) -> tuple[str, ...]:
    """Return a warning where there are too few clusters to decide anything."""
    if "c" not in compared.keys:
        return ()
    clusters = compared.units().number
    if significant(least(clusters), level=options.level):
        return ()
    needed = 1
    while not significant(least(needed), level=options.level):
        needed += 1
    few = counted(clusters, "cluster")
    return (
        f"warning: {few} of correlated items; fewer than {needed} decide nothing at this level.",
    )


@dataclass(frozen=True, slots=True)
class _TestedPairs:
    """The evidence of every pair, with its p-values adjusted for the number of pairs."""

    systems: Sequence[str]
    quantity: Quantity
    known: Sequence[float | None]
    """The value of each system."""
    evidence: Evidence
    adjusted: FloatArray
    no_worse: Sequence[FloatArray | None]
    """The adjusted p-values if the first, and if the second, is worse by the margin or more."""
    options: ComparisonOptions

    def comparison(self, place: int, pair: Pair, *, planned: bool) -> Comparison:
        """Return the verdict on the pair at a place; `planned`: with how many more items would decide it."""
        first, second = pair
        evidence = self.evidence
        difference = float(evidence.difference[place])
        only_first = None
        only_second = None
        if evidence.only is not None:
            only_first, only_second = (int(counts[place]) for counts in evidence.only)
        p_adjusted = _chance(self.adjusted[place])
        no_worse = [None if side is None else _chance(side[place]) for side in self.no_worse]
        verdict = _verdict(difference, p_adjusted, no_worse[0], self.quantity, self.options)
        more_items = None
        more_items_80 = None
        if verdict == UNDECIDED and planned:
            more_items = self._more_items(place, further_items)
            more_items_80 = self._more_items(place, likely_items)
        return Comparison(
            first=self.systems[first],
            second=self.systems[second],
            quantity=self.quantity,
            first_value=self.known[first],
            second_value=self.known[second],
            difference=None if math.isnan(difference) else difference,
            low=float(evidence.low[place]),
            high=float(evidence.high[place]),
            level=self.options.level,
            only_first=only_first,
            only_second=only_second,
            items=None if evidence.items is None else int(evidence.items[place]),
            p_value=_chance(evidence.p_value[place]),
            p_adjusted=p_adjusted,
            test=evidence.test,
            verdict=verdict,
            more_items=more_items,
            more_items_80=more_items_80,
            p_no_worse=no_worse[0],
            p_second_no_worse=no_worse[1],
        )

    def _more_items(self, place: int, needed: Callable[..., int | None]) -> int | None:
        """Return how many more items would decide a pair; None where that is not known."""
        evidence = self.evidence
        if evidence.only is None or evidence.items is None:
            return None
        first, second = (float(counts[place]) for counts in evidence.only)
        items = float(evidence.items[place])
        pairs = int(np.count_nonzero(~np.isnan(self.adjusted)))
        return needed(first, second, items, pairs=pairs, level=self.options.level)


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


def _ranking(
    tally: Compared,
    values: Values,
    order: tuple[str, ...],
    comparisons: Sequence[Comparison],
    options: ComparisonOptions,
) -> MeasureRanking:
    """Return the ranking: its order, the groups in which no two differ significantly, and how likely each rank is."""
    not_different = () if options.baseline else not_significantly_different(order, comparisons)
    return MeasureRanking(
        tally.quantity,
        order,
        values,
        not_different,
        _ranks(tally, options),
        options.level,
        ranks_take_long=_ranks_take_long(tally, options),
    )


def _ranks_take_long(tally: Compared, options: ComparisonOptions) -> bool:
    """Return whether ranks are left out as they take long and were not requested."""
    return options.ranks is None and tally.rows * options.draws > CHEAP


def _ranks(tally: Compared, options: ComparisonOptions) -> Ranks | None:
    """Return the probabilities of ranks; None where they take long and are not requested, or clusters are too few."""
    if "c" in tally.keys:
        smallest = least(tally.units().number)
        if not significant(smallest, level=options.level):
            return None
    if options.ranks is False or _ranks_take_long(tally, options):
        return None
    drawn = tally.resampled(draws=options.draws, seed=options.seed)
    return ranks(drawn, lower_is_better=tally.quantity.lower_is_better)
