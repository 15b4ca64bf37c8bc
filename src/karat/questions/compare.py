"""Is one system really better than another?"""

from collections.abc import Sequence

from karat.ask.preconditions import judged, refuse_scores
from karat.errors import OptionError
from karat.measure import usual
from karat.measure.quantity import choose
from karat.questions.remarks import truth_as_it_stands, unused_answers, unusual_labels
from karat.report.signature import about
from karat.tally.counter import Counter
from karat.tally.votes.confidences import Confidences, confidences
from karat.tally.votes.patterns import Patterns, patterns
from karat.verdict.compare.compare import (
    ComparisonOptions,
    few_clusters,
    of_distributions,
)
from karat.verdict.compare.compare import compare as compare_systems
from karat.verdict.compare.result import Comparison, ComparisonResult, MeasureRanking
from karat.verdict.score.scores import check_labels, labels_of


def compare(
    counter: Counter, measure: str | Sequence[str] | None, contest: ComparisonOptions
) -> ComparisonResult:
    """Compare every two systems by each measure; rankings of documents query by query."""
    if counter.facts.holds_rankings:
        from karat.questions.compare_rankings import compare_runs  # noqa: PLC0415 (labels need none)
        from karat.verdict.score.retrieval import asks_of_rankings  # noqa: PLC0415

        if asks_of_rankings(counter.facts, measure):
            return compare_runs(counter, measure, contest)
    if measure is None:
        measure = usual.RIGHT_ANSWERS
    if "judge" in counter.facts.options:
        from karat.questions.judged import compare_by_judge  # noqa: PLC0415 (seldom asked)

        judge = counter.facts.options["judge"]
        return compare_by_judge(counter, judge, measure, contest)
    facts = judged(counter.facts, "total")
    if len(facts.systems) < 2:
        raise OptionError(
            f"{facts.origin} has one system, {facts.systems[0]!r}; a comparison needs two"
        )
    refuse_scores(facts, measure)
    quantities = choose(measure, positive=facts.meaning.positive, distributions=True)
    rows = counter.count(patterns, keys="cw")
    check_labels(quantities, labels_of(rows))
    comparisons: list[Comparison] = []
    fields: list[MeasureRanking] = []
    for quantity in quantities:
        tally: Patterns | Confidences = rows
        if of_distributions(quantity, rows):
            tally = counter.count(confidences)
        pairs, field = compare_systems(tally, quantity, contest)
        comparisons += pairs
        fields.append(field)
    beside = about("compare", map(str, quantities), contest, facts.options, [rows.digest()], facts)
    remarks = (
        *facts.remarks(),
        *unused_answers(facts),
        *truth_as_it_stands(facts),
        *few_clusters(rows, contest),
        *unusual_labels(facts, rows),
    )
    return ComparisonResult(tuple(comparisons), tuple(fields), beside, remarks)
