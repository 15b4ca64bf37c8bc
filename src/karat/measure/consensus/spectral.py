"""Sensitivity, specificity and class balance of yes/no answers without truth, from how the answers vary together."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

SWEEPS = 1000
CLOSE = 1e-13
"""When no system moves by more than this, the fit is done."""
NOTHING = 1e-12
"""Systems that vary together less than this do not vary together."""


@dataclass(frozen=True, slots=True, eq=False)
class Spectral:
    """How good each system is at yes and at no; NaN inside arrays for one that gave no answer.

    The answers alone do not tell a set of systems from its mirror image, in which all say the opposite: of the two
    the one is taken in which most systems are better than chance.
    """

    sensitivity: FloatArray
    """P(yes | truly yes), kept from 0 to 1 where the estimate lies beyond."""
    specificity: FloatArray
    """P(no | truly no), likewise."""
    balance: float
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
        return self.balance * self.sensitivity + (1 - self.balance) * self.specificity

    @property
    def precision(self) -> FloatArray:
        """π sensitivity / (π sensitivity + (1 - π) (1 - specificity))."""
        right = self.balance * self.sensitivity
        every = right + (1 - self.balance) * (1 - self.specificity)
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
    >>> found = spectral(rows, [730, 90, 90, 90, 90, 90, 90, 730])
    >>> found.sensitivity.round(2), round(found.balance, 2)
    (array([0.9, 0.9, 0.9]), 0.5)
    """
    codes = np.asarray(answers)
    if codes.ndim != 2:
        raise OptionError(
            f"the answers are of shape {codes.shape}; give a row for each item and a column a system"
        )
    amount = np.ones(len(codes)) if number is None else np.asarray(number, float)
    there = (codes >= 0).astype(float)
    signs = np.where(codes == yes, 1.0, -1.0) * there
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = amount @ signs / (amount @ there)
    parts = np.where(there > 0, signs - np.nan_to_num(mean), 0.0)
    v = _factor(parts, there, amount)
    if np.count_nonzero(np.abs(v) > NOTHING) < 3:
        return None
    t = _third(parts * v, amount) / _third(there * v**2, amount)
    return _rates(mean, v, float(-t / np.sqrt(4 + t**2)))


def _factor(parts: FloatArray, there: FloatArray, amount: FloatArray) -> FloatArray:
    """Return v for which v_i v_j comes nearest to the covariances of all pairs, most of it positive."""
    items = there.T @ (amount[:, None] * there)
    sums = parts.T @ (amount[:, None] * parts)
    np.fill_diagonal(items, 0)
    np.fill_diagonal(sums, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        covariance = np.where(items > 0, sums / items, 0.0)
    start = np.abs(covariance).max(axis=1, initial=0)
    _, vectors = np.linalg.eigh(covariance + np.diag(start))
    v = vectors[:, -1] * np.sqrt(start.max(initial=0))
    for _ in range(SWEEPS):
        before = v.copy()
        for system in range(len(v)):
            below = items[system] @ v**2
            v[system] = sums[system] @ v / below if below > 0 else 0.0
        if np.abs(v - before).max(initial=0) < CLOSE:
            break
    return np.asarray(v if (np.sign(v).sum(), v.sum()) >= (0, 0) else -v)


def _third(parts: FloatArray, amount: FloatArray) -> float:
    """Return the sum over rows and triples of systems of the product of three: (s₁³ - 3 s₁ s₂ + 2 s₃) / 6."""
    one, two, three = (parts**power @ np.ones(parts.shape[1]) for power in (1, 2, 3))
    return float(amount @ (one**3 - 3 * one * two + 2 * three)) / 6


def _rates(mean: FloatArray, v: FloatArray, b: float) -> Spectral:
    u = v / np.sqrt(1 - b**2)
    sensitivity = np.clip((1 + mean + u * (1 - b)) / 2, 0, 1)
    specificity = np.clip((1 - mean + u * (1 + b)) / 2, 0, 1)
    return Spectral(sensitivity, specificity, (1 + b) / 2, int(np.count_nonzero(v > 0)))
