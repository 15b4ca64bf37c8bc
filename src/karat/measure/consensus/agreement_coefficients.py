"""How far systems agree beyond chance: Cohen's, Fleiss' and Krippendorff's coefficients, from patterns."""

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import FloatArray


def cohen_kappa(
    first: npt.ArrayLike, second: npt.ArrayLike, number: npt.ArrayLike | None = None
) -> float | None:
    """How far do two systems agree beyond what their own habits make them?

    (o - e) / (1 - e), o the share of equal answers, e = Σ_c p_c q_c the share if each answered at random as often as
    it does. Codes below 0 are missing; items that one left out do not count. None where both always give one answer.
    Reference: Cohen, Educational and Psychological Measurement 20, 1960. doi:10.1177/001316446002000104
    >>> cohen_kappa([0, 0, 1, 1], [0, 0, 1, 0])
    0.5
    """
    codes = np.column_stack([np.asarray(first), np.asarray(second)])
    number = _amount(number, len(codes))
    both = (codes >= 0).all(axis=1)
    size = int(codes.max(initial=0)) + 1
    table = np.zeros((size, size))
    np.add.at(table, tuple(codes[both].T), number[both])
    total = table.sum()
    return _beyond(np.trace(table) * total, table.sum(axis=0) @ table.sum(axis=1), total**2)


def fleiss_kappa(answers: npt.ArrayLike, number: npt.ArrayLike | None = None) -> float | None:
    """How far do several systems agree beyond chance, if it does not matter which is which?

    (o - e) / (1 - e), o the mean over items of the share of pairs of answers that are equal, e = Σ_c p_c², p the
    shares of all answers. Every item must have the same number of answers; otherwise use `krippendorff_alpha`.
    Reference: Fleiss, Psychological Bulletin 76, 1971. doi:10.1037/h0031619
    >>> round(fleiss_kappa([[0, 0, 0], [1, 1, 1], [0, 1, 1]]), 4)
    0.55
    """
    counts, number = label_counts(answers, number)
    given = counts.sum(axis=1)
    if len(given) and (given != given[0]).any():
        found = f"from {int(given.min())} to {int(given.max())}"
        raise OptionError(
            f"items have {found} answers; Fleiss' kappa takes the same number for all: use Krippendorff's"
        )
    if not len(given) or given[0] < 2:
        return None
    pairs = (counts * (counts - 1)).sum(axis=1) / (given * (given - 1))
    shares = number @ counts / (number @ given)
    return _beyond(number @ pairs, shares @ shares * number.sum(), number.sum())


def krippendorff_alpha(answers: npt.ArrayLike, number: npt.ArrayLike | None = None) -> float | None:
    """How far do several systems agree beyond chance, each having answered what it liked?

    1 - D_o / D_e for labels without order: D_o = Σ_u Σ_{c≠k} n_uc n_uk / (m_u - 1), D_e = Σ_{c≠k} n_c n_k / (n - 1),
    n_uc how many gave item u the label c, m_u how many answered it; items with a single answer do not count. None
    where only one label was given.
    Reference: Krippendorff, Content Analysis, 2nd edition, Sage 2004, chapter 11.
    >>> round(krippendorff_alpha([[0, 0, -1], [1, 1, 1], [0, 1, -1]]), 4)
    0.5
    """
    counts, number = label_counts(answers, number)
    given = counts.sum(axis=1)
    counts, number, given = counts[given > 1], number[given > 1], given[given > 1]
    equal = (counts * (counts - 1)).sum(axis=1) / (given - 1)
    totals, every = number @ counts, number @ given
    if every < 2:
        return None
    return _beyond((number @ equal) * (every - 1), totals @ (totals - 1), every * (every - 1))


def label_counts(
    answers: npt.ArrayLike, number: npt.ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Return how many systems gave each item each label, and how many such items there are.

    >>> label_counts([[0, 1, 1], [1, -1, -2]], None)[0]
    array([[1., 2.],
           [0., 1.]])
    """
    codes = np.asarray(answers)
    if codes.ndim != 2:
        raise OptionError(
            f"the answers are of shape {codes.shape}; give a row for each item and a column a system"
        )
    size = int(codes.max(initial=0)) + 1
    row, system = np.nonzero(codes >= 0)
    flat = np.bincount(row * size + codes[row, system], minlength=len(codes) * size)
    return flat.reshape(-1, size).astype(float), _amount(number, len(codes))


def _amount(number: npt.ArrayLike | None, rows: int) -> FloatArray:
    amount = np.ones(rows) if number is None else np.asarray(number, float)
    if amount.shape != (rows,):
        raise OptionError(
            f"number is of shape {amount.shape}, and there are {rows} rows of answers; give one for each"
        )
    return amount


def _beyond(observed: float, expected: float, most: float) -> float | None:
    """(o - e) / (1 - e) from counts, so that certain agreement is found exactly."""
    return float((observed - expected) / (most - expected)) if most > expected else None
