"""Averages over classes."""

import numpy as np

from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray


def macro(values: FloatArray, totals: Totals, *, undefined: float = 0.0) -> FloatArray:
    """Return the mean over the classes that occur in the truth, the same classes for every system.

    A class that a system never answers has no precision; in the mean it counts as the worst value, as it does in a
    ranking. Each resample has a truth of its own: a class that was not drawn does not count in its mean.
    """
    classes = totals.classes
    filled = np.where(np.isnan(values), undefined, values)
    sums = (filled * classes).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / classes.sum(axis=-1))
