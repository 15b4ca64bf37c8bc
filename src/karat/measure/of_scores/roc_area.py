"""The area under the ROC curve."""

from karat.measure.curves import roc_areas
from karat.measure.measure import measure
from karat.tally.scores.curve import Curve


@measure("curve", bounded_by="delong", aliases=("auc", "auroc", "roc-auc"))
def roc_area(curve: Curve) -> float:
    """How often does a positive score higher than a negative?

    P(positive > negative) + P(equal) / 2, over all pairs: the area under the ROC curve.
    Reference: Hanley, McNeil, Radiology 143, 1982. doi:10.1148/radiology.143.1.7063747
    """
    return float(roc_areas(curve.positive.astype(float), curve.negative.astype(float)))
