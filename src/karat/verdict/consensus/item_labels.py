"""The likeliest label of each item by all systems together: a truth with its uncertainty, as a new table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from karat.ask.poll import Poll, estimator_input, polled
from karat.ask.voting import TRUTH, ConsensusOptions, estimators_with
from karat.errors import OptionError
from karat.measure.consensus.estimator import EstimatorInput
from karat.numeric.arrays import FloatArray
from karat.result import Result
from karat.table.labels import Codes
from karat.tally.votes.patterns import Patterns
from karat.verdict.consensus.families import families_for


@dataclass(frozen=True, slots=True, repr=False)
class ItemTruth(Result):
    """The likeliest label of every item, how likely it is, and how likely it is wrong."""

    names: Sequence[str]
    labels: Sequence[str | None]
    chances: Sequence[float | None]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    read_again: ClassVar[bool] = True

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per item: to be used as truth, with its column error as --error."""
        rows = []
        for name, label, chance in zip(self.names, self.labels, self.chances, strict=True):
            error = None if chance is None else 1 - chance
            rows.append({"item": name, "label": label, "p": chance, "error": error})
        return rows

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return how to go on."""
        return ("Use it as a truth: --truth FILE:label --error error.", *self.remarks)


def item_truth(
    patterns: Patterns, kind: str, options: ConsensusOptions, names: Sequence[str], places: Codes
) -> ItemTruth:
    """Return the likeliest label of every item; None where nobody whose vote counts answered."""
    if options.leave_out != "nobody" or options.beta != 1:
        raise OptionError(
            "an item has its likeliest label whoever is judged; leave --leave-out and --beta out"
        )
    poll = polled(patterns, kind, truth=TRUTH in options.oracles)
    families = families_for(poll, patterns, options)
    chances = _chances(estimator_input(poll, options, families), options)
    unanswered = np.asarray(np.isnan(chances).any(axis=1) | (poll.codes < 0).all(axis=1))
    best = np.nan_to_num(chances).argmax(axis=1)
    texts = _texts(patterns, poll)
    labels: list[str | None] = []
    likely: list[float | None] = []
    for row in poll.rows[places]:
        if unanswered[row]:
            labels.append(None)
            likely.append(None)
        else:
            labels.append(texts[best[row]])
            likely.append(float(chances[row, best[row]]))
    return ItemTruth(names, labels, likely)


def _chances(answers: EstimatorInput, options: ConsensusOptions) -> FloatArray:
    """Return how likely each row has each label."""
    chances = options.method.chances
    if chances is None:
        raise OptionError(
            f"{options.estimator} says nothing about single items; use {estimators_with('chances')}"
        )
    return chances(answers)


def _texts(patterns: Patterns, poll: Poll) -> list[str]:
    """Return the label of each column of the chances: of yes/no answers the words for no and yes."""
    if poll.votes is None:
        return list(poll.labels)
    yes = poll.labels[0]
    pair = patterns.meaning.pair
    if not pair:
        return [f"not {yes}", yes]
    no = pair[1] if yes == pair[0] else pair[0]
    return [no, yes]
