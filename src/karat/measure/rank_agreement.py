"""How far two orders of the same systems agree."""

import numpy as np
import numpy.typing as npt


def kendall(first: npt.ArrayLike, second: npt.ArrayLike) -> float | None:
    """Do two scores put the same systems before the same others?

    tau-b = (concordant - discordant) / sqrt((pairs - ties in the first) (pairs - ties in the second)). None where one
    of them ties all systems: there is no order to agree with.
    Reference: Kendall, Biometrika 33, 1945. doi:10.1093/biomet/33.3.239
    >>> kendall([1, 2, 3], [1, 3, 2])
    0.3333333333333333
    """
    x, y = (np.asarray(scores, float) for scores in (first, second))
    above = np.triu_indices(len(x), 1)
    signs = [np.sign(scores[:, None] - scores[None, :])[above] for scores in (x, y)]
    orders = [float(np.count_nonzero(sign)) for sign in signs]
    return float(signs[0] @ signs[1] / np.sqrt(orders[0] * orders[1])) if all(orders) else None
