"""Every prevalence of a range is as likely as any other."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence.distribution import (
    PrevalenceDistribution,
    check_range,
    crowded_nodes,
    single,
)
from karat.measure.prevalence.precision_at import check_prevalence, check_rate, with_limits
from karat.measure.prevalence.prior import Prior
from karat.numeric.arrays import FloatArray
from karat.numeric.fraction_mean import fraction_mean

NODES = 64
COARSE_NODES = 16
"""Fine enough where sampling error is far larger than that of the integration."""


def uniform(low: float, high: float, *, nodes: int = NODES) -> PrevalenceDistribution:
    """Return the prevalences from low to high, each as likely as any other.

    Gauss-Legendre in x, pi = low + (high - low) x⁴ (35 - 84x + 70x² - 20x³): nodes crowd at both ends, where an area
    bends most. Of an area it misses at most 1e-10, also from 0 or to 1 and with false positive rates down to 1e-12.
    >>> prevalences = uniform(0.0, 0.5)
    >>> float((prevalences.weight * prevalences.pi).sum().round(12))
    0.25
    """
    check_range(low, high)
    if low == high:
        return single(low)
    fine = _uniform(low, high, nodes)
    return replace(fine, coarse=_uniform(low, high, COARSE_NODES))


def _uniform(low: float, high: float, nodes: int) -> PrevalenceDistribution:
    share, weight = crowded_nodes(nodes)
    pi = low + (high - low) * share
    return PrevalenceDistribution(pi, weight, low, high, f"uniform({low:g}, {high:g})")


def integrated_precision(
    tpr: npt.ArrayLike, fpr: npt.ArrayLike, *, low: npt.ArrayLike, high: npt.ArrayLike
) -> FloatArray:
    """What is the mean precision, if any prevalence from low to high is as likely as any other?

    a/c - ab / (c² (pi2 - pi1)) ln(L(pi2) / L(pi1)), L(p) = p a + (1 - p) b, a = TPR, b = FPR, c = a - b, in the form
    of `fraction_mean`, which loses no digits for c near 0 and b near 0. 1 for b = 0, 0 for a = 0, NaN for both. low =
    high gives the precision there. Depends on the rates only, not on the prevalence of the data they come from.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 3. doi:10.1007/s10994-013-5432-x
    >>> float(integrated_precision(0.8, 0.3, low=1 / 101, high=0.5).round(4))
    0.4448
    """
    given_tpr, given_fpr, first, last = np.broadcast_arrays(
        check_rate("TPR", tpr),
        check_rate("FPR", fpr),
        check_prevalence("the lower limit", low),
        check_prevalence("the upper limit", high),
    )
    wrong_order = first > last
    if wrong_order.any():
        lower = first[wrong_order][0]
        upper = last[wrong_order][0]
        raise OptionError(f"the limits are {lower:g} and {upper:g}; give the lower one first")
    # Where a rate is 0 the precision is constant, and the formula would divide by 0: any rates will do there.
    constant = (given_tpr == 0) | (given_fpr == 0)
    a = np.where(constant, 1.0, given_tpr)
    b = np.where(constant, 1.0, given_fpr)
    middle = (first + last) / 2
    half = (last - first) / 2
    centre = middle * a + (1 - middle) * b
    slope = (a - b) * half / centre
    at_first = first * a + (1 - first) * b
    at_last = last * a + (1 - last) * b
    mean = fraction_mean(middle, half, slope, first=at_first, last=at_last)
    return with_limits(a / centre * mean, given_tpr, given_fpr)


PRIOR = Prior(
    help="every prevalence as likely as any other",
    distribution=uniform,
    mean_precision=integrated_precision,
)
