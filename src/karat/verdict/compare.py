"""Is one system better than another? The test that fits the number, for all pairs at once."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.doubt import TESTS
from karat.doubt.holm import holm
from karat.doubt.interval import FloatArray, check_chance, check_level
from karat.doubt.jackknife import gap_of_clusters
from karat.doubt.joint import joint, joint_without
from karat.doubt.mcnemar import mcnemar
from karat.doubt.newcombe import newcombe
from karat.doubt.noninferiority import noninferior
from karat.doubt.planning import items_for_pair
from karat.doubt.ranks import Ranks, ranks
from karat.doubt.tango import tango
from karat.doubt.two_samples import significant
from karat.errors import OptionError, UnknownNameError
from karat.measure.paired import Paired, paired
from karat.measure.quantity import Quantity, evaluate, values
from karat.measure.share import Share
from karat.measure.totals import totals
from karat.tally.codes import MISSING
from karat.tally.patterns import Patterns
from karat.verdict.comparisons import BETTER, NO_WORSE, UNDECIDED, WORSE, Comparison, Field
from karat.verdict.groups import groups
from karat.verdict.ranking import ranking
from karat.words import counted

Pair = tuple[int, int]
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
            raise OptionError(f"--draws is {self.draws}; fewer than {FEWEST_DRAWS} resamples say nothing")
        if self.margin is not None and not 0 < self.margin < 1:
            raise OptionError(f"--margin is {self.margin}; it must lie between 0 and 1, as 0.02 does")


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """For each pair: the difference with its interval, the p-value, and the counts under it."""

    low: FloatArray
    high: FloatArray
    p_value: FloatArray
    test: str
    only: tuple[FloatArray, FloatArray] | None = None
    items: FloatArray | None = None


def compare(patterns: Patterns, quantity: Quantity, contest: Contest) -> tuple[list[Comparison], Field]:
    """Return every comparison of one quantity, and the ranking they are about."""
    found = _values(patterns, quantity)
    order = ranking(found, lower_is_better=lower_is_better(quantity))
    pairs = _pairs(patterns.systems, tuple(order), contest.baseline)
    known = [found[system] for system in patterns.systems]
    evidence = _defined(_evidence(patterns, quantity, pairs, contest), pairs, known)
    adjusted = holm(evidence.p_value)
    comparisons = [
        _comparison(patterns.systems, pair, place, quantity, known, evidence, adjusted, contest)
        for place, pair in enumerate(pairs)
    ]
    return comparisons, _field(patterns, quantity, found, tuple(order), comparisons, contest)


def lower_is_better(quantity: Quantity) -> bool:
    """Return whether a small value is a good one."""
    return quantity.measure == "error-rate"


def _values(patterns: Patterns, quantity: Quantity) -> dict[str, float | None]:
    return {system: value_of(patterns, system, quantity) for system in patterns.systems}


def value_of(patterns: Patterns, system: str, quantity: Quantity) -> float | None:
    """Return one system's value, None where it is undefined."""
    confusion = patterns.confusion(system, keys="w")
    margins = totals(confusion, np.asarray(confusion.keys["w"], float) if "w" in confusion.keys else None)
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
        return [(systems.index(name), systems.index(baseline)) for name in order if name != baseline]
    places = [systems.index(name) for name in order]
    return [(one, other) for place, one in enumerate(places) for other in places[place + 1 :]]


def _evidence(patterns: Patterns, quantity: Quantity, pairs: list[Pair], contest: Contest) -> Evidence:
    hanging = {"c", "w"} & set(patterns.keys)
    shared = None if hanging else paired(patterns, quantity)
    test = contest.test
    if test == "auto":
        test = "mcnemar" if shared is not None else "jackknife" if "c" in hanging else "bootstrap"
    if test == "bootstrap":
        return _bootstrap(patterns, quantity, pairs, contest)
    if test == "jackknife":
        return _jackknife(patterns, quantity, pairs, contest)
    if hanging:
        remedy = "with clusters use jackknife or bootstrap, with weights bootstrap"
        raise OptionError(f"--test {test} takes items as independent and equal; {remedy}")
    if test == "mcnemar":
        if shared is None:
            raise OptionError(f"{quantity} has not the same trials for all systems, as mcnemar needs; use bootstrap")
        return _paired(shared, pairs, contest)
    return _samples(patterns, quantity, pairs, test, contest)


def _defined(evidence: Evidence, pairs: list[Pair], known: Sequence[float | None]) -> Evidence:
    """Return evidence that says nothing where a value is undefined."""
    undefined = np.array([known[one] is None or known[other] is None for one, other in pairs], bool)
    return replace(
        evidence,
        low=np.where(undefined, -1.0, evidence.low),
        high=np.where(undefined, 1.0, evidence.high),
        p_value=np.where(undefined, 1.0, evidence.p_value),
    )


def _paired(shared: Paired, pairs: list[Pair], contest: Contest) -> Evidence:
    first, second = (np.array([shared.only[pair[k], pair[1 - k]] for pair in pairs], float) for k in (0, 1))
    items = np.array([shared.items[pair] for pair in pairs], float)
    interval = tango(first, second, items, level=contest.level)
    return Evidence(interval.low, interval.high, mcnemar(first, second), "mcnemar", (first, second), items)


def _samples(patterns: Patterns, quantity: Quantity, pairs: list[Pair], test: str, contest: Contest) -> Evidence:
    shares = [_share(patterns, system, quantity) for system in patterns.systems]
    columns = [np.array([shares[pair[side]][part] for pair in pairs]) for side in (0, 1) for part in (0, 1)]
    interval = newcombe(*columns, level=contest.level)
    p_value = TESTS[test](*columns)
    return Evidence(interval.low, interval.high, np.asarray(getattr(p_value, "p_value", p_value), float), test)


def _share(patterns: Patterns, system: str, quantity: Quantity) -> tuple[float, float]:
    margins = totals(patterns.confusion(system))
    found = evaluate(quantity, margins)
    if not isinstance(found, Share):
        raise OptionError(f"{quantity} is no share of successes; the exact tests need one, so use bootstrap")
    if quantity.label is None:
        return float(found.successes), float(found.trials)
    if quantity.label not in margins.labels:
        return 0.0, 0.0
    place = margins.labels.index(quantity.label)
    return float(found.successes[place]), float(found.trials[place])


def _bootstrap(patterns: Patterns, quantity: Quantity, pairs: list[Pair], contest: Contest) -> Evidence:
    wanted = _draws(len(pairs), contest.level)
    draws = wanted if wanted * len(patterns.number) <= 10 * CHEAP else contest.draws
    drawn = joint(patterns, quantity, draws=max(draws, contest.draws), seed=contest.seed)
    gaps = np.stack([drawn.drawn[:, one] - drawn.drawn[:, other] for one, other in pairs], axis=1)
    tail = (1 - contest.level) / 2
    low, high = np.quantile(gaps, [tail, 1 - tail], axis=0)
    below, above = ((side.sum(axis=0) + 1) / (len(gaps) + 1) for side in (gaps <= 0, gaps >= 0))
    least = _least(patterns)
    p_value = np.clip(2 * np.minimum(below, above), least, 1.0)
    unknown = least == 1
    return Evidence(np.where(unknown, -1.0, low), np.where(unknown, 1.0, high), p_value, drawn.method)


def _jackknife(patterns: Patterns, quantity: Quantity, pairs: list[Pair], contest: Contest) -> Evidence:
    if "c" not in patterns.keys:
        raise OptionError("--test jackknife leaves out clusters of items; name their column with --cluster")
    whole, without = joint_without(patterns, quantity, seed=contest.seed)
    first, second = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    shared = paired(patterns, quantity) if "w" not in patterns.keys else None
    floor = np.zeros(len(pairs)) if shared is None else _independent(shared, first, second)
    both = [np.stack([part[..., first], part[..., second]], axis=-1) for part in (whole, without.drawn)]
    found = gap_of_clusters(*both, least=floor, level=contest.level)
    least = _least(patterns)
    return Evidence(found.low, found.high, np.clip(found.p_value, least, 1.0), without.method)


def _independent(shared: Paired, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]) -> FloatArray:
    """Return the variance of a difference of two shares as of independent items."""
    items = np.maximum(shared.items[first, second], 1).astype(float)
    one, other = shared.only[first, second] / items, shared.only[second, first] / items
    return np.asarray((one + other - (one - other) ** 2) / items)


def _least(patterns: Patterns) -> float:
    """Return the smallest p-value that clusters allow: by chance alone all n of them favour one of two with 2^(1-n).

    A resample of few clusters has hardly any other order than theirs, so that a bootstrap alone would be too sure.
    """
    return 2.0 ** (1 - _clusters(patterns)) if "c" in patterns.keys else 0.0


def _clusters(patterns: Patterns) -> int:
    return len(set(patterns.keys["c"][patterns.truth != MISSING].tolist()))


def few_clusters(patterns: Patterns, contest: Contest) -> tuple[str, ...]:
    """Return a warning where there are too few clusters to decide anything."""
    if significant(_least(patterns), level=contest.level):
        return ()
    needed = next(number for number in range(1, 100) if significant(2.0 ** (1 - number), level=contest.level))
    found = counted(_clusters(patterns), "cluster")
    return (f"warning: {found} of items that hang together; fewer than {needed} decide nothing at this level.",)


def _draws(pairs: int, level: float) -> int:
    """Return how many resamples it takes for the smallest p-value to stay small after Holm's adjustment."""
    return math.ceil(4 * pairs / (1 - level))


def too_few(found: Sequence[Comparison], contest: Contest) -> tuple[str, ...]:
    """Return a warning where no p-value of a bootstrap can be small enough."""
    for quantity in dict.fromkeys(one.quantity for one in found):
        own = [one for one in found if one.quantity == quantity and one.test.startswith("bootstrap")]
        if own and min(one.p_value for one in own) * len(own) > 1 - contest.level:
            needed = _draws(len(own), contest.level)
            if f"draws={contest.draws}," in own[0].test and contest.draws < needed:
                return (f"warning: {len(own):,} pairs need {needed:,} draws to be decided; say --draws {needed}",)
    return ()


def _comparison(
    systems: Sequence[str],
    pair: Pair,
    place: int,
    quantity: Quantity,
    known: Sequence[float | None],
    evidence: Evidence,
    adjusted: FloatArray,
    contest: Contest,
) -> Comparison:
    first, second = (known[k] for k in pair)
    difference = None if first is None or second is None else first - second
    only = [int(part[place]) for part in evidence.only] if evidence.only else [None, None]
    p_adjusted = float(adjusted[place])
    no_worse = _no_worse(evidence, place, quantity, contest)
    verdict = _verdict(difference, p_adjusted, no_worse, quantity, contest)
    return Comparison(
        first=systems[pair[0]],
        second=systems[pair[1]],
        quantity=quantity,
        first_value=first,
        second_value=second,
        difference=difference,
        low=float(evidence.low[place]),
        high=float(evidence.high[place]),
        level=contest.level,
        only_first=only[0],
        only_second=only[1],
        items=None if evidence.items is None else int(evidence.items[place]),
        p_value=float(evidence.p_value[place]),
        p_adjusted=p_adjusted,
        test=evidence.test,
        verdict=verdict,
        more_items=_more(evidence, place, len(adjusted), contest) if verdict == UNDECIDED else None,
        p_no_worse=no_worse,
    )


def _verdict(
    difference: float | None, p_adjusted: float, no_worse: float | None, quantity: Quantity, contest: Contest
) -> str:
    """Return what may be said: the adjusted p-value decides, not the interval."""
    if difference and significant(p_adjusted, level=contest.level):
        return BETTER if (difference > 0) != lower_is_better(quantity) else WORSE
    return NO_WORSE if no_worse is not None and significant(no_worse, level=contest.level) else UNDECIDED


def _no_worse(evidence: Evidence, place: int, quantity: Quantity, contest: Contest) -> float | None:
    """Return how surely the first is worse by less than the margin."""
    if contest.margin is None:
        return None
    if evidence.only is None or evidence.items is None:
        raise OptionError("--margin needs systems on the same items and a share of them, such as accuracy or recall[x]")
    first, second = (float(part[place]) for part in evidence.only)
    if lower_is_better(quantity):
        first, second = second, first
    return float(noninferior(first, second, evidence.items[place], margin=contest.margin).p_value)


def _more(evidence: Evidence, place: int, pairs: int, contest: Contest) -> int | None:
    """Return how many more items would settle a pair, if it went on disagreeing as it does.

    At a level that holds for all pairs together, which is more than Holm asks of most of them.
    """
    if evidence.only is None or evidence.items is None or not evidence.items[place]:
        return None
    first, second = (float(part[place]) / float(evidence.items[place]) for part in evidence.only)
    if first == second:
        return None
    needed = items_for_pair(first, second, level=1 - (1 - contest.level) / pairs).items
    return None if needed is None else max(1, needed - int(evidence.items[place]))


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
            apart[place[one.first], place[one.second]] = apart[place[one.second], place[one.first]] = True
    alike = () if contest.baseline else groups(order, apart)
    return Field(quantity, order, found, alike, _ranks(patterns, quantity, contest))


def _ranks(patterns: Patterns, quantity: Quantity, contest: Contest) -> Ranks | None:
    cheap = len(patterns.number) * contest.draws <= CHEAP
    if few_clusters(patterns, contest):
        return None
    if contest.ranks is False or (contest.ranks is None and not cheap):
        return None
    drawn = joint(patterns, quantity, draws=contest.draws, seed=contest.seed)
    return ranks(drawn, lower_is_better=lower_is_better(quantity))
