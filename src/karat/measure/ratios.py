"""Measures that are a ratio of two sums over texts or items: pooled, or as the mean of the ratios."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Ratios:
    """What each unit adds above and below the line: a row a unit, a column a system.

    A unit is a text, an item, or a cluster of them. Where nothing is below the line, it does not count.
    """

    above: FloatArray
    below: FloatArray

    @property
    def values(self) -> FloatArray:
        """Each system's ratio of sums, NaN where nothing is below the line."""
        above = self.above.sum(axis=0)
        below = self.below.sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(below > 0, above / below, np.nan))

    @property
    def number(self) -> npt.NDArray[np.int64]:
        """How many units count, for each system."""
        return np.asarray((self.below > 0).sum(axis=0))

    def averaged(self) -> "Ratios":
        """Return what the mean of all ratios is made of: each unit's own ratio, once."""
        counts = self.below > 0
        each = np.divide(self.above, self.below, out=np.zeros(self.above.shape), where=counts)
        return Ratios(each, counts.astype(float))

    def of(self, system: int) -> "Ratios":
        """Return those of one system, of the units that count."""
        counts = self.below[:, system] > 0
        # What was added where the truth is empty has nothing below the line, and still is an error.
        counts |= self.above[:, system] > 0
        return Ratios(
            self.above[counts, system : system + 1], self.below[counts, system : system + 1]
        )

    def influences(self) -> FloatArray:
        """Return how far each unit pulls each ratio: what the ratio changes by without it, times all units but it.

        (a - R b) / (mean of b) / (1 - b / Σ b), R the ratio: for a mean the distance from it, times n / (n - 1).
        """
        total = self.below.sum(axis=0)
        residuals = self.above - self.values * self.below
        rest = np.maximum(total - self.below, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            pulls = residuals * len(self.below) / rest
        return np.asarray(np.where(rest > 0, pulls, 0.0))
