"""Accuracy: the share of right answers."""

from karat.measure.measure import measure
from karat.measure.share import Share
from karat.measure.totals import Totals


@measure("confusion", aliases=("acc",))
def accuracy(totals: Totals) -> Share:
    """How many of all items are answered right?

    #(right answers) / #(items); a missing answer is not right.
    Reference: Junker, Hoch, Dengel, On the Evaluation of Document Analysis Components by Recall, Precision, and
    Accuracy, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    """
    return Share(totals.hits.sum(axis=-1), totals.total)
