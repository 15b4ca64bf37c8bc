"""One number a system that explains how far every two of them agree: skill, and the difficulty of items."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray

ROUNDS = 100
STEPS_OF_DIFFICULTY = 10
FIRM = 1.5
"""Residuals beyond so many standard errors count less, where one number is fitted to all pairs."""
FROM_SYSTEMS = 12
"""From so many systems on there are pairs enough to fit what difficulty adds."""


@dataclass(frozen=True, slots=True, eq=False)
class OneFactor:
    """The numbers, and how badly they fit."""

    loadings: FloatArray
    """b, for each fit and system."""
    misfit: FloatArray
    """Σ (M_kl - b_k b_l)² / variance, over pairs, for each fit."""


def one_factor(agreement: FloatArray, precision: FloatArray) -> OneFactor:
    """Fit M_kl = b_k b_l over the pairs of two systems, each weighing by its precision; 0 leaves a pair out.

    precision[..., k, l] may hold several fits. If systems err independently given the truth, and a harder item makes
    all of them worse in proportion, their agreement beyond chance is exactly of this form.
    """
    total = precision.sum(axis=(-1, -2))
    mean = (precision * agreement).sum(axis=(-1, -2)) / np.maximum(total, 1e-12)
    start = np.sqrt(np.maximum(mean, 1e-6))
    b = np.repeat(start[..., None], precision.shape[-1], axis=-1)
    weighted = precision * agreement
    for _ in range(ROUNDS):
        above = np.einsum("...kl,...l->...k", weighted, b)
        below = np.einsum("...kl,...l->...k", precision, b * b)
        # Half of the step, as the numbers of two systems move together.
        b = (b + np.maximum(above / np.maximum(below, 1e-12), 0)) / 2
    residual = agreement - b[..., :, None] * b[..., None, :]
    misfit = (precision * residual**2).sum(axis=(-1, -2)) / 2
    return OneFactor(b, np.asarray(misfit))


def without_difficulty(agreement: FloatArray, precision: FloatArray) -> FloatArray:
    """Return the agreement less what items of varying difficulty add to one factor, where pairs are enough.

    Difficulty that does not act in proportion adds about g (b_k - m)(b_l - m), m the median of b: one number g for all
    pairs, fitted so that single pairs hardly move it.
    """
    if len(agreement) < FROM_SYSTEMS:
        return agreement
    b = one_factor(agreement, precision).loadings
    apart = b - np.median(b)
    shape = np.outer(apart, apart)
    residual = agreement - np.outer(b, b)
    weight = precision
    slope = 0.0
    for _ in range(STEPS_OF_DIFFICULTY):
        slope = float((weight * shape * residual).sum())
        slope /= max(float((weight * shape**2).sum()), 1e-12)
        size = np.abs(residual - slope * shape) * np.sqrt(precision)
        weight = precision * np.minimum(1.0, FIRM / np.maximum(size, 1e-9))
    return np.asarray(agreement - slope * shape)


def pairs_of(clusters: npt.NDArray[np.int64], values: FloatArray) -> FloatArray:
    """Return the values with those inside a cluster at 0."""
    return np.where(clusters[:, None] != clusters[None, :], values, 0.0)
