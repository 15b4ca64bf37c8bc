"""Which of many trials succeed, drawn quickly where few do."""

import numpy as np

from karat.table.labels import Codes


def successes(random: np.random.Generator, trials: int, chance: float) -> Codes:
    """Return the places of the trials that succeed.

    Where successes are rare, the gaps between them are drawn, which are geometric: the work is that of the successes,
    not of the trials.

    >>> successes(np.random.default_rng(0), 4, 1.0)
    array([0, 1, 2, 3])
    """
    rare = 0 < chance <= 0.25
    if not rare:
        return np.flatnonzero(random.random(trials) < chance)
    size = 16 + int(1.1 * trials * chance)  # mostly enough at once
    blocks = []
    last = -1
    while last < trials:
        gaps = random.geometric(chance, size)
        # A gap beyond the end is as good as the end, and its sums cannot overflow.
        block = last + np.cumsum(np.minimum(gaps, trials + 1))
        blocks.append(block)
        last = int(block[-1])
    places = np.concatenate(blocks)
    return places[: np.searchsorted(places, trials)]
