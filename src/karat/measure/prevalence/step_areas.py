"""Other areas that go by the name of precision and recall, at any class balance: beside the exact one, named."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from karat.measure.prevalence.pr_curve import Rises, Roc, fall_out_along, rises
from karat.measure.prevalence.precision_at import check_prevalence, precision_at
from karat.numeric.arrays import FloatArray


def average_precision_at(curve: Roc, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the average precision where a share pi of the items is positive?

    The sum over points of (rise in recall) x (precision there): steps, no interpolation; ties are one point. At the
    data's own balance it is scikit-learn's average_precision_score.
    Reference: Manning, Raghavan, Schuetze, Introduction to Information Retrieval, Cambridge 2008, section 8.4.
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> float(average_precision_at(roc_of([0.8], [0.2]), pi=0.5).round(4))
    0.74
    """
    return _summed(
        rises(curve), pi, lambda parts, share: precision_at(parts.r1, parts.f1, pi=share)
    )


def trapezoid_area(curve: Roc, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the area under straight lines between the points of the precision-recall curve?

    Half the sum of the rises in recall times the precisions at both ends; at recall 0 that of the first point with any
    answer. Too large between distant points: precision does not fall in a straight line.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 18. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> float(trapezoid_area(roc_of([0.8], [0.2]), pi=0.5).round(4))
    0.77
    """
    return _summed(rises(curve), pi, _both_ends)


def _both_ends(parts: Rises, share: FloatArray) -> FloatArray:
    after, before = (
        precision_at(parts.r1, parts.f1, pi=share),
        precision_at(parts.r0, parts.f0, pi=share),
    )
    return (np.where(np.isnan(before), after, before) + after) / 2


def _summed(
    parts: Rises, pi: npt.ArrayLike, height: Callable[[Rises, FloatArray], FloatArray]
) -> FloatArray:
    share = check_prevalence("the prevalence", pi)
    wide = parts.r1 - parts.r0
    found = [float(wide @ height(parts, np.asarray(each))) for each in share.ravel()]
    return np.array(found).reshape(share.shape)


def gain_area(curve: Roc, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the area under the precision-recall-gain curve where a share pi of the items is positive?

    Precision gain 1 - FPR/TPR over recall gain 1 - pi/(1-pi) (1-R)/R, from recall gain 0 (R = pi) to 1. Straight lines
    there are straight ROC lines, so the trapezoids are exact. A random classifier has 0, a perfect one 1; NaN at
    pi = 0 and pi = 1.
    Reference: Flach, Kull, Precision-Recall-Gain Curves, NIPS 2015.
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> gain_area(roc_of([0.8], [0.2]), pi=[0.3, 0.5]).round(4).tolist()
    [0.7098, 0.6563]
    """
    share, parts = check_prevalence("the prevalence", pi), rises(curve)
    found = [_gain(parts, float(each)) if 0 < each < 1 else np.nan for each in share.ravel()]
    return np.array(found).reshape(share.shape)


def _gain(parts: Rises, pi: float) -> float:
    kept = parts.chosen(parts.r1 > pi)
    inside = kept.r0 < pi
    start = np.where(inside, pi, kept.r0)
    false = np.where(inside, fall_out_along(parts, pi), kept.f0)
    heights = (1 - false / start + 1 - kept.f1 / kept.r1) / 2
    # pi / start first: 1 / start may be beyond all numbers
    return float(((pi / start) * (kept.r1 - start) / kept.r1) @ heights / (1 - pi))
