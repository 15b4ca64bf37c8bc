"""P-values adjusted for the number of comparisons made at once."""

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import floats, refuse
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray


def holm(p_values: npt.ArrayLike) -> FloatArray:
    """Return the p-values adjusted for multiple comparisons by Holm's step-down method.

    Sorted p_(1) <= ... <= p_(m): adjusted p_(i) = max over j <= i of min(1, (m - j + 1) p_(j)).
    Assumes nothing about how the tests depend on each other: with probability at least `level`, no pair without a
    difference is called significant. NaN stands for no test: it stays NaN and is not counted.
    Reference: Holm, Scandinavian Journal of Statistics 6, 1979. https://www.jstor.org/stable/4615733
    >>> holm([0.01, 0.04, 0.03, 0.5])
    array([0.04, 0.09, 0.09, 0.5 ])
    """
    p = _checked(p_values)
    tests = np.count_nonzero(~np.isnan(p))
    order = np.argsort(p)[:tests]  # NaN is sorted to the end
    factors = np.arange(tests, 0, -1)
    raised = np.maximum.accumulate(p[order] * factors)
    adjusted = np.full(p.shape, np.nan)
    adjusted[order] = np.minimum(1, raised)
    return adjusted


def _checked(p_values: npt.ArrayLike) -> FloatArray:
    p = floats("p_values", p_values)
    if p.ndim != 1:
        raise OptionError(f"p_values have the shape {p.shape}; give one row of them")
    refuse((p < 0) | (p > 1), "p_values", p, "a p-value is between 0 and 1")
    return p
