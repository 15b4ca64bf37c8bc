"""The interval of the difference of two shares that were counted on different items."""

import numpy as np
import numpy.typing as npt

from karat.doubt.bounds.wilson import wilson
from karat.doubt.interval import Interval, Side, check_counts


def newcombe(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
    *,
    level: float = 0.95,
    side: Side = "both",
) -> Interval:
    """Return the interval of the difference of two independent shares.

    d - √((p1-l1)² + (u2-p2)²) to d + √((u1-p1)² + (p2-l2)²), l and u the Wilson bounds of each share.
    Assumes that the two samples are independent; an empty sample gives [-1, 1].
    Reference: Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine
    17, 1998, 873-890.
    >>> interval = newcombe(56, 70, 48, 80)
    >>> round(float(interval.low), 4), round(float(interval.high), 4)
    (0.0524, 0.3339)
    """
    x1, n1 = check_counts(first_successes, first_trials)
    x2, n2 = check_counts(second_successes, second_trials)
    defined = (n1 > 0) & (n2 > 0)
    p1 = x1 / np.maximum(n1, 1)
    p2 = x2 / np.maximum(n2, 1)
    first = wilson(x1, n1, level=level, side=side)
    second = wilson(x2, n2, level=level, side=_other(side))
    difference = p1 - p2
    low = difference - np.hypot(p1 - first.low, second.high - p2)
    high = difference + np.hypot(first.high - p1, p2 - second.low)
    low = np.where(defined & (side != "upper"), low, -1.0)
    high = np.where(defined & (side != "lower"), high, 1.0)
    return Interval(low, high, level, "newcombe")


def _other(side: Side) -> Side:
    """Return the side on which the second share is bounded: a larger second share is a smaller difference."""
    if side == "both":
        return "both"
    return "upper" if side == "lower" else "lower"
