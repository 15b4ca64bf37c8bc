"""What precision, recall, F and accuracy are made of: hits, truths and answers of each class."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray
from karat.tally.codes import MISSING
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


def totals(confusion: Confusion, weights: npt.NDArray[Any] | None = None) -> Totals:
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
    real = codes != MISSING
    return np.bincount(codes[real], weights=number[real], minlength=len(labels)).astype(float)
