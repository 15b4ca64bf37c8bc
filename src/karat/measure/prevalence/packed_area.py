"""The area under the precision-recall curve of scores in memory, without a tally in between."""

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.measure.prevalence.pr_curve import RocCurve, RocStretches, joined, rises
from karat.numeric.arrays import FloatArray
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
    recall = np.append(0, steps.hits) / steps.hits[-1]
    before = steps.before / steps.negatives
    after = steps.after / steps.negatives
    return joined(RocStretches(r0=recall[:-1], f0=before, r1=recall[1:], f1=after))


def weighted_rises(
    truth: npt.ArrayLike, score: npt.ArrayLike, weight: npt.ArrayLike
) -> RocStretches:
    """On which stretches does recall rise, if each item counts as much as its weight?

    An item of weight 2 is two items of its score, one of weight 0 none.
    >>> weighted_rises([1, 0, 1, 0], [0.9, 0.8, 0.5, 0.1], [3, 1, 1, 1]).r1.tolist()
    [0.75, 1.0]
    """
    is_positive = np.asarray(truth, bool)
    weights = np.asarray(weight, np.float64)
    if weights.shape != is_positive.shape:
        raise InputError(
            f"sample_weight has the shape {weights.shape} and the truth {is_positive.shape}; "
            "give one weight an item"
        )
    if not np.all((weights >= 0) & (weights < np.inf)):
        raise InputError("sample_weight has a weight that is not a finite number from 0 up")
    scores = np.asarray(score, np.float64)
    if np.isnan(scores).any():
        raise InputError("the scores hold NaN; give each item a number")
    values, place = np.unique(-scores, return_inverse=True)  # from the highest score down
    hits = _shares(place, np.where(is_positive, weights, 0.0), len(values), "positives")
    false = _shares(place, np.where(is_positive, 0.0, weights), len(values), "negatives")
    return rises(RocCurve(hits, false))


def _shares(place: npt.NDArray[np.intp], weights: FloatArray, number: int, what: str) -> FloatArray:
    """Return which share of the weight is at each score or above, from 0 to 1."""
    sums = np.cumsum(np.bincount(place, weights, minlength=number))
    if not sums[-1] > 0:
        raise InputError(f"the truth has no {what} of a weight above 0; both are needed")
    return np.concatenate([[0.0], sums / sums[-1]])
