"""All systems' scores of each item, as curves and item by item: by block where the items are too many."""

from collections.abc import Sequence
from dataclasses import dataclass

from karat.errors import OptionError
from karat.tally.counter import Counter
from karat.tally.scores.curve import Curve, curves
from karat.tally.scores.paired_scores import (
    MOST,
    PairedBlocks,
    PairedScores,
    paired_blocks,
    paired_scores,
)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredItems:
    """Each system's curve, in the order of the table, and all systems' scores of the same items."""

    curves: dict[str, Curve]
    paired: PairedScores | PairedBlocks


def scored_items(counter: Counter) -> ScoredItems:
    """Count them; systems are ordered by name where items are, so that a seed means the same."""
    facts = counter.facts
    paired = paired_items(counter, sorted(facts.systems))
    if isinstance(paired, PairedScores):
        return ScoredItems({name: paired.curve(name) for name in facts.systems}, paired)
    of_all = counter.count(curves)
    return ScoredItems({name: of_all[name] for name in facts.systems}, paired)


def paired_items(counter: Counter, systems: Sequence[str]) -> PairedScores | PairedBlocks:
    """Count the scores of these systems item by item, or by block where the items are too many."""
    facts = counter.facts
    if facts.counts.items <= MOST:
        return counter.count(paired_scores, systems)
    if "w" in facts.keys:
        raise OptionError(
            f"scores are weighted for up to {MOST:,} items; there are {facts.counts.items:,}"
        )
    return counter.count(paired_blocks, systems)
