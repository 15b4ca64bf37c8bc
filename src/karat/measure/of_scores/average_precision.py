"""Average precision: the area under the precision-recall curve, by steps."""

from karat.measure.curves import average_precisions
from karat.measure.measure import measure
from karat.tally.scores.curve import Curve


@measure("curve", bounded_by="steps")
def average_precision(curve: Curve) -> float:
    """What is the precision on the way down the list, averaged over the positives?

    Sum over distinct scores of (share of the positives there) x (precision down to there); ties are one point.
    Reference: Manning, Raghavan, Schuetze, Introduction to Information Retrieval, Cambridge 2008, section 8.4.
    doi:10.1017/CBO9780511809071
    """
    return float(average_precisions(curve.positive.astype(float), curve.negative.astype(float)))
