"""How many boxes of each image are true, found, and named right."""

from dataclasses import dataclass

import numpy as np

from karat.boxes.matching.box_rows import BoxTable
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class CountsByImage:
    """Counts of one system, a number for each image."""

    system: str
    true: FloatArray
    boxes: FloatArray
    """What the system has, right or wrong; what is in a crowd is left out."""
    found: FloatArray
    """True boxes that one of the system's matches, whatever it is called."""
    right: FloatArray
    """Those that are of the same class."""


def counts_by_image(table: BoxTable, system: str) -> CountsByImage:
    """Count the boxes of one system in each image."""
    number = len(table.truth.gallery.images)
    own = table.systems[system]
    counts = {name: np.zeros(number) for name in ("true", "boxes", "found", "right")}
    for row in table.rows:
        place = row.found.get(system)
        if row.truth is not None:
            counts["true"][row.image] += 1
        if place is None:
            continue
        counts["boxes"][row.image] += 1
        if row.truth is None:
            continue
        counts["found"][row.image] += 1
        if own.label[place] == table.truth.label[row.truth]:
            counts["right"][row.image] += 1
    return CountsByImage(system, **counts)
