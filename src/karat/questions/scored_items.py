"""All systems' scores of each item, as curves and item by item: by block where the items are too many."""

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
    by_name = sorted(facts.systems)
    if facts.counts.items <= MOST:
        paired = counter.count(paired_scores, by_name)
        return ScoredItems({name: paired.curve(name) for name in facts.systems}, paired)
    if "w" in facts.keys:
        raise OptionError(
            f"scores are weighted for up to {MOST:,} items; there are {facts.counts.items:,}"
        )
    of_all = counter.count(curves)
    in_order = {name: of_all[name] for name in facts.systems}
    return ScoredItems(in_order, counter.count(paired_blocks, by_name))
