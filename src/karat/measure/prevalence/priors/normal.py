"""Prevalences near a mean are likeliest: a normal distribution, cut off at the ends of the range."""

from dataclasses import replace

import numpy as np

from karat.errors import OptionError
from karat.measure.prevalence.distribution import PrevalenceDistribution, weighted
from karat.measure.prevalence.precision_at import check_prevalence
from karat.measure.prevalence.prior import Prior
from karat.numeric.arrays import FloatArray

_BREAKS = (-36, -12, -6, -3, -1, 0, 1, 3, 6, 12, 36)
"""Where the density changes much, in widths of its peak: so that the integration cannot step over it."""


def gaussian(
    mean: float, deviation: float, *, low: float = 0.0, high: float = 1.0
) -> PrevalenceDistribution:
    """Return the prevalences of a normal distribution, cut off at low and high and normalised there.

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 5.1. doi:10.1007/s10994-013-5432-x
    >>> prevalences = gaussian(0.3, 0.05)
    >>> float((prevalences.weight * prevalences.pi).sum().round(9))
    0.3
    """
    if not deviation > 0:
        raise OptionError(f"the standard deviation is {deviation:g}; it must be above 0")
    # The density is scaled to 1 at the likeliest prevalence of the range, so that nothing underflows where the mean
    # lies outside. It falls off within `width`: the deviation, or less where only a flank of the bell is in the range.
    likeliest = min(max(mean, low), high)
    width = deviation**2 / (abs(mean - likeliest) + deviation)
    breaks = [likeliest + step * width for step in _BREAKS]

    def density(pi: FloatArray) -> FloatArray:
        # (likeliest - mean)² - (pi - mean)², factorised: no digits cancel
        difference = (likeliest - pi) * (likeliest + pi - 2 * mean)
        return np.asarray(np.exp(difference / (2 * deviation**2)))

    prevalences = weighted(density, low=low, high=high, breaks=breaks)
    name = f"normal({mean:g}, {deviation:g}) in [{low:g}, {high:g}]"
    return replace(prevalences, low=low, high=high, name=name)


def _named(mean: float, deviation: float, *, low: float, high: float) -> PrevalenceDistribution:
    check_prevalence("the mean of the prior", mean)
    return gaussian(mean, deviation, low=low, high=high)


PRIOR = Prior(
    help="normally distributed around a mean",
    distribution=_named,
    parameters=("MEAN", "SD"),
)
