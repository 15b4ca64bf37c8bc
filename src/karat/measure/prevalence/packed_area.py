"""The area under the precision-recall curve of scores in memory, without a curve in between."""

import numpy as np
import numpy.typing as npt

from karat.measure.prevalence.pr_curve import Rises
from karat.tally.scores.packed_curve import steps_of


def rises_of(truth: npt.ArrayLike, score: npt.ArrayLike) -> Rises:
    """On which stretches does recall rise, given the truth and the score of each item?

    What `areas` needs for any number of skews: the exact counts, as from a curve, joined where no area changes.
    Reference: Davis, Goadrich, ICML 2006. doi:10.1145/1143844.1143874
    >>> from karat.measure.prevalence.pr_curve import areas
    >>> areas(rises_of([1, 0, 1, 0], [0.9, 0.8, 0.5, 0.1]), [0.01, 0.5]).round(4).tolist()
    [0.5075, 0.7973]
    """
    steps = steps_of(truth, score)
    free = steps.before == steps.after  # positives without a negative at their score
    flat = free[1:] & free[:-1] & (steps.before[1:] == steps.after[:-1])
    first, last = (
        np.flatnonzero(part) for part in (np.append(True, ~flat), np.append(~flat, True))
    )
    hits, false = steps.hits[last] / steps.hits[-1], steps.after[last] / steps.negatives
    return Rises(np.append(0.0, hits[:-1]), steps.before[first] / steps.negatives, hits, false)
