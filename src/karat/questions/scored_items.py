"""All systems' scores of each item, as curves and item by item: by block where the items are too many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.errors import OptionError
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.tally.scores.curve import Curve, curves
from karat.tally.scores.paired_scores import (
    MOST,
    PairedBlocks,
    PairedScores,
    fits_in_memory,
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
    systems = sorted(facts.systems)
    if are_few(counter, MOST):
        paired = counter.count(paired_scores, systems)
        return ScoredItems({name: paired.curve(name) for name in facts.systems}, paired)
    of_all = counter.count(curves)
    blocks = paired_items(counter, systems, of_all)
    return ScoredItems({name: of_all[name] for name in facts.systems}, blocks)


def paired_items(
    counter: Counter, systems: Sequence[str], known: Mapping[str, Curve] | None = None
) -> PairedScores | PairedBlocks:
    """Count the scores of these systems item by item, or by block where the items are too many.

    Curves that are known already tell where the bins of blocks lie.
    """
    facts = counter.facts
    if are_few(counter, MOST):
        return counter.count(paired_scores, systems)
    if "w" in facts.keys:
        raise too_many_weighted(facts)
    return counter.count(paired_blocks, systems, curves=known)


def too_many_weighted(facts: Facts) -> OptionError:
    """Return what is wrong with more items with weights than are held in memory."""
    return OptionError(
        f"scores are weighted for up to {MOST:,} items; there are {facts.counts.items:,}"
    )


def are_few(counter: Counter, most: int) -> bool:
    """Return whether there are at most so many items, or few enough rows of clustered items with counts."""
    facts = counter.facts
    if facts.counts.items <= most:
        return True
    return {"c", "n"} <= set(facts.keys) and counter.count(fits_in_memory, most=most)
