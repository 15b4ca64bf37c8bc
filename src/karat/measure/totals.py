"""Margins of a confusion: the hits, truths and answers of each class, from which measures are computed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray

if TYPE_CHECKING:
    from karat.tally.votes.confusion import Confusion


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """The margins of a confusion, by class; *nothing* is not a class.

    The last axis runs over `labels`; axes before it, if any, over resamples.
    """

    labels: tuple[str, ...]
    hits: FloatArray
    truth: FloatArray
    answered: FloatArray
    total: FloatArray

    @property
    def classes(self) -> npt.NDArray[np.bool_]:
        """Which labels occur in the truth: the classes that averages run over."""
        return np.asarray(self.truth > 0)

    def with_rest(self) -> tuple[FloatArray, FloatArray]:
        """Return truths and answers by class, and as a last class the items that have none of the labels."""
        return self._with_rest(self.truth), self._with_rest(self.answered)

    def _with_rest(self, side: FloatArray) -> FloatArray:
        rest = self.total[..., None] - side.sum(axis=-1, keepdims=True)
        # Sums of weights may exceed the total by rounding.
        return np.concatenate([side, np.maximum(rest, 0.0)], axis=-1)

    def pooled(self) -> "Totals":
        """Return the margins of all classes together, as if every item were judged once for each class."""
        hits = self.hits.sum(axis=-1, keepdims=True)
        truth = self.truth.sum(axis=-1, keepdims=True)
        answered = self.answered.sum(axis=-1, keepdims=True)
        decisions = self.total * len(self.labels)
        return Totals(self.labels[:1], hits, truth, answered, decisions)


def totals(confusion: "Confusion", weights: npt.NDArray[Any] | None = None) -> Totals:
    """Return the margins of a confusion, each cell multiplied by its weight if it has one."""
    labels = confusion.labels
    number = confusion.number if weights is None else confusion.number * weights
    hit = confusion.truth == confusion.answer
    hits = _sum(confusion.truth[hit], number[hit], labels)
    truth = _sum(confusion.truth, number, labels)
    answered = _sum(confusion.answer, number, labels)
    total = np.asarray(number.sum(), float)
    if confusion.nothing not in labels:
        return Totals(labels, hits, truth, answered, total)
    real = [place for place, text in enumerate(labels) if text != confusion.nothing]
    return Totals(
        labels=tuple(labels[place] for place in real),
        hits=hits[real],
        truth=truth[real],
        answered=answered[real],
        total=total,
    )


def _sum(
    codes: npt.NDArray[np.int64], number: npt.NDArray[Any], labels: tuple[str, ...]
) -> FloatArray:
    """Return the sum of the numbers of each label; a missing answer has a code below 0, and no label."""
    labelled = codes >= 0
    sums = np.bincount(codes[labelled], weights=number[labelled], minlength=len(labels))
    return sums.astype(float)
