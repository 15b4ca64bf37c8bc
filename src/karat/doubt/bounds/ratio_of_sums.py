"""Confidence interval of a ratio of sums over texts or items, such as an error rate, or of a difference of two."""

import math

import numpy as np

from karat.doubt.bounds.no_spread import ends_without_spread
from karat.doubt.interval import Interval, Side, tails
from karat.measure.ratios import Ratios
from karat.numeric.arrays import FloatArray

FEW, VERY_FEW = 100, 30
ROUNDING = 1e-12
SKEWED = (
    f"ratio: approximate with fewer than {FEW} texts or items, or clusters of one size; where one in ten is far worse "
    "than the others, which 35 % of all samples of 10 do not show, intervals from 10 covered 0.73 instead of 0.95, "
    "from 20 0.87; of clusters of very different sizes 0.91."
)
DIFFERENCE = (
    f"gain: its interval is approximate with fewer than {FEW} texts or items; where most texts have no errors and one "
    "system makes 40 % fewer, intervals from 20 covered 0.87 instead of 0.95."
)
WHOLE = 1.0
"""The error rate of a text that is wholly wrong."""


def ratio_of_sums(
    ratios: Ratios,
    *,
    low: float = 0.0,
    high: float = 1.0,
    level: float = 0.95,
    side: Side = "both",
    things: str = "items",
) -> Interval:
    """Interval of Σ a / Σ b over all units of the same kind, allowing for skewed ones.

    The influence of each unit, (a - R b) / (mean of b) / (1 - b / Σ b), has the standard deviation s and the skewness
    g; the ends are R - s h(± t), h(x) = (3/g) ((1 + g (x/√n - g/6n))^(1/3) - 1), cut at the ends of the range. t is
    Student's quantile with m - 1 degrees of freedom, m = (Σ b)² / Σ b² the number of units of one size that are worth
    as much (Kish). Approximate: independent units. Where no unit differs from the others, s is 0 and shows nothing; the
    ends are then those of `ends_without_spread`. Fewer than two units give the whole range. An end that is infinite,
    of an error rate, is put at 1, all wrong, or at the ratio if that is more.
    Reference: Hall, On the removal of skewness by transformation, Journal of the Royal Statistical Society B 54, 1992.
    doi:10.1111/j.2517-6161.1992.tb01876.x
    >>> rates = Ratios(np.array([[1.0], [2.0], [9.0]]), np.array([[50.0], [40.0], [60.0]]))
    >>> found = ratio_of_sums(rates, high=np.inf)
    >>> print(found.low.round(3), found.high.round(3))
    0.0 0.893
    """
    own = ratios.of(0)
    number = len(own.below)
    value = float(own.values[0])
    most = largest(high, value)
    if number < 2 or math.isnan(value):
        one = things.rstrip("s")
        method = f"one {one}" if number else f"no {one}"
        return Interval(np.array(low), np.array(most), level, method)
    below, above = tails(level, side)
    influences = own.influences()[:, 0]
    if np.abs(influences).max() <= ROUNDING * max(1.0, abs(value)):
        bottom, top = ends_without_spread(value, number, low=low, high=most, errors=(below, above))
        method = f"no spread over {number:,} {things}"
        return Interval(np.array(bottom), np.array(top), level, method)
    even = units_of_one_size(own)
    ends = skewed_ends(influences, value, below=below, above=above, freedom=max(1.0, even - 1))
    bottom = max(low, ends[0])
    top = min(high, ends[1]) if above else most
    caution = SKEWED if even < FEW else ""
    if even < VERY_FEW:
        caution = f"warning: the interval is {SKEWED.removeprefix('ratio: ')}"
    method = f"ratio over {number:,} {things}"
    return Interval(np.array(bottom), np.array(top), level, method, caution)


def largest(high: float, value: float) -> float:
    """Return the end of a range; all wrong, or the value if that is more, where it has none.

    >>> largest(1.0, 0.3), largest(np.inf, 0.3), largest(np.inf, 1.2)
    (1.0, 1.0, 1.2)
    """
    if math.isfinite(high):
        return high
    return WHOLE if math.isnan(value) else max(WHOLE, value)


def difference_of_ratios(
    ratios: Ratios, *, low: float = 0.0, high: float = 1.0, level: float = 0.95
) -> Interval:
    """Interval of the difference of two ratios of sums over the same units, the first less the second.

    Student's t on the difference of the two influences of each unit, which is less skewed than each of them: in
    simulations it covered better than a transformation, and was narrower. Where all of these are 0, a share of units
    could have gone unseen in which one system is at one end of the range and the other at the other.
    >>> rates = Ratios(np.array([[1.0, 2.0], [0.0, 3.0], [4.0, 9.0]]), np.full((3, 2), 50.0))
    >>> found = difference_of_ratios(rates, high=np.inf)
    >>> print(found.low.round(3), found.high.round(3))
    -0.182 0.062
    """
    from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

    number = len(ratios.below)
    first, second = ratios.values.tolist()
    difference = first - second
    width = high - low
    most = largest(width, abs(difference))
    if number < 2 or math.isnan(difference):
        return Interval(np.array(-most), np.array(most), level, "one unit")
    below, above = tails(level, "both")
    each = ratios.influences()
    influences = each[:, 0] - each[:, 1]
    if np.abs(influences).max() <= ROUNDING * max(1.0, abs(difference)):
        unseen = 1 - below ** (1 / number)
        bottom = difference - unseen * (most + difference)
        top = difference + unseen * (most - difference)
        return Interval(np.array(bottom), np.array(top), level, "no spread")
    error = float(np.sqrt((influences**2).sum())) / number
    reach = float(stdtrit(number - 1, 1 - above)) * error
    bottom = max(-width, difference - reach)
    top = min(width, difference + reach)
    return Interval(np.array(bottom), np.array(top), level, "difference of ratios")


def variance_of_ratio(ratios: Ratios) -> float:
    """Return the variance of Σ a / Σ b, from the influence of each unit; 0 where there are fewer than two."""
    own = ratios.of(0)
    number = len(own.below)
    if number < 2:
        return 0.0
    return float((own.influences() ** 2).sum()) / number**2


def units_of_one_size(own: Ratios) -> float:
    """Return how many units of one size are worth as much as these.

    >>> units_of_one_size(Ratios(np.ones((4, 1)), np.array([[1.0], [1.0], [1.0], [9.0]])))
    1.7142857142857142
    """
    sizes = own.below[:, 0]
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def skewed_ends(
    influences: FloatArray, value: float, *, below: float, above: float, freedom: float
) -> tuple[float, float]:
    """Return the ends of an interval around a value, from how far each unit pulls it; by Hall's transformation."""
    from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

    number = len(influences)
    spread = float(np.sqrt((influences**2).mean()))
    skewness = float((influences**3).mean()) / spread**3
    bottom = -np.inf
    top = np.inf
    if below:
        bottom = value - spread * _unskewed(-float(stdtrit(freedom, below)), skewness, number)
    if above:
        top = value - spread * _unskewed(float(stdtrit(freedom, above)), skewness, number)
    return bottom, top


def _unskewed(quantile: float, skewness: float, number: int) -> float:
    """Return the mean of so many skewed units, in standard deviations, that is as rare as a quantile of Student's t."""
    mean = quantile / math.sqrt(number)
    if abs(skewness) < 1e-6:
        return mean
    shifted = mean - skewness / (6 * number)
    return 3 / skewness * (float(np.cbrt(1 + skewness * shifted)) - 1)
