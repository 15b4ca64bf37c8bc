"""Is one system better than another? The test that fits the number, for all pairs at once."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import check_chance, check_level
from karat.doubt.resampling.jackknife import gap_of_clusters, no_worse_of_clusters
from karat.doubt.resampling.joint import joint, joint_without
from karat.doubt.resampling.ranks import Ranks, ranks
from karat.doubt.resampling.resampled_difference import (
    Drawn,
    drawn_difference,
    drawn_no_worse,
    least,
)
from karat.doubt.tests import TESTS
from karat.doubt.tests.holm import holm
from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.newcombe import newcombe
from karat.doubt.tests.noninferiority import noninferior, noninferior_samples
from karat.doubt.tests.tango import tango
from karat.doubt.tests.two_samples import significant
from karat.errors import OptionError, UnknownNameError
from karat.measure.paired import Paired, paired
from karat.measure.quantity import Quantity, evaluate, values
from karat.measure.share import Share
from karat.measure.totals import totals
from karat.numeric.arrays import FloatArray
from karat.planning.items import further_items
from karat.tally.votes.patterns import Patterns
from karat.verdict.compare.groups import groups
from karat.verdict.compare.result import BETTER, NO_WORSE, UNDECIDED, WORSE, Comparison, Field
from karat.verdict.ranking import ranking
from karat.words import counted

Pair = tuple[int, int]
Sides = tuple[FloatArray, FloatArray] | None
"""How surprising each pair is if the first, or if the second, is worse by the margin or more; None without one."""
FEWEST_DRAWS = 100
CHEAP = 40_000_000
"""Patterns times draws up to which ranks are simulated unasked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """How systems are to be compared."""

    test: str = "auto"
    baseline: str | None = None
    margin: float | None = None
    level: float = 0.95
    draws: int = 2000
    seed: int = 0
    ranks: bool | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        check_level(self.level)
        check_chance(draws=self.draws, seed=self.seed)
        if self.test != "auto":
            TESTS[self.test]
        if self.draws < FEWEST_DRAWS:
            raise OptionError(
                f"--draws is {self.draws}; fewer than {FEWEST_DRAWS} resamples say nothing"
            )
        if self.margin is not None and not 0 < self.margin < 1:
            raise OptionError(
                f"--margin is {self.margin}; it must lie between 0 and 1, as 0.02 does"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """For each pair: the difference with its interval, the p-value, and the counts under it."""

    difference: FloatArray
    """Of what the test looks at: on the same items, if it wants those. NaN where it is undefined."""
    low: FloatArray
    high: FloatArray
    p_value: FloatArray
    no_worse: Sides
    test: str
    only: tuple[FloatArray, FloatArray] | None = None
    items: FloatArray | None = None


def compare(
    patterns: Patterns, quantity: Quantity, contest: Contest
) -> tuple[list[Comparison], Field]:
    """Return every comparison of one quantity, and the ranking they are about."""
    found = _values(patterns, quantity)
    order = ranking(found, lower_is_better=quantity.lower_is_better)
    pairs = _pairs(patterns.systems, tuple(order), contest.baseline)
    known = [found[system] for system in patterns.systems]
    evidence = _evidence(patterns, quantity, pairs, known, contest)
    comparisons = verdicts(patterns.systems, pairs, quantity, known, evidence, contest)
    return comparisons, _field(patterns, quantity, found, tuple(order), comparisons, contest)


def verdicts(
    systems: Sequence[str],
    pairs: Sequence[Pair],
    quantity: Quantity,
    known: Sequence[float | None],
    evidence: Evidence,
    contest: Contest,
) -> list[Comparison]:
    """Return what may be said of every pair; p-values are adjusted for all pairs that have a difference."""
    evidence = _defined(evidence)
    adjusted = holm(evidence.p_value)
    no_worse = (
        [None, None] if evidence.no_worse is None else [holm(side) for side in evidence.no_worse]
    )
    return [
        _comparison(systems, pair, place, quantity, known, evidence, adjusted, no_worse, contest)
        for place, pair in enumerate(pairs)
    ]


def _values(patterns: Patterns, quantity: Quantity) -> dict[str, float | None]:
    return {system: value_of(patterns, system, quantity) for system in patterns.systems}


def value_of(patterns: Patterns, system: str, quantity: Quantity) -> float | None:
    """Return one system's value, None where it is undefined."""
    confusion = patterns.confusion(system, keys="w")
    margins = totals(
        confusion, np.asarray(confusion.keys["w"], float) if "w" in confusion.keys else None
    )
    if quantity.label is not None and quantity.label not in margins.labels:
        return None
    place = 0 if quantity.label is None else margins.labels.index(quantity.label)
    value = float(np.atleast_1d(values(quantity, margins))[place])
    return None if np.isnan(value) else value


def _pairs(systems: Sequence[str], order: Sequence[str], baseline: str | None) -> list[Pair]:
    """Return the pairs to compare: each against the baseline, or each against every one ranked after it."""
    if baseline is not None:
        if baseline not in systems:
            raise UnknownNameError("system", baseline, systems)
        return [
            (systems.index(name), systems.index(baseline)) for name in order if name != baseline
        ]
    places = [systems.index(name) for name in order]
    return [(one, other) for place, one in enumerate(places) for other in places[place + 1 :]]


def _evidence(
    patterns: Patterns,
    quantity: Quantity,
    pairs: list[Pair],
    known: Sequence[float | None],
    contest: Contest,
) -> Evidence:
    hanging = {"c", "w"} & set(patterns.keys)
    shared = None if hanging else paired(patterns, quantity)
    test = contest.test
    if test == "auto":
        test = "mcnemar" if shared is not None else "jackknife" if "c" in hanging else "bootstrap"
    if test == "bootstrap":
        return _bootstrap(patterns, quantity, pairs, known, contest)
    if test == "jackknife":
        return _jackknife(patterns, quantity, pairs, known, contest)
    if hanging:
        remedy = "with clusters use jackknife or bootstrap, with weights bootstrap"
        raise OptionError(f"--test {test} takes items as independent and equal; {remedy}")
    if test == "mcnemar":
        if shared is None:
            raise OptionError(
                f"{quantity} has not the same trials for all systems, as mcnemar needs; use bootstrap"
            )
        return _paired(shared, quantity, pairs, contest)
    return samples(
        [_share(patterns, system, quantity) for system in patterns.systems],
        quantity,
        pairs,
        test,
        contest,
    )


def _defined(evidence: Evidence) -> Evidence:
    """Return evidence that says nothing where a difference is undefined: that pair is no question."""
    undefined = np.isnan(evidence.difference)
    no_worse = evidence.no_worse and (
        np.where(undefined, np.nan, evidence.no_worse[0]),
        np.where(undefined, np.nan, evidence.no_worse[1]),
    )
    return replace(
        evidence,
        low=np.where(undefined, -1.0, evidence.low),
        high=np.where(undefined, 1.0, evidence.high),
        p_value=np.where(undefined, np.nan, evidence.p_value),
        no_worse=no_worse,
    )


def _sides(worse: Callable[[bool], FloatArray], quantity: Quantity, contest: Contest) -> Sides:
    """Return the p-values of no worse both ways, from those of being smaller by the margin; `True` swaps the two."""
    if contest.margin is None:
        return None
    return worse(quantity.lower_is_better), worse(not quantity.lower_is_better)


def _paired(shared: Paired, quantity: Quantity, pairs: list[Pair], contest: Contest) -> Evidence:
    first, second = (
        np.array([shared.only[pair[k], pair[1 - k]] for pair in pairs], float) for k in (0, 1)
    )
    items = np.array([shared.items[pair] for pair in pairs], float)
    interval = tango(first, second, items, level=contest.level)
    with np.errstate(invalid="ignore"):
        difference = (first - second) / items

    def worse(swapped: bool) -> FloatArray:
        counts = (second, first) if swapped else (first, second)
        return noninferior(*counts, items, margin=contest.margin or 0.0).p_value

    p_value, no_worse = mcnemar(first, second), _sides(worse, quantity, contest)
    return Evidence(
        difference,
        interval.low,
        interval.high,
        p_value,
        no_worse,
        "mcnemar",
        (first, second),
        items,
    )


def samples(
    shares: Sequence[tuple[float, float]],
    quantity: Quantity,
    pairs: Sequence[Pair],
    test: str,
    contest: Contest,
) -> Evidence:
    """Return the evidence of shares, successes of trials, as if no two had an item in common."""
    first, second = (
        [np.array([shares[pair[k]][part] for pair in pairs]) for part in (0, 1)] for k in (0, 1)
    )
    interval, tested = newcombe(*first, *second, level=contest.level), TESTS[test](*first, *second)
    with np.errstate(invalid="ignore"):
        difference = first[0] / first[1] - second[0] / second[1]

    def worse(swapped: bool) -> FloatArray:
        counts = (*second, *first) if swapped else (*first, *second)
        return noninferior_samples(*counts, margin=contest.margin or 0.0).p_value

    p_value = np.asarray(getattr(tested, "p_value", tested), float)
    return Evidence(
        difference, interval.low, interval.high, p_value, _sides(worse, quantity, contest), test
    )


def _share(patterns: Patterns, system: str, quantity: Quantity) -> tuple[float, float]:
    margins = totals(patterns.confusion(system))
    found = evaluate(quantity, margins)
    if not isinstance(found, Share):
        raise OptionError(
            f"{quantity} is no share of successes; the exact tests need one, so use bootstrap"
        )
    if quantity.label is None:
        return float(found.successes), float(found.trials)
    if quantity.label not in margins.labels:
        return 0.0, 0.0
    place = margins.labels.index(quantity.label)
    return float(found.successes[place]), float(found.trials[place])


def _bootstrap(
    patterns: Patterns,
    quantity: Quantity,
    pairs: list[Pair],
    known: Sequence[float | None],
    contest: Contest,
) -> Evidence:
    wanted = _draws(len(pairs), contest.level)
    draws = wanted if wanted * len(patterns.number) <= 10 * CHEAP else contest.draws
    drawn = joint(patterns, quantity, draws=max(draws, contest.draws), seed=contest.seed)
    units = Drawn.of(patterns)

    def gaps(one: int, other: int) -> FloatArray:
        return np.asarray(drawn.drawn[:, one] - drawn.drawn[:, other])

    def worse(swapped: bool) -> FloatArray:
        order = [pair[::-1] for pair in pairs] if swapped else pairs
        margin = contest.margin or 0.0
        return np.array(
            [drawn_no_worse(gaps(*pair), units=units.number, margin=margin) for pair in order]
        )

    found = [
        drawn_difference(
            gaps(*pair), units=units.number, differ=units.differ(*pair), level=contest.level
        )
        for pair in pairs
    ]
    low, high, p_value = (
        np.array([getattr(one, name) for one in found]) for name in ("low", "high", "p_value")
    )
    return Evidence(
        _gaps(known, pairs), low, high, p_value, _sides(worse, quantity, contest), drawn.method
    )


def _jackknife(
    patterns: Patterns,
    quantity: Quantity,
    pairs: list[Pair],
    known: Sequence[float | None],
    contest: Contest,
) -> Evidence:
    if "c" not in patterns.keys:
        raise OptionError(
            "--test jackknife leaves out clusters of items; name their column with --cluster"
        )
    whole, without = joint_without(patterns, quantity, seed=contest.seed)
    first, second = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    shared = paired(patterns, quantity) if "w" not in patterns.keys else None
    floor = np.zeros(len(pairs)) if shared is None else _independent(shared, first, second)
    both = [
        np.stack([part[..., first], part[..., second]], axis=-1) for part in (whole, without.drawn)
    ]
    found = gap_of_clusters(*both, least=floor, level=contest.level)

    def worse(swapped: bool) -> FloatArray:
        order = [part[..., ::-1] for part in both] if swapped else both
        return no_worse_of_clusters(*order, least=floor, margin=contest.margin or 0.0)

    units = Drawn.of(patterns)
    p_value = np.clip(found.p_value, [least(units.differ(*pair)) for pair in pairs], 1.0)
    no_worse = _sides(worse, quantity, contest)
    return Evidence(_gaps(known, pairs), found.low, found.high, p_value, no_worse, without.method)


def _gaps(known: Sequence[float | None], pairs: Sequence[Pair]) -> FloatArray:
    values = [math.nan if value is None else value for value in known]
    return np.array([values[one] - values[other] for one, other in pairs])


def _independent(
    shared: Paired, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]
) -> FloatArray:
    """Return the variance of a difference of two shares as of independent items."""
    items = np.maximum(shared.items[first, second], 1).astype(float)
    one, other = shared.only[first, second] / items, shared.only[second, first] / items
    return np.asarray((one + other - (one - other) ** 2) / items)


def few_clusters(patterns: Patterns, contest: Contest) -> tuple[str, ...]:
    """Return a warning where there are too few clusters to decide anything."""
    if "c" not in patterns.keys or significant(
        least(Drawn.of(patterns).number), level=contest.level
    ):
        return ()
    needed = next(
        number for number in range(1, 100) if significant(least(number), level=contest.level)
    )
    found = counted(Drawn.of(patterns).number, "cluster")
    return (
        f"warning: {found} of items that hang together; fewer than {needed} decide nothing at this level.",
    )


def _draws(pairs: int, level: float) -> int:
    """Return how many resamples it takes for the smallest p-value to stay small after Holm's adjustment."""
    return math.ceil(4 * pairs / (1 - level))


def too_few(found: Sequence[Comparison], contest: Contest) -> tuple[str, ...]:
    """Return a warning where no p-value of a bootstrap can be small enough."""
    for quantity in dict.fromkeys(one.quantity for one in found):
        same = [one for one in found if one.quantity == quantity and one.difference is not None]
        own = [one for one in same if one.test.startswith("bootstrap")]
        if own and min(one.p_value for one in own) * len(own) > 1 - contest.level:
            needed = _draws(len(own), contest.level)
            if f"draws={contest.draws}," in own[0].test and contest.draws < needed:
                return (
                    f"warning: {len(own):,} pairs need {needed:,} draws to be decided; say --draws {needed}",
                )
    return ()


def _comparison(
    systems: Sequence[str],
    pair: Pair,
    place: int,
    quantity: Quantity,
    known: Sequence[float | None],
    evidence: Evidence,
    adjusted: FloatArray,
    no_worse: Sequence[FloatArray | None],
    contest: Contest,
) -> Comparison:
    difference = None if np.isnan(evidence.difference[place]) else float(evidence.difference[place])
    only = [int(part[place]) for part in evidence.only] if evidence.only else [None, None]
    p_adjusted = _chance(adjusted[place])
    sides = [None if side is None else _chance(side[place]) for side in no_worse]
    verdict = _verdict(difference, p_adjusted, sides[0], quantity, contest)
    return Comparison(
        first=systems[pair[0]],
        second=systems[pair[1]],
        quantity=quantity,
        first_value=known[pair[0]],
        second_value=known[pair[1]],
        difference=difference,
        low=float(evidence.low[place]),
        high=float(evidence.high[place]),
        level=contest.level,
        only_first=only[0],
        only_second=only[1],
        items=None if evidence.items is None else int(evidence.items[place]),
        p_value=_chance(evidence.p_value[place]),
        p_adjusted=p_adjusted,
        test=evidence.test,
        verdict=verdict,
        more_items=_more(evidence, place, adjusted, contest) if verdict == UNDECIDED else None,
        p_no_worse=sides[0],
        p_second_no_worse=sides[1],
    )


def _chance(p_value: float) -> float:
    """Return a p-value, 1 where there is no difference to be surprised at."""
    return 1.0 if math.isnan(p_value) else float(p_value)


def _verdict(
    difference: float | None,
    p_adjusted: float,
    no_worse: float | None,
    quantity: Quantity,
    contest: Contest,
) -> str:
    """Return what may be said: the adjusted p-value decides, not the interval."""
    if difference and significant(p_adjusted, level=contest.level):
        return BETTER if (difference > 0) != quantity.lower_is_better else WORSE
    return (
        NO_WORSE
        if no_worse is not None and significant(no_worse, level=contest.level)
        else UNDECIDED
    )


def _more(evidence: Evidence, place: int, adjusted: FloatArray, contest: Contest) -> int | None:
    """Return how many more items would settle a pair; None where that is not known."""
    if evidence.only is None or evidence.items is None:
        return None
    first, second, items = (float(part[place]) for part in (*evidence.only, evidence.items))
    pairs = int(np.count_nonzero(~np.isnan(adjusted)))
    return further_items(first, second, items, pairs=pairs, level=contest.level)


def _field(
    patterns: Patterns,
    quantity: Quantity,
    found: dict[str, float | None],
    order: tuple[str, ...],
    comparisons: Sequence[Comparison],
    contest: Contest,
) -> Field:
    place = {system: number for number, system in enumerate(order)}
    apart = np.zeros((len(order), len(order)), bool)
    for one in comparisons:
        if one.verdict in {BETTER, WORSE}:
            apart[place[one.first], place[one.second]] = apart[
                place[one.second], place[one.first]
            ] = True
    alike = () if contest.baseline else groups(order, apart)
    return Field(quantity, order, found, alike, _ranks(patterns, quantity, contest), contest.level)


def _ranks(patterns: Patterns, quantity: Quantity, contest: Contest) -> Ranks | None:
    cheap = len(patterns.number) * contest.draws <= CHEAP
    if few_clusters(patterns, contest):
        return None
    if contest.ranks is False or (contest.ranks is None and not cheap):
        return None
    drawn = joint(patterns, quantity, draws=contest.draws, seed=contest.seed)
    return ranks(drawn, lower_is_better=quantity.lower_is_better)
