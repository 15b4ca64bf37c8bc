"""The ratio of two sums over images, with its interval."""

from dataclasses import dataclass

import numpy as np

from karat.doubt.bounds.log_odds import log_odds_ends
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class ImageRatio:
    """A ratio, and its interval."""

    value: float | None
    """None where nothing is counted below."""
    low: float
    high: float


def ratio_over_images(above: FloatArray, below: FloatArray, *, level: float) -> ImageRatio:
    """Return Σ a / Σ b, a and b what each image adds, with its interval on the scale of the log odds.

    Its variance is Σ (a - v b)² / (Σ b)² · n / (n-1). Approximate; independent images.
    >>> ratio_over_images(np.array([1.0, 1.0]), np.array([2.0, 2.0]), level=0.95).value
    0.5
    """
    total = float(below.sum())
    if not total:
        return ImageRatio(None, 0.0, 1.0)
    value = float(above.sum() / total)
    parts = (above - value * below) / total
    holding = int(np.count_nonzero(below))
    number = len(parts)
    variance = float((parts**2).sum()) * number / max(number - 1, 1)
    low, high = log_odds_ends(
        value, variance, freedom=max(holding - 1, 1), units=holding, level=level
    )
    return ImageRatio(value, low, high)
