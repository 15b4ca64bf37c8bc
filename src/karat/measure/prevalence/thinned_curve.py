"""A curve in fewer points, whose area is the same at every class balance of a range, to a given number of digits."""

import math

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence.pr_curve import AT_ONCE, Rises, areas, joined, stretch_areas
from karat.numeric.arrays import FloatArray

_WIDE = 3.0
"""How far from the real line areas are bounded, as functions of logit pi; below pi, where their poles lie."""
_FINE = 4096
Places = npt.NDArray[np.intp]


def thinned(parts: Rises, *, low: float, high: float, within: float = 1e-6) -> Rises:
    """Which few stretches have the same area at every skew from low to high?

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
    kept = int(
        parts.f0[0] == 0
    )  # what has no false positive, or rises from the origin, is one stretch anyway
    head, body = parts.chosen(slice(0, kept)), parts.chosen(slice(kept, None))
    skews, rest, factor = _nodes(low, high, within / 100)
    fine, found = _FINE, body
    while len(body.r0) > 1:
        lines = _halved(body, _cuts(len(body.r0), fine), skews, (within - rest) / factor - rest)
        if lines is not None:
            found = lines
            break
        fine *= 4
    return Rises(
        *(np.concatenate(both) for both in zip(_columns(head), _columns(found), strict=True))
    )


def largest_area_difference(first: Rises, second: Rises, *, low: float, high: float) -> float:
    """How far apart are two areas at most, at any skew from low to high?

    An area is a mixture of logistic functions of x = logit pi, so it is analytic for |Im x| < pi, and at most 1 / sin b
    for |Im x| <= b. A polynomial of degree n is therefore as near as 4 / sin b / rho^n / (rho - 1), rho = b/c +
    √(1 + b²/c²), c half the range of x; and one of degree n is nowhere more than √2 times what it is at the 2n zeros
    of the Chebyshev polynomial. So the differences at these few skews bound those at all.
    Reference: Trefethen, Approximation Theory and Approximation Practice, 2013, theorem 8.2; Ehlich, Zeller,
    Mathematische Zeitschrift 86, 1964.
    """
    skews, rest, factor = _nodes(low, high, 1e-10)
    gap = np.abs(areas(joined(first), skews) - areas(joined(second), skews)).max()
    return float((gap + rest) * factor + rest)


def _nodes(low: float, high: float, rest: float) -> tuple[FloatArray, float, float]:
    """Return skews, how far a polynomial may be from an area's error, and how much it may rise between the skews."""
    if not 0 < low < high < 1:
        raise OptionError(
            f"the limits are {low:g} and {high:g}; give two skews strictly between 0 and 1"
        )
    first, last = (math.log(end) - math.log1p(-end) for end in (low, high))
    half = (last - first) / 2
    rho = _WIDE / half + math.hypot(1, _WIDE / half)
    size = 4 / math.sin(_WIDE) / (rho - 1)
    degree = max(1, math.ceil(math.log(size / rest) / math.log(rho)))
    place = (first + last) / 2 + half * np.cos(
        (2 * np.arange(2 * degree) + 1) * math.pi / (4 * degree)
    )
    return 1 / (1 + np.exp(-place)), size / rho**degree, math.sqrt(2)


def _cuts(size: int, fine: int) -> Places:
    """Return where stretches may be parted: closer near the origin, where precision changes most."""
    if size <= fine:
        return np.arange(size)
    steps = np.concatenate(
        [np.linspace(0, size - 1, fine), np.geomspace(1, size - 1, fine), np.arange(fine // 4)]
    )
    return np.unique(steps.astype(np.intp))


def _halved(body: Rises, cuts: Places, skews: FloatArray, allowed: float) -> Rises | None:
    """Return lines whose errors add up to what is allowed; None if some would have to be shorter than the cuts let."""
    exact = _exact(body, cuts, skews)
    begins = np.zeros(1, np.intp)
    while True:
        lines = _lines(body, cuts[begins])
        error = np.abs(stretch_areas(lines, skews).T - np.add.reduceat(exact, begins, axis=0))
        if error.sum(axis=0).max() <= allowed:
            return lines
        ends = np.append(begins[1:], len(cuts))
        long = (error.max(axis=1) > allowed / (2 * len(begins))) & (ends - begins > 1)
        if not long.any():
            return None
        begins = np.sort(np.concatenate([begins, (begins[long] + ends[long]) // 2]))


def _exact(body: Rises, cuts: Places, skews: FloatArray) -> FloatArray:
    """Return the area from each cut to the next, cuts x skews, a part at a time."""
    ends, found, left = np.append(cuts[1:], len(body.r0)), [], 0
    step = max(1, 8 * AT_ONCE // len(skews))
    while left < len(cuts):
        right = max(left + 1, int(np.searchsorted(ends, cuts[left] + step)))
        some = stretch_areas(body.chosen(slice(int(cuts[left]), int(ends[right - 1]))), skews)
        found.append(np.add.reduceat(some, cuts[left:right] - cuts[left], axis=1).T)
        left = right
    return np.concatenate(found)


def _lines(body: Rises, begins: Places) -> Rises:
    """Return one straight line for the stretches from each beginning to the next, fitted by least squares."""
    number = np.diff(np.append(begins, len(body.r0)))
    r0, r1 = body.r0[begins], body.r1[begins + number - 1]
    wide, mean = body.r1 - body.r0, (body.f0 + body.f1) / 2
    off = (body.r0 + body.r1) / 2 - np.repeat((r0 + r1) / 2, number)
    level = np.add.reduceat(wide * mean, begins) / (r1 - r0)
    tilt = np.add.reduceat(wide * (mean * off + wide * (body.f1 - body.f0) / 12), begins)
    # Rates lie between 0 and 1, and above 0 where the curve no longer is at its origin.
    half = np.clip(6 * tilt / (r1 - r0) ** 2, 0, np.minimum(0.999 * level, 1 - level))
    alone = number == 1
    f0 = np.where(alone, body.f0[begins], level - half)
    return Rises(r0, f0, r1, np.where(alone, body.f1[begins], level + half))


def _columns(parts: Rises) -> tuple[FloatArray, ...]:
    return parts.r0, parts.f0, parts.r1, parts.f1
