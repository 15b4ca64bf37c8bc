"""Negative predictive value: the precision of the rest."""

from karat.measure.measure import measure
from karat.measure.share import Share
from karat.measure.totals import Totals


@measure("confusion", per_class=True)
def npv(totals: Totals) -> Share:
    """How many of the items that were not given a label do not have it?

    #(label neither true nor answered) / #(label not answered), per class. Assumes nothing; undefined where a system
    gives the label to every item.
    Reference: Altman, Bland, Diagnostic tests 2: predictive values, BMJ 309, 1994. doi:10.1136/bmj.309.6947.102
    """
    total = totals.total[..., None]
    neither = total - totals.truth - totals.answered + totals.hits
    return Share(neither, total - totals.answered)
