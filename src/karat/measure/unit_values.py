"""A measure of texts or items as ratios over independent units: expanded, and summed over clusters."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from karat.measure.quantity import MACRO, Quantity
from karat.measure.ratios import Ratios
from karat.numeric.arrays import BoolArray
from karat.table.labels import factorise

THINGS = {"texts": "texts", "spans": "documents", "samples": "items"}
"""What a unit is, by what a measure is counted from."""


class UnitTally(Protocol):
    """Counts by text or item, of all systems."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, a column each."""

    @property
    def number(self) -> npt.NDArray[np.int64]:
        """How many units each row represents."""

    @property
    def keys(self) -> Any:
        """The groups (g) and clusters (c) of the rows, where there are such."""

    def chosen(self, rows: BoolArray) -> "UnitTally":
        """Return some of the rows."""

    def digest(self) -> str:
        """Return a short hash of the counts."""


def unit_ratios(quantity: Quantity, tally: UnitTally) -> Ratios:
    """Return what each unit adds above and below the line; clusters of units are one."""
    ratios: Ratios = quantity.traits(tally, **quantity.arguments)
    if quantity.average == MACRO:
        ratios = ratios.averaged()
    if "c" in tally.keys:
        return _clustered(ratios, tally)
    return Ratios(
        np.repeat(ratios.above, tally.number, axis=0),
        np.repeat(ratios.below, tally.number, axis=0),
    )


def _clustered(ratios: Ratios, tally: UnitTally) -> Ratios:
    cluster, names = factorise(tally.keys["c"])
    weight = tally.number[:, None]
    above = np.zeros((len(names), len(tally.systems)))
    below = np.zeros(above.shape)
    np.add.at(above, cluster, ratios.above * weight)
    np.add.at(below, cluster, ratios.below * weight)
    return Ratios(above, below)


def thing(quantity: Quantity, tally: UnitTally) -> str:
    """Return what a unit is called."""
    if "c" in tally.keys:
        return "clusters"
    return THINGS[quantity.counted_from]
