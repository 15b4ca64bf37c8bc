"""How good is each system, and how certain is that?"""

from collections.abc import Sequence

from karat.ask.preconditions import Per, are_over_units, check_missing, require_truth
from karat.doubt.estimates import IntervalOptions
from karat.doubt.group_mean import LIKE_THESE, THESE, MeanOver, check_mean_over
from karat.errors import OptionError
from karat.measure.quantity import Quantity, choose
from karat.questions.remarks import (
    groups_together,
    truth_as_it_stands,
    unnamed_clusters,
    unused_answers,
)
from karat.report.signature import about
from karat.table.kinds import score as scores_kind
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.tally.scores.curve import curves
from karat.tally.votes.confidences import confidences
from karat.tally.votes.confusion import confusions
from karat.verdict.score.result import ScoreResult
from karat.verdict.score.scores import (
    ONLY_ACCURACY,
    OVER_LIKE_THESE,
    OVER_THESE,
    TOO_MANY_CLASSES,
    ScoredSystem,
    check_distributions,
    check_labels,
    check_number_of_classes,
    few_clusters,
    least_clusters,
    only_accuracy_of,
    ranked,
    reading_warnings,
    score_of_confusion,
    too_many_classes,
)


def score(
    counter: Counter,
    how: IntervalOptions,
    *,
    measure: str | Sequence[str] | None = None,
    per: Per = "total",
    mean_over: MeanOver | None = None,
    beta: float = 1.0,
) -> ScoreResult:
    """Return every measure of every system with its interval, from the best system to the worst."""
    groups = _mean_over(mean_over, per)
    if "judge" in counter.facts.options:
        from karat.questions.judged import score_judged  # noqa: PLC0415 (seldom asked)

        judge = counter.facts.options["judge"]
        return score_judged(counter, judge, how, measure=measure, per=per)
    if measure is not None and are_over_units(measure):
        from karat.questions.over_units import score_over_units  # noqa: PLC0415 (seldom asked)

        return score_over_units(counter, how, measure, per=per, mean_over=groups)
    facts = require_truth(counter.facts, per)
    if facts.holds_rankings:
        from karat.questions.retrieval import score_of_rankings  # noqa: PLC0415 (seldom asked)
        from karat.verdict.score.retrieval import are_of_rankings  # noqa: PLC0415

        if are_of_rankings(facts, measure):
            return score_of_rankings(counter, how, measure)
    return _score_of_answers(counter, how, groups, measure=measure, per=per, beta=beta)


def _score_of_answers(
    counter: Counter,
    how: IntervalOptions,
    groups: MeanOver | None,
    *,
    measure: str | Sequence[str] | None,
    per: Per,
    beta: float,
) -> ScoreResult:
    """Score single answers: labels, distributions over them, or scores."""
    facts = counter.facts
    of_scores = facts.kind == scores_kind
    if of_scores:
        check_missing(facts)
    has_error_by_item = "e" in facts.keys
    quantities = choose(
        measure,
        beta=beta,
        positive=facts.meaning.positive,
        classes=per == "class",
        scores=of_scores,
        distributions=not has_error_by_item,
    )
    is_default = measure is None and per != "class"
    by_expected_counts = has_error_by_item and not of_scores
    if by_expected_counts:
        systems = _expected(counter, quantities, how, per)
    else:
        systems = _scored(counter, quantities, how, groups, is_default=is_default)
    remarks = [*facts.remarks(), *unused_answers(facts)]
    if is_default and not of_scores and too_many_classes(system.labels for system in systems):
        quantities = quantities[:1]
        remarks.append(TOO_MANY_CLASSES)
    elif is_default and systems[0].of_one_class:
        # Where every truth is the same, precision, recall and F add nothing to accuracy.
        systems = only_accuracy_of(systems)
        quantities = quantities[:1]
        remarks.append(ONLY_ACCURACY)
    _check_labels(quantities, systems, facts)
    if by_expected_counts:
        from karat.verdict.score.expected_counts import EXPECTED  # noqa: PLC0415

        remarks.append(EXPECTED)
    else:
        remarks += truth_as_it_stands(facts)
    if per == "total":
        remarks += groups_together(facts)
    remarks += unnamed_clusters(facts, per_group=per == "group")
    remarks += few_clusters(least_clusters(systems))
    misread = reading_warnings(facts, systems)
    remarks += misread
    if groups:
        remarks.append(OVER_LIKE_THESE if groups == LIKE_THESE else OVER_THESE)
    digests = [system.digest for system in systems]
    header = about("score", map(str, quantities), how, facts.options, digests, facts)
    estimates = [entry for system in systems for entry in system.entries]
    return ScoreResult(ranked(estimates), header, tuple(remarks), how.side, misread)


def _check_labels(
    quantities: Sequence[Quantity], systems: Sequence[ScoredSystem], facts: Facts
) -> None:
    """Refuse a label that is neither in the data nor one of a yes/no pair."""
    labels = set(facts.meaning.pair or ())
    for system in systems:
        labels.update(system.labels)
    check_labels(quantities, labels)


def _mean_over(mean_over: MeanOver | None, per: Per) -> MeanOver | None:
    """Return which groups a mean over groups is of; None where there is no such mean."""
    if mean_over is not None:
        check_mean_over(mean_over)
    if per == "group":
        return mean_over or THESE
    if mean_over is not None:
        raise OptionError(
            "--mean-over is of the mean over groups; give --per group, or leave it out"
        )
    return None


def _scored(
    counter: Counter,
    quantities: Sequence[Quantity],
    how: IntervalOptions,
    mean_over: MeanOver | None,
    *,
    is_default: bool,
) -> list[ScoredSystem]:
    """Count each system, and estimate every measure: from its curve if it gave scores, else from its confusion."""
    facts = counter.facts
    if facts.kind == scores_kind:
        from karat.questions.scored_items import scored_items  # noqa: PLC0415 (labels need no areas)
        from karat.verdict.score.score_values import score_of_curve, scores_of_items  # noqa: PLC0415

        if {"c", "w"} & set(facts.keys):
            items = scored_items(counter)
            return scores_of_items(items.paired, items.curves, quantities, how)
        of_scores = counter.count(curves)
        return [
            score_of_curve(system, curve, quantities, how) for system, curve in of_scores.items()
        ]
    per_group = mean_over is not None
    distributions = None
    if check_distributions(quantities, facts, per_group=per_group):
        distributions = counter.count(confidences)
    of_answers = [quantity for quantity in quantities if quantity.counted_from == "confusion"]
    parts = []
    counts = counter.count(confusions, keys="cwrg" if per_group else "cwr")
    if too_many_classes(cells.labels for cells in counts.values()):
        if is_default:
            of_answers = of_answers[:1]
        for cells in counts.values():
            check_number_of_classes(of_answers, cells.labels)
    for system, cells in counts.items():
        part = score_of_confusion(system, cells, of_answers, how, mean_over=mean_over)
        if distributions is not None:
            from karat.verdict.score.score_values import with_distributions  # noqa: PLC0415

            part = with_distributions(part, system, distributions, quantities, how)
        parts.append(part)
    return parts


def _expected(
    counter: Counter, quantities: Sequence[Quantity], how: IntervalOptions, per: Per
) -> list[ScoredSystem]:
    """Estimate every measure from expected counts, where each truth is wrong with a probability of its own."""
    from karat.verdict.score.expected_counts import check_expected, expected  # noqa: PLC0415 (seldom asked)

    facts = counter.facts
    check_expected(facts, how, per)
    cells = counter.count(confusions, keys="e")
    return expected(cells, facts.meaning, quantities, how)
