"""What all say together of each item: a truth with its doubt, as a new table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from karat.ask.voting import TRUTH, Polling, polled
from karat.errors import OptionError
from karat.result import Result
from karat.table.labels import Codes
from karat.tally.votes.patterns import Patterns
from karat.verdict.consensus.estimators import chances
from karat.verdict.consensus.families import families_for


@dataclass(frozen=True, slots=True)
class ItemTruth(Result):
    """The likeliest label of every item, how likely it is, and how likely it is wrong."""

    names: Sequence[str]
    labels: Sequence[str | None]
    chances: Sequence[float | None]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per item: to be used as truth, with its column error as --error."""
        return [
            {
                "item": name,
                "label": label,
                "p": chance,
                "error": None if chance is None else 1 - chance,
            }
            for name, label, chance in zip(self.names, self.labels, self.chances, strict=True)
        ]

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return how to go on."""
        return ("Use it as a truth: --truth FILE:label --error error.", *self.remarks)


def item_truth(
    patterns: Patterns, kind: str, polling: Polling, names: Sequence[str], places: Codes
) -> ItemTruth:
    """Return the likeliest label of every item; None where nobody whose vote counts answered."""
    if polling.leave_out != "nobody" or polling.beta != 1:
        raise OptionError(
            "an item has its likeliest label whoever is judged; leave --leave-out and --beta out"
        )
    poll = polled(patterns, kind, truth=TRUTH in polling.oracles)
    found = chances(poll, polling, families_for(poll, polling))
    labels = _words(patterns, poll.labels) if poll.votes is not None else list(poll.labels)
    silent = np.isnan(found).any(axis=1) | (poll.codes < 0).all(axis=1)
    best = np.where(silent, -1, np.nan_to_num(found).argmax(axis=1))
    rows = poll.rows[places]
    likely = [None if best[row] < 0 else float(found[row, best[row]]) for row in rows]
    return ItemTruth(names, [None if best[row] < 0 else labels[best[row]] for row in rows], likely)


def _words(patterns: Patterns, yes: tuple[str, ...]) -> list[str]:
    """Return the words for no and yes."""
    pair = patterns.meaning.pair
    return [pair[yes[0] == pair[0]], yes[0]] if pair else [f"not {yes[0]}", yes[0]]
