"""The interval of a difference from those of both numbers: for numbers whose intervals are not symmetric."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoundedValue:
    """A number with both ends of its interval."""

    value: float
    low: float
    high: float


def mover(
    first: BoundedValue, second: BoundedValue, *, correlation: float = 0.0
) -> tuple[float, float]:
    """Both ends of the interval of first - second, by the method of variance estimates recovery.

    d - √(x² + y² - 2 r x y), x = a - low of a, y = high of b - b, and with the other ends upwards; r is the correlation
    of the two estimates. So near an end of their range, where each interval reaches farther to one side, that of the
    difference does so, too; d ± t √V would be too narrow there.
    Reference: Zou, Donner, Statistics in Medicine 27, 2008. doi:10.1002/sim.3095
    >>> areas = BoundedValue(0.99, 0.93, 0.999), BoundedValue(0.92, 0.85, 0.96)
    >>> [round(end, 4) for end in mover(*areas, correlation=0.5)]
    [0.0171, 0.136]
    """
    difference = first.value - second.value
    down = _distance(first.value - first.low, second.high - second.value, correlation)
    up = _distance(first.high - first.value, second.value - second.low, correlation)
    return difference - down, difference + up


def _distance(one: float, other: float, correlation: float) -> float:
    squares = one**2 + other**2 - 2 * correlation * one * other
    return math.sqrt(max(0.0, squares))


def correlation_of(first: float, second: float, difference: float) -> float:
    """Return the correlation of two estimates by the variances of both, and that of their difference.

    >>> correlation_of(4.0, 4.0, 4.0), correlation_of(0.0, 4.0, 4.0)
    (0.5, 0.0)
    """
    product = math.sqrt(first * second)
    if not product > 0:
        return 0.0
    covariance = (first + second - difference) / 2
    return max(-1.0, min(1.0, covariance / product))
