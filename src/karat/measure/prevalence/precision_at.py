"""Precision at another prevalence than that of the data, and which precision is possible at all."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

_ROUNDING = 1e-12
RARE = 0.1
"""If one negative of the data represents so many positives of the deployment, the highest negatives decide."""


def from_negatives_per_positive(ratio: npt.ArrayLike) -> FloatArray:
    """What share of the items is positive, if there are so many negatives to a positive?

    pi = 1 / (1 + lambda), lambda = negatives / positives.
    Reference: Flach, ICML 2003.
    >>> from_negatives_per_positive([100, 1]).round(4).tolist()
    [0.0099, 0.5]
    """
    return np.asarray(1 / (1 + _ratio("negatives per positive", ratio)))


def precision_at(tpr: npt.ArrayLike, fpr: npt.ArrayLike, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the precision where a share pi of the items is positive?

    P = pi TPR / (pi TPR + (1 - pi) FPR). NaN if nothing is ever answered (TPR = FPR = 0). At pi = 0 and pi = 1 the
    limits stand: 1 where FPR = 0, 0 where TPR = 0. Assumes that positives and negatives are each drawn from the same
    distribution at every prevalence.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 9. doi:10.1007/s10994-013-5432-x
    >>> float(precision_at(0.8, 0.2, pi=0.4).round(4))
    0.7273
    """
    share = check_prevalence("the prevalence", pi)
    a = check_rate("TPR", tpr)
    b = check_rate("FPR", fpr)
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = share * a / (share * a + (1 - share) * b)
    return with_limits(precision, a, b)


def with_limits(precision: FloatArray, tpr: FloatArray, fpr: FloatArray) -> FloatArray:
    """Return a precision, with its limits where a rate is 0: 1 if only FPR is 0, 0 if only TPR is, NaN if both are.

    >>> with_limits(np.array([0.5, 0.5]), np.array([0.2, 0.0]), np.array([0.0, 0.0]))
    array([ 1., nan])
    """
    nothing_answered = (tpr == 0) & (fpr == 0)
    return np.select([nothing_answered, fpr == 0, tpr == 0], [np.nan, 1.0, 0.0], precision)


def flach_precision(tpr: npt.ArrayLike, fpr: npt.ArrayLike, *, ratio: npt.ArrayLike) -> FloatArray:
    """What is the precision where there are `ratio` negatives to a positive?

    P = TPR / (TPR + lambda FPR): the same as at pi = 1 / (1 + lambda). NaN if TPR = FPR = 0.
    Reference: Flach, ICML 2003, as eq 5 of Lampert, Gancarski 2014. doi:10.1007/s10994-013-5432-x
    >>> float(flach_precision(0.8, 0.2, ratio=1.5).round(4))
    0.7273
    """
    return precision_at(tpr, fpr, pi=from_negatives_per_positive(ratio))


def transformed_precision(
    precision: npt.ArrayLike, *, old: npt.ArrayLike, new: npt.ArrayLike
) -> FloatArray:
    """What would a precision measured at the prevalence `old` have been at the prevalence `new`?

    P' = pi' / (pi' + (1 - pi') pi / (1 - pi) (1/P - 1)), written without 1/P; 1 stays 1 and 0 stays 0. Assumes that
    positives and negatives are each drawn from the same distribution at both prevalences.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 1. doi:10.1007/s10994-013-5432-x
    >>> float(transformed_precision(0.73, old=0.5, new=0.01).round(4))
    0.0266
    """
    value = check_rate("the precision", precision)
    before = _strictly_between(old)
    after = check_prevalence("the new prevalence", new)
    right = value * after * (1 - before)
    wrong = (1 - value) * before * (1 - after)
    with np.errstate(invalid="ignore", divide="ignore"):
        transformed = right / (right + wrong)
    return np.select([value == 1, value == 0], [1.0, 0.0], transformed)


def minimum_precision(recall: npt.ArrayLike, *, pi: npt.ArrayLike) -> FloatArray:
    """How low can the precision be at this recall?

    pi R / (pi R + 1 - pi): every negative is answered too. Below it no system can lie.
    Reference: Boyd, Santos Costa, Davis, Page, ICML 2012, theorem 1.
    >>> float(minimum_precision(1.0, pi=0.3))
    0.3
    """
    every_negative = np.ones_like(check_rate("the recall", recall))
    return precision_at(recall, every_negative, pi=pi)


@dataclass(frozen=True, slots=True)
class Achievable:
    """Whether a system can have this precision at this recall, and the least it can have there."""

    precision: float
    recall: float
    minimum: float
    possible: bool


def achievable(precision: float, recall: float, *, pi: float) -> Achievable:
    """Can any system have this precision at this recall, where a share pi of the items is positive?

    Possible if P >= pi R / (pi R + 1 - pi), up to rounding in the twelfth digit.
    Reference: Boyd, Santos Costa, Davis, Page, ICML 2012, theorem 1.
    >>> achievable(0.2, 0.9, pi=0.3).possible
    False
    """
    minimum = float(minimum_precision(recall, pi=pi))
    return against_minimum(precision, recall, minimum)


def against_minimum(precision: float, recall: float, minimum: float) -> Achievable:
    """Return whether a precision reaches the least that is possible at its recall.

    >>> against_minimum(0.5, 1.0, 0.5).possible
    True
    """
    check_rate("the precision", precision)
    possible = precision >= minimum - _ROUNDING
    return Achievable(precision, recall, minimum, possible)


def check_prevalence(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return prevalences as numbers, or a sentence about the first that is not a share.

    >>> check_prevalence("the prevalence", 1.5)
    Traceback (most recent call last):
    karat.errors.OptionError: the prevalence is 1.5; as the share of positives it must be between 0 and 1
    """
    return _within(name, values, "as the share of positives it must be between 0 and 1")


def check_rate(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return rates as numbers, or a sentence about the first outside [0, 1].

    >>> check_rate("TPR", [0.5, 80])
    Traceback (most recent call last):
    karat.errors.OptionError: TPR is 80; it must be between 0 and 1, as 0.8 does
    """
    return _within(name, values, "it must be between 0 and 1, as 0.8 does")


def _within(name: str, values: npt.ArrayLike, requirement: str) -> FloatArray:
    numbers = np.asarray(values, np.float64)
    outside = numbers[~((numbers >= 0) & (numbers <= 1))]
    if outside.size:
        raise OptionError(f"{name} is {outside[0]:g}; {requirement}")
    return numbers


def _strictly_between(values: npt.ArrayLike) -> FloatArray:
    shares = check_prevalence("the prevalence of the data", values)
    one_kind = shares[(shares == 0) | (shares == 1)]
    if one_kind.size:
        raise OptionError(
            f"the prevalence of the data is {one_kind[0]:g}; a precision needs both positives and negatives"
        )
    return shares


def _ratio(name: str, values: npt.ArrayLike) -> FloatArray:
    ratios = np.asarray(values, np.float64)
    negative = ratios[~(ratios >= 0)]
    if negative.size:
        raise OptionError(f"{name} is {negative[0]:g}; a ratio of counts is 0 or more")
    return ratios


def decided_by_few(rarest: float, negatives: int) -> bool:
    """Return whether the few highest of so many negatives decide on the precision where positives are so rare."""
    if rarest <= 0:
        return False
    negatives_per_positive = (1 - rarest) / rarest
    return negatives_per_positive > RARE * negatives
