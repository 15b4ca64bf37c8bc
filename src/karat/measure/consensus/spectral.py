"""Sensitivity, specificity and prevalence of yes/no answers without a truth, from how the answers covary."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.consensus.estimator import (
    Estimator,
    EstimatorInput,
    Opinion,
    opinion_of_rates,
    rounded,
)
from karat.numeric.arrays import FloatArray

SWEEPS = 1000
CLOSE = 1e-13
"""When no system moves by more than this, the fit is done."""
NOTHING = 1e-12
"""Systems whose answers covary less than this do not covary."""


@dataclass(frozen=True, slots=True, eq=False)
class Spectral:
    """How good each system is at yes and at no; NaN inside arrays for one that gave no answer.

    The answers of a set of systems look the same as those of its mirror image, in which all say the opposite and the
    truth is the opposite too: of the two the one is taken in which most systems are better than chance.
    """

    sensitivity: FloatArray
    """P(yes | truly yes), limited to 0 and 1 where the estimate is beyond."""
    specificity: FloatArray
    """P(no | truly no), likewise."""
    prevalence: float
    """P(truly yes)."""
    better: int
    """How many systems are better than chance, by the choice of the sign."""

    @property
    def balanced_accuracy(self) -> FloatArray:
        """The mean of sensitivity and specificity."""
        return (self.sensitivity + self.specificity) / 2

    @property
    def accuracy(self) -> FloatArray:
        """π sensitivity + (1 - π) specificity."""
        return self.prevalence * self.sensitivity + (1 - self.prevalence) * self.specificity

    @property
    def precision(self) -> FloatArray:
        """π sensitivity / (π sensitivity + (1 - π) (1 - specificity))."""
        right = self.prevalence * self.sensitivity
        every = right + (1 - self.prevalence) * (1 - self.specificity)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(every > 0, right / every, np.nan)


def spectral(
    answers: npt.ArrayLike, number: npt.ArrayLike | None = None, *, yes: int = 1
) -> Spectral | None:
    """How good is each system at yes and at no, if nobody knows the truth?

    With answers f of ±1, independent given the truth, cov(f_i, f_j) = v_i v_j, v_i = √(1 - b²) (2 a_i - 1), a the
    balanced accuracy and b = 2 P(yes) - 1; the mean of the product of three deviations is t v_i v_j v_k with
    t = -2b / √(1 - b²). v by least squares over the pairs, each weighed by its items, t over the triples; then
    sensitivity = (1 + m + u (1 - b)) / 2, specificity = (1 - m + u (1 + b)) / 2, m the mean of f, u = v / √(1 - b²).
    Answers of the code `yes` are yes, below 0 missing, all others no. None for fewer than three systems that vary
    together. Assumes independent errors, and that most systems are better than chance.
    Reference: Parisi, Strino, Nadler, Kluger, PNAS 111, 2014. doi:10.1073/pnas.1219097111
    Reference: Jaffe, Nadler, Kluger, AISTATS 2015. https://proceedings.mlr.press/v38/jaffe15.html
    >>> rows = [[1, 1, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 0]]
    >>> rates = spectral(rows, [730, 90, 90, 90, 90, 90, 90, 730])
    >>> rates.sensitivity.round(2), round(rates.prevalence, 2)
    (array([0.9, 0.9, 0.9]), 0.5)
    """
    codes = np.asarray(answers)
    if codes.ndim != 2:
        raise OptionError(
            f"the answers are of shape {codes.shape}; give a row for each item and a column for each system"
        )
    amount = np.ones(len(codes)) if number is None else np.asarray(number, float)
    answered = (codes >= 0).astype(float)
    signs = np.where(codes == yes, 1.0, -1.0) * answered
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = amount @ signs / (amount @ answered)
    deviations = np.where(answered > 0, signs - np.nan_to_num(mean), 0.0)
    v = _factor(deviations, answered, amount)
    if np.count_nonzero(np.abs(v) > NOTHING) < 3:
        return None
    # t by least squares over all triples: Σ d_i d_j d_k v_i v_j v_k / Σ v_i² v_j² v_k², over those that answered.
    observed = _sum_over_triples(deviations * v, amount)
    expected = _sum_over_triples(answered * v**2, amount)
    t = observed / expected
    return _rates(mean, v, float(-t / np.sqrt(4 + t**2)))


def _factor(deviations: FloatArray, answered: FloatArray, amount: FloatArray) -> FloatArray:
    """Return v for which v_i v_j comes nearest to the covariances of all pairs, most of it positive."""
    items = answered.T @ (amount[:, None] * answered)
    sums = deviations.T @ (amount[:, None] * deviations)
    # A system's own variance shows nothing about what it has in common with others: only pairs count.
    np.fill_diagonal(items, 0)
    np.fill_diagonal(sums, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        covariance = np.where(items > 0, sums / items, 0.0)
    # Start from the leading eigenvector, the largest covariance of each system in place of its unknown v_i².
    largest = np.abs(covariance).max(axis=1, initial=0)
    _, vectors = np.linalg.eigh(covariance + np.diag(largest))
    v = vectors[:, -1] * np.sqrt(largest.max(initial=0))
    # Then least squares for one system at a time, all others fixed, until none changes.
    for _ in range(SWEEPS):
        before = v.copy()
        for system in range(len(v)):
            below = items[system] @ v**2
            v[system] = sums[system] @ v / below if below > 0 else 0.0
        if np.abs(v - before).max(initial=0) < CLOSE:
            break
    mostly_positive = (np.sign(v).sum(), v.sum()) >= (0, 0)
    return np.asarray(v if mostly_positive else -v)


def _sum_over_triples(parts: FloatArray, amount: FloatArray) -> float:
    """Return the sum over rows and triples of systems of the product of three: (s₁³ - 3 s₁ s₂ + 2 s₃) / 6."""
    ones = np.ones(parts.shape[1])
    s1 = parts @ ones
    s2 = parts**2 @ ones
    s3 = parts**3 @ ones
    products = s1**3 - 3 * s1 * s2 + 2 * s3
    return float(amount @ products) / 6


def _rates(mean: FloatArray, v: FloatArray, b: float) -> Spectral:
    u = v / np.sqrt(1 - b**2)
    sensitivity = np.clip((1 + mean + u * (1 - b)) / 2, 0, 1)
    specificity = np.clip((1 - mean + u * (1 + b)) / 2, 0, 1)
    better = int(np.count_nonzero(v > 0))
    return Spectral(sensitivity, specificity, (1 + b) / 2, better)


def _by_covariances(answers: EstimatorInput) -> Opinion:
    rates = spectral(answers.codes, answers.number)
    if rates is None:
        raise OptionError("spectral needs three systems whose answers covary; use the vote")
    return opinion_of_rates(
        answers,
        retrieved=answers.number @ (answers.codes == 1),
        accuracy=rates.accuracy,
        precision=rates.precision,
        recall=rates.sensitivity,
        method=f"spectral (yes is {100 * rates.prevalence:.3g} % of the items)",
    )


def _resampled(answers: EstimatorInput, numbers: FloatArray) -> FloatArray:
    """Return the accuracies in each resample, undefined where no three systems covary in it."""
    undefined = np.full(answers.codes.shape[1], np.nan)
    accuracies = []
    for number in numbers:
        rates = spectral(answers.codes, number)
        accuracies.append(undefined if rates is None else rounded(rates.accuracy))
    return np.array(accuracies)


by_covariances = Estimator(
    estimate=_by_covariances,
    reference=spectral,
    labels=False,
    resampled=_resampled,
)
