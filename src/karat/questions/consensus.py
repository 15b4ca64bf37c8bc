"""Who is best when there is no truth?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from karat.ask.preconditions import cutoff_counter, ignored_options, voting_counter
from karat.ask.voting import (
    AT_HALF,
    HALF,
    ConsensusOptions,
    with_estimator,
    without_spread,
)
from karat.errors import ChoiceError, OptionError, TallyError
from karat.questions.remarks import unusual_labels
from karat.report.signature import about
from karat.table.kinds import score as scores_kind
from karat.table.kinds import yesno as yesno_kind
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.tally.item_names import items
from karat.tally.scores.depths import depths as count_depths
from karat.tally.votes.covotes import covotes, covotes_by_block
from karat.tally.votes.patterns import Patterns, patterns
from karat.verdict.consensus.confidence_sums import SummedConfidences
from karat.verdict.consensus.consensus import consensus as consensus_of
from karat.verdict.consensus.cutoffs import CUTOFFS, DEPTHS, Cutoffs, Depths, by_cutoff, by_depth
from karat.verdict.consensus.item_labels import ItemTruth, item_truth
from karat.verdict.consensus.parts import ConsensusParts, by_part
from karat.verdict.consensus.result import ConsensusResult

PARTS = ("total", "class", "group", "family", "cutoff", "depth", "item")
"""What the result of a vote may be divided by."""
AnyConsensus = ConsensusResult | ConsensusParts | Cutoffs | Depths | ItemTruth


def consensus_per(
    counter: Counter,
    per: str,
    given: Mapping[str, Any],
    *,
    cutoffs: Sequence[float] | None = None,
    threshold: float | None = None,
) -> AnyConsensus:
    """Return the vote as a whole, in parts, at cut-offs, or item by item."""
    check_parts(per, cutoffs=cutoffs, threshold=threshold)
    kind = counter.facts.kind if threshold is None else yesno_kind
    given = with_estimator(given, kind, per)
    if per == "total":
        return consensus(counter, ConsensusOptions(**given), threshold=threshold)
    options = without_spread(given)
    if per == "item":
        return consensus_items(counter, options, threshold=threshold)
    if per == "cutoff":
        return consensus_cutoffs(counter, options, CUTOFFS if cutoffs is None else cutoffs)
    if per == "depth":
        return consensus_depths(counter, options, _depths(cutoffs))
    return consensus_parts(counter, options, per=per, threshold=threshold)


def check_parts(per: str, *, cutoffs: Sequence[float] | None, threshold: float | None) -> None:
    """Refuse options that do not go with the parts that the vote is shown in."""
    if per not in PARTS:
        raise ChoiceError("--per", per, PARTS)
    at_cuts = per in {"cutoff", "depth"}
    if cutoffs is not None and not at_cuts:
        raise OptionError("--cutoffs is for --per cutoff and --per depth")
    if threshold is not None and at_cuts:
        raise OptionError(f"--per {per} has cut-offs of its own; leave --threshold out")


def _depths(cutoffs: Sequence[float] | None) -> Sequence[int]:
    if cutoffs is None:
        return DEPTHS
    for cut in cutoffs:
        if cut != int(cut):
            raise OptionError(f"--cutoffs has {cut:g}; of a list whole numbers of documents count")
    return [int(cut) for cut in cutoffs]


def consensus(
    counter: Counter, options: ConsensusOptions, *, threshold: float | None = None
) -> ConsensusResult:
    """Return how good each system is by what all systems answer together.

    A truth that is there is compared with the result; an oracle called (truth) lets it vote.
    """
    counter = voting_counter(counter, threshold)
    facts = counter.facts
    sums = None
    if options.by_sums(facts.kind, facts.counts.items):
        # So many confidences vote by their sums; what needs single answers takes them as yes and no.
        sums = sums_of_votes(counter, options)
        counter = counter.at(HALF)
        facts = counter.facts
    rows = counter.count(patterns)
    result = consensus_of(rows, facts.kind, options, sums)
    digests = [rows.digest()]
    if sums is not None:
        digests.append(sums.covotes.digest())
    remarks = [*facts.voted()]
    if facts.kind == scores_kind:
        remarks.append(AT_HALF)
    remarks += [*result.remarks, *ignored_options(facts), *unusual_labels(facts, rows)]
    header = _about(facts, options, [], digests)
    return replace(result, about=header, remarks=tuple(remarks))


def sums_of_votes(counter: Counter, options: ConsensusOptions) -> SummedConfidences:
    """Count the sums of the votes, by block of items where an interval is requested and can be had."""
    if not options.draws:
        return SummedConfidences(counter.count(covotes))
    try:
        blocks = counter.count(covotes_by_block)
    except TallyError as error:
        return SummedConfidences(counter.count(covotes), why=error.message)
    return SummedConfidences(blocks.whole(), blocks)


def consensus_parts(
    counter: Counter, options: ConsensusOptions, *, per: str, threshold: float | None = None
) -> ConsensusParts:
    """Return the result of the vote for each class, group or family of systems separately."""
    counter = voting_counter(counter, threshold)
    facts = counter.facts
    rows = counter.count(patterns, keys="g" if per == "group" else "")
    result = by_part(rows, facts.kind, options, per)
    header = _about(facts, options, [f"per {per}"], [rows.digest()])
    return replace(result, about=header, remarks=facts.voted())


def consensus_cutoffs(
    counter: Counter, options: ConsensusOptions, cutoffs: Sequence[float]
) -> Cutoffs:
    """Return precision and recall at each cut-off of the scores, without the truth and by it."""
    counter = cutoff_counter(counter)
    rows = {cutoff: counter.at(cutoff).count(patterns) for cutoff in sorted(cutoffs)}
    result = by_cutoff(rows, options)
    header = _about_cuts(counter.facts, options, "cutoff", rows)
    return replace(result, about=header, remarks=counter.facts.voted())


def consensus_depths(counter: Counter, options: ConsensusOptions, depths: Sequence[int]) -> Depths:
    """Return precision and recall if the first 5, 10, ... documents of each query are retrieved."""
    counter = cutoff_counter(counter)
    rows = counter.count(count_depths, depths)
    result = by_depth(rows, options)
    header = _about_cuts(counter.facts, options, "depth", rows)
    return replace(result, about=header, remarks=counter.facts.listed())


def consensus_items(
    counter: Counter, options: ConsensusOptions, *, threshold: float | None = None
) -> ItemTruth:
    """Return the likeliest label of each item, and how sure it is: a table that can serve as an uncertain truth."""
    counter = voting_counter(counter, threshold)
    facts = counter.facts
    rows = counter.count(patterns)
    names, places = counter.count(items, rows)
    result = item_truth(rows, facts.kind, options, names, places)
    header = _about(facts, options, ["per-item"], [rows.digest()])
    return replace(result, about=header, remarks=facts.voted())


def _about(
    facts: Facts, options: ConsensusOptions, parts: Sequence[str], digests: Sequence[str]
) -> dict[str, Any]:
    signed = {**facts.options, **options.signed()}
    return about("consensus", [options.estimator, *parts], None, signed, digests, facts)


def _about_cuts(
    facts: Facts, options: ConsensusOptions, per: str, rows: Mapping[Any, Patterns]
) -> dict[str, Any]:
    cuts = {f"{per}s": ",".join(map(str, rows))}
    signed = {**facts.options, **options.signed(), **cuts}
    digests = [one.digest() for one in rows.values()]
    return about("consensus", [options.estimator, f"per {per}"], None, signed, digests, facts)
