"""Other areas that go by the name of precision and recall, at any prevalence: beside the exact one, named."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from karat.measure.prevalence.pr_curve import RocCurve, RocStretches, fall_out_along, rises
from karat.measure.prevalence.precision_at import check_prevalence, precision_at
from karat.numeric.arrays import FloatArray


def average_precision_at(curve: RocCurve, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the average precision where a share pi of the items is positive?

    The sum over points of (rise in recall) x (precision there): steps, no interpolation; ties are one point. At the
    data's own prevalence it is scikit-learn's average_precision_score.
    Reference: Manning, Raghavan, Schuetze, Introduction to Information Retrieval, Cambridge 2008, section 8.4.
    doi:10.1017/CBO9780511809071
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> float(average_precision_at(roc_of([0.8], [0.2]), pi=0.5).round(4))
    0.74
    """
    return _summed(rises(curve), pi, _precision_after)


def trapezoid_area(curve: RocCurve, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the area under straight lines between the points of the precision-recall curve?

    Half the sum of the rises in recall times the precisions at both ends; at recall 0 that of the first point with any
    answer. Too large between distant points: precision does not fall in a straight line.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 18. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> float(trapezoid_area(roc_of([0.8], [0.2]), pi=0.5).round(4))
    0.77
    """
    return _summed(rises(curve), pi, _both_ends)


def _precision_after(parts: RocStretches, share: FloatArray) -> FloatArray:
    """Return the precision at the end of each stretch."""
    return precision_at(parts.r1, parts.f1, pi=share)


def _both_ends(parts: RocStretches, share: FloatArray) -> FloatArray:
    """Return the mean of the precisions at both ends of each stretch."""
    before = precision_at(parts.r0, parts.f0, pi=share)
    after = _precision_after(parts, share)
    return (np.where(np.isnan(before), after, before) + after) / 2


def _summed(
    parts: RocStretches, pi: npt.ArrayLike, height: Callable[[RocStretches, FloatArray], FloatArray]
) -> FloatArray:
    """Return the sum of rises in recall times heights, at each prevalence."""
    share = check_prevalence("the prevalence", pi)
    sums = [float(parts.widths @ height(parts, np.asarray(each))) for each in share.ravel()]
    return np.array(sums).reshape(share.shape)


def gain_area(curve: RocCurve, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the area under the precision-recall-gain curve where a share pi of the items is positive?

    Precision gain 1 - FPR/TPR over recall gain 1 - pi/(1-pi) (1-R)/R, from recall gain 0 (R = pi) to 1. Straight lines
    there are straight ROC lines, so the trapezoids are exact. A random classifier has 0, a perfect one 1; NaN at
    pi = 0 and pi = 1.
    Reference: Flach, Kull, Precision-Recall-Gain Curves, NIPS 2015.
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> gain_area(roc_of([0.8], [0.2]), pi=[0.3, 0.5]).round(4).tolist()
    [0.7098, 0.6563]
    """
    share = check_prevalence("the prevalence", pi)
    parts = rises(curve)
    gains = [_gain(parts, float(each)) for each in share.ravel()]
    return np.array(gains).reshape(share.shape)


def _gain(parts: RocStretches, pi: float) -> float:
    if not 0 < pi < 1:
        return np.nan
    # Recall gain is 0 at R = pi: the stretch with that point begins there.
    beyond = parts.chosen(parts.r1 > pi)
    begins_before = beyond.r0 < pi
    start = np.where(begins_before, pi, beyond.r0)
    start_fall_out = np.where(begins_before, fall_out_along(parts, pi), beyond.f0)
    heights = (1 - start_fall_out / start + 1 - beyond.f1 / beyond.r1) / 2
    # pi / start first: 1 / start may be beyond all numbers
    widths = (pi / start) * (beyond.r1 - start) / beyond.r1
    return float(widths @ heights / (1 - pi))
