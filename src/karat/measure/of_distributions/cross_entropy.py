"""Cross-entropy: how little confidence a system has in the true labels."""

import numpy as np

from karat.measure.measure import measure
from karat.numeric.arrays import FloatArray
from karat.tally.votes.confidences import Confidences


@measure("confidences", lower_is_better=True, high=np.inf, order_under_noise="reverse")
def cross_entropy(tally: Confidences, *, floor: float = 0.0) -> FloatArray:
    """How little confidence does a system have in the true labels?

    KL(truth || answer), the mean of -ln of the confidence in the true label; infinite where one of them is 0, unless a
    floor is used instead. Returned is the loss of each row for each system.
    Reference: Good, Rational decisions, Journal of the Royal Statistical Society B 14, 1952.
    doi:10.1111/j.2517-6161.1952.tb00104.x
    """
    of_truth = np.take_along_axis(tally.shares, tally.truth[None, :, None], axis=2)[..., 0]
    confidences = np.maximum(of_truth, floor)
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(confidences).T)
