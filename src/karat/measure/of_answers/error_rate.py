"""Error rate: the share of wrong answers."""

from karat.measure.measure import measure
from karat.measure.share import Share
from karat.measure.totals import Totals


@measure("confusion", lower_is_better=True)
def error_rate(totals: Totals) -> Share:
    """How many of all items are answered wrong, or not at all?

    1 - accuracy.
    Reference: Junker, Hoch, Dengel, On the Evaluation of Document Analysis Components by Recall, Precision, and
    Accuracy, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    """
    return Share(totals.total - totals.hits.sum(axis=-1), totals.total)
