"""How often every two systems agree: beyond chance, or in their errors where there is a truth."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.measure.consensus.estimator import divide
from karat.measure.near_copies import shared_errors
from karat.numeric.arrays import BoolArray, FloatArray

LEAST_VARIANCE = 1e-3
"""Of an agreement, so that a pair that always agrees does not outweigh all others."""

AT_ONCE = 50_000
"""Rows that are compared at once."""
USUAL = 1 / 3
"""The quantile of the pairs that represents systems without a common cause."""


@dataclass(frozen=True, slots=True, eq=False)
class PairAgreement:
    """One number for every two systems."""

    value: FloatArray
    """Their agreement."""
    most: FloatArray
    """Their agreement if one copied every answer of the other."""
    items: FloatArray
    """How many items both answered."""
    variance: FloatArray
    """Of the value, if items are independent."""
    observed: FloatArray
    """The share of the items on which they give the same answer; NaN without a common item."""


def agreement_beyond_chance(
    codes: npt.NDArray[Any], number: FloatArray, *, classes: int
) -> PairAgreement:
    """Return how often two systems agree, less how often they would if their answers had nothing to do with the item.

    C_kl = P(same answer) - Σ_c p_k(c) p_l(c), over the items that both answered: the covariance of their answers. A
    system and itself have 1 - Σ_c p_k(c)².
    """
    items = _together(codes >= 0, codes >= 0, number)
    agreed = np.zeros_like(items)
    chance = np.zeros_like(items)
    for label in range(classes):
        agreed += _together(codes == label, codes == label, number)
        share = np.nan_to_num(divide(_together(codes == label, codes >= 0, number), items))
        chance += share * share.T
    observed = divide(agreed, items)
    known = np.nan_to_num(observed)
    own = np.sqrt(np.maximum(0.0, 1 - np.diag(chance)))
    variance = np.maximum(known * (1 - known), LEAST_VARIANCE) / np.maximum(items, 1)
    return PairAgreement(known - chance, np.outer(own, own), items, variance, observed)


def _together(one: BoolArray, other: BoolArray, number: FloatArray) -> FloatArray:
    """Count for every two systems the items of which the first holds of the one, the second of the other."""
    total = np.zeros((one.shape[1], one.shape[1]))
    for start in range(0, len(one), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        total += one[part].T.astype(float) @ (number[part, None] * other[part])
    return total


def agreement_in_errors(
    codes: npt.NDArray[Any], number: FloatArray, truth: npt.NDArray[Any], *, classes: int
) -> PairAgreement:
    """Return on what share of the items with a truth two systems give the same wrong answer.

    The variance is that of a share as large as is usual (below).
    """
    answered = (codes >= 0) & (truth >= 0)[:, None]
    items = _together(answered, answered, number)
    shared = shared_errors(codes, truth, number)
    value = np.nan_to_num(divide(shared.same, items))
    own = np.sqrt(np.diag(value))
    usual = np.clip(usual_shared_errors(value, items, classes=classes), 0, 0.9)
    least = 0.5 / np.maximum(items, 1)
    variance = np.maximum(usual * (1 - usual), least) / np.maximum(items, 1)
    same = divide(shared.same, items)
    return PairAgreement(value, np.outer(own, own), items, variance, same)


def usual_shared_errors(value: FloatArray, items: FloatArray, *, classes: int) -> FloatArray:
    """Return how often two systems would make the same error if both only err more on the harder items.

    h e_k e_l, e the error rates: h is 1 / (C - 1) for independent errors spread evenly over C labels, and larger where
    items differ in difficulty. It is the quantile 1/3 over the pairs, so that families do not raise it, and not lower
    than for independent errors.
    """
    errors = np.diag(value)
    product = np.outer(errors, errors)
    pairs = np.triu_indices(len(value), 1)
    known = (product[pairs] > 0) & (items[pairs] > 0)
    if not known.any():
        return np.zeros_like(value)
    ratios = value[pairs][known] / product[pairs][known]
    independent = 1 / max(1, classes - 1)
    return np.asarray(max(independent, float(np.quantile(ratios, USUAL))) * product)
