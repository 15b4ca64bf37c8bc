"""Every ratio of negatives to positives is as likely as any other, so that rare positives weigh most."""

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence.distribution import (
    PrevalenceDistribution,
    check_range,
    crowded_nodes,
)
from karat.measure.prevalence.precision_at import check_rate, with_limits
from karat.measure.prevalence.prior import Prior
from karat.numeric.arrays import FloatArray

NODES = 64


def landgrebe(low: float, high: float, *, nodes: int = NODES) -> PrevalenceDistribution:
    """Return the prevalences from low to high, the ratio of negatives to positives evenly spread.

    Weight 1/pi², normalised: its integral is 1/low - 1/high, so it must not begin at 0. Heavy on rare positives.
    Reference: Landgrebe, Paclik, Duin, Bradley, ICPR 2006. doi:10.1109/ICPR.2006.941
    >>> prevalences = landgrebe(1 / 101, 0.5)
    >>> float((prevalences.weight * prevalences.pi).sum().round(6))  # ln(101 / 2) / 99
    0.039616
    """
    check_range(low, high)
    if low == 0:
        raise OptionError(
            "Landgrebe's weight 1/pi² has no finite sum from prevalence 0; give a lower limit above 0"
        )
    share, weight = crowded_nodes(nodes)
    first = 1 / high
    last = 1 / low
    pi = 1 / (first + (last - first) * share)
    return PrevalenceDistribution(pi, weight, low, high, f"landgrebe({low:g}, {high:g})")


def landgrebe_integral(
    tpr: npt.ArrayLike, fpr: npt.ArrayLike, *, low: npt.ArrayLike, high: npt.ArrayLike
) -> FloatArray:
    """What is Landgrebe's integral of the precision over the ratio lambda of negatives to positives, as printed?

    The integral of TPR / (TPR + lambda FPR) from low to high, which are ratios here: (a/b) ln((a + l2 b) / (a + l1 b)).
    Not normalised: it grows with the range and may exceed 1.
    Reference: Landgrebe, Paclik, Duin, Bradley, ICPR 2006. doi:10.1109/ICPR.2006.941
    >>> float(landgrebe_integral(0.8, 0.3, low=1, high=100).round(4))
    8.8859
    """
    width = np.asarray(high, np.float64) - np.asarray(low, np.float64)
    return np.asarray(landgrebe_precision(tpr, fpr, low=low, high=high) * width)


def landgrebe_precision(
    tpr: npt.ArrayLike, fpr: npt.ArrayLike, *, low: npt.ArrayLike, high: npt.ArrayLike
) -> FloatArray:
    """What is the mean precision, if any ratio of negatives to positives from low to high is as likely as any other?

    Landgrebe's integral over l2 - l1: the weight 1/pi² on prevalences, so rare positives weigh most.
    Reference: Landgrebe, Paclik, Duin, Bradley, ICPR 2006. doi:10.1109/ICPR.2006.941
    >>> float(landgrebe_precision(0.8, 0.3, low=1, high=100).round(4))
    0.0898
    """
    first = np.asarray(low, np.float64)
    last = np.asarray(high, np.float64)
    if not np.all((first >= 0) & (first <= last) & (last < np.inf)):
        raise OptionError(
            f"the ratios are {low!r} and {high!r}; give two finite ratios of counts, the lower one first"
        )
    a = check_rate("TPR", tpr)
    b = check_rate("FPR", fpr)
    with np.errstate(invalid="ignore", divide="ignore"):
        start = a + first * b
        growth = (last - first) * b / start
        mean = a / start * np.where(growth > 0, np.log1p(growth) / growth, 1.0)
    return with_limits(mean, a, b)


PRIOR = Prior(
    help="every ratio of negatives to positives as likely as any other",
    distribution=landgrebe,
)
