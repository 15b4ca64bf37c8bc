"""The vote where lists are cut, at a score or at a depth, and the truth beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from karat.ask.voting import TRUTH, Polling, polled
from karat.errors import OptionError
from karat.result.base import Row
from karat.tally.votes.patterns import Patterns
from karat.verdict.consensus.by_truth import told
from karat.verdict.consensus.parts import Parted, rows_of, voted

CUTOFFS = tuple(tenth / 10 for tenth in range(1, 10))
"""Where nobody says from which scores on an item is retrieved."""
DEPTHS = (5, 10, 20, 50, 100)
"""Where nobody says how many documents of each list are retrieved."""
SHOWN = {
    "rank": "rank",
    "system": "system",
    "precision": "precision",
    "recall": "recall",
    "truth_precision": "true precision",
    "truth_recall": "true recall",
}


@dataclass(frozen=True, slots=True)
class Cutoffs(Parted):
    """Precision and recall of every system at each cut-off of the scores, by all and by the truth."""

    section: ClassVar[str | None] = "cutoff"
    heading: ClassVar[str] = "scores from {} on are retrieved"

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return precision and recall by all, then by the truth, as a person reads them."""
        found: dict[str, list[Row]] = {}
        for row in self.found:
            shown = {title: row[name] for name, title in SHOWN.items() if name in row}
            found.setdefault(self.heading.format(row[str(self.section)]), []).append(shown)
        return found


@dataclass(frozen=True, slots=True)
class Depths(Cutoffs):
    """Precision and recall of every system where the first so many documents of each list are retrieved."""

    section: ClassVar[str | None] = "depth"
    heading: ClassVar[str] = "retrieved: the first {} of each list"


def by_cutoff(patterns: Mapping[float, Patterns], polling: Polling) -> Cutoffs:
    """Return the vote where every system retrieves what it scores from a cut-off on, and the truth beside it."""
    return Cutoffs(tuple(_rows(patterns, polling, "cutoff")))


def by_depth(patterns: Mapping[int, Patterns], polling: Polling) -> Depths:
    """Return the vote where every system retrieves the first so many of its lists, and the truth beside it."""
    return Depths(tuple(_rows(patterns, polling, "depth")))


def _rows(
    patterns: Mapping[float, Patterns] | Mapping[int, Patterns], polling: Polling, per: str
) -> list[dict[str, Any]]:
    if polling.estimator != "vote":
        raise OptionError(
            f"--per {per} is for the vote; {polling.estimator} speaks of all items together"
        )
    names = [f"truth_{name}" for name in ("precision", "recall", f"f{polling.beta:g}")]
    rows = []
    for cut, part in patterns.items():
        poll = polled(part, "yesno", truth=TRUTH in polling.oracles)
        true = told(part, poll, polling)
        for row in rows_of(str(cut), poll.voters, voted(poll, polling), polling):
            own = true.get(row["system"])
            values = (own and own.precision, own and own.recall, own and own.f)
            beside = dict(zip(names, values, strict=True)) if true else {}
            rows.append(
                {
                    per: cut,
                    **{name: value for name, value in row.items() if name != "part"},
                    **beside,
                }
            )
    return rows
