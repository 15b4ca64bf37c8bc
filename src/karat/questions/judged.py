"""How good is each system, and is A better than B, where a judge grades all items and people checked a few?"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from karat.ask.preconditions import Per
from karat.doubt.estimates import IntervalOptions
from karat.errors import KaratError, OptionError
from karat.measure import usual
from karat.questions.remarks import unusual_labels
from karat.report.signature import about
from karat.table.kinds import score as scores_kind
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.tally.item_names import items as item_names
from karat.tally.votes.patterns import Patterns, patterns
from karat.verdict.compare.compare import ComparisonOptions
from karat.verdict.compare.comparison import Comparison
from karat.verdict.judged.compare import (
    JudgedComparisonResult,
    LabelNext,
    compare_judged,
    label_next,
)
from karat.verdict.judged.graded import graded_outputs
from karat.verdict.judged.items import JudgedItems, judged_labels
from karat.verdict.judged.record import record_of
from karat.verdict.judged.scores import JudgedScoreResult, entries, judged_systems


def score_judged(
    counter: Counter,
    judge: str,
    how: IntervalOptions,
    *,
    measure: str | Sequence[str] | None = None,
    per: Per = "total",
    missing: str | None = None,
) -> JudgedScoreResult:
    """Return every system's accuracy by the judge, corrected for the errors that the checked items show.

    `missing` says how missing answers count, if not as the table says.
    """
    _check(counter.facts, measure or usual.RIGHT_ANSWERS)
    if per != "total" or how.side != "both" or how.bound != "exact":
        raise OptionError(
            "--judge gives one interval of the accuracy over all items; leave --per, --side and --bound out"
        )
    rows = counter.count(patterns)
    judged = _judged(counter.facts, rows, judge, missing)
    facts = _without_judge(counter.facts, judged)
    found = judged_systems(judged, how.level)
    record = record_of(judge, judged, facts, how.level)
    header = about("score", [usual.RIGHT_ANSWERS], how, facts.options, [rows.digest()], facts)
    remarks = (*record.remarks(), *_warnings(facts, rows))
    return JudgedScoreResult(entries(found), header, remarks, record=record, systems=found)


def compare_by_judge(
    counter: Counter,
    judge: str,
    measure: str | Sequence[str],
    options: ComparisonOptions,
    *,
    missing: str | None = None,
) -> JudgedComparisonResult:
    """Compare every two accuracies by strata of the two answers and the judge's."""
    _check(counter.facts, measure)
    if options.test != "auto" or options.ranks:
        raise OptionError("--judge has a test of its own; leave --test and --ranks out")
    rows = counter.count(patterns)
    judged = _judged(counter.facts, rows, judge, missing)
    facts = _without_judge(counter.facts, judged)
    if len(judged.systems) < 2:
        raise OptionError(
            f"beside the judge there is one system, {judged.systems[0]!r}; a comparison needs two"
        )
    comparisons, ranking = compare_judged(judged, judged_systems(judged, options.level), options)
    record = record_of(judge, judged, facts, options.level)
    header = about("compare", [usual.RIGHT_ANSWERS], options, facts.options, [rows.digest()], facts)
    return JudgedComparisonResult(
        tuple(comparisons),
        (ranking,),
        header,
        (*record.remarks(), *_warnings(facts, rows)),
        record=record,
        next_labels=_next(counter, rows, judged, comparisons, ranking.order, options.seed),
    )


def _check(facts: Facts, measure: str | Sequence[str]) -> None:
    """Refuse a table or a measure of which a judge cannot be corrected."""
    if not facts.has_truth:
        raise OptionError(
            f"{facts.origin} has no truth, so nobody knows how often the judge is wrong; {facts.truth_remedy()}, "
            "or ask karat consensus"
        )
    if "people" not in facts.options and not facts.counts.without_truth:
        raise OptionError(
            f"every item of {facts.origin} has a truth, so there is nothing for a judge to add; leave --judge out"
        )
    names = measure.split(",") if isinstance(measure, str) else list(measure)
    for name in names:
        if name.strip() != usual.RIGHT_ANSWERS:
            raise OptionError(
                f"a judge is corrected for accuracy; --measure {name.strip()} needs a truth"
            )
    if facts.kind == scores_kind:
        raise OptionError(
            f"{facts.origin} holds scores; a judge looks at answers: give --threshold"
        )
    if {"c", "w", "e"} & set(facts.keys):
        raise OptionError(
            "--judge counts every item once; leave --cluster, --run, --weight, --error and --repeats keep out"
        )


def _judged(facts: Facts, rows: Patterns, judge: str, missing: str | None) -> JudgedItems:
    """Return the judge's label of every item, and people's labels of some."""
    if missing is not None:
        rows = replace(rows, meaning=replace(rows.meaning, missing=missing))
    if "people" in facts.options:
        return graded_outputs(rows)
    return judged_labels(rows, judge)


def _without_judge(facts: Facts, judged: JudgedItems) -> Facts:
    """Return the facts of the systems that are judged."""
    of_people = "people" in facts.options
    missing = {}
    for name in judged.systems:
        missing[name] = 0 if of_people else facts.counts.missing[name]
    counts = replace(facts.counts, missing=missing)
    if of_people:
        counts = replace(counts, without_truth=facts.counts.items - judged.checked_items)
    return replace(facts, systems=judged.systems, counts=counts)


def _warnings(facts: Facts, rows: Patterns) -> tuple[str, ...]:
    if "people" in facts.options:
        return ()
    return unusual_labels(facts, rows)


def _next(
    counter: Counter,
    rows: Patterns,
    judged: JudgedItems,
    comparisons: Sequence[Comparison],
    order: Sequence[str],
    seed: int,
) -> tuple[LabelNext, ...]:
    """Return what to label next; nothing where the items cannot be named."""
    if all(one.verdict != "undecided" for one in comparisons):
        return ()
    try:
        names, places = counter.count(item_names, rows)
    except KaratError:
        return ()
    return label_next(judged, comparisons, order, names, np.asarray(places), seed)
