"""Measures that are a mean over items: how much each item adds, and how many items add the same."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ItemMean:
    """A number for each distinct item, and how many such items there are, or what they weigh; its value is the mean."""

    each: FloatArray
    number: npt.NDArray[np.int64] | FloatArray

    @property
    def items(self) -> int:
        """How many items there are."""
        return int(self.number.sum())

    @property
    def values(self) -> FloatArray:
        """The mean, NaN where there are no items."""
        amount = self.number.sum()
        if not amount:
            return np.array(np.nan)
        return np.asarray((self.each * self.number).sum() / amount)
