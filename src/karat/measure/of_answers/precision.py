"""Precision: the share of a label's answers that are right."""

from karat.measure.measure import measure
from karat.measure.share import Share
from karat.measure.totals import Totals


@measure("confusion", per_class=True, order_under_noise="precision")
def precision(totals: Totals) -> Share:
    """How many of the items that were given a label have it?

    #(label answered and true) / #(label answered), per class.
    Reference: Junker, Hoch, Dengel, On the Evaluation of Document Analysis Components by Recall, Precision, and
    Accuracy, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    """
    return Share(totals.hits, totals.answered)
