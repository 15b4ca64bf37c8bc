"""Which systems have correlated errors? They confirm each other, and a vote takes their common errors for the truth."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import check_level
from karat.doubt.tests.holm import holm
from karat.errors import OptionError
from karat.measure.consensus.dawid_skene import DawidSkene
from karat.numeric.arrays import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class CollectiveBias:
    """How often every two systems agree, beside how often they would if their errors were independent.

    NaN inside arrays: no item in common, or an agreement that is certain either way.
    """

    items: FloatArray
    """items[j, k]: answered by both."""
    observed: FloatArray
    """The share of them on which they agree."""
    expected: FloatArray
    """The share on which they would agree if their errors were independent."""
    excess: FloatArray
    """(observed - expected) / (1 - expected): 0 where errors are independent, 1 where the answers are the same."""
    z: FloatArray
    p_values: FloatArray
    """Of agreeing more than expected, adjusted for the number of pairs."""
    families: npt.NDArray[np.int64]
    """The family of each system, numbered in the order of their first members."""
    method: str


def collective_bias(
    answers: npt.ArrayLike,
    number: npt.ArrayLike | None,
    fit: DawidSkene,
    *,
    level: float = 0.95,
    least: float = 0.1,
) -> CollectiveBias:
    """Which systems agree more often than their accuracies explain?

    For systems j, k over the n items that both answered: O = #(same answer), E = Σ_i Σ_c q_ic Σ_a e_j[c, a] e_k[c, a],
    q the fitted chances of the classes and e the fitted errors; z = (O - E) / √(E (1 - E/n)), one-sided, Holm over the
    pairs. Pairs that agree more than expected at the level, with an excess (O - E) / (n - E) of at least `least`,
    belong to one family, and so do those connected by them. Approximate: the fit adapts to the answers, so that z
    varies less than it should, and among three systems nothing can be detected. Where a cluster of systems is large
    enough, the fit takes its errors for the truth and shows an excess among the others: the answers show that errors
    are correlated, but not which of two clusters is right. Hard items correlate the errors of all systems.
    Reference: Qu, Tan, Kutner, Biometrics 52, 1996. doi:10.2307/2533043
    """
    check_level(level)
    codes = np.asarray(answers)
    amount = np.ones(len(codes)) if number is None else np.asarray(number, float)
    fitted = (len(fit.chances), len(fit.errors))
    if codes.shape != fitted or amount.shape != codes.shape[:1]:
        raise OptionError(
            f"the answers are of shape {codes.shape}, and the fit is of {len(fit.chances)} rows and {len(fit.errors)} "
            "systems; pass the answers that were fitted"
        )
    pairs = _agreements(codes, amount, fit)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(pairs.expected * (1 - pairs.expected / pairs.items))
        surplus = pairs.agreed - pairs.expected
        z = np.where((pairs.items > 0) & (spread > 0), surplus / spread, np.nan)
        excess = surplus / (pairs.items - pairs.expected)
        observed = pairs.agreed / pairs.items
        expected = pairs.expected / pairs.items
    p_values = _adjusted(z)
    # Among many items a tiny excess is significant: a link must be large enough to matter, too.
    linked = (p_values <= 1 - level) & (excess >= least)
    return CollectiveBias(
        items=pairs.items,
        observed=observed,
        expected=expected,
        excess=excess,
        z=z,
        p_values=p_values,
        families=_components(linked),
        method=f"agreement beyond independent errors (level={level:g}, least={least:g})",
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Numbers of items, for every two systems."""

    items: FloatArray
    """Answered by both."""
    agreed: FloatArray
    """Answered by both with the same label."""
    expected: FloatArray
    """The same, as expected if errors were independent."""


def _agreements(codes: npt.NDArray[Any], amount: FloatArray, fit: DawidSkene) -> _Pairs:
    """Return for every pair the items in common, the agreements among them and the expected agreements.

    Given its class c two systems agree on an item with the probability Σ_a e_j[c, a] e_k[c, a], and the item belongs to
    c with the probability q_c: so the sum over items is a product of two small matrices for each class, and the items
    are only looked at in sparse products.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415 (wanted only here)

    systems = codes.shape[1]
    answered = csr_array((codes >= 0).astype(float))
    weighted = answered.T.multiply(amount).tocsr()
    errors = np.nan_to_num(fit.errors)
    agreed = np.zeros((systems, systems))
    expected = np.zeros((systems, systems))
    for label in range(errors.shape[1]):
        given = csr_array((codes == label).astype(float))
        weighted_given = given.T.multiply(amount).tocsr()
        agreed += (weighted_given @ given).toarray()
        weighted_chances = weighted.multiply(fit.chances[:, label]).tocsr()
        items_of_class = (weighted_chances @ answered).toarray()
        same_answer = errors[:, label] @ errors[:, label].T
        expected += items_of_class * same_answer
    items = (weighted @ answered).toarray()
    return _Pairs(items, agreed, expected)


def _adjusted(z: FloatArray) -> FloatArray:
    """Return the one-sided p-values of all pairs, adjusted by Holm; NaN on the diagonal."""
    above_diagonal = np.triu_indices(len(z), 1)
    adjusted = np.full(z.shape, np.nan)
    adjusted[above_diagonal] = holm(special.ndtr(-z[above_diagonal]))
    return np.asarray(np.fmax(adjusted, adjusted.T))


def _components(linked: BoolArray) -> npt.NDArray[np.int64]:
    """Return the connected component of each system, numbered in the order of their first members."""
    family = np.arange(len(linked))
    for first, second in np.argwhere(np.triu(linked, 1)):
        family[family == family[second]] = family[first]
    _, first_member, code = np.unique(family, return_index=True, return_inverse=True)
    rank_of_code = np.argsort(np.argsort(first_member))
    return np.asarray(rank_of_code[code.ravel()])
