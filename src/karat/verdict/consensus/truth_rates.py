"""Precision, recall and F by the truth, or by an oracle in its place, with their intervals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.poll import Poll
from karat.ask.voting import TRUTH, ConsensusOptions
from karat.doubt.bounds.exact import exact
from karat.doubt.bounds.goutte_gaussier import goutte_gaussier
from karat.doubt.interval import Interval
from karat.measure.cells import Cells
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns

Codes = npt.NDArray[np.int64]
Range = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthRates:
    """One system by a truth: its counts, and the intervals of precision, recall and F by Goutte and Gaussier."""

    system: str
    by: str
    """(truth), or the oracle."""
    hits: int
    missed: int
    false: int
    precision: float | None
    recall: float | None
    f: float | None
    ranges: tuple[Range, Range, Range]
    """The intervals of precision, recall and F."""
    exact: tuple[Range, Range]
    """The exact intervals of precision and recall, as `score` gives them."""
    method: str

    def row(self, f_name: str, level: float) -> dict[str, Any]:
        """Return it as one row."""
        row: dict[str, Any] = {
            "system": self.system,
            "by": self.by,
            "hits": self.hits,
            "missed": self.missed,
            "false": self.false,
        }
        names = ("precision", "recall", f_name)
        values = (self.precision, self.recall, self.f)
        for name, value, (low, high) in zip(names, values, self.ranges, strict=True):
            row[name] = value
            row[f"{name}_low"] = low
            row[f"{name}_high"] = high
        for name, (low, high) in zip(("precision", "recall"), self.exact, strict=True):
            row[f"{name}_exact_low"] = low
            row[f"{name}_exact_high"] = high
        row["level"] = level
        row["method"] = self.method
        return row


@dataclass(frozen=True, slots=True, eq=False)
class _Reference:
    """What stands for the truth."""

    name: str
    labels: Codes
    """The true label of each pattern."""
    number: Codes
    """How many of the pattern's items have one."""


@dataclass(frozen=True, slots=True)
class _Counts:
    """Right answers, and the two kinds of wrong ones."""

    hits: int
    missed: int
    false: int


def rates_by_truth(
    patterns: Patterns, poll: Poll, options: ConsensusOptions
) -> Mapping[str, TruthRates]:
    """Return precision, recall and F of each system by the truth, or by an oracle of confidence 1 where there is none.

    Of labels the documents are all pairs of an item and a label, so that a right answer is a hit and a wrong one is
    both missed and false. Over the items that a system answered: a missing answer is unknown, as it is in the vote.
    """
    if poll.votes is None and not options.method.ranks_by_f:
        return {}
    reference = _reference(patterns, poll, options)
    if reference is None:
        return {}
    rates = {}
    for name in patterns.systems:
        if name != reference.name:
            counts = _counts(poll, name, reference)
            rates[name] = _rates(name, reference.name, counts, options)
    return rates


def _reference(patterns: Patterns, poll: Poll, options: ConsensusOptions) -> _Reference | None:
    """Return the truth, or the first oracle of confidence 1."""
    known = patterns.truth != MISSING
    if known.any() and patterns.meaning.truth_sep is None:
        return _Reference(TRUTH, poll.truth, patterns.number * known)
    for name, trust in options.oracles.items():
        if trust == 1 and name != TRUTH:
            labels = poll.codes[poll.rows, poll.voters.index(name)]
            return _Reference(name, labels, patterns.number * (labels >= 0))
    return None


def _counts(poll: Poll, name: str, reference: _Reference) -> _Counts:
    answers = poll.codes[poll.rows, poll.voters.index(name)]
    answered = answers >= 0
    if poll.votes is not None:
        said_yes = answers == 1
        truly_yes = reference.labels == 1
        hit = said_yes & truly_yes
        missed = answered & ~said_yes & truly_yes
        false = said_yes & ~truly_yes
    else:
        hit = answers == reference.labels
        missed = answered & ~hit
        false = missed
    number = reference.number
    return _Counts(int(number @ hit), int(number @ missed), int(number @ false))


def _rates(name: str, by: str, counts: _Counts, options: ConsensusOptions) -> TruthRates:
    retrieved = counts.hits + counts.false
    relevant = counts.hits + counts.missed
    hits, missed, false = (
        np.array(float(count)) for count in (counts.hits, counts.missed, counts.false)
    )
    cells = Cells(hits, missed, false, options.beta)
    posterior = goutte_gaussier(cells, level=options.level)
    f = float(cells.values)
    return TruthRates(
        system=name,
        by=by,
        hits=counts.hits,
        missed=counts.missed,
        false=counts.false,
        precision=counts.hits / retrieved if retrieved else None,
        recall=counts.hits / relevant if relevant else None,
        f=None if np.isnan(f) else f,
        ranges=(_ends(posterior.precision), _ends(posterior.recall), _ends(posterior.f)),
        exact=(
            _ends(exact(counts.hits, retrieved, level=options.level)),
            _ends(exact(counts.hits, relevant, level=options.level)),
        ),
        method=posterior.f.method,
    )


def _ends(interval: Interval) -> Range:
    return float(interval.low), float(interval.high)
