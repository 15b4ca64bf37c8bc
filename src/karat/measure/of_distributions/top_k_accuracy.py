"""Top-k accuracy: the share of items whose true label is among the k likeliest."""

import numpy as np

from karat.measure.measure import Parameter, measure
from karat.numeric.arrays import BoolArray
from karat.tally.votes.confidences import Confidences


@measure(
    "confidences",
    parameter=Parameter(name="k", form="top-{}-accuracy", default=5, whole=True),
)
def top_k_accuracy(tally: Confidences, *, k: int = 5) -> BoolArray:
    """How often is the true label among the k in which a system has the most confidence?

    #(items whose true label has a confidence above 0, and fewer than k other labels as much or more) / #(items): ties
    count against the system, and so do missing answers. Returned is whether each is right, a row an item and a
    column a system. Assumes independent items for its interval, which is that of a share.
    Reference: Russakovsky et al., ImageNet large scale visual recognition challenge, International Journal of Computer
    Vision 115, 2015. doi:10.1007/s11263-015-0816-y
    """
    of_truth = np.take_along_axis(tally.shares, tally.truth[None, :, None], axis=2)
    # The true label itself is one of those with as much or more.
    as_much_or_more = (tally.shares >= of_truth).sum(axis=2) - 1
    right = (as_much_or_more < k) & (of_truth[..., 0] > 0)
    return np.asarray(right.T)
