"""Values that are equal but for rounding, made equal."""

import numpy as np

from karat.numeric.arrays import FloatArray

DIGITS = 12
"""Of the largest value; what comes after them is rounding."""
SMALLEST = 1e-100
"""Below it all values are equal."""


def equal_but_for_rounding(values: FloatArray) -> FloatArray:
    """Return values in so many digits that those are tied which differ by rounding only.

    In which order fractions are added depends on the processor, and with it what is larger.
    >>> equal_but_for_rounding(np.array([0.1 + 0.2, 0.3, 0.31])).tolist()
    [0.3, 0.3, 0.31]
    """
    largest = float(np.abs(values).max(initial=SMALLEST, where=np.isfinite(values)))
    magnitude = int(np.ceil(np.log10(largest)))
    return np.asarray(np.round(values, DIGITS - magnitude))
