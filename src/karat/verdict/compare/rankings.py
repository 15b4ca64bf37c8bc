"""Is one ranking of documents better than another? Paired over queries."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from karat.doubt.bounds.query_mean import CAUTION, is_small, query_mean
from karat.doubt.query_spread import described, unit_sums
from karat.doubt.resampling.joint import Joint
from karat.doubt.resampling.ranks import Ranks, ranks
from karat.doubt.tests import TESTS
from karat.doubt.tests.over_queries import (
    ALL_SIGNS,
    enough_draws,
    no_worse_over_queries,
    paired_t,
    randomisation,
)
from karat.doubt.tests.significance_test import as_test
from karat.doubt.tests.two_samples import significant
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.tally.scores.query_units import QueryUnits
from karat.tally.scores.rankings import Rankings
from karat.verdict.compare.compare import pairs_to_compare, verdicts
from karat.verdict.compare.comparison import Comparison, QueryCounts
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.compare.evidence_parts import Evidence
from karat.verdict.compare.groups import not_significantly_different
from karat.verdict.compare.measure_ranking import MeasureRanking
from karat.verdict.ranking import ranking_by
from karat.verdict.score.retrieval import ranked

SAME = 1e-12
"""Values of a query that differ by less are equal but for rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class QueryValues:
    """A measure of each query, a row each, and run, with the clusters and weights of the queries, if any."""

    values: FloatArray
    units: QueryUnits | None


def compare_rankings(
    runs: Mapping[str, Rankings],
    quantity: Quantity,
    options: ComparisonOptions,
    units: QueryUnits | None = None,
) -> tuple[list[Comparison], MeasureRanking]:
    """Return every comparison of the runs by one measure, over the queries where it is defined."""
    systems = tuple(runs)
    sample = _defined(runs, quantity, units)
    values = sample.values
    means = dict(zip(systems, _means(sample), strict=True))
    order = tuple(ranking_by(quantity, means))
    pairs = pairs_to_compare(systems, order, options.baseline)
    differences = np.stack([values[:, one] - values[:, other] for one, other in pairs], axis=1)
    evidence = _evidence(QueryValues(differences, sample.units), quantity, options)
    known = [means[system] for system in systems]
    comparisons = verdicts(systems, pairs, quantity, known, evidence, options)
    counted = [
        replace(comparison, queries=_counts(differences[:, place]))
        for place, comparison in enumerate(comparisons)
    ]
    not_different = () if options.baseline else not_significantly_different(order, counted)
    chances = _ranks(systems, sample, options)
    ranking = MeasureRanking(quantity, order, means, not_different, chances, options.level)
    return counted, ranking


def few_queries(runs: Mapping[str, Rankings], units: QueryUnits | None = None) -> tuple[str, ...]:
    """Return a caution where intervals rest on few queries."""
    number = max(len(rankings.queries) for rankings in runs.values())
    return (CAUTION,) if is_small(number, units) else ()


def _defined(
    runs: Mapping[str, Rankings], quantity: Quantity, units: QueryUnits | None
) -> QueryValues:
    """Return the measure of each query and run, where it is defined for all of them."""
    by_run = []
    for rankings in runs.values():
        found = ranked(quantity, rankings).tolist()
        by_run.append(dict(zip(rankings.queries, found, strict=True)))
    queries = []
    rows = []
    for query in by_run[0]:
        values = [found.get(query, np.nan) for found in by_run]
        if not np.isnan(values).any():
            queries.append(query)
            rows.append(values)
    values_of_all = np.array(rows).reshape(len(rows), len(by_run))
    return QueryValues(values_of_all, None if units is None else units.of(queries))


def _means(sample: QueryValues) -> list[float | None]:
    sums = unit_sums(sample.values, sample.units)
    if not len(sums.weight):
        return [None] * sample.values.shape[1]
    means: list[float | None] = sums.mean().tolist()
    return means


def _counts(differences: FloatArray) -> QueryCounts:
    first = int((differences > SAME).sum())
    second = int((differences < -SAME).sum())
    return QueryCounts(len(differences), first, second)


def _evidence(sample: QueryValues, quantity: Quantity, options: ComparisonOptions) -> Evidence:
    """Return the difference of each pair with Student's interval, and the p-value of the requested test."""
    differences = sample.values
    units = sample.units
    p_value, test = _tested(sample, options)
    width = quantity.high - quantity.low
    low = []
    high = []
    for column in differences.T:
        interval = query_mean(column, level=options.level, low=-width, high=width, units=units)
        low.append(float(interval.low))
        high.append(float(interval.high))
    no_worse = None
    if options.margin is not None:
        margin = options.margin
        no_worse = (
            no_worse_over_queries(differences, units, margin=margin, lowest=-width),
            no_worse_over_queries(-differences, units, margin=margin, lowest=-width),
        )
    difference = np.full(differences.shape[1], np.nan)
    sums = unit_sums(differences, units)
    if len(sums.weight):
        difference = sums.mean()
    return Evidence(difference, np.array(low), np.array(high), p_value, no_worse, test)


def _tested(sample: QueryValues, options: ComparisonOptions) -> tuple[FloatArray, str]:
    """Return the p-values, and the test with what repeats it."""
    number, pairs = sample.values.shape
    name = "randomisation" if options.test == "auto" else options.test
    if as_test(TESTS[name]).basis != "queries":
        raise OptionError(
            f"--test {name} is for answers; rankings are compared query by query: use randomisation or paired-t"
        )
    over = f"over {described(number, sample.units)}"
    if name == "paired-t":
        return paired_t(sample.values, sample.units), f"paired t {over}"
    draws = enough_draws(options.draws, pairs, level=options.level)
    p_values = randomisation(sample.values, sample.units, draws=draws, seed=options.seed)
    if len(unit_sums(sample.values, sample.units).weight) <= ALL_SIGNS:
        return p_values, f"randomisation {over} (all signs)"
    return p_values, f"randomisation {over} (draws={draws}, seed={options.seed})"


def _ranks(
    systems: tuple[str, ...], sample: QueryValues, options: ComparisonOptions
) -> Ranks | None:
    """Return how often each rank occurs in resamples of the queries; None where they are too few or not wanted."""
    sums = unit_sums(sample.values, sample.units)
    number = len(sums.weight)
    smallest = 2.0 ** (1 - number)
    if options.ranks is False or not significant(min(1.0, smallest), level=options.level):
        return None
    random = np.random.default_rng(options.seed)
    shares = np.full(number, 1 / number)
    counts = random.multinomial(number, shares, size=options.draws)
    means = counts @ sums.values / (counts @ sums.weight)[:, None]
    over = described(len(sample.values), sample.units)
    method = f"bootstrap over {over} (draws={options.draws}, seed={options.seed})"
    return ranks(Joint(systems, means, method))
