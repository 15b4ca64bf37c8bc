"""Confidence intervals for clustered items, as the lines of a page are, by the jackknife over clusters."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import Interval, Side, tails
from karat.doubt.resampling.bootstrap import Units, totals_of
from karat.measure.cells import Cells
from karat.measure.quantity import Quantity, evaluate, values
from karat.measure.share import Share
from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray

FEW = 100
CAUTION = (
    f"jackknife: approximate with fewer than {FEW} clusters; of clusters of very different sizes "
    "it covered 0.92 instead of 0.95."
)
GROUPS = 1000
"""Up to so many clusters are left out one by one; if there are more, as many random groups of them."""
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Deleted:
    """The margins of all clusters, of each, and of all but each; a row a cluster, or a group of them."""

    whole: Totals
    each: Totals
    without: Totals
    what: str


def deleted(units: Units, *, seed: int = 0) -> Deleted:
    """Return the margins that are left if one cluster after the other is left out."""
    from scipy.sparse import coo_array  # noqa: PLC0415 (wanted only here)

    size = len(units.number)
    group, what = grouped(size, seed=seed)
    groups = int(group.max(initial=-1)) + 1
    membership = coo_array((np.ones(size), (group, np.arange(size))), shape=(groups, size))
    each = np.asarray((membership.tocsr() @ units.parts).todense())
    total = each.sum(axis=0, keepdims=True)
    return Deleted(
        whole=totals_of(total, units.labels),
        each=totals_of(each, units.labels),
        without=totals_of(total - each, units.labels),
        what=what,
    )


def grouped(
    clusters: int, *, seed: int, most: int = GROUPS, things: str = "clusters"
) -> tuple[Ints, str]:
    """Return the group of each cluster, its own where there are not too many, and what is left out one by one."""
    most = min(most, GROUPS)
    if clusters == 1:
        return np.arange(1), "1 cluster"
    if clusters <= most:
        return np.arange(clusters), f"{clusters:,} {things}"
    group = np.random.default_rng(seed).permutation(clusters) % most
    return group, f"{most:,} groups of {clusters:,} {things} (seed={seed})"


def jackknife(
    quantity: Quantity,
    units: Deleted,
    *,
    items: int,
    weighted: bool = False,
    level: float = 0.95,
    side: Side = "both",
) -> Interval:
    """Interval of a measure where items are clustered, also if there are few clusters.

    On the scale of the log odds l = log(v / (1-v)), v the value as a part of its range: l ± t s / (v (1-v)),
    s² = (k-1)/k Σ (v(i) - v)², v(i) the value without cluster i, and t Student's quantile with k - 1 degrees of
    freedom, k the clusters in which there is anything to count. t s is not taken to be less than z √(v (1-v) / n), as
    of n independent items, z the normal quantile. Where v is 0 or 1 the clusters show no spread, and g^(1/k) bounds it,
    as if each cluster were one trial. A single cluster gives the whole range. A measure without an end to its range is
    bounded on its own scale, v ± t s. Approximate; its coverage is shown by bench/coverage/clusters.py.
    Reference: Bell, McCaffrey, Bias reduction in standard errors for linear regression with multi-stage samples, Survey
    Methodology 28, 2002; Tukey, Bias and confidence in not quite large samples, Annals of Mathematical Statistics 29,
    1958.
    """
    value = values(quantity, units.whole)[0]
    without = values(quantity, units.without)
    number = _clusters_that_count(quantity, units.each).sum(axis=0)
    undefined = np.isnan(value) | np.isnan(without).any(axis=0)
    unknown = undefined | (number < 2)
    sample = _LeftOut(value, without, np.maximum(number, 2), unknown)
    if not np.isfinite(quantity.high - quantity.low):
        low, high = _plain_ends(quantity, sample, level=level, side=side)
    else:
        trials = _trials(quantity, units.whole, items, weighted=weighted)
        trials = np.maximum(trials, 1)
        low, high = _ends_by_log_odds(quantity, sample, trials, level=level, side=side)
    low = np.where(unknown, quantity.low, low)
    high = np.where(unknown, quantity.high, high)
    caution = CAUTION if number.min(initial=FEW) < FEW else ""
    return Interval(low, high, level, f"jackknife over {units.what}", caution)


def variance_of_clusters(quantity: Quantity, units: Deleted) -> tuple[FloatArray, FloatArray]:
    """Return the jackknife's variance of a measure, and in how many clusters there is anything to count."""
    value = values(quantity, units.whole)[0]
    number = _clusters_that_count(quantity, units.each).sum(axis=0)
    k = np.maximum(number, 2)
    squares = np.nansum((values(quantity, units.without) - value) ** 2, axis=0)
    return np.asarray((k - 1) / k * squares), np.asarray(number, float)


@dataclass(frozen=True, slots=True, eq=False)
class _LeftOut:
    """A measure on all clusters, and without each of them; an entry a class."""

    value: FloatArray
    without: FloatArray
    """A row a cluster."""
    k: Ints
    """The clusters in which there is anything to count, at least two."""
    unknown: npt.NDArray[np.bool_]


def _ends_by_log_odds(
    quantity: Quantity, sample: _LeftOut, trials: FloatArray, *, level: float, side: Side
) -> tuple[FloatArray, FloatArray]:
    """Return both ends of a measure in a range, by the log odds of its part of the range."""
    from scipy.special import expit, logit, ndtri, stdtrit  # noqa: PLC0415 (wanted only here)

    bottom = quantity.low
    width = quantity.high - quantity.low
    value = (sample.value - bottom) / width
    without = (sample.without - bottom) / width
    k = sample.k
    inside = ~sample.unknown & (value > 0) & (value < 1)
    # At an end of the range the log odds are infinite: there 1/2 stands in, and the edge below replaces the result.
    v = np.where(inside, value, 0.5)
    squares = np.where(inside, (without - v) ** 2, 0.0).sum(axis=0)
    spread = np.sqrt((k - 1) / k * squares)
    least = np.sqrt(v * (1 - v) / trials)
    rest = np.minimum(k, trials)

    def end_of(tail: float, sign: int, end: float) -> FloatArray:
        if not tail:
            return np.full(np.shape(v), end)
        by_clusters = stdtrit(k - 1, 1 - tail) * spread
        by_items = -ndtri(tail) * least
        # d logit(v) / dv = 1 / (v (1-v)) takes the reach to the scale of the log odds.
        reach = np.maximum(by_clusters, by_items) / (v * (1 - v))
        bound = expit(logit(v) + sign * reach)
        edge = np.where(value == end, end, np.abs(end - tail ** (1 / rest)))
        return np.where(inside, bound, edge)

    below, above = tails(level, side)
    low = end_of(below, -1, 0.0)
    high = end_of(above, 1, 1.0)
    return bottom + width * low, bottom + width * high


def _plain_ends(
    quantity: Quantity, sample: _LeftOut, *, level: float, side: Side
) -> tuple[FloatArray, FloatArray]:
    """Return both ends of a measure without an end to its range."""
    from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

    value = sample.value
    k = sample.k
    squares = ((sample.without - value) ** 2).sum(axis=0)
    spread = np.sqrt((k - 1) / k * squares)
    below, above = tails(level, side)
    low = np.full(np.shape(value), quantity.low)
    high = np.full(np.shape(value), quantity.high)
    if below:
        low = np.maximum(low, value + stdtrit(k - 1, below) * spread)
    if above:
        high = np.minimum(high, value - stdtrit(k - 1, above) * spread)
    return low, high


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """The intervals of differences of two systems, and their p-values."""

    low: FloatArray
    high: FloatArray
    p_value: FloatArray


def gap_of_clusters(
    whole: FloatArray,
    without: FloatArray,
    *,
    least: FloatArray,
    level: float = 0.95,
    width: float = 1.0,
) -> Gap:
    """Interval and p-value of the difference of two systems where items are clustered, also if clusters are few.

    d ± t s, s² = (k-1)/k Σ (d(i) - d)², d the difference of the two values in `whole`, d(i) that without cluster i (a
    row of `without`), and t Student's quantile with k - 1 degrees of freedom, k the clusters that change a value, or
    all if none does; the p-value is that of d / s. Neither is taken to be narrower, or smaller, than for a normal
    distribution of the variance `least`. Without any spread a share 1 - g^(1/k) of other clusters could have gone
    unseen, and the ends are where d would be if it were as small or as large as it can be in these: `width`, that of
    the measure's range. Fewer than two clusters give [-width, width] and 1. Approximate.
    Reference: Bell, McCaffrey, Survey Methodology 28, 2002; Tukey, Annals of Mathematical Statistics 29, 1958.
    >>> whole = np.array([[0.7, 0.5]])
    >>> without = np.array([[[0.6, 0.5]], [[0.8, 0.5]]])
    >>> gap = gap_of_clusters(whole, without, least=np.zeros(1))
    >>> round(float(gap.p_value[0]), 4)
    0.2952
    """
    from scipy.special import ndtr, ndtri, stdtr, stdtrit  # noqa: PLC0415 (wanted only here)

    differences = _differences(whole, without)
    gap = differences.gap
    spread = differences.spread
    k = differences.k
    tail = (1 - level) / 2
    least_spread = np.sqrt(least)
    by_clusters = stdtrit(k - 1, 1 - tail) * spread
    by_items = -ndtri(tail) * least_spread
    reach = np.maximum(by_clusters, by_items)
    with np.errstate(invalid="ignore", divide="ignore"):
        p_by_clusters = stdtr(k - 1, -np.abs(gap) / spread)
        p_by_items = ndtr(-np.abs(gap) / least_spread)
    p_value = np.where(gap == 0, 1.0, 2 * np.maximum(p_by_clusters, p_by_items))
    # Without spread, the share of clusters that must have been seen takes the place of the reach.
    seen = tail ** (1 / k)
    low_unseen = seen * (width + gap) - width
    high_unseen = width - seen * (width - gap)
    low = np.where(reach > 0, np.maximum(gap - reach, -width), low_unseen)
    high = np.where(reach > 0, np.minimum(gap + reach, width), high_unseen)
    unknown = differences.number < 2
    return Gap(
        np.where(unknown, -width, low),
        np.where(unknown, width, high),
        np.where(unknown, 1.0, p_value),
    )


def no_worse_of_clusters(
    whole: FloatArray,
    without: FloatArray,
    *,
    least: FloatArray,
    margin: float,
    width: float = 1.0,
) -> FloatArray:
    """One-sided p-value of the difference of two systems, if the first is smaller by the margin or more.

    As in `gap_of_clusters`, with d + margin for d and on one side; but no less than (1 - m)^k, m the margin as a part
    of the range: the probability that k clusters show no loss that a share m of all clusters has. Fewer than two
    clusters give 1. Approximate.
    """
    from scipy.special import ndtr, stdtr  # noqa: PLC0415 (wanted only here)

    differences = _differences(whole, without)
    k = differences.k
    above_margin = differences.gap + margin
    with np.errstate(invalid="ignore", divide="ignore"):
        p_by_clusters = stdtr(k - 1, -above_margin / differences.spread)
        p_by_items = ndtr(-above_margin / np.sqrt(least))
    p_value = np.where(above_margin == 0, 1.0, np.maximum(p_by_clusters, p_by_items))
    smallest = (1 - margin / width) ** k
    p_value = np.maximum(p_value, smallest)
    return np.asarray(np.where(differences.number < 2, 1.0, p_value))


@dataclass(frozen=True, slots=True, eq=False)
class _Differences:
    """The differences of two systems, and how far they spread over clusters."""

    gap: FloatArray
    spread: FloatArray
    number: Ints
    """The clusters that change a value; all if none does."""
    k: Ints
    """Their number, at least two."""


def _differences(whole: FloatArray, without: FloatArray) -> _Differences:
    gap = whole[..., 0] - whole[..., 1]
    gaps = without[..., 0] - without[..., 1]
    moving = (without != whole).any(axis=-1).sum(axis=0)
    number = np.where(moving, moving, len(without))
    k = np.maximum(number, 2)
    squares = ((gaps - gap) ** 2).sum(axis=0)
    spread = np.sqrt((k - 1) / k * squares)
    return _Differences(gap, spread, number, k)


def _clusters_that_count(quantity: Quantity, each: Totals) -> npt.NDArray[np.bool_]:
    """Return in which clusters there is anything that the measure counts."""
    counted = evaluate(quantity, each)
    if isinstance(counted, Share):
        return np.asarray(counted.trials > 0)
    if isinstance(counted, Cells):
        return np.asarray(counted.hits + counted.missed + counted.false > 0)
    return np.ones(np.shape(counted), bool)


def _trials(quantity: Quantity, whole: Totals, items: int, *, weighted: bool) -> FloatArray:
    """Return how many independent trials there are at most; sums of weights are not trials."""
    counted = evaluate(quantity, whole)
    if isinstance(counted, Share) and not weighted:
        return np.asarray(counted.trials[0])
    return np.asarray(float(items))
