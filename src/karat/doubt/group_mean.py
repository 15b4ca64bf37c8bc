"""The mean of a measure over groups of items: of these groups, or of groups like these."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from karat.doubt.bounds.exact import exact_of_effective
from karat.doubt.bounds.jeffreys import jeffreys
from karat.doubt.bounds.wilson import wilson
from karat.doubt.interval import Interval, Side, tails
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray

MeanOver = Literal["these", "like-these"]
THESE: MeanOver = "these"
LIKE_THESE: MeanOver = "like-these"
FEW = 200
SMALL = 5
"""Groups of fewer items may show no spread by chance."""
ROUNDING = 1e-12
THESE_CAUTION = (
    f"(mean): approximate with fewer than {FEW} items; that of accuracies covered 0.95 or more in all settings tried, "
    "that of error rates of five groups of ten texts 0.92 instead of 0.95."
)
OF_EFFECTIVE = {"exact": exact_of_effective, "wilson": wilson, "jeffreys": jeffreys}
"""Bounds that take a number of items that is not whole."""


@dataclass(frozen=True, slots=True, eq=False)
class GroupValues:
    """A measure in each group: a row a group, a column a class; the first axis is that of the groups."""

    value: FloatArray
    """NaN where it is undefined."""
    variance: FloatArray
    """Its variance within the group; not looked at where there is one unit."""
    units: FloatArray
    """How many independent items, or clusters of them, it rests on."""

    @classmethod
    def stacked(cls, groups: Sequence["GroupValues"]) -> "GroupValues":
        """Return single groups as one."""
        return cls(
            np.array([group.value for group in groups]),
            np.array([group.variance for group in groups]),
            np.array([group.units for group in groups]),
        )


def check_mean_over(mean_over: str) -> None:
    """Refuse a word that is not a kind of groups.

    >>> check_mean_over("all")
    Traceback (most recent call last):
    karat.errors.OptionError: mean_over= is 'all'; it takes these or like-these
    """
    if mean_over not in {THESE, LIKE_THESE}:
        raise OptionError(f"--mean-over is {mean_over!r}; it takes {THESE} or {LIKE_THESE}")


def mean_of_groups(groups: GroupValues) -> FloatArray:
    """Return the mean over the groups in which the measure is defined, NaN where there is none."""
    known = ~np.isnan(groups.value)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(known, groups.value, 0.0).sum(axis=0) / known.sum(axis=0))


def mean_of_these_groups(
    groups: GroupValues,
    *,
    low: float = 0.0,
    high: float = 1.0,
    bound: str = "exact",
    level: float = 0.95,
    side: Side = "both",
) -> Interval:
    """Interval of the mean over these very groups, if other items of them had been drawn.

    V = Σ v / G², v the variance within each of G groups; groups of one item have none and take that between them,
    which is not smaller; a single one takes m(1-m), m the mean. Where k items of groups of one, or of fewer than
    five, show no spread at all, it is that of a share (v k + 1) / (k + 2), v their mean. V is shrunk towards that of
    as many items of one kind, m(1-m) / (N-1) with N = G² / Σ 1/n, as if that were one degree of freedom beside
    Satterthwaite's of V. The bound is that of a share m of m(1-m) / V + 1 items; where m is 0 or 1, of N items. Groups
    in which the measure is undefined are left out.
    A measure without an end to its range is bounded by the normal distribution. Approximate.
    Reference: Korn, Graubard, Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data, Survey Methodology 24, 1998; the groups of one item as collapsed strata: Cochran,
    Sampling Techniques, Wiley 1977, section 5A.12.
    >>> ones = np.repeat([1.0, 0.0], 50)
    >>> found = mean_of_these_groups(GroupValues(ones, np.zeros(100), np.ones(100)))
    >>> print(found.low.round(3), found.high.round(3))
    0.398 0.602
    """
    known = ~np.isnan(groups.value)
    number = known.sum(axis=0)
    mean = mean_of_groups(groups)
    spread = _spread_within(groups, known, mean, low, high)
    method = f"{bound}, by the spread within these {int(number.max(initial=0))} groups"
    if not np.isfinite(high - low):
        ends = _by_normal(mean, np.sqrt(spread.variance), low, high, level, side)
    else:
        share = np.clip((mean - low) / (high - low), 0.0, 1.0)
        effective = _effective(share, spread, high - low)
        defined = np.where(number > 0, share, 0.0)
        by_share = OF_EFFECTIVE[bound](defined * effective, effective, level=level, side=side)
        ends = (low + (high - low) * by_share.low, low + (high - low) * by_share.high)
    nowhere = number == 0
    items = np.where(known, groups.units, 0.0).sum(axis=0)
    caution = THESE_CAUTION if items.min(initial=np.inf) < FEW else ""
    low_ends = np.where(nowhere, low, ends[0])
    high_ends = np.where(nowhere, high, ends[1])
    return Interval(low_ends, high_ends, level, method, caution)


def mean_of_groups_like_these(
    groups: GroupValues,
    *,
    low: float = 0.0,
    high: float = 1.0,
    level: float = 0.95,
    side: Side = "both",
) -> Interval:
    """Interval of the mean over all groups of the kind that these were drawn from.

    m ± t s / √G, m the mean and s the standard deviation of the values of G groups, t Student's quantile with G - 1
    degrees of freedom, cut at the ends of the range. Without any spread g^(1/G) of the range bounds it, as if each
    group were one trial; a single group gives the whole range. Assumes that the groups were drawn at random.
    >>> found = mean_of_groups_like_these(GroupValues(np.array([0.2, 0.4, 0.6]), np.zeros(3), np.ones(3)))
    >>> print(found.low.round(3), found.high.round(3))
    0.0 0.897
    """
    from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

    known = ~np.isnan(groups.value)
    number = known.sum(axis=0)
    mean = mean_of_groups(groups)
    squares = np.where(known, (groups.value - mean) ** 2, 0.0).sum(axis=0)
    freedom = np.maximum(number - 1, 1)
    error = np.sqrt(squares / freedom / np.maximum(number, 1))
    unknown = number < 2
    below, above = tails(level, side)
    bottom = np.full(mean.shape, low)
    top = np.full(mean.shape, high)
    seen_below = below ** (1 / np.maximum(number, 1))
    seen_above = above ** (1 / np.maximum(number, 1))
    if below:
        by_spread = np.maximum(low, mean + stdtrit(freedom, below) * error)
        bottom = np.where(error > 0, by_spread, low + (mean - low) * seen_below)
    if above:
        by_spread = np.minimum(high, mean - stdtrit(freedom, above) * error)
        top = np.where(error > 0, by_spread, high - (high - mean) * seen_above)
    method = f"Student's t over {int(number.max(initial=0))} groups, for groups like these"
    return Interval(np.where(unknown, low, bottom), np.where(unknown, high, top), level, method)


@dataclass(frozen=True, slots=True, eq=False)
class _Spread:
    """The variance of a mean over groups, as far as the groups show it."""

    variance: FloatArray
    freedom: FloatArray
    alike: FloatArray
    """As many items of one kind would have the same variance, if all groups were alike."""


def _spread_within(
    groups: GroupValues, known: BoolArray, mean: FloatArray, low: float, high: float
) -> _Spread:
    """Return the variance of the mean from that within groups, and between groups of one item.

    The degrees of freedom are Satterthwaite's, as if every item had the same variance: what is hardly known of single
    items is not made certain by the many of another group, which hardly add to the variance.
    """
    number = np.maximum(known.sum(axis=0), 1)
    single = known & (groups.units < 2)
    several = known & ~single
    of_several = np.where(several, groups.variance, 0.0).sum(axis=0)
    of_several = of_several + _unseen_spread(groups, several & (groups.units < SMALL), low, high)
    singles = single.sum(axis=0)
    of_singles = _variance_of_singles(np.where(single, groups.value, np.nan), mean, low, high)
    units = np.maximum(groups.units, 1)
    inverse = np.where(known, 1 / units, 0.0).sum(axis=0)
    squared = np.where(several, 1 / (units**2 * np.maximum(units - 1, 1)), 0.0).sum(axis=0)
    squared = squared + singles**2 / np.maximum(singles - 1, 1)
    only_one = (singles == 1) & (number == 1)
    freedom = np.where(only_one | (squared == 0), 0.0, inverse**2 / np.where(squared, squared, 1.0))
    alike = number**2 / np.where(inverse > 0, inverse, 1.0)
    return _Spread((of_several + of_singles) / number**2, freedom, alike)


def _unseen_spread(groups: GroupValues, small: BoolArray, low: float, high: float) -> FloatArray:
    """Return the variance of the sum of small groups none of which shows any, 0 where one does.

    It is that of a share (v k + 1) / (k + 2), v the mean of their k items.
    """
    items = np.where(small, groups.units, 0.0)
    number = items.sum(axis=0)
    seen = np.where(small, groups.variance, 0.0).sum(axis=0)
    width = high - low
    if not np.isfinite(width):
        return np.zeros(number.shape)
    sums = np.where(small, items * (np.nan_to_num(groups.value) - low) / width, 0.0).sum(axis=0)
    share = (sums + 1) / (number + 2)
    inverse = np.where(small, 1 / np.maximum(groups.units, 1), 0.0).sum(axis=0)
    unseen = share * (1 - share) * width**2 * inverse
    return np.where((number > 0) & (seen <= ROUNDING), unseen, 0.0)


def _variance_of_singles(
    values: FloatArray, mean: FloatArray, low: float, high: float
) -> FloatArray:
    """Return the variance of the sum of groups of one item, from that between them; NaN is no such group.

    A single one is given the largest that an item can have. Where all have the same value v they show no spread, and
    are given that of a share (v k + 1) / (k + 2) of their number k.
    """
    number = (~np.isnan(values)).sum(axis=0)
    own_mean = np.nansum(values, axis=0) / np.maximum(number, 1)
    squares = np.nansum((values - own_mean) ** 2, axis=0)
    between = number * squares / np.maximum(number - 1, 1)
    width = high - low
    if not np.isfinite(width):
        return np.where(number > 1, between, 0.0)
    most = (mean - low) * (high - mean)
    share = ((own_mean - low) / width * number + 1) / (number + 2)
    same = number * share * (1 - share) * width**2
    several = np.where(squares > ROUNDING, between, same)
    return np.where(number > 1, several, np.where(number == 1, most, 0.0))


def _effective(share: FloatArray, spread: _Spread, width: float) -> FloatArray:
    """Return how many independent items of one kind would be as uncertain as the mean is."""
    product = share * (1 - share)
    if_alike = product / np.maximum(spread.alike - 1, 1e-9)
    own = spread.variance / width**2
    variance = (spread.freedom * own + if_alike) / (spread.freedom + 1)
    inside = product > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        by_variance = product / variance + 1
    return np.where(inside, by_variance, spread.alike)


def _by_normal(
    mean: FloatArray, error: FloatArray, low: float, high: float, level: float, side: Side
) -> tuple[FloatArray, FloatArray]:
    from scipy.special import ndtri  # noqa: PLC0415 (wanted only here)

    below, above = tails(level, side)
    bottom = np.full(mean.shape, low)
    top = np.full(mean.shape, high)
    if below:
        bottom = np.maximum(low, mean + ndtri(below) * error)
    if above:
        top = np.minimum(high, mean - ndtri(above) * error)
    return bottom, top
