"""The few kinds of items of a pair under one share of wrong labels: who is right, and who answers nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.critical_error import critical
from karat.doubt.label_noise.pair_order import OrderKept, kept_kinds, kept_kinds_at
from karat.doubt.label_noise.ranking_order import ROUNDING
from karat.numeric.arrays import FloatArray
from karat.tally.codes import UNASKED
from karat.tally.votes.pairs import Pairs

Answers = npt.NDArray[np.int64]
NAMED = {
    "only_worse": (0, 1, 0, 0),
    "only_better": (1, 0, 0, 0),
    "neither_differ": (0, 0, 0, 0),
    "only_worse_silent": (0, 1, 1, 0),
    "only_better_silent": (1, 0, 0, 1),
    "neither_worse_answers": (0, 0, 1, 0),
    "neither_better_answers": (0, 0, 0, 1),
}
"""The kinds of `kept_classes`: whether the better and the worse system is right, and whether either is silent."""


@dataclass(frozen=True, slots=True, eq=False)
class FewKinds:
    """The kinds of items under one rate for all labels: who is right, and who answers nothing."""

    counts: FloatArray
    right: Answers
    """Two rows: whether the first and whether the second system is right."""
    silent: Answers

    @classmethod
    def of(cls, pairs: Pairs) -> "FewKinds":
        """Count the kinds, of which there are few, without sorting the rows."""
        differ = np.flatnonzero(differing(pairs))
        first = pairs.answers[differ, 0]
        second = pairs.answers[differ, 1]
        truth = pairs.truth[differ]
        bits = (first == truth, second == truth, first < 0, second < 0)
        code = np.zeros(len(first), np.int64)
        for place, bit in enumerate(bits):
            code += bit.astype(np.int64) << place
        number = pairs.number[differ]
        counts = np.bincount(code, weights=number, minlength=16).astype(float)
        occurring = np.flatnonzero(counts)
        found = np.stack([(occurring >> place) & 1 for place in range(4)])
        return cls(counts[occurring], found[:2], found[2:])

    @classmethod
    def named(cls, number: Mapping[str, float]) -> "FewKinds":
        """Take the numbers of the kinds that `kept_classes` names."""
        places = [list(NAMED).index(name) for name, count in number.items() if count]
        found = np.array(list(NAMED.values()))[places].reshape(-1, 4).T
        return cls(
            np.array([float(count) for count in number.values() if count]), found[:2], found[2:]
        )

    @property
    def now(self) -> Answers:
        """Who has the items right by the given label."""
        return np.asarray(self.right[0] - self.right[1])

    def chances(self, rates: FloatArray, classes: int) -> FloatArray:
        """Return how likely each has them right by the true label; the axes are rate, kind and outcome."""
        rate = rates[:, None]
        to = rate / (classes - 1)
        better = np.where(self.silent[0], 0.0, np.where(self.right[0], 1 - rate, to))
        worse = np.where(self.silent[1], 0.0, np.where(self.right[1], 1 - rate, to))
        return with_rest(worse, better)

    def kept(self, rate: float, classes: int) -> OrderKept:
        """How likely is the order kept at this rate? As `kept_kinds`."""
        return kept_kinds(self.counts, self.now, self.chances(np.array([rate]), classes)[0])

    def critical_rate(self, classes: int, *, level: float) -> float | None:
        """Up to which share of wrong labels is the order kept with this probability? As `critical_error`."""

        def kept(rate: float) -> float:
            return self.kept(rate, classes).kept

        def kept_at(rates: FloatArray) -> FloatArray:
            return kept_kinds_at(self.counts, self.now, self.chances(rates, classes))[:, 0]

        def lead_at(rates: FloatArray) -> FloatArray:
            chances = self.chances(rates, classes)
            lead = chances[..., 2] - chances[..., 0]
            spread = chances[..., 2] + chances[..., 0] - lead**2
            # A lead of half an item is as near to a tie as to a lead of one.
            return (lead @ self.counts - 0.5) / np.sqrt(np.maximum(spread @ self.counts, 1e-12))

        items = int(self.counts.sum())
        return critical(
            kept, items=items, classes=classes, level=level, kept_at=kept_at, lead_at=lead_at
        )


def differing(pairs: Pairs) -> npt.NDArray[np.bool_]:
    """Return on which items of both systems the answers differ: only there can a wrong label matter."""
    first = pairs.answers[:, 0]
    second = pairs.answers[:, 1]
    return np.asarray((first != second) & (first != UNASKED) & (second != UNASKED))


def with_rest(worse: FloatArray, better: FloatArray) -> FloatArray:
    """Return the chances that only the worse, both or neither, only the better system is right, a row a kind."""
    rest = 1 - worse - better
    rest = np.where(rest < ROUNDING, 0.0, rest)
    return np.stack([worse, rest, better], axis=-1)
