"""Specificity: the recall of the rest."""

from karat.measure.measure import measure
from karat.measure.share import Share
from karat.measure.totals import Totals


@measure("confusion", per_class=True)
def specificity(totals: Totals) -> Share:
    """How many of the items that do not have a label were not given it?

    #(label neither true nor answered) / #(label not true), per class; the recall of the rest.
    Reference: Junker, Hoch, Dengel, On the Evaluation of Document Analysis Components by Recall, Precision, and
    Accuracy, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    """
    total = totals.total[..., None]
    neither = total - totals.truth - totals.answered + totals.hits
    return Share(neither, total - totals.truth)
