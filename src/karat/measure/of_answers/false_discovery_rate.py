"""False discovery rate: the share of a label's answers that are wrong."""

from karat.measure.measure import measure
from karat.measure.share import Share
from karat.measure.totals import Totals


@measure("confusion", per_class=True, lower_is_better=True, order_under_noise="precision")
def false_discovery_rate(totals: Totals) -> Share:
    """How many of the items that were given a label do not have it?

    #(label answered, not true) / #(label answered) = 1 - precision, per class. Undefined where the label is never
    answered; in a ranking and in a mean over classes that counts as 1.
    Reference: Benjamini, Hochberg, Controlling the false discovery rate, Journal of the Royal Statistical Society B 57,
    1995. doi:10.1111/j.2517-6161.1995.tb02031.x
    """
    return Share(totals.answered - totals.hits, totals.answered)
