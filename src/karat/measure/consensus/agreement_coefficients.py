"""Agreement of systems beyond chance: Cohen's, Fleiss' and Krippendorff's coefficients, from patterns."""

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.consensus.given_labels import GivenLabels, given_labels, items_of_rows


def cohen_kappa(
    first: npt.ArrayLike, second: npt.ArrayLike, number: npt.ArrayLike | None = None
) -> float | None:
    """How far do two systems agree beyond chance?

    (o - e) / (1 - e), o the share of equal answers, e = Σ_c p_c q_c the share if each answered at random, every
    label as often as it does. Codes below 0 are missing; items that one of them left out do not count. None where both
    always give the same one label.
    Reference: Cohen, Educational and Psychological Measurement 20, 1960. doi:10.1177/001316446002000104
    >>> cohen_kappa([0, 0, 1, 1], [0, 0, 1, 0])
    0.5
    """
    codes = np.column_stack([np.asarray(first), np.asarray(second)])
    items = items_of_rows(number, len(codes))
    both = (codes >= 0).all(axis=1)
    size = int(codes.max(initial=0)) + 1
    table = np.zeros((size, size))
    np.add.at(table, tuple(codes[both].T), items[both])
    total = table.sum()
    equal = np.trace(table) * total
    equal_by_chance = table.sum(axis=0) @ table.sum(axis=1)
    return _beyond_chance(equal, equal_by_chance, total**2)


def fleiss_kappa(
    answers: npt.ArrayLike | GivenLabels, number: npt.ArrayLike | None = None
) -> float | None:
    """How far do several systems agree beyond chance, if it does not matter which is which?

    (o - e) / (1 - e), o the mean over items of the share of pairs of answers that are equal, e = Σ_c p_c², p the
    shares of all answers. Every item must have the same number of answers; otherwise use `krippendorff_alpha`.
    Reference: Fleiss, Psychological Bulletin 76, 1971. doi:10.1037/h0031619
    >>> round(fleiss_kappa([[0, 0, 0], [1, 1, 1], [0, 1, 1]]), 4)
    0.55
    """
    labels = given_labels(answers, number)
    items = labels.items
    given = labels.given
    if len(given) and (given != given[0]).any():
        numbers = f"from {int(given.min())} to {int(given.max())}"
        raise OptionError(
            f"items have {numbers} answers; Fleiss' kappa takes the same number for all: use Krippendorff's"
        )
    if not len(given) or given[0] < 2:
        return None
    equal_pairs = labels.by_row(labels.votes * (labels.votes - 1)) / (given * (given - 1))
    of_label = np.bincount(labels.label, items[labels.row] * labels.votes)
    shares = of_label / (items @ given)
    total = float(items.sum())
    return _beyond_chance(float(items @ equal_pairs), float(shares @ shares) * total, total)


def krippendorff_alpha(
    answers: npt.ArrayLike | GivenLabels, number: npt.ArrayLike | None = None
) -> float | None:
    """How far do several systems agree beyond chance, where not all answered every item?

    1 - D_o / D_e for labels without order: D_o = Σ_u Σ_{c≠k} n_uc n_uk / (m_u - 1), D_e = Σ_{c≠k} n_c n_k / (n - 1),
    n_uc how many gave item u the label c, m_u how many answered it; items with a single answer do not count. None
    where only one label was given.
    Reference: Krippendorff, Content Analysis, 2nd edition, Sage 2004, chapter 11.
    >>> round(krippendorff_alpha([[0, 0, -1], [1, 1, 1], [0, 1, -1]]), 4)
    0.5
    """
    labels = given_labels(answers, number)
    given = labels.given
    items = np.where(given > 1, labels.items, 0.0)
    total = float(items @ given)
    if total < 2:
        return None
    equal_pairs = labels.by_row(labels.votes * (labels.votes - 1)) / np.maximum(given - 1, 1)
    of_label = np.bincount(labels.label, items[labels.row] * labels.votes)
    observed = float(items @ equal_pairs) * (total - 1)
    expected = float(of_label @ (of_label - 1))
    return _beyond_chance(observed, expected, total * (total - 1))


def _beyond_chance(observed: float, expected: float, most: float) -> float | None:
    """(o - e) / (1 - e) from counts, so that perfect agreement is exactly 1; None where chance alone gives that."""
    if most <= expected:
        return None
    return float((observed - expected) / (most - expected))
