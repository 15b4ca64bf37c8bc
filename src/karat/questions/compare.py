"""Is one system really better than another?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.ask.preconditions import are_over_units, areas_requested, refuse_scores, require_truth
from karat.errors import OptionError
from karat.measure import usual
from karat.measure.quantity import choose
from karat.questions.remarks import (
    truth_as_it_stands,
    unnamed_clusters,
    unused_answers,
    unusual_labels,
)
from karat.report.signature import about
from karat.tally.counter import Counter
from karat.tally.votes.confidences import confidences
from karat.tally.votes.patterns import patterns
from karat.verdict.compare.compare import (
    MOST_PLANNED,
    PLANNED_NEXT,
    ComparisonOptions,
    few_clusters,
    of_distributions,
)
from karat.verdict.compare.compare import compare as compare_systems
from karat.verdict.compare.compared import Compared, ToCompare, compared
from karat.verdict.compare.result import ComparisonResult
from karat.verdict.score.scores import check_labels, labels_of

if TYPE_CHECKING:
    from karat.verdict.compare.comparison import Comparison
    from karat.verdict.compare.measure_ranking import MeasureRanking


def compare(
    counter: Counter, measure: str | Sequence[str] | None, options: ComparisonOptions
) -> ComparisonResult:
    """Compare every two systems by each measure; rankings of documents query by query."""
    if counter.facts.holds_rankings:
        from karat.questions.compare_rankings import compare_runs  # noqa: PLC0415 (labels need none)
        from karat.verdict.score.retrieval import are_of_rankings  # noqa: PLC0415

        if are_of_rankings(counter.facts, measure):
            return compare_runs(counter, measure, options)
    if measure is None:
        measure = usual.RIGHT_ANSWERS
    if "judge" in counter.facts.options:
        from karat.questions.judged import compare_by_judge  # noqa: PLC0415 (seldom asked)

        judge = counter.facts.options["judge"]
        return compare_by_judge(counter, judge, measure, options)
    if are_over_units(measure):
        from karat.questions.over_units import compare_over_units  # noqa: PLC0415 (seldom asked)

        return compare_over_units(counter, measure, options)
    facts = require_truth(counter.facts, None)
    if len(facts.systems) < 2:
        raise OptionError(
            f"{facts.origin} has one system, {facts.systems[0]!r}; a comparison needs two"
        )
    if areas_requested(facts, measure):
        from karat.questions.compare_curves import compared_curves  # noqa: PLC0415 (labels need no areas)

        to_compare = compared_curves(counter, measure)
    else:
        refuse_scores(facts, measure)
        to_compare = _compared_answers(counter, measure)
    comparisons: list[Comparison] = []
    rankings: list[MeasureRanking] = []
    for compared_by_measure in to_compare.each:
        pairs, ranking = compare_systems(compared_by_measure, options)
        comparisons += pairs
        rankings.append(ranking)
    remarks: list[str] = []
    if options.baseline is None and len(comparisons) > MOST_PLANNED * len(to_compare.each):
        remarks.append(PLANNED_NEXT)
    measures = [str(one.quantity) for one in to_compare.each]
    header = about("compare", measures, options, facts.options, to_compare.digests, facts)
    remarks += (
        *facts.remarks(),
        *unused_answers(facts),
        *truth_as_it_stands(facts),
        *unnamed_clusters(facts),
        *few_clusters(to_compare.each[0], options),
        *to_compare.remarks,
    )
    return ComparisonResult(tuple(comparisons), tuple(rankings), header, tuple(remarks))


def _compared_answers(counter: Counter, measure: str | Sequence[str]) -> ToCompare:
    """Count what the systems answered, for each measure."""
    facts = counter.facts
    quantities = choose(measure, positive=facts.meaning.positive, distributions=True)
    rows = counter.count(patterns, keys="cw")
    check_labels(quantities, labels_of(rows))
    each: list[Compared] = []
    for quantity in quantities:
        if of_distributions(quantity, rows):
            each.append(compared(counter.count(confidences), quantity))
        else:
            each.append(compared(rows, quantity))
    return ToCompare(tuple(each), (rows.digest(),), unusual_labels(facts, rows))
