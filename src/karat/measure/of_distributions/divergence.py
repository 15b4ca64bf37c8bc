"""Divergence: how far a system's distribution is from all on the true label."""

import numpy as np

from karat.measure.measure import measure
from karat.numeric.arrays import FloatArray
from karat.tally.votes.confidences import Confidences


@measure("confidences", lower_is_better=True, high=np.inf, order_under_noise="forward")
def divergence(tally: Confidences, *, floor: float = 0.0) -> FloatArray:
    """How far is a system's distribution from one that has all on the true label?

    KL(answer || truth) = Σ a ln(a / t), a the confidence in a label, t = 1 for the true one and the floor for the
    others; infinite without a floor. Returned is the loss of each row for each system.
    Reference: Kullback, Leibler, On information and sufficiency, Annals of Mathematical Statistics 22, 1951.
    doi:10.1214/aoms/1177729694
    """
    shares = tally.shares
    of_truth = np.take_along_axis(shares, tally.truth[None, :, None], axis=2)[..., 0]
    total = shares.sum(axis=2)
    of_others = total - of_truth
    # 0 ln 0 counts as 0.
    logarithms = np.log(np.where(shares == 0, 1.0, shares))
    entropy = (shares * logarithms).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        wrong = np.where(total > of_truth, of_others * -np.log(floor), 0.0)
        # A system that answers nothing is as far from the truth as one that is sure of a wrong label.
        losses = np.where(total == 0, -np.log(floor), entropy + wrong)
    return np.asarray(losses.T)
