"""Balanced accuracy: every class has the same weight."""

from karat.measure.average import macro
from karat.measure.measure import measure
from karat.measure.of_answers.recall import recall
from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray


@measure("confusion", mean_of=recall)
def balanced_accuracy(totals: Totals) -> FloatArray:
    """How many items would be answered right if all classes were equally frequent?

    The mean of the recalls of the classes that occur in the truth.
    """
    return macro(recall(totals).values, totals)
