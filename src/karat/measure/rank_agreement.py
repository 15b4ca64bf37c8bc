"""How far two orders of the same systems agree."""

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray


def kendall(first: npt.ArrayLike, second: npt.ArrayLike) -> float | None:
    """Return how far two scores agree on the order of systems, as Kendall's tau-b.

    tau-b = (concordant - discordant) / sqrt((pairs - ties in the first) (pairs - ties in the second)). None where one
    of them ties all systems: there is no order to agree with.
    Reference: Kendall, Biometrika 33, 1945. doi:10.1093/biomet/33.3.239
    >>> kendall([1, 2, 3], [1, 3, 2])
    0.3333333333333333
    """
    first_orders = _orders_of_pairs(first)
    second_orders = _orders_of_pairs(second)
    untied_by_first = float(np.count_nonzero(first_orders))
    untied_by_second = float(np.count_nonzero(second_orders))
    if not untied_by_first or not untied_by_second:
        return None
    concordant_less_discordant = first_orders @ second_orders
    return float(concordant_less_discordant / np.sqrt(untied_by_first * untied_by_second))


def _orders_of_pairs(scores: npt.ArrayLike) -> FloatArray:
    """Return for every two systems whether the first scores higher, 1, lower, -1, or the same, 0."""
    array = np.asarray(scores, float)
    signs = np.sign(array[:, None] - array[None, :])
    return np.asarray(signs[np.triu_indices(len(array), 1)])
