"""F: precision and recall in one number."""

from dataclasses import dataclass

import numpy as np

from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells F is made of: (1+b²) hits / ((1+b²) hits + b² missed + false)."""

    hits: FloatArray
    missed: FloatArray
    false: FloatArray
    beta: float

    @property
    def values(self) -> FloatArray:
        """F, NaN inside arrays where the label neither occurs nor is answered."""
        square = self.beta**2
        above = (1 + square) * self.hits
        below = above + square * self.missed + self.false
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(below > 0, above / below, np.nan)


def f(totals: Totals, *, beta: float = 1.0) -> Cells:
    """How good are precision and recall together?

    F_b = (1+b²) P R / (b² P + R), recall weighing b times as much as precision, per class.
    Reference: van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, chapter 7.
    """
    return Cells(totals.hits, totals.truth - totals.hits, totals.answered - totals.hits, beta)


def pooled(cells: Cells) -> Cells:
    """All classes together: the micro average."""
    return Cells(
        cells.hits.sum(axis=-1), cells.missed.sum(axis=-1), cells.false.sum(axis=-1), cells.beta
    )
