"""How often two systems' answers met, whatever the truth: a square table over all labels."""

import numpy as np
import numpy.typing as npt

from karat.tally.patterns import Patterns


def agreement(patterns: Patterns) -> npt.NDArray[np.int64]:
    """Return how often each answer of the first system met each of the second; items that one left out do not count."""
    first, second = patterns.answers[:, 0], patterns.answers[:, 1]
    both = (first >= 0) & (second >= 0)
    table = np.zeros((len(patterns.labels), len(patterns.labels)), np.int64)
    np.add.at(table, (first[both], second[both]), patterns.number[both])
    used = np.union1d(first[both], second[both])
    return table[np.ix_(used, used)]
