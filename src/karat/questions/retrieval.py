"""How good is each ranked list, averaged over queries or query by query?"""

from collections.abc import Sequence

from karat.ask.preconditions import require_truth
from karat.doubt.estimates import IntervalOptions
from karat.errors import ChoiceError, OptionError
from karat.measure.quantity import Quantity
from karat.report.signature import about
from karat.tally.counter import Counter
from karat.tally.scores.query_units import QueryUnits, query_units
from karat.tally.scores.rankings import Rankings, rankings
from karat.verdict.score.result import ScoreResult
from karat.verdict.score.retrieval import (
    RetrievalResult,
    by_query,
    check_rankings,
    digests,
    entries,
    few_judged,
    few_queries,
    requested_measures,
    without_relevant,
)
from karat.verdict.score.retrieval import retrieval as mean_over_queries

OVER_QUERIES = (
    "Averaged over queries, as intervals are; over all documents together: --measure roc-area."
)


def retrieval_per(
    counter: Counter, per: str, *, measure: str | Sequence[str] | None, level: float | None
) -> RetrievalResult:
    """Return each measure of each run: its mean over queries, or query by query."""
    if per == "total":
        return retrieval(counter, measure=measure, level=0.95 if level is None else level)
    if per != "query":
        raise ChoiceError("--per", per, ["total", "query"])
    if level is not None:
        raise OptionError(
            "--level is for the means over queries; one query has no interval, so leave it out"
        )
    return retrieval_queries(counter, measure=measure)


def retrieval(
    counter: Counter, *, measure: str | Sequence[str] | None = None, level: float = 0.95
) -> RetrievalResult:
    """Return each measure of each run, averaged over queries."""
    facts = counter.facts
    measures, runs = rankings_for(counter, measure)
    units = units_of_queries(counter)
    options = {**facts.options, "level": str(level)}
    header = about("retrieval", map(str, measures), None, options, digests(runs, units), facts)
    rows = mean_over_queries(runs, measures, level=level, units=units)
    remarks = (
        *without_relevant(runs),
        *few_judged(runs),
        *facts.remarks(),
        *few_queries(rows, units),
    )
    return RetrievalResult(rows, header, remarks)


def retrieval_queries(
    counter: Counter, *, measure: str | Sequence[str] | None = None
) -> RetrievalResult:
    """Return each measure of each run for every query."""
    facts = counter.facts
    measures, runs = rankings_for(counter, measure)
    header = about("retrieval", map(str, measures), None, facts.options, digests(runs), facts)
    return RetrievalResult(by_query(runs, measures), header, facts.remarks())


def rankings_for(
    counter: Counter, measure: str | Sequence[str] | None
) -> tuple[list[Quantity], dict[str, Rankings]]:
    """Return the requested measures, and where each run ranks the relevant documents."""
    facts = require_truth(counter.facts, None)
    check_rankings(facts)
    measures = requested_measures(measure)
    looks_at_judged = any(one.traits.looks_at_judged for one in measures)
    has_grades = "d" in facts.keys
    return measures, counter.count(rankings, judged=looks_at_judged or has_grades)


def units_of_queries(counter: Counter) -> QueryUnits | None:
    """Return the clusters and weights of the queries; None where there are neither."""
    if not {"c", "w"} & set(counter.facts.keys):
        return None
    return counter.count(query_units)


def score_of_rankings(
    counter: Counter, how: IntervalOptions, measure: str | Sequence[str] | None
) -> ScoreResult:
    """Score ranked lists query by query, as `score` shows them: scores of two queries are not compared."""
    if how.side != "both":
        raise OptionError("intervals over queries have two sides; leave --side out")
    result = retrieval(counter, measure=measure, level=how.level)
    header = {**result.about, "command": "score"}
    return ScoreResult(entries(result.found), header, (*result.remarks, OVER_QUERIES))
