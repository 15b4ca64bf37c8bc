"""What a page shows at the class balance of its slider: the same as report/page/skew.js, with which it agrees."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from karat.measure.prevalence.pr_curve import WORST, Rises, areas, losses, rises
from karat.measure.prevalence.thinned_curve import thinned
from karat.numeric.arrays import FloatArray
from karat.verdict.prevalence.result import Skewed

LOW, HIGH = 1e-4, 0.99
"""The ends of the slider, unless the data's own balance lies beyond."""
DIGITS = 10
NOISE = 1e-12
"""Areas that differ by less differ by rounding."""


def ends(own: float) -> tuple[float, float]:
    """Return the class balances at both ends of the slider.

    >>> ends(0.1), ends(1e-6)
    ((0.0001, 0.99), (1e-06, 0.99))
    """
    return min(LOW, own), max(HIGH, own)


def place_of(own: float) -> float:
    """Return where on the slider, from 0 to 100, the data's own balance lies: evenly in logit.

    >>> place_of(0.99)
    100.0
    """
    low, place, high = (
        float(np.log(pi) - np.log1p(-pi)) for pi in (ends(own)[0], own, ends(own)[1])
    )
    return min(100.0, 100 * (place - low) / (high - low))


def few_points(result: Skewed) -> dict[str, Rises]:
    """Return every system's curve in few points and digits, the best in the data first."""
    low, high = ends(result.own)
    found = {
        name: _rounded(thinned(rises(curve), low=low, high=high))
        for name, curve in result.curves.items()
    }
    own = {name: float(areas(parts, result.own)) for name, parts in found.items()}
    return {name: found[name] for name in sorted(found, key=lambda name: -own[name])}


def _rounded(parts: Rises) -> Rises:
    """Return the same in so many digits; what was equal stays so."""
    return Rises(*(_digits(each) for each in (parts.r0, parts.f0, parts.r1, parts.f1)))


def _digits(values: FloatArray) -> FloatArray:
    return np.array([float(f"{value:.{DIGITS}g}") for value in values.tolist()])


def at_balance(curves: Mapping[str, Rises], pi: float) -> dict[str, Any]:
    """Return every system's area and rank at a class balance, what no system falls below, and what chance has."""
    found = [float(areas(parts, pi)) for parts in curves.values()]
    least, room = float(areas(WORST, pi)), float(losses(WORST, pi))
    systems = [
        {
            "area": area,
            "rank": 1 + sum(other - area > NOISE for other in found),
            "normalised": (area - least) / room,
        }
        for area in found
    ]
    return {"balance": pi, "random": pi, "least": least, "systems": systems}
