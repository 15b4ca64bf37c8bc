"""What precision, recall, F and accuracy are made of: hits, truths and answers of each class."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray

if TYPE_CHECKING:
    from karat.tally.votes.confusion import Confusion


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """The margins of a confusion, by class; *nothing* is no class.

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
        total = self.total[..., None]
        sides = []
        for side in (self.truth, self.answered):
            rest = total - side.sum(axis=-1, keepdims=True)
            sides.append(np.concatenate([side, np.maximum(rest, 0.0)], axis=-1))
        return sides[0], sides[1]

    def pooled(self) -> "Totals":
        """Return the margins of all classes together, as if every item were judged once for each class."""
        hits, truth, answered = (
            side.sum(axis=-1, keepdims=True) for side in (self.hits, self.truth, self.answered)
        )
        return Totals(self.labels[:1], hits, truth, answered, self.total * len(self.labels))


def totals(confusion: "Confusion", weights: npt.NDArray[Any] | None = None) -> Totals:
    """Return the margins of a confusion, each cell multiplied by its weight if it has one."""
    number = confusion.number if weights is None else confusion.number * weights
    hit = confusion.truth == confusion.answer
    margins = [
        _sum(confusion.truth[hit], number[hit], confusion.labels),
        _sum(confusion.truth, number, confusion.labels),
        _sum(confusion.answer, number, confusion.labels),
    ]
    real = [place for place, text in enumerate(confusion.labels) if text != confusion.nothing]
    hits, truth, answered = (margin[real] for margin in margins)
    return Totals(
        tuple(confusion.labels[place] for place in real),
        hits,
        truth,
        answered,
        np.asarray(number.sum(), float),
    )


def _sum(
    codes: npt.NDArray[np.int64], number: npt.NDArray[Any], labels: tuple[str, ...]
) -> FloatArray:
    """Return the sum of the numbers of each label; a missing answer has a code below 0, and no label."""
    labelled = codes >= 0
    sums = np.bincount(codes[labelled], weights=number[labelled], minlength=len(labels))
    return sums.astype(float)
