"""Intersection over union: what truth and answer have in common, of all that either has."""

from karat.measure.measure import measure
from karat.measure.share import Share
from karat.measure.totals import Totals


@measure("confusion", per_class=True, aliases=("jaccard",))
def iou(totals: Totals) -> Share:
    """How much of what is marked, in the truth or by the system, is marked in both?

    #(label answered and true) / #(label answered or true), per class; with F1, which is the same as Dice's coefficient,
    IoU = F1 / (2 - F1). Undefined where a label neither occurs nor is answered.
    Reference: Jaccard, The distribution of the flora in the alpine zone, New Phytologist 11, 1912.
    doi:10.1111/j.1469-8137.1912.tb05611.x
    """
    either = totals.truth + totals.answered - totals.hits
    return Share(totals.hits, either)
