"""The mean of a linear fraction: under every closed form of precision over prevalences and over recall."""

import numpy as np

from karat.numeric.arrays import FloatArray

_TINY = 0.01
_SMALL = 0.3
_TERMS_IF_TINY = 4
_TERMS_IF_SMALL = 19
"""Terms of the series that reach the last digit up to these slopes."""


def fraction_mean(
    top: FloatArray, change: FloatArray, slope: FloatArray, *, first: FloatArray, last: FloatArray
) -> FloatArray:
    """What is (m + h x) / (1 + t x) on average, x running from -1 to 1?

    m A - h B with A = atanh(t) / t and B = (atanh(t) - t) / t², atanh(t) = ln(last / first) / 2, first and last being
    proportional to 1 - t and 1 + t; for |t| < 0.3 A = 1 + t² S, B = t S, S = 1/3 + t²/5 + t⁴/7 + ...: no digits cancel.
    Here top = m, change = h, slope = t. All five have one shape, and first and last are above 0.
    >>> one = np.ones(1)
    >>> fraction_mean(one, 0 * one, one / 2, first=one, last=3 * one).round(6)  # ln 3
    array([1.098612])
    """
    # Most slopes are tiny, so the short series is computed for all, and mended where it does not suffice.
    square = slope * slope
    all_tiny = bool(np.all(square < _TINY**2))
    series = _series(square if all_tiny else np.minimum(square, _TINY**2), _TERMS_IF_TINY)
    if not all_tiny:
        small = (square >= _TINY**2) & (square < _SMALL**2)
        series[small] = _series(square[small], _TERMS_IF_SMALL)
    mean = np.asarray(top + slope * series * (slope * top - change))
    if not all_tiny:
        steep = square >= _SMALL**2
        m = top[steep]
        h = change[steep]
        t = slope[steep]
        arc = np.log(last[steep] / first[steep]) / 2
        mean[steep] = m * arc / t - h * (arc - t) / (t * t)
    return mean


def _series(square: FloatArray, terms: int) -> FloatArray:
    """Return 1/3 + t²/5 + t⁴/7 + ..., the last term first."""
    total = np.full(square.shape, 1 / (2 * terms + 1))
    for n in range(terms - 2, -1, -1):
        total *= square
        total += 1 / (2 * n + 3)
    return total
