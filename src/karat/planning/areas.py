"""How many positives and negatives are needed for an area under the ROC curve, or to tell two such areas apart."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from scipy import special

from karat.doubt.bounds.binormal_score import FREEDOM
from karat.errors import OptionError
from karat.planning.power import first_true, z

MOST = 10**9
"""More items than that are not planned for."""
HALVINGS = 60
FARTHEST = 38.0
"""Beyond so many standard deviations the normal distribution is 0 or 1 to a computer."""
WIDTH = "binormal score"
DIFFERENCE = "DeLong's test of binormal scores, normal approximation"
_NODE, _WEIGHT = np.polynomial.legendre.leggauss(48)
_PLACE = 8 * _NODE
_NORMAL = 8 * _WEIGHT * np.exp(-(_PLACE**2) / 2) / sqrt(2 * np.pi)
"""Nodes of an integral over a normal distribution."""


@dataclass(frozen=True, slots=True)
class PlannedAreas:
    """How many positives and negatives it takes, None where no number suffices, and how that was computed."""

    positives: int | None
    negatives: int | None
    method: str

    @property
    def items(self) -> int | None:
        """Both together."""
        if self.positives is None or self.negatives is None:
            return None
        return self.positives + self.negatives


def area_covariance(
    first: float, second: float, positives: float, negatives: float, *, correlation: float
) -> float:
    """Return the covariance of the ROC areas of two systems on the same items, if their scores are normal.

    Positives and negatives have the same variance, and the scores of an item the correlation r. A pair in order by
    both systems has a covariance C(r), two pairs that share an item C(r/2): [C(r) + (m + n - 2) C(r/2)] / mn, where
    C(r) = Phi2(h, k; r) - Phi(h) Phi(k) = 1/(2 pi) times the integral of exp(-(h² + k² - 2 h k sin t) / (2 cos² t))
    from 0 to arcsin r, h and k the normal quantiles of the areas. Two areas of one system have r = 1.
    Reference: Obuchowski, McClish, Statistics in Medicine 16, 1997, for r between systems; the variance of one area is
    that of Newcombe, Statistics in Medicine 25, 2006. doi:10.1002/sim.2324
    >>> round(area_covariance(0.8, 0.8, 50, 100, correlation=1) ** 0.5, 4)
    0.0378
    """
    h = float(special.ndtri(first))
    k = float(special.ndtri(second))
    return _covariance(h, k, positives, negatives, correlation)


def _covariance(
    h: float, k: float, positives: float, negatives: float, correlation: float
) -> float:
    of_pairs = _in_order(h, k, correlation)
    sharing = _in_order(h, k, correlation / 2)
    return (of_pairs + (positives + negatives - 2) * sharing) / (positives * negatives)


def _in_order(h: float, k: float, correlation: float) -> float:
    """Return Phi2(h, k; r) - Phi(h) Phi(k)."""
    if correlation == 1:
        return float(special.ndtr(min(h, k)) * special.ndtr(-max(h, k)))
    end = np.arcsin(correlation)
    angle = end * (_NODE + 1) / 2
    exponent = -(h**2 + k**2 - 2 * h * k * np.sin(angle)) / (2 * np.cos(angle) ** 2)
    return float((_WEIGHT * np.exp(exponent)).sum() * end / 2 / (2 * np.pi))


def width_of_area(area: float, positives: int, negatives: int, *, level: float = 0.95) -> float:
    """Return how wide the interval is if exactly this area is observed, of normal scores.

    Reference: Newcombe, Statistics in Medicine 25, 2006. doi:10.1002/sim.2324
    >>> round(width_of_area(0.8, 100, 100), 3)
    0.122
    """
    freedom = FREEDOM + _out_of_order(area, positives, negatives)
    reach = -float(special.stdtrit(freedom, (1 - level) / 2))
    low = _end(area, positives, negatives, reach, -FARTHEST)
    high = _end(area, positives, negatives, reach, FARTHEST)
    return high - low


def _end(area: float, positives: int, negatives: int, reach: float, farthest: float) -> float:
    """Return the area farthest from the one observed that is no surprise, by halving."""
    inside = float(special.ndtri(area))
    outside = farthest
    for _ in range(HALVINGS):
        h = (inside + outside) / 2
        distance = abs(area - float(special.ndtr(h)))
        variance = _covariance(h, h, positives, negatives, 1.0)
        if distance <= reach * sqrt(max(0.0, variance)):
            inside = h
        else:
            outside = h
    return float(special.ndtr(inside))


def _out_of_order(area: float, positives: int, negatives: int) -> float:
    """Return how many positives, or negatives if these are fewer, are expected not to lie beyond all of the others."""
    apart = sqrt(2) * abs(float(special.ndtri(area)))
    beyond = special.ndtr(_PLACE + apart)
    beyond_negatives = float((_NORMAL * beyond**negatives).sum())
    beyond_positives = float((_NORMAL * beyond**positives).sum())
    return min(positives * (1 - beyond_negatives), negatives * (1 - beyond_positives))


def items_for_area(
    area: float, width: float, *, prevalence: float = 0.5, level: float = 0.95
) -> PlannedAreas:
    """How many positives and negatives make the interval of an ROC area so narrow?

    The fewest, in the ratio that the prevalence says, whose interval (`binormal_score`) is no wider than `width` if
    exactly this area is observed and the scores are normal.
    Reference: Newcombe, Statistics in Medicine 25, 2006. doi:10.1002/sim.2324
    >>> items_for_area(0.9, 0.1)
    PlannedAreas(positives=78, negatives=78, method='binormal score')
    """
    _check_area("area", area)
    _check_prevalence(prevalence)
    if not 0 < width < 1:
        raise OptionError(f"--width is {width:g}; it lies between 0 and 1")

    def narrow(items: int) -> bool:
        return width_of_area(area, *_sides(items, prevalence), level=level) <= width

    return _fewest(narrow, prevalence, WIDTH)


def items_for_areas(
    first: float,
    second: float,
    *,
    prevalence: float = 0.5,
    correlation: float = 0.0,
    level: float = 0.95,
    power: float = 0.8,
) -> PlannedAreas:
    """How many positives and negatives tell two systems' ROC areas apart on the same items?

    The fewest with which DeLong's test of the difference d has this power: P(|N(d, s)| > z s), s² = V(first) +
    V(second) - 2 Cov, of normal scores whose correlation between the systems is given. A correlation of 0 asks for
    most items.
    Reference: Obuchowski, McClish, Statistics in Medicine 16, 1997, for normal scores.
    >>> items_for_areas(0.9, 0.85).items
    726
    """
    _check_area("area", first)
    _check_area("area", second)
    _check_prevalence(prevalence)
    if not 0 <= correlation < 1:
        raise OptionError(f"--score-correlation is {correlation:g}; it lies from 0 up to below 1")
    if not 0 < power < 1:
        raise OptionError(f"--power is {power:g}; it lies between 0 and 1")
    if first == second:
        return PlannedAreas(None, None, DIFFERENCE)

    def tells(items: int) -> bool:
        positives, negatives = _sides(items, prevalence)
        attained = area_power(
            first, second, positives, negatives, correlation=correlation, level=level
        )
        return attained >= power

    return _fewest(tells, prevalence, DIFFERENCE)


def area_power(
    first: float,
    second: float,
    positives: int,
    negatives: int,
    *,
    correlation: float = 0.0,
    level: float = 0.95,
) -> float:
    """Return the power of DeLong's test of two ROC areas on the same items, of normal scores.

    >>> round(area_power(0.9, 0.85, 363, 363), 3)
    0.8
    """
    variance = -2 * area_covariance(first, second, positives, negatives, correlation=correlation)
    for area in (first, second):
        variance += area_covariance(area, area, positives, negatives, correlation=1)
    reach = z((1 - level) / 2)
    distance = abs(first - second) / sqrt(max(variance, 1e-300))
    return float(special.ndtr(distance - reach) + special.ndtr(-distance - reach))


def _sides(items: int, prevalence: float) -> tuple[int, int]:
    """Return how many of the items are positive and negative, at least two of each."""
    positives = max(2, ceil(round(items * prevalence, 9)))
    negatives = max(2, ceil(round(items * (1 - prevalence), 9)))
    return positives, negatives


def _fewest(enough: Callable[[int], bool], prevalence: float, method: str) -> PlannedAreas:
    """Return the fewest items that are enough; more are, too."""
    most = 4
    while not enough(most):
        most *= 2
        if most > MOST:
            return PlannedAreas(None, None, method)
    items = first_true(enough, most // 2, most)
    return PlannedAreas(*_sides(items, prevalence), method)


def _check_area(name: str, area: float) -> None:
    if not 0.5 <= area < 1:
        raise OptionError(
            f"--{name} is {area:g}; an ROC area to plan for lies from 0.5 up to below 1"
        )


def _check_prevalence(prevalence: float) -> None:
    if not 0 < prevalence < 1:
        raise OptionError(f"--prevalence is {prevalence:g}; it lies between 0 and 1")
