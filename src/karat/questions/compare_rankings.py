"""Is one ranking of documents better than another, query by query?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.ask.preconditions import require_truth
from karat.errors import OptionError
from karat.questions.retrieval import rankings_for, units_of_queries
from karat.report.signature import about
from karat.tally.counter import Counter
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.compare.rankings import compare_rankings, few_queries
from karat.verdict.compare.result import ComparisonResult
from karat.verdict.score.retrieval import digests, few_judged, without_relevant

if TYPE_CHECKING:
    from karat.verdict.compare.comparison import Comparison
    from karat.verdict.compare.measure_ranking import MeasureRanking

USUAL = "AP"
"""What runs are compared by where no measure is named."""


def compare_runs(
    counter: Counter, measure: str | Sequence[str] | None, options: ComparisonOptions
) -> ComparisonResult:
    """Compare every two runs by each measure, paired over queries."""
    facts = require_truth(counter.facts, None)
    if len(facts.systems) < 2:
        raise OptionError(
            f"{facts.origin} has one run, {facts.systems[0]!r}; a comparison needs two"
        )
    quantities, runs = rankings_for(counter, measure or USUAL)
    units = units_of_queries(counter)
    comparisons: list[Comparison] = []
    rankings: list[MeasureRanking] = []
    for quantity in quantities:
        pairs, ranking = compare_rankings(runs, quantity, options, units)
        comparisons += pairs
        rankings.append(ranking)
    hashes = digests(runs, units)
    header = about("compare", map(str, quantities), options, facts.options, hashes, facts)
    remarks = (
        *without_relevant(runs),
        *few_judged(runs),
        *facts.remarks(),
        *few_queries(runs, units),
    )
    return ComparisonResult(tuple(comparisons), tuple(rankings), header, remarks)
