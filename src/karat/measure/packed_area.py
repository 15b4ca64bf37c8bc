"""The area under the precision-recall curve of scores in memory, without a curve in between."""

import numpy as np
import numpy.typing as npt

from karat.measure.pr_curve import Rises, joined
from karat.tally.packed_curve import steps_of


def rises_of(truth: npt.ArrayLike, score: npt.ArrayLike) -> Rises:
    """On which stretches does recall rise, given the truth and the score of each item?

    What `areas` needs for any number of skews: the exact counts, as from a curve, joined where no area changes.
    Reference: Davis, Goadrich, ICML 2006. doi:10.1145/1143844.1143874
    >>> from karat.measure.pr_curve import areas
    >>> areas(rises_of([1, 0, 1, 0], [0.9, 0.8, 0.5, 0.1]), [0.01, 0.5]).round(4).tolist()
    [0.5075, 0.7973]
    """
    steps = steps_of(truth, score)
    recall = np.concatenate([[0.0], steps.hits / steps.hits[-1]])
    before, after = steps.before / steps.negatives, steps.after / steps.negatives
    return joined(Rises(recall[:-1], before, recall[1:], after))
