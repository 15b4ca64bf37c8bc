"""The share of wrong labels, after some were looked up one by one: an interval that holds whenever one stops."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class WrongShare:
    """The share of wrong labels among some items."""

    value: float | None
    """Of the labels looked up that could be decided; None if there are none."""
    low: float
    high: float
    items: int


def wrong_share(
    items: int, checked: int, wrong: int, undecidable: int = 0, *, risk: float = 0.05
) -> WrongShare:
    """How many of all labels are wrong, if so many of those drawn at random were?

    For each possible number k of wrong labels among n a capital: prior / posterior of k, by an even prior,
    1/(n+1) : C(k, w) C(n-k, m-w) / C(n+1, m+1) after w wrong of m. If k is true it is 1 on average at every time, and
    reaches 1/risk with a probability of at most risk, however often one looks: all k whose capital is below that are
    the interval. Assumes that items were drawn evenly and without replacement. Undecidable labels count as right for
    the lower end and as wrong for the upper one.
    Reference: Waudby-Smith & Ramdas, Confidence sequences for sampling without replacement, NeurIPS 2020.
    >>> wrong_share(1000, 50, 5)
    WrongShare(value=0.1, low=0.018, high=0.283, items=1000)
    """
    decided = checked - undecidable
    value = wrong / decided if decided else None
    if not items:
        return WrongShare(value, 0.0, 0.0, 0)
    low = int(possible_numbers(items, checked, wrong, risk)[0])
    high = int(possible_numbers(items, checked, wrong + undecidable, risk)[-1])
    return WrongShare(value, low / items, high / items, items)


def certain_share(items: int, checked: int, wrong: int, undecidable: int = 0) -> WrongShare:
    """What is certain of the share of wrong labels, however items were drawn: those left may all be right, or wrong.

    Where some items are drawn more often than others, the share among those drawn says nothing about all.
    >>> certain_share(1000, 50, 5)
    WrongShare(value=None, low=0.005, high=0.955, items=1000)
    """
    if not items:
        return WrongShare(None, 0.0, 0.0, 0)
    right = checked - wrong - undecidable
    return WrongShare(None, wrong / items, (items - right) / items, items)


def possible_numbers(items: int, checked: int, wrong: int, risk: float) -> FloatArray:
    """Return the numbers of wrong labels among all items whose capital is below 1/risk."""
    number = np.arange(wrong, items - (checked - wrong) + 1, dtype=float)
    likely = _choose(number, wrong) + _choose(items - number, checked - wrong)
    posterior = likely - _choose(np.array(items + 1.0), checked + 1)
    log_capital = -np.log(items + 1) - posterior
    return np.asarray(number[log_capital < -np.log(risk)])


def _choose(n: FloatArray, k: int) -> FloatArray:
    """Return the logarithm of n over k."""
    return np.asarray(gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0))
