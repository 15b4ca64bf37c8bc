"""The cells that F is made of: hits, missed and false answers of each class."""

from dataclasses import dataclass

import numpy as np

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

    def pooled(self) -> "Cells":
        """All classes together: the micro average."""
        hits = self.hits.sum(axis=-1)
        missed = self.missed.sum(axis=-1)
        false = self.false.sum(axis=-1)
        return Cells(hits, missed, false, self.beta)
