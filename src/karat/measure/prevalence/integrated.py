"""Mean precision where the class balance is only known to lie in a range: points, curves, areas and their limits."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence.pr_curve import WORST, Rises, Roc, areas, joined, losses, rises
from karat.measure.prevalence.precision_at import (
    Achievable,
    against_minimum,
    at_the_ends,
    check_rate,
    check_skew,
    precision_at,
)
from karat.measure.prevalence.priors import Spread, uniform
from karat.numeric.arrays import FloatArray
from karat.numeric.fraction_mean import fraction_mean


def integrated_precision(
    tpr: npt.ArrayLike, fpr: npt.ArrayLike, *, low: npt.ArrayLike, high: npt.ArrayLike
) -> FloatArray:
    """What is the mean precision, if any skew from low to high is as likely as any other?

    a/c - ab / (c² (pi2 - pi1)) ln(L(pi2) / L(pi1)), L(p) = p a + (1 - p) b, a = TPR, b = FPR, c = a - b, in the form
    of `fraction_mean`, which loses no digits for c near 0 and b near 0. 1 for b = 0, 0 for a = 0, NaN for both. low =
    high gives the precision there. Depends on the rates only, not on the balance of the data they come from.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 3. doi:10.1007/s10994-013-5432-x
    >>> float(integrated_precision(0.8, 0.3, low=1 / 101, high=0.5).round(4))
    0.4448
    """
    given = check_rate("TPR", tpr), check_rate("FPR", fpr), check_skew("the lower limit", low)
    a, b, first, last = np.broadcast_arrays(*given, check_skew("the upper limit", high))
    if (bad := first > last).any():
        raise OptionError(
            f"the limits are {first[bad][0]:g} and {last[bad][0]:g}; give the lower one first"
        )
    middle, half = (first + last) / 2, (last - first) / 2
    a, b = (np.where((a == 0) | (b == 0), 1.0, rate) for rate in (a, b))
    lows, highs, centre = (share * a + (1 - share) * b for share in (first, last, middle))
    mean = fraction_mean(middle, half, (a - b) * half / centre, first=lows, last=highs)
    return at_the_ends(a / centre * mean, *np.broadcast_arrays(*given[:2], first)[:2])


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
    wide = np.asarray(high, np.float64) - np.asarray(low, np.float64)
    return np.asarray(landgrebe_precision(tpr, fpr, low=low, high=high) * wide)


def landgrebe_precision(
    tpr: npt.ArrayLike, fpr: npt.ArrayLike, *, low: npt.ArrayLike, high: npt.ArrayLike
) -> FloatArray:
    """What is the mean precision, if any ratio of negatives to positives from low to high is as likely as any other?

    Landgrebe's integral over l2 - l1: the weight 1/pi² on skews, so rare positives weigh most.
    Reference: Landgrebe, Paclik, Duin, Bradley, ICPR 2006. doi:10.1109/ICPR.2006.941
    >>> float(landgrebe_precision(0.8, 0.3, low=1, high=100).round(4))
    0.0898
    """
    first, last = np.asarray(low, np.float64), np.asarray(high, np.float64)
    if not np.all((first >= 0) & (first <= last) & (last < np.inf)):
        raise OptionError(
            f"the ratios are {low!r} and {high!r}; give two finite ratios of counts, the lower one first"
        )
    a, b = check_rate("TPR", tpr), check_rate("FPR", fpr)
    with np.errstate(invalid="ignore", divide="ignore"):
        start = a + first * b
        share = (last - first) * b / start
        found = a / start * np.where(share > 0, np.log1p(share) / share, 1.0)
    return at_the_ends(found, a, b)


def precision_over(tpr: npt.ArrayLike, fpr: npt.ArrayLike, spread: Spread) -> FloatArray:
    """What is the mean precision over these skews, each with its weight?

    The sum of w P(pi) over the nodes of the spread. NaN if TPR = FPR = 0.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3.2. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.priors import gaussian
    >>> float(precision_over(0.998, 0.07, gaussian(0.309, 0.055)).round(6))
    0.859799
    """
    a, b = np.broadcast_arrays(check_rate("TPR", tpr), check_rate("FPR", fpr))
    total = np.zeros(a.shape)
    for pi, weight in zip(spread.pi, spread.weight, strict=True):
        total += weight * precision_at(a, b, pi=pi)
    return total


def area_over(curve: Roc, spread: Spread) -> float:
    """What is the area under the curve of mean precision against recall?

    The mean over the skews of the area at each: the order of the two integrals does not matter.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 18, exact. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> round(area_over(roc_of([0.8], [0.2]), uniform(0.0, 0.5)), 4)
    0.4832
    """
    return _mean(joined(rises(curve)), spread)


def _mean(parts: Rises, spread: Spread) -> float:
    return float((spread.weight * areas(parts, spread.pi)).sum())


def integrated_area(curve: Roc, *, low: float, high: float) -> float:
    """What is the area under the curve of mean precision, if any skew from low to high is as likely as any other?

    The closed form of the area at one skew, by Gauss-Legendre over skews.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section C.2. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> round(integrated_area(roc_of([], []), low=0.2, high=0.6), 12)
    0.4
    """
    return area_over(curve, uniform(low, high))


def minimum_over(spread: Spread) -> float:
    """How small can the area be over these skews?

    The mean of 1 + (1 - pi) ln(1 - pi) / pi; over a range, eq 20.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 9. doi:10.1007/s10994-013-5432-x
    >>> round(minimum_over(uniform(0.0, 0.5)), 4)
    0.1424
    """
    return _mean(WORST, spread)


def random_over(spread: Spread) -> float:
    """What area has a classifier that scores at random? The mean of the skews.

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 10. doi:10.1007/s10994-013-5432-x
    >>> round(random_over(uniform(0.2, 0.6)), 12)
    0.4
    """
    return float((spread.weight * spread.pi).sum())


def achievable_over(precision: float, recall: float, spread: Spread) -> Achievable:
    """Can any system have this mean precision at this recall over these skews?

    Possible if it is at least the mean of pi R / (pi R + 1 - pi).
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 8. doi:10.1007/s10994-013-5432-x
    >>> achievable_over(0.2, 1.0, uniform(0.0, 0.5)).possible
    False
    """
    return against_minimum(precision, recall, float(precision_over(recall, 1.0, spread)))


@dataclass(frozen=True, slots=True)
class Integrated:
    """The area over a range of skews, its limits, what chance has, and the areas at both ends of the range."""

    low: float
    high: float
    area: float
    minimum: float
    normalised: float | None
    random: float
    at_low: float
    at_high: float
    weight: str


def integrated(curve: Roc, spread: Spread) -> Integrated:
    """How good is a system over these skews, and how much does that depend on the skew?

    Normalised is (area - minimum) / (1 - minimum), None where nothing can be won; at_low and at_high are the areas at
    the ends of the range.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 21. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> found = integrated(roc_of([0.8], [0.2]), uniform(0.0, 0.5))
    >>> round(found.area, 4), round(found.normalised, 4), found.at_low, round(found.at_high, 4)
    (0.4832, 0.3975, 0.0, 0.7632)
    """
    parts = joined(rises(curve))
    area, least = _mean(parts, spread), minimum_over(spread)
    room = float((spread.weight * losses(WORST, spread.pi)).sum())
    at_low, at_high = areas(parts, [spread.low, spread.high]).tolist()
    won = (area - least) / room if room > 0 else None
    return Integrated(
        spread.low, spread.high, area, least, won, random_over(spread), at_low, at_high, spread.name
    )
