"""Up to which error rate of the labels an order is robust."""

from collections.abc import Callable
from math import exp, inf, isnan, log

import numpy as np
from scipy.special import ndtri

from karat.doubt.interval import check_level
from karat.doubt.label_noise.pair_order import kept_classes
from karat.numeric.arrays import FloatArray

_CLOSE = 1e-13  # relative: beyond that the probabilities have no digits
_MOST = 200  # steps; about ten suffice
_TINY = 1e-16  # the nearest to certainty that log odds can represent
_LOOKS = 18  # rates that are looked at together before the search
_ROUGH_LOOKS = 64  # rates at which a normal approximation is looked at
_ROUGHLY = 0.25  # standard deviations: an approximation this close is used before it is checked


def critical_error(
    only_worse: int,
    only_better: int,
    *,
    level: float = 0.95,
    classes: int = 2,
    neither_differ: int = 0,
) -> float | None:
    """Up to which share of wrong labels is the order of two systems robust?

    The root of kept(e) = level, kept as in `kept_uniform` or, for more classes, `kept_classes`: below it the order
    is kept with at least this probability. None without a lead; 1 if kept never falls so low.
    Assumes independent errors. For two classes kept never rises with e, so that there is one root.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> round(critical_error(1, 3), 4)
    0.0172
    """

    def kept(e: float) -> float:
        return kept_classes(
            only_worse, only_better, e, classes=classes, neither_differ=neither_differ
        ).kept

    return critical(
        kept, items=only_worse + only_better + neither_differ, classes=classes, level=level
    )


def critical(
    kept: Callable[[float], float],
    *,
    items: int,
    classes: int,
    level: float = 0.95,
    kept_at: Callable[[FloatArray], FloatArray] | None = None,
    lead_at: Callable[[FloatArray], FloatArray] | None = None,
) -> float | None:
    """Up to which error rate is `kept`, the probability of an order of so many discordant items, at least the level?

    As `critical_error`, for any such function: None if there is no order to keep, 1 if it never falls so low.
    `kept_at` is the same for many rates at once, and `lead_at` the lead that is left in standard deviations: both
    make the search shorter.
    """
    check_level(level)

    def above(e: float) -> float:
        return kept(e) - level

    if isnan(above(0.0)):
        return None
    by_chance = 1 - 1 / classes

    def odds_above(e: float) -> float:
        # On the scale of log odds the order falls almost evenly, and a few steps find the root.
        chance = min(max(kept(e), _TINY), 1 - _TINY)
        return log(chance / (1 - chance)) - log(level / (1 - level))

    # Without a wrong label among these items nothing changes, so that 1 - kept <= items * e.
    least = (1 - level) / items * (1 - 1e-9)
    if lead_at is not None and least < by_chance:
        low, high = _roughly_between(lead_at, level, least, by_chance)
        if low < high:
            found = _root(odds_above, low, high)
            if low < found < high:
                return found
    # Labels that are right no more often than by chance favour nobody; only a low level needs worse ones.
    most = 1.0
    if least < by_chance and above(by_chance) < 0:
        most = by_chance
    if kept_at is None:
        return _root(above, least, most)
    least, most = _between(kept_at, level, least, most)
    return _root(odds_above, least, most)


def _roughly_between(
    lead_at: Callable[[FloatArray], FloatArray], level: float, low: float, high: float
) -> tuple[float, float]:
    """Return rates around that at which, by a normal approximation, the order falls to the level for the first time.

    Nothing rests on it: what lies between them is searched only if the order does fall to the level there.
    """
    wanted = float(ndtri(level))
    for _ in range(2):
        rates = np.exp(np.linspace(log(low), log(high), _ROUGH_LOOKS))
        lead = np.minimum.accumulate(lead_at(rates))
        above = int((lead >= wanted + _ROUGHLY).sum())
        not_below = int((lead >= wanted - _ROUGHLY).sum())
        low = float(rates[max(0, above - 1)])
        high = float(rates[min(_ROUGH_LOOKS - 1, not_below)])
    return low, high


def _between(
    kept_at: Callable[[FloatArray], FloatArray], level: float, low: float, high: float
) -> tuple[float, float]:
    """Return a shorter stretch of rates in which the order falls below the level for the first time."""
    if low >= high:
        return low, high
    rates = np.exp(np.linspace(log(low), log(high), _LOOKS))
    below = np.flatnonzero(kept_at(rates[1:-1]) < level)
    place = 1 + int(below[0]) if len(below) else _LOOKS - 1
    if place > 1:
        low = float(rates[place - 1])
    if place < _LOOKS - 1:
        high = float(rates[place])
    return low, high


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Find by the rule of Anderson and Björck, on log e, where a function falls through zero; high if it does not.

    Reference: Anderson & Björck, A new high order method of regula falsi type, BIT 13, 1973. doi:10.1007/BF01951936
    """
    left = log(low)
    right = log(high)
    left_value = falling(low)
    right_value = falling(high)
    if right_value >= 0:
        return high
    if left_value <= 0:
        return low
    last = inf
    moved = ""
    for _ in range(_MOST):
        middle = right - right_value * (right - left) / (right_value - left_value)
        value = falling(exp(middle))
        if value == 0 or abs(middle - last) < _CLOSE or right - left < _CLOSE:
            break
        # An end that stays twice in a row counts less, or it would stay for ever.
        if value > 0:
            if moved == "left":
                right_value *= _lessened(value, left_value)
            left = middle
            left_value = value
            moved = "left"
        else:
            if moved == "right":
                left_value *= _lessened(value, right_value)
            right = middle
            right_value = value
            moved = "right"
        last = middle
    return exp(middle)


def _lessened(value: float, before: float) -> float:
    """Return by how much the other end counts less after one more step from the same side: at the most half."""
    return max(0.5, 1 - value / before)
