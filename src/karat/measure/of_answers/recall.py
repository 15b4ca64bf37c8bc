"""Recall: the share of a label's items that were given it."""

from karat.measure.measure import measure
from karat.measure.share import Share
from karat.measure.totals import Totals


@measure("confusion", per_class=True, order_under_noise="recall")
def recall(totals: Totals) -> Share:
    """How many of the items that have a label were given it?

    #(label answered and true) / #(label true), per class.
    Reference: Junker, Hoch, Dengel, On the Evaluation of Document Analysis Components by Recall, Precision, and
    Accuracy, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    """
    return Share(totals.hits, totals.truth)
