"""What counts as a match: overlaps, sizes of boxes, how many boxes of an image count."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from karat.errors import ChoiceError, OptionError
from karat.numeric.arrays import BoolArray, FloatArray

Matching = Literal["greedy", "optimal"]
MATCHINGS: tuple[Matching, ...] = ("greedy", "optimal")
OVERLAPS = np.linspace(0.5, 0.95, 10)
"""The overlaps from which on two boxes match: COCO's ten."""
ALMOST_ONE = 1 - 1e-10
"""Tolerance, so that rounding cannot miss a given overlap."""
SIZES = {
    "all": (0.0, 1e10),
    "small": (0.0, 32.0**2),
    "medium": (32.0**2, 96.0**2),
    "large": (96.0**2, 1e10),
}
"""COCO's sizes of objects by their areas in pixels; both ends belong to a size."""
MOST = 100
"""How many boxes of an image and class count, the surest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRules:
    """How boxes are matched."""

    matching: Matching = "greedy"
    overlaps: tuple[float, ...] = tuple(OVERLAPS.tolist())
    most: int = MOST

    def __post_init__(self) -> None:
        """Refuse impossible rules."""
        if self.matching not in MATCHINGS:
            raise ChoiceError("--using matching", self.matching, MATCHINGS)
        if self.most < 1:
            raise OptionError(f"--using most is {self.most}; it is a whole number from 1 up")
        for one in self.overlaps:
            if not 0 < one <= 1:
                raise OptionError(
                    f"an overlap of {one:g} is given; it must be above 0 and at most 1, such as 0.5"
                )

    def options(self) -> dict[str, str]:
        """Return the rules that differ from COCO's, for a signature."""
        options: dict[str, str] = {}
        if self.matching != "greedy":
            options["matching"] = self.matching
        if self.most != MOST:
            options["most"] = str(self.most)
        return options


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """Matchings that are made at once: one for each size of objects and each overlap."""

    least: FloatArray
    """The overlap of each layer."""
    ignored: BoolArray
    """Whether each layer ignores each true box: a crowd, one that is marked so, or one of another size."""
    open: BoolArray
    """Whether any number of boxes may match it: a crowd, or one that is marked to be ignored."""

    def __len__(self) -> int:
        return len(self.least)
