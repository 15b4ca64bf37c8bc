"""The area under the precision-recall curve of scores in memory, without a curve in between."""

import numpy as np
import numpy.typing as npt

from karat.measure.prevalence.pr_curve import RocStretches
from karat.tally.scores.packed_curve import steps_of


def rises_of(truth: npt.ArrayLike, score: npt.ArrayLike) -> RocStretches:
    """On which stretches does recall rise, given the truth and the score of each item?

    What `areas` needs for any number of prevalences: the exact counts, as from a curve, joined where no area changes.
    Reference: Davis, Goadrich, ICML 2006. doi:10.1145/1143844.1143874
    >>> from karat.measure.prevalence.pr_curve import areas
    >>> areas(rises_of([1, 0, 1, 0], [0.9, 0.8, 0.5, 0.1]), [0.01, 0.5]).round(4).tolist()
    [0.5075, 0.7973]
    """
    steps = steps_of(truth, score)
    without_negatives = steps.before == steps.after  # positives without a negative at their score
    touching = steps.before[1:] == steps.after[:-1]
    joins = without_negatives[1:] & without_negatives[:-1] & touching
    first = np.flatnonzero(np.append(True, ~joins))
    last = np.flatnonzero(np.append(~joins, True))
    recall = steps.hits[last] / steps.hits[-1]
    return RocStretches(
        r0=np.append(0.0, recall[:-1]),
        f0=steps.before[first] / steps.negatives,
        r1=recall,
        f1=steps.after[last] / steps.negatives,
    )
