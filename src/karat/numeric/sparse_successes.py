"""Which of very many trials succeed, drawn in little time where few do."""

import numpy as np

from karat.table.labels import Codes


def successes(random: np.random.Generator, trials: int, chance: float) -> Codes:
    """Return which of many trials succeed, by the gaps between them: of a few in a hundred only these are drawn.

    >>> successes(np.random.default_rng(0), 4, 1.0)
    array([0, 1, 2, 3])
    """
    if chance > 0.25 or not chance:
        return np.flatnonzero(random.random(trials) < chance)
    found, last = [], -1
    while last < trials:
        gaps = random.geometric(chance, 16 + int(1.1 * trials * chance))
        # A gap beyond the end is as good as the end, and its sums cannot overflow.
        found.append(last + np.cumsum(np.minimum(gaps, trials + 1)))
        last = int(found[-1][-1])
    every = np.concatenate(found)
    return every[: np.searchsorted(every, trials)]
