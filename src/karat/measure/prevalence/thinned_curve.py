"""A curve in fewer points, whose area is the same at every prevalence of a range, to a given number of digits."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence.pr_curve import AT_ONCE, RocStretches, areas, joined, stretch_areas
from karat.numeric.arrays import FloatArray

_WIDE = 3.0
"""How far from the real line areas are bounded, as functions of logit pi; below pi, where their poles are."""
_FINE = 4096
Places = npt.NDArray[np.intp]


def thinned(parts: RocStretches, *, low: float, high: float, within: float = 1e-6) -> RocStretches:
    """Which few stretches have the same area at every prevalence from low to high?

    Neighbouring stretches become one straight line with the same mean and the same slope by least squares, halved
    until their errors add up to no more than `within`, wherever between low and high one looks: see
    `largest_area_difference`.
    >>> from karat.measure.prevalence.pr_curve import rises, roc_of
    >>> steps = np.linspace(0.001, 1, 1000)
    >>> whole = rises(roc_of(steps, steps**2))
    >>> few = thinned(whole, low=1e-4, high=0.99)
    >>> len(few.r0) < 200 and largest_area_difference(whole, few, low=1e-4, high=0.99) < 1e-6
    True
    """
    parts = joined(parts)
    # What has no false positive, or rises from the origin, is one stretch anyway: it stays as it is.
    kept = 1 if parts.f0[0] == 0 else 0
    head = parts.chosen(slice(0, kept))
    body = parts.chosen(slice(kept, None))
    nodes = _nodes(low, high, within / 100)
    allowed = (within - nodes.rest) / nodes.factor - nodes.rest
    cuts = _FINE
    while len(body.r0) > 1:
        lines = _halved(body, _cuts(len(body.r0), cuts), nodes.prevalences, allowed)
        if lines is not None:
            body = lines
            break
        cuts *= 4
    return RocStretches(
        np.concatenate([head.r0, body.r0]),
        np.concatenate([head.f0, body.f0]),
        np.concatenate([head.r1, body.r1]),
        np.concatenate([head.f1, body.f1]),
    )


def largest_area_difference(
    first: RocStretches, second: RocStretches, *, low: float, high: float
) -> float:
    """What is the largest difference of two areas, at any prevalence from low to high?

    An area is a mixture of logistic functions of x = logit pi, so it is analytic for |Im x| < pi, and at most 1 / sin b
    for |Im x| <= b. A polynomial of degree n is therefore as near as 4 / sin b / rho^n / (rho - 1), rho = b/c +
    √(1 + b²/c²), c half the range of x; and one of degree n is nowhere more than √2 times what it is at the 2n zeros
    of the Chebyshev polynomial. So the differences at these few prevalences bound those at all.
    Reference: Trefethen, Approximation Theory and Approximation Practice, 2013, theorem 8.2; Ehlich, Zeller,
    Mathematische Zeitschrift 86, 1964.
    """
    nodes = _nodes(low, high, 1e-10)
    pi = nodes.prevalences
    gap = np.abs(areas(joined(first), pi) - areas(joined(second), pi)).max()
    return float((gap + nodes.rest) * nodes.factor + nodes.rest)


@dataclass(frozen=True, slots=True, eq=False)
class ChebyshevNodes:
    """Few prevalences, a look at which bounds a difference of areas everywhere between them."""

    prevalences: FloatArray
    rest: float
    """The largest error of a polynomial for the difference."""
    factor: float
    """How much larger the polynomial may be between the prevalences."""


def _nodes(low: float, high: float, rest: float) -> ChebyshevNodes:
    """Return as many prevalences as a polynomial needs that is at most `rest` away; the derivation is above."""
    if not 0 < low < high < 1:
        raise OptionError(
            f"the limits are {low:g} and {high:g}; give two prevalences strictly between 0 and 1"
        )
    first = math.log(low) - math.log1p(-low)
    last = math.log(high) - math.log1p(-high)
    half = (last - first) / 2
    rho = _WIDE / half + math.hypot(1, _WIDE / half)
    size = 4 / math.sin(_WIDE) / (rho - 1)
    degree = max(1, math.ceil(math.log(size / rest) / math.log(rho)))
    angles = (2 * np.arange(2 * degree) + 1) * math.pi / (4 * degree)
    places = (first + last) / 2 + half * np.cos(angles)
    return ChebyshevNodes(
        prevalences=1 / (1 + np.exp(-places)), rest=size / rho**degree, factor=math.sqrt(2)
    )


def _cuts(size: int, fine: int) -> Places:
    """Return where stretches may be parted: closer near the origin, where precision changes most."""
    if size <= fine:
        return np.arange(size)
    even = np.linspace(0, size - 1, fine)
    closer_to_origin = np.geomspace(1, size - 1, fine)
    every_early_one = np.arange(fine // 4)
    steps = np.concatenate([even, closer_to_origin, every_early_one])
    return np.unique(steps.astype(np.intp))


def _halved(
    body: RocStretches, cuts: Places, pi: FloatArray, allowed: float
) -> RocStretches | None:
    """Return lines whose errors add up to what is allowed; None if some would have to be shorter than the cuts let."""
    exact = _exact(body, cuts, pi)
    begins = np.zeros(1, np.intp)
    while True:
        lines = _lines(body, cuts[begins])
        exact_areas = np.add.reduceat(exact, begins, axis=0)
        error = np.abs(stretch_areas(lines, pi).T - exact_areas)
        if error.sum(axis=0).max() <= allowed:
            return lines
        # Every line may have half of its equal share of the error; those with more are halved.
        ends = np.append(begins[1:], len(cuts))
        too_wrong = error.max(axis=1) > allowed / (2 * len(begins))
        halved = too_wrong & (ends - begins > 1)
        if not halved.any():
            return None
        middles = (begins[halved] + ends[halved]) // 2
        begins = np.sort(np.concatenate([begins, middles]))


def _exact(body: RocStretches, cuts: Places, pi: FloatArray) -> FloatArray:
    """Return the area from each cut to the next, cuts x prevalences, a part at a time."""
    ends = np.append(cuts[1:], len(body.r0))
    step = max(1, 8 * AT_ONCE // len(pi))
    parts = []
    left = 0
    while left < len(cuts):
        right = max(left + 1, int(np.searchsorted(ends, cuts[left] + step)))
        some = body.chosen(slice(int(cuts[left]), int(ends[right - 1])))
        starts = cuts[left:right] - cuts[left]
        parts.append(np.add.reduceat(stretch_areas(some, pi), starts, axis=1).T)
        left = right
    return np.concatenate(parts)


def _lines(body: RocStretches, begins: Places) -> RocStretches:
    """Return one straight line for the stretches from each beginning to the next, fitted by least squares."""
    number = np.diff(np.append(begins, len(body.r0)))
    r0 = body.r0[begins]
    r1 = body.r1[begins + number - 1]
    width = body.widths
    mean = (body.f0 + body.f1) / 2
    from_middle = (body.r0 + body.r1) / 2 - np.repeat((r0 + r1) / 2, number)
    # Least squares of a straight line: the mean, and the first moment around the middle of recall.
    level = np.add.reduceat(width * mean, begins) / (r1 - r0)
    moment = width * (mean * from_middle + width * (body.f1 - body.f0) / 12)
    half_rise = 6 * np.add.reduceat(moment, begins) / (r1 - r0) ** 2
    # Rates are between 0 and 1, and above 0 where the curve no longer is at its origin.
    half_rise = np.clip(half_rise, 0, np.minimum(0.999 * level, 1 - level))
    alone = number == 1
    f0 = np.where(alone, body.f0[begins], level - half_rise)
    f1 = np.where(alone, body.f1[begins], level + half_rise)
    return RocStretches(r0, f0, r1, f1)
