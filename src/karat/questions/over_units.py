"""How good are texts, or several samples of each item, and is one system better than another by them?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from karat.ask.preconditions import Per, option, quantities_named, require_truth
from karat.doubt.estimates import IntervalOptions
from karat.doubt.group_mean import LIKE_THESE, MeanOver
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.measure.unit_values import UnitTally
from karat.report.signature import about
from karat.table.kinds import score as scores_kind
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.tally.votes.edits import edits
from karat.tally.votes.samples import SampleCounts, samples
from karat.tally.votes.span_matches import span_matches
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.compare.over_units import compare_units, few_units
from karat.verdict.compare.result import ComparisonResult
from karat.verdict.score.over_units import group_scores_over_units, left_out, scores_over_units
from karat.verdict.score.result import Entry, ScoreResult
from karat.verdict.score.scores import (
    FEW_CLUSTERS,
    OVER_LIKE_THESE,
    OVER_THESE,
    few_clusters,
    ranked,
)

if TYPE_CHECKING:
    from karat.verdict.compare.comparison import Comparison
    from karat.verdict.compare.measure_ranking import MeasureRanking

NO_TEXTS = {
    "text": "these are single characters",
    "words": "these are single words",
    "bag": "these are single words",
}
"""What the rows of a source are that splits texts."""
NO_CLASSES = (
    "texts, samples and whole documents have no classes; leave --per class out. Entities by type are --measure f1 "
    "--per class, also with --using match=partial"
)
ONE_SAMPLE = "Every item has one sample: pass@1 is accuracy."
ONE_TEXT = (
    "One text, so that nothing is known of others; --using page=line takes each line as a text."
)
AS_THEY_ARE = "Texts are compared as they are; --format text --using rows=texts normalises them."


def score_over_units(
    counter: Counter,
    how: IntervalOptions,
    measure: str | Sequence[str],
    *,
    per: Per,
    mean_over: MeanOver | None,
) -> ScoreResult:
    """Score whole texts, or the samples of each item, from the best system to the worst."""
    facts = require_truth(counter.facts, None)
    if per == "class":
        raise OptionError(NO_CLASSES)
    if per == "group" and "g" not in facts.keys:
        raise OptionError("--per group needs groups; name their column with --group COL")
    quantities = quantities_named(measure)
    tallies = [_counted(counter, one, keys="cg" if mean_over else "c") for one in quantities]
    entries: list[Entry] = []
    for quantity, tally in zip(quantities, tallies, strict=True):
        if mean_over:
            entries += group_scores_over_units(quantity, _by_group(tally), mean_over, how)
        else:
            entries += scores_over_units(quantity, tally, how)
    digests = [tally.digest() for tally in tallies]
    header = about("score", map(str, quantities), how, facts.options, digests, facts)
    remarks = [*facts.remarks(), *_remarks(facts, quantities, tallies)]
    if mean_over:
        remarks.append(OVER_LIKE_THESE if mean_over == LIKE_THESE else OVER_THESE)
    return ScoreResult(ranked(entries), header, tuple(remarks), how.side)


def compare_over_units(
    counter: Counter, measure: str | Sequence[str], options: ComparisonOptions
) -> ComparisonResult:
    """Compare every two systems by each measure, paired over texts or items."""
    facts = require_truth(counter.facts, None)
    if len(facts.systems) < 2:
        raise OptionError(
            f"{facts.origin} has one system, {facts.systems[0]!r}; a comparison needs two"
        )
    quantities = quantities_named(measure)
    tallies = [_counted(counter, one, keys="c") for one in quantities]
    comparisons: list[Comparison] = []
    rankings: list[MeasureRanking] = []
    for quantity, tally in zip(quantities, tallies, strict=True):
        pairs, ranking = compare_units(quantity, tally, options)
        comparisons += pairs
        rankings.append(ranking)
    digests = [tally.digest() for tally in tallies]
    header = about("compare", map(str, quantities), options, facts.options, digests, facts)
    remarks = (
        *facts.remarks(),
        *_remarks(facts, quantities, tallies),
        *few_units(quantities[0], tallies[0]),
    )
    return ComparisonResult(tuple(comparisons), tuple(rankings), header, remarks)


def _counted(counter: Counter, quantity: Quantity, *, keys: str) -> UnitTally:
    """Count what a measure is of; refuse tables that cannot hold it."""
    facts = counter.facts
    unfit = {"w", "e"} & set(facts.keys)
    if unfit:
        raise OptionError(f"{quantity} counts every unit once; leave {option(unfit)} out")
    if facts.kind == scores_kind:
        raise OptionError(f"{quantity} is of answers; {facts.origin} holds scores")
    unit = quantity.traits.unit
    if quantity.counted_from == "samples":
        return _samples(counter, quantity, keys=keys.replace("c", ""))
    if unit is None:
        return _matches(counter, quantity, keys=keys)
    source = facts.options.get("source", "").partition("(")
    if source[0] in NO_TEXTS and "rows=texts" not in source[2]:
        raise OptionError(
            f"{quantity} is of whole texts, and {NO_TEXTS[source[0]]}: read them with --using rows=texts"
        )
    return counter.count(edits, unit=unit, keys=keys)


def _samples(counter: Counter, quantity: Quantity, *, keys: str) -> UnitTally:
    facts = counter.facts
    if "cluster" in facts.options:
        raise OptionError(f"{quantity} takes the samples of an item together; leave --cluster out")
    return counter.count(samples, keys=keys)


def _matches(counter: Counter, quantity: Quantity, *, keys: str) -> UnitTally:
    source = counter.facts.options.get("source", "")
    if "rows=documents" not in source:
        raise OptionError(
            f"{quantity} is of the entities of whole documents: read CoNLL columns or spans with --using rows=documents"
        )
    return counter.count(span_matches, keys=keys)


def _by_group(tally: UnitTally) -> dict[str, UnitTally]:
    """Return the counts of each group, by its name."""
    names = np.array([str(name) for name in tally.keys["g"]], object)
    groups: dict[str, UnitTally] = {}
    for name in sorted(set(names.tolist())):
        groups[name] = tally.chosen(names == name)
    return groups


def _remarks(
    facts: Facts, quantities: Sequence[Quantity], tallies: Sequence[UnitTally]
) -> list[str]:
    """Return how texts were made comparable, what was left out, and that samples are of one item each."""
    clusters = [len(set(tally.keys["c"].tolist())) for tally in tallies if "c" in tally.keys]
    remarks = left_out(quantities, tallies)
    remarks += few_clusters(min(clusters, default=FEW_CLUSTERS))
    if any(one.counted_from == "texts" for one in quantities):
        remarks += _remarks_on_texts(facts)
    of_samples = [tally for tally in tallies if isinstance(tally, SampleCounts)]
    if of_samples and int(of_samples[0].taken.max(initial=0)) == 1:
        remarks.append(ONE_SAMPLE)
    return remarks


def _remarks_on_texts(facts: Facts) -> list[str]:
    """Return how texts were normalised, and that there is only one."""
    source = facts.options.get("source", "")
    if "rows=texts" not in source:
        return [AS_THEY_ARE]
    steps = source.partition("normalise=")[2].partition(",")[0]
    remarks = [f"Normalised before they are compared: {steps.replace('+', ', ')}."]
    # The lines of a single file may be what is meant.
    if facts.counts.items == 1 and "page=line" not in source:
        remarks.append(ONE_TEXT)
    return remarks
