"""The vote where lists are cut, at a score or at a depth, and the truth beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from karat.ask.poll import polled
from karat.ask.voting import TRUTH, ConsensusOptions
from karat.result.base import Row
from karat.tally.votes.patterns import Patterns
from karat.verdict.consensus.parts import ConsensusParts, pooled_vote, ranked_rows, vote_function
from karat.verdict.consensus.truth_rates import rates_by_truth

CUTOFFS = tuple(tenth / 10 for tenth in range(1, 10))
"""The default: from these scores on an item is retrieved."""
DEPTHS = (5, 10, 20, 50, 100)
"""The default: so many documents of each list are retrieved."""
SHOWN = {
    "rank": "rank",
    "system": "system",
    "precision": "precision",
    "recall": "recall",
    "truth_precision": "true precision",
    "truth_recall": "true recall",
}


@dataclass(frozen=True, slots=True)
class Cutoffs(ConsensusParts):
    """Precision and recall of every system at each cut-off of the scores, by all and by the truth."""

    section: ClassVar[str | None] = "cutoff"
    heading: ClassVar[str] = "items with a score of at least {} are retrieved"

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return precision and recall by all, then by the truth, for people to read."""
        tables: dict[str, list[Row]] = {}
        for row in self.voted:
            shown = {title: row[name] for name, title in SHOWN.items() if name in row}
            heading = self.heading.format(row[str(self.section)])
            tables.setdefault(heading, []).append(shown)
        return tables


@dataclass(frozen=True, slots=True)
class Depths(Cutoffs):
    """Precision and recall of every system where the first so many documents of each list are retrieved."""

    section: ClassVar[str | None] = "depth"
    heading: ClassVar[str] = "retrieved: the first {} of each list"


def by_cutoff(patterns: Mapping[float, Patterns], options: ConsensusOptions) -> Cutoffs:
    """Return the vote where systems retrieve the items that they score from a cut-off on, and the truth beside it."""
    return Cutoffs(tuple(_rows(patterns, options, "cutoff")))


def by_depth(patterns: Mapping[int, Patterns], options: ConsensusOptions) -> Depths:
    """Return the vote where every system retrieves the first so many of its lists, and the truth beside it."""
    return Depths(tuple(_rows(patterns, options, "depth")))


def _rows(
    patterns: Mapping[float, Patterns] | Mapping[int, Patterns], options: ConsensusOptions, per: str
) -> list[dict[str, Any]]:
    vote_function(options, f"--per {per}")
    f_name = f"f{options.beta:g}"
    rows = []
    for cutoff, part in patterns.items():
        poll = polled(part, "yesno", truth=TRUTH in options.oracles)
        true_rates = rates_by_truth(part, poll, options)
        vote = pooled_vote(poll, part, options)
        for voted in ranked_rows(str(cutoff), poll.voters, vote, options):
            row = {per: cutoff, **voted}
            del row["part"]
            if true_rates:
                own = true_rates.get(row["system"])
                row["truth_precision"] = own and own.precision
                row["truth_recall"] = own and own.recall
                row[f"truth_{f_name}"] = own and own.f
            rows.append(row)
    return rows
