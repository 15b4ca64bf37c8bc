"""Agreement of two orders of the same systems."""

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray


def kendall(
    first: npt.ArrayLike, second: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> float | None:
    """Return the agreement of two scores on the order of systems, as Kendall's tau-b.

    tau-b = (concordant - discordant) / sqrt((pairs - ties in the first) (pairs - ties in the second)). None where one
    of them ties all systems: there is no order to agree with. With weights[j, k] a pair counts so much, everywhere.
    Reference: Kendall, Biometrika 33, 1945. doi:10.1093/biomet/33.3.239
    >>> kendall([1, 2, 3], [1, 3, 2])
    0.3333333333333333
    """
    first_orders = orders(first)
    second_orders = orders(second)
    weight = np.ones(first_orders.shape) if weights is None else np.asarray(weights, float)
    untied_by_first = float((weight * (first_orders != 0)).sum())
    untied_by_second = float((weight * (second_orders != 0)).sum())
    if not untied_by_first or not untied_by_second:
        return None
    concordant_less_discordant = (weight * first_orders * second_orders).sum()
    return float(concordant_less_discordant / np.sqrt(untied_by_first * untied_by_second))


def orders(scores: npt.ArrayLike) -> FloatArray:
    """Return for every two systems whether the first scores higher, 1, lower, -1, or the same, 0."""
    array = np.asarray(scores, float)
    return np.asarray(np.sign(array[:, None] - array[None, :]))


def weights_of_pairs(values: npt.ArrayLike, items: npt.ArrayLike) -> FloatArray:
    """Return how much the order of every two systems is worth, by how many items each value rests on.

    1 / (2 t² + v/n_j + v/n_k), the inverse of the variance of a difference: t² is the variance of the systems' true
    values, v/n that of a share of n items about its true value, v = m (1 - m) at the mean m. t² by the moments of a
    one-way layout, 0 at the least. Equal numbers of items give equal weights: then tau-b is the usual one.
    Reference: DerSimonian, Laird, Controlled Clinical Trials 7, 1986. doi:10.1016/0197-2456(86)90046-2
    >>> weights_of_pairs([0.9, 0.5, 1.0], [100, 100, 2])[0].round(1).tolist()
    [6.5, 6.5, 3.9]
    """
    value = np.asarray(values, float)
    number = np.asarray(items, float)
    total = number.sum()
    mean = float(number @ value / total)
    of_one_item = mean * (1 - mean)
    between = float(number @ (value - mean) ** 2) - (len(value) - 1) * of_one_item
    spread = total - float(number @ number) / total
    true_variance = max(0.0, between / spread) if spread > 0 else 0.0
    of_shares = of_one_item / number
    variance = 2 * true_variance + of_shares[:, None] + of_shares[None, :]
    if not (variance > 0).all():  # all values are 0, or all are 1
        return np.ones((len(value), len(value)))
    return np.asarray(1 / variance)
