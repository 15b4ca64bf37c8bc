"""Precision at another class balance than that of the data, and which precision is possible at all."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

_ROUNDING = 1e-12


def from_positives_per_negative(ratio: npt.ArrayLike) -> FloatArray:
    """What share of the items is positive, if there are so many positives to a negative?

    pi = phi / (1 + phi), phi = positives / negatives.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 2. doi:10.1007/s10994-013-5432-x
    >>> float(from_positives_per_negative(0.25))
    0.2
    """
    phi = _ratio("positives per negative", ratio)
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(phi), 1.0, phi / (1 + phi))


def from_negatives_per_positive(ratio: npt.ArrayLike) -> FloatArray:
    """What share of the items is positive, if there are so many negatives to a positive?

    pi = 1 / (1 + lambda), lambda = negatives / positives.
    Reference: Flach, ICML 2003.
    >>> from_negatives_per_positive([100, 1]).round(4).tolist()
    [0.0099, 0.5]
    """
    return np.asarray(1 / (1 + _ratio("negatives per positive", ratio)))


def positives_per_negative(pi: npt.ArrayLike) -> FloatArray:
    """How many positives are there to a negative? phi = pi / (1 - pi).

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 2. doi:10.1007/s10994-013-5432-x
    >>> float(positives_per_negative(0.2))
    0.25
    """
    share = check_skew("the skew", pi)
    with np.errstate(divide="ignore"):
        return np.asarray(share / (1 - share))


def negatives_per_positive(pi: npt.ArrayLike) -> FloatArray:
    """How many negatives are there to a positive? lambda = (1 - pi) / pi.

    Reference: Flach, ICML 2003.
    >>> float(negatives_per_positive(0.2))
    4.0
    """
    share = check_skew("the skew", pi)
    with np.errstate(divide="ignore"):
        return np.asarray((1 - share) / share)


def precision_at(tpr: npt.ArrayLike, fpr: npt.ArrayLike, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the precision where a share pi of the items is positive?

    P = pi TPR / (pi TPR + (1 - pi) FPR). NaN if nothing is ever answered (TPR = FPR = 0). At pi = 0 and pi = 1 the
    limits stand: 1 where FPR = 0, 0 where TPR = 0. Assumes that positives and negatives are each drawn from the same
    distribution at every balance.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 9. doi:10.1007/s10994-013-5432-x
    >>> float(precision_at(0.8, 0.2, pi=0.4).round(4))
    0.7273
    """
    share = check_skew("the skew", pi)
    a, b = check_rate("TPR", tpr), check_rate("FPR", fpr)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = share * a / (share * a + (1 - share) * b)
    return at_the_ends(found, a, b)


def at_the_ends(found: FloatArray, tpr: FloatArray, fpr: FloatArray) -> FloatArray:
    """Return a precision with its limits where one rate is 0: 1 without false positives, 0 without true ones, else NaN.

    >>> at_the_ends(np.array([0.5, 0.5]), np.array([0.2, 0.0]), np.array([0.0, 0.0]))
    array([ 1., nan])
    """
    return np.select([(tpr == 0) & (fpr == 0), fpr == 0, tpr == 0], [np.nan, 1.0, 0.0], found)


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
    """What would a precision measured at the skew `old` have been at the skew `new`?

    P' = pi' / (pi' + (1 - pi') pi / (1 - pi) (1/P - 1)), written without 1/P; 1 stays 1 and 0 stays 0. Assumes that
    positives and negatives are each drawn from the same distribution at both balances.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 1. doi:10.1007/s10994-013-5432-x
    >>> float(transformed_precision(0.73, old=0.5, new=0.01).round(4))
    0.0266
    """
    value, before, after = (
        check_rate("the precision", precision),
        _inside(old),
        check_skew("the new skew", new),
    )
    right, wrong = value * after * (1 - before), (1 - value) * before * (1 - after)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = right / (right + wrong)
    return np.select([value == 1, value == 0], [1.0, 0.0], found)


def fall_out(precision: npt.ArrayLike, recall: npt.ArrayLike, *, pi: npt.ArrayLike) -> FloatArray:
    """Which false positive rate gives this precision at this recall?

    FPR = pi / (1 - pi) R (1/P - 1); above 1 no system has it. NaN where P = R = 0, infinite where only P = 0.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, proof of theorem 1. doi:10.1007/s10994-013-5432-x
    >>> float(fall_out(0.5, 0.8, pi=0.5))
    0.8
    """
    value, found, share = (
        check_rate("the precision", precision),
        check_rate("the recall", recall),
        _inside(pi),
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(share / (1 - share) * found * ((1 - value) / value))


def minimum_precision(recall: npt.ArrayLike, *, pi: npt.ArrayLike) -> FloatArray:
    """How low can the precision be at this recall?

    pi R / (pi R + 1 - pi): every negative is answered too. Below it no system can lie.
    Reference: Boyd, Santos Costa, Davis, Page, ICML 2012, theorem 1.
    >>> float(minimum_precision(1.0, pi=0.3))
    0.3
    """
    return precision_at(recall, np.ones_like(check_rate("the recall", recall)), pi=pi)


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
    return against_minimum(precision, recall, float(minimum_precision(recall, pi=pi)))


def against_minimum(precision: float, recall: float, minimum: float) -> Achievable:
    """Return whether a precision reaches the least that is possible at its recall.

    >>> against_minimum(0.5, 1.0, 0.5).possible
    True
    """
    check_rate("the precision", precision)
    return Achievable(precision, recall, minimum, precision >= minimum - _ROUNDING)


def check_skew(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return skews as numbers, or a sentence about the first that is no share.

    >>> check_skew("the skew", 1.5)
    Traceback (most recent call last):
    karat.errors.OptionError: the skew is 1.5; as the share of positives it must lie between 0 and 1
    """
    return _within(name, values, "as the share of positives it must lie between 0 and 1")


def check_rate(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return rates as numbers, or a sentence about the first outside [0, 1].

    >>> check_rate("TPR", [0.5, 80])
    Traceback (most recent call last):
    karat.errors.OptionError: TPR is 80; it must lie between 0 and 1, as 0.8 does
    """
    return _within(name, values, "it must lie between 0 and 1, as 0.8 does")


def _within(name: str, values: npt.ArrayLike, law: str) -> FloatArray:
    found = np.asarray(values, np.float64)
    if (bad := found[~((found >= 0) & (found <= 1))]).size:
        raise OptionError(f"{name} is {bad[0]:g}; {law}")
    return found


def _inside(values: npt.ArrayLike) -> FloatArray:
    found = check_skew("the skew of the data", values)
    if (bad := found[(found == 0) | (found == 1)]).size:
        raise OptionError(
            f"the skew of the data is {bad[0]:g}; a precision needs both positives and negatives"
        )
    return found


def _ratio(name: str, values: npt.ArrayLike) -> FloatArray:
    found = np.asarray(values, np.float64)
    if (bad := found[~(found >= 0)]).size:
        raise OptionError(f"{name} is {bad[0]:g}; a ratio of counts is 0 or more")
    return found
