"""How an order fares if the number of wrong labels is known, but not which labels they are."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.tests.two_samples import two_samples
from karat.numeric.arrays import FloatArray, IntArray

_UNLIKELY = 800  # log odds against the likeliest number of wrong labels: its square root is no double any more


@dataclass(frozen=True, slots=True)
class OrderChances:
    """How likely the order is kept, becomes a tie, or is reversed."""

    kept: float
    tie: float
    reverse: float


def order_chances(n1: int, n2: int, wrong: IntArray, log_weights: FloatArray) -> OrderChances:
    """Return the chances of an order over the possible numbers of wrong labels among the discordant items.

    n1 and n2 items only the worse and only the better system has right. Of j wrong labels among them, I belong to
    items of the better one: hypergeometric, whatever the weight of j.
    """
    likely = log_weights > log_weights.max() - _UNLIKELY
    j = wrong[likely]
    weights = np.exp(log_weights[likely] - log_weights.max())
    weights /= weights.sum()
    lead = n2 - n1
    # The order is kept if 2 I - j < lead / 2, and a tie if they are equal. As whole numbers: kept up to I = most_kept,
    # not reversed up to I = most_tied. Of the j - I wrong labels of the worse one's items the same holds, mirrored.
    most_kept = -(-(lead + 2 * j) // 4) - 1
    most_tied = (lead + 2 * j) // 4
    kept = float(_at_most(n2, n1, j, most_kept) @ weights)
    reverse = float(_at_most(n1, n2, j, j - most_tied - 1) @ weights)
    # A tie is the difference of two tails; taken from the small ones, so that a small tie keeps its digits.
    if reverse < kept:
        tie = float(_at_most(n1, n2, j, j - most_kept - 1) @ weights) - reverse
    else:
        tie = float(_at_most(n2, n1, j, most_tied) @ weights) - kept
    return OrderChances(kept, max(0.0, tie), reverse)


def log_ways(n: int, k: npt.NDArray[np.int64]) -> FloatArray:
    """Return log C(n, k), up to a constant, at consecutive k: zero at the largest value.

    >>> np.exp(log_ways(4, np.arange(5))).round(4)
    array([0.1667, 0.6667, 1.    , 0.6667, 0.1667])
    """
    steps = np.log(n - k[:-1]) - np.log(k[:-1] + 1)
    peak = int(np.argmax(np.append(0, np.cumsum(steps))))
    # Summed from the peak outwards, so that what matters has the fewest rounding errors.
    down = np.cumsum(steps[:peak][::-1])[::-1]
    up = np.cumsum(steps[peak:])
    return np.concatenate([-down, [0.0], up])


def _at_most(n: int, others: int, j: IntArray, most: IntArray) -> FloatArray:
    """P(at most so many of n | j are drawn from n + others)."""
    possible = np.clip(most, np.maximum(0, j - others), np.minimum(n, j))
    tail = two_samples(possible, n, j - possible, others).lower
    tail = np.where(most > possible, 1.0, tail)
    return np.where(most < possible, 0.0, tail)
