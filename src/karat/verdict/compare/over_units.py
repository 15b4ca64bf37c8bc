"""Is one system better than another by measures of texts or of items with several samples? Paired over these."""

from dataclasses import dataclass, replace

import numpy as np

from karat.doubt.bounds.ratio_of_sums import DIFFERENCE, FEW, difference_of_ratios, largest
from karat.doubt.resampling.joint import Joint
from karat.doubt.resampling.ranks import Ranks, ranks
from karat.doubt.tests import TESTS
from karat.doubt.tests.over_queries import (
    ALL_SIGNS,
    enough_draws,
    no_worse_over_queries,
    paired_t,
)
from karat.doubt.tests.over_units import swapped_ratios
from karat.doubt.tests.significance_test import as_test
from karat.doubt.tests.two_samples import significant
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.measure.ratios import Ratios
from karat.measure.unit_values import UnitTally, thing, unit_ratios
from karat.numeric.arrays import FloatArray
from karat.verdict.compare.compare import pairs_to_compare, verdicts
from karat.verdict.compare.comparison import Comparison, UnitCounts
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.compare.evidence_parts import Evidence
from karat.verdict.compare.groups import not_significantly_different
from karat.verdict.compare.measure_ranking import MeasureRanking
from karat.verdict.ranking import ranking_by
from karat.verdict.score.result import number_or_none

SAME = 1e-12
AT_ONCE = 4_000_000
"""How many counts of resamples are held at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class PairOfRatios:
    """Two systems on the units that count for both."""

    ratios: Ratios
    things: str

    @property
    def difference(self) -> float:
        """The first ratio less the second."""
        first, second = self.ratios.values
        return float(first - second)

    @property
    def influences(self) -> FloatArray:
        """How far each unit pulls the difference."""
        pulls = self.ratios.influences()
        return np.asarray(pulls[:, 0] - pulls[:, 1])

    def counts(self, *, lower_is_better: bool) -> UnitCounts:
        """Return on how many units each has the better value."""
        each = self.ratios.averaged()
        gain = each.above[:, 0] - each.above[:, 1]
        if lower_is_better:
            gain = -gain
        first = int((gain > SAME).sum())
        second = int((gain < -SAME).sum())
        return UnitCounts(self.things, len(gain), first, second)


def compare_units(
    quantity: Quantity, tally: UnitTally, options: ComparisonOptions
) -> tuple[list[Comparison], MeasureRanking]:
    """Return every comparison of the systems by one measure, and the ranking they are about."""
    ratios = unit_ratios(quantity, tally)
    known = [number_or_none(value) for value in ratios.values.tolist()]
    means = dict(zip(tally.systems, known, strict=True))
    order = tuple(ranking_by(quantity, means))
    pairs = pairs_to_compare(tally.systems, order, options.baseline)
    things = thing(quantity, tally)
    compared = [_pair(quantity, ratios, one, other, things) for one, other in pairs]
    evidence = _evidence(quantity, compared, options)
    comparisons = verdicts(tally.systems, pairs, quantity, known, evidence, options)
    lower = quantity.lower_is_better
    with_units = []
    for comparison, pair in zip(comparisons, compared, strict=True):
        units = pair.counts(lower_is_better=lower)
        if comparison.difference is None:
            most = largest(comparison.high, 0.0)
            comparison = replace(comparison, low=-most, high=most)  # noqa: PLW2901 (an end that JSON has)
        with_units.append(replace(comparison, units=units))
    not_different = () if options.baseline else not_significantly_different(order, with_units)
    chances = _ranks(quantity, tally.systems, ratios, things, options)
    ranking = MeasureRanking(quantity, order, means, not_different, chances, options.level)
    return with_units, ranking


def few_units(quantity: Quantity, tally: UnitTally) -> tuple[str, ...]:
    """Return a caution where intervals rest on few texts or items."""
    number = len(unit_ratios(quantity, tally).below)
    return (DIFFERENCE,) if number < FEW else ()


def _pair(quantity: Quantity, ratios: Ratios, one: int, other: int, things: str) -> PairOfRatios:
    """Return two systems on the units that count for both; in a pool any unit does that has something."""
    above = ratios.above[:, [one, other]]
    below = ratios.below[:, [one, other]]
    counts = (below > 0).all(axis=1)
    if quantity.traits.pools:
        counts = ((below > 0) | (above > 0)).any(axis=1)
    return PairOfRatios(Ratios(above[counts], below[counts]), things)


def _evidence(
    quantity: Quantity, compared: list[PairOfRatios], options: ComparisonOptions
) -> Evidence:
    """Return the difference of each pair with its interval, and the p-value of the requested test."""
    tested = [_tested(pair, len(compared), options) for pair in compared]
    intervals = [
        difference_of_ratios(pair.ratios, low=quantity.low, high=quantity.high, level=options.level)
        for pair in compared
    ]
    no_worse = None
    if options.margin is not None:
        no_worse = (
            np.array([_no_worse(pair, 1, options.margin) for pair in compared]),
            np.array([_no_worse(pair, -1, options.margin) for pair in compared]),
        )
    return Evidence(
        np.array([pair.difference for pair in compared]),
        np.array([float(interval.low) for interval in intervals]),
        np.array([float(interval.high) for interval in intervals]),
        np.array([p_value for p_value, _ in tested]),
        no_worse,
        tested[0][1],
    )


def _no_worse(pair: PairOfRatios, sign: int, margin: float) -> float:
    """Return the p-value if the first of two is worse by the margin or more; of differences that grow with quality."""
    values = sign * (pair.influences + pair.difference)
    return float(no_worse_over_queries(values[:, None], margin=margin)[0])


def _tested(pair: PairOfRatios, pairs: int, options: ComparisonOptions) -> tuple[float, str]:
    """Return the p-value, and the test with what repeats it."""
    name = "randomisation" if options.test == "auto" else options.test
    if as_test(TESTS[name]).basis != "queries":
        raise OptionError(
            f"--test {name} is for answers that are right or wrong; texts and samples are compared one by one: "
            "use randomisation or paired-t"
        )
    number = len(pair.ratios.below)
    over = f"over {number:,} {pair.things}"
    if name == "paired-t":
        values = pair.influences + pair.difference
        return float(paired_t(values[:, None])[0]), f"paired t {over}"
    draws = enough_draws(options.draws, pairs, level=options.level)
    p_value = swapped_ratios(pair.ratios, 0, 1, draws=draws, seed=options.seed)
    if number <= ALL_SIGNS:
        return p_value, f"randomisation {over} (all signs)"
    return p_value, f"randomisation {over} (draws={draws}, seed={options.seed})"


def _ranks(
    quantity: Quantity,
    systems: tuple[str, ...],
    ratios: Ratios,
    things: str,
    options: ComparisonOptions,
) -> Ranks | None:
    """Return how often each rank occurs in resamples of the units; None where they are too few or not wanted."""
    number = len(ratios.below)
    smallest = 2.0 ** (1 - number)
    if options.ranks is False or not significant(min(1.0, smallest), level=options.level):
        return None
    random = np.random.default_rng(options.seed)
    shares = np.full(number, 1 / number)
    step = max(1, AT_ONCE // number)
    drawn = []
    for start in range(0, options.draws, step):
        size = min(step, options.draws - start)
        counts = random.multinomial(number, shares, size=size)
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn.append(counts @ ratios.above / (counts @ ratios.below))
    values = np.concatenate(drawn)
    values = np.where(np.isnan(values), quantity.worst, values)
    method = f"bootstrap over {number:,} {things} (draws={options.draws}, seed={options.seed})"
    return ranks(Joint(systems, values, method), lower_is_better=quantity.lower_is_better)
