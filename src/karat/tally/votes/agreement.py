"""How often two systems' answers occur together, with or without a truth: a square table over all labels."""

import numpy as np
import numpy.typing as npt

from karat.tally.votes.confusion import Confusion
from karat.tally.votes.patterns import Patterns


def agreement(patterns: Patterns) -> npt.NDArray[np.int64]:
    """Return how often each answer of the first system met each of the second; items that one left out do not count."""
    first, second = patterns.answers[:, 0], patterns.answers[:, 1]
    both = (first >= 0) & (second >= 0)
    table = np.zeros((len(patterns.labels), len(patterns.labels)), np.int64)
    np.add.at(table, (first[both], second[both]), patterns.number[both])
    used = np.union1d(first[both], second[both])
    return table[np.ix_(used, used)]


def crosstable(confusion: Confusion) -> npt.NDArray[np.float64]:
    """Return how often each truth and answer occur together, or the sum of their weights, without missing answers."""
    answered = confusion.answer >= 0
    amount = confusion.number.astype(float)
    if "w" in confusion.keys:
        amount *= np.asarray(confusion.keys["w"], float)
    table = np.zeros((len(confusion.labels), len(confusion.labels)))
    cells = (confusion.truth[answered], confusion.answer[answered])
    np.add.at(table, cells, amount[answered])
    return table
