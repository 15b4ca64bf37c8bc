"""Do systems err together? Then they confirm each other, and a vote takes their common errors for the truth."""

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

    NaN inside arrays: no item in common, or an agreement that is certain.
    """

    items: FloatArray
    """items[j, k]: answered by both."""
    observed: FloatArray
    """The share of them on which they agree."""
    expected: FloatArray
    """The share on which they would."""
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
    varies less than it should, and nothing can be found among three systems. Where a bloc of systems is strong enough,
    the fit takes its side, calls its errors true and finds excess among the others: that systems err together can be
    seen, which of two blocs is right cannot. Hard items make all systems err together.
    Reference: Qu, Tan, Kutner, Biometrics 52, 1996. doi:10.2307/2533043
    """
    check_level(level)
    codes = np.asarray(answers)
    amount = np.ones(len(codes)) if number is None else np.asarray(number, float)
    if (
        codes.ndim != 2
        or codes.shape != (len(fit.chances), len(fit.errors))
        or amount.shape != codes.shape[:1]
    ):
        raise OptionError(
            f"the answers are of shape {codes.shape}, and the fit is of {len(fit.chances)} rows and {len(fit.errors)} "
            "systems; pass the answers that were fitted"
        )
    items, agreed, expected = _agreements(codes, amount, fit)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(expected * (1 - expected / items))
        z = np.where((items > 0) & (spread > 0), (agreed - expected) / spread, np.nan)
        excess = (agreed - expected) / (items - expected)
        shares = agreed / items, expected / items
    p_values = _adjusted(z)
    linked = (p_values <= 1 - level) & (excess >= least)
    method = f"agreement beyond independent errors (level={level:g}, least={least:g})"
    return CollectiveBias(items, *shares, excess, z, p_values, _components(linked), method)


def _agreements(
    codes: npt.NDArray[Any], amount: FloatArray, fit: DawidSkene
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return for every pair the items in common, the agreements among them and the expected agreements."""
    from scipy.sparse import csr_array  # noqa: PLC0415 (wanted only here)

    there = csr_array((codes >= 0).astype(float))
    weighted = there.T.multiply(amount).tocsr()
    agreed, expected = np.zeros((2, codes.shape[1], codes.shape[1]))
    errors = np.nan_to_num(fit.errors)
    for label in range(errors.shape[1]):
        same = csr_array((codes == label).astype(float))
        agreed += (same.T.multiply(amount).tocsr() @ same).toarray()
        share = (weighted.multiply(fit.chances[:, label]).tocsr() @ there).toarray()
        expected += share * (errors[:, label] @ errors[:, label].T)
    return (weighted @ there).toarray(), agreed, expected


def _adjusted(z: FloatArray) -> FloatArray:
    above = np.triu_indices(len(z), 1)
    adjusted = np.full(z.shape, np.nan)
    adjusted[above] = holm(special.ndtr(-z[above]))
    return np.asarray(np.fmax(adjusted, adjusted.T))


def _components(linked: BoolArray) -> npt.NDArray[np.int64]:
    """Return the number of the group that each is connected to, however far."""
    family = np.arange(len(linked))
    for first, second in np.argwhere(np.triu(linked, 1)):
        family[family == family[second]] = family[first]
    _, first_member, code = np.unique(family, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first_member))[code.ravel()])
