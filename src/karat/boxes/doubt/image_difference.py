"""The difference of two systems over the same images, with its interval and p-value."""

from dataclasses import dataclass

import numpy as np

from karat.boxes.measures.influenced import Influenced
from karat.doubt.resampling.resampled_difference import (
    ResampledDifference,
    difference_of_spread,
    no_worse_of_spread,
)

ROUNDING = 1e-12
PAIRED = (
    "Differences are paired over images; in simulated worlds drawn at random their intervals covered 0.95 to 0.98 "
    "instead of 0.95, in the worst of these 0.85, and 0.02 to 0.05 of equally good systems were called different, in "
    "the worst 0.15."
)


@dataclass(frozen=True, slots=True, eq=False)
class ImageDifference:
    """By how much two systems differ, and how sure that is."""

    gap: float
    spread: float
    freedom: float
    images: int
    first: int
    """On how many images the first does better than the second: what they add to its value is more."""
    second: int

    @classmethod
    def of(cls, one: Influenced, other: Influenced) -> "ImageDifference":
        """Return the difference of the means over classes."""
        difference = one.less(other)
        spread = difference.spread()
        defined = ~np.isnan(difference.value)
        parts = difference.by_image[:, defined].sum(axis=1)
        return cls(
            difference.mean(),
            float(np.sqrt(spread.variance)),
            spread.freedom,
            len(difference.by_image),
            int((parts > ROUNDING).sum()),
            int((parts < -ROUNDING).sum()),
        )

    @property
    def differ(self) -> int:
        """On how many images they differ."""
        return self.first + self.second

    def interval(self, *, level: float) -> ResampledDifference:
        """Return the interval and the p-value by Student's t over images."""
        return difference_of_spread(
            self.gap,
            self.spread,
            freedom=self.freedom,
            units=self.images,
            differ=self.differ,
            level=level,
        )

    def no_worse(self, *, margin: float, swapped: bool = False) -> float:
        """Return the p-value if the first, or swapped the second, is worse by the margin or more."""
        gap = -self.gap if swapped else self.gap
        return no_worse_of_spread(
            gap, self.spread, freedom=self.freedom, units=self.images, margin=margin
        )
