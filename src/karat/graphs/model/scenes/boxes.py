"""Rectangles on a sheet, and where a relation leads."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from karat.graphs.model.labelling import Labels
from karat.graphs.model.scenes.scene import Thing

RIGHT = "right"
SUP = "sup"
SUB = "sub"
ABOVE = "above"
BELOW = "below"
INSIDE = "inside"
SIDES = {
    **dict.fromkeys(("R", "Right", "HOR", "H", "NcellR", "NextCell-Row", "NextCol", "Ncol"), RIGHT),
    **dict.fromkeys(("Sup", "SUP"), SUP),
    **dict.fromkeys(("Sub", "SUB"), SUB),
    **dict.fromkeys(("A", "Above", "ABOVE", "Upper"), ABOVE),
    **dict.fromkeys(("B", "Below", "BELOW", "Under", "Nrow", "NextRow", "NcellC"), BELOW),
    **dict.fromkeys(("I", "Inside", "CONTAINS"), INSIDE),
}
"""Where a relation leads, by the names that files of different years have for it; others lead below, as in a tree."""


class Box(NamedTuple):
    """A rectangle, and the place of the text in it."""

    x: float
    y: float
    w: float
    h: float
    tx: float
    ty: float

    def moved(self, dx: float, dy: float) -> "Box":
        """Return the box elsewhere."""
        return Box(self.x + dx, self.y + dy, self.w, self.h, self.tx + dx, self.ty + dy)


@dataclass(frozen=True, slots=True)
class Places:
    """The rectangle of every object, on a sheet of a size."""

    boxes: Mapping[Thing, Box]
    width: float
    height: float
    broken: frozenset[Thing] = frozenset()
    """Objects that follow their parent on the next line."""


def side(labels: Labels) -> str:
    """Return where a relation leads: right, sup, sub, above, below or inside, and otherwise nothing."""
    for label in sorted(labels):
        if label in SIDES:
            return SIDES[label]
    return ""
