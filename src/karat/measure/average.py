"""Averages over classes."""

import numpy as np

from karat.measure.share import recall
from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray


def macro(values: FloatArray, totals: Totals) -> FloatArray:
    """Return the mean over the classes that occur in the truth, the same classes for every system.

    A class that a system never answers has no precision; in the mean it counts as 0, as it does in a ranking. Each
    resample has a truth of its own: a class that was not drawn is no part of its mean.
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(
            (np.nan_to_num(values) * totals.classes).sum(axis=-1) / totals.classes.sum(axis=-1)
        )


def balanced_accuracy(totals: Totals) -> FloatArray:
    """How many items would be answered right if all classes were equally frequent?

    The mean of the recalls of the classes that occur in the truth.
    """
    return macro(recall(totals).values, totals)
