"""Clustered items, as lines of a page: how far a number may be off, given how few clusters there are."""

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

GROUPS = 1000
"""Up to so many clusters are left out one by one; of more, as many random groups of them."""
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
    ones = coo_array(
        (np.ones(size), (group, np.arange(size))), shape=(int(group.max(initial=-1)) + 1, size)
    )
    each = np.asarray((ones.tocsr() @ units.parts).todense())
    total = each.sum(axis=0, keepdims=True)
    whole, alone, rest = (totals_of(sums, units.labels) for sums in (total, each, total - each))
    return Deleted(whole, alone, rest, what)


def grouped(clusters: int, *, seed: int) -> tuple[Ints, str]:
    """Return the group of each cluster, its own where there are not too many, and what is left out one by one."""
    if clusters <= GROUPS:
        return np.arange(clusters), f"{clusters:,} cluster{'s' * (clusters != 1)}"
    group = np.random.default_rng(seed).permutation(clusters) % GROUPS
    return group, f"{GROUPS:,} groups of {clusters:,} clusters (seed={seed})"


def jackknife(
    quantity: Quantity,
    units: Deleted,
    *,
    items: int,
    weighted: bool = False,
    level: float = 0.95,
    side: Side = "both",
) -> Interval:
    """Where does the number lie, if items are clustered and there are few clusters of them?

    On the scale of the log odds l = log(v / (1-v)), v the number as a part of its range: l ± t s / (v (1-v)),
    s² = (k-1)/k Σ (v(i) - v)², v(i) the number without cluster i, and t Student's quantile with k - 1 degrees of
    freedom, k the clusters in which there is anything to count. t s is not taken to be less than z √(v (1-v) / n), as
    of n independent items, z the normal quantile. Where v is 0 or 1 there is no spread to see, and g^(1/k) bounds it,
    as if each cluster were one trial. Of a single cluster nothing is known. A number without an end to its range is
    bounded on its own scale, v ± t s. Approximate; how well it holds is shown by bench/coverage/clusters.py.
    Reference: Bell, McCaffrey, Bias reduction in standard errors for linear regression with multi-stage samples, Survey
    Methodology 28, 2002; Tukey, Bias and confidence in not quite large samples, Annals of Mathematical Statistics 29,
    1958.
    """
    value = values(quantity, units.whole)[0]
    without = values(quantity, units.without)
    number = _concerned(quantity, units.each).sum(axis=0)
    unknown = np.isnan(value) | np.isnan(without).any(axis=0) | (number < 2)
    k = np.maximum(number, 2)
    method = f"jackknife over {units.what}"
    if not np.isfinite(quantity.high - quantity.low):
        low, high = _plain_ends(quantity, value, without, k, level=level, side=side)
    else:
        trials = np.maximum(_trials(quantity, units.whole, items, weighted=weighted), 1)
        low, high = _ends_by_log_odds(
            quantity, value, without, unknown, k, trials, level=level, side=side
        )
    low = np.where(unknown, quantity.low, low)
    high = np.where(unknown, quantity.high, high)
    return Interval(low, high, level, method)


def _ends_by_log_odds(
    quantity: Quantity,
    value: FloatArray,
    without: FloatArray,
    unknown: npt.NDArray[np.bool_],
    k: Ints,
    trials: FloatArray,
    *,
    level: float,
    side: Side,
) -> tuple[FloatArray, FloatArray]:
    """Return both ends of a number in a range, by the log odds of its part of the range."""
    from scipy.special import expit, logit, ndtri, stdtrit  # noqa: PLC0415 (wanted only here)

    bottom, width = quantity.low, quantity.high - quantity.low
    value = (value - bottom) / width
    without = (without - bottom) / width
    inside = ~unknown & (value > 0) & (value < 1)
    v = np.where(inside, value, 0.5)
    spread = np.sqrt((k - 1) / k * np.where(inside, ((without - v) ** 2), 0.0).sum(axis=0))
    least = np.sqrt(v * (1 - v) / trials)
    ends = []
    for tail, sign, end in zip(tails(level, side), (-1, 1), (0.0, 1.0), strict=True):
        if not tail:
            ends.append(np.full(np.shape(v), end))
            continue
        reach = np.maximum(stdtrit(k - 1, 1 - tail) * spread, -ndtri(tail) * least) / (v * (1 - v))
        bound = expit(logit(v) + sign * reach)
        rest = np.minimum(k, trials)
        edge = np.where(value == end, end, np.abs(end - tail ** (1 / rest)))
        ends.append(np.where(inside, bound, edge))
    return bottom + width * ends[0], bottom + width * ends[1]


def _plain_ends(
    quantity: Quantity,
    value: FloatArray,
    without: FloatArray,
    k: Ints,
    *,
    level: float,
    side: Side,
) -> tuple[FloatArray, FloatArray]:
    """Return both ends of a number without an end to its range."""
    from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

    spread = np.sqrt((k - 1) / k * ((without - value) ** 2).sum(axis=0))
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
    """Where differences of two systems lie, and how likely chance alone makes them as large."""

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
    """How far do two systems lie apart, if items are clustered and there are few clusters of them?

    d ± t s, s² = (k-1)/k Σ (d(i) - d)², d the difference of the two values in `whole`, d(i) that without cluster i (a
    row of `without`), and t Student's quantile with k - 1 degrees of freedom, k the clusters that change a value, or
    all if none does; the p-value is that of d / s. Neither is taken to be surer than for a normal distribution of the
    variance `least`. Without any spread a share 1 - g^(1/k) of other clusters could have gone unseen, and the ends are
    where d would be if it were as small or as large as it can be in these: `width`, that of the number's range. Fewer
    than two clusters say nothing: [-width, width] and 1. Approximate.
    Reference: Bell, McCaffrey, Survey Methodology 28, 2002; Tukey, Annals of Mathematical Statistics 29, 1958.
    >>> found = gap_of_clusters(np.array([[0.7, 0.5]]), np.array([[[0.6, 0.5]], [[0.8, 0.5]]]), least=np.zeros(1))
    >>> round(float(found.p_value[0]), 4)
    0.2952
    """
    from scipy.special import ndtr, ndtri, stdtr, stdtrit  # noqa: PLC0415 (wanted only here)

    gap, spread, number = _spread(whole, without)
    k, tail = np.maximum(number, 2), (1 - level) / 2
    reach, seen = (
        np.maximum(stdtrit(k - 1, 1 - tail) * spread, -ndtri(tail) * np.sqrt(least)),
        tail ** (1 / k),
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        chances = 2 * np.maximum(
            stdtr(k - 1, -np.abs(gap) / spread), ndtr(-np.abs(gap) / np.sqrt(least))
        )
    p_value = np.where(gap == 0, 1.0, chances)
    low = np.where(reach > 0, np.maximum(gap - reach, -width), seen * (width + gap) - width)
    high = np.where(reach > 0, np.minimum(gap + reach, width), width - seen * (width - gap))
    unknown = number < 2
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
    """How surprising is the difference of two systems, if the first is smaller by the margin or more?

    As in `gap_of_clusters`, with d + margin for d and on one side; but no less than (1 - m)^k, m the margin as a part
    of the range, since so likely is it that k clusters show nothing of a loss in that share of all. Fewer than two
    clusters say nothing: 1. Approximate.
    """
    from scipy.special import ndtr, stdtr  # noqa: PLC0415 (wanted only here)

    gap, spread, number = _spread(whole, without)
    k = np.maximum(number, 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        chances = np.maximum(
            stdtr(k - 1, -(gap + margin) / spread), ndtr(-(gap + margin) / np.sqrt(least))
        )
    found = np.maximum(np.where(gap + margin == 0, 1.0, chances), (1 - margin / width) ** k)
    return np.asarray(np.where(number < 2, 1.0, found))


def _spread(whole: FloatArray, without: FloatArray) -> tuple[FloatArray, FloatArray, Ints]:
    """Return the differences, how far they spread, and the number of clusters that change a value (all if none)."""
    gap, gaps = (part[..., 0] - part[..., 1] for part in (whole, without))
    moving = (without != whole).any(axis=-1).sum(axis=0)
    number = np.where(moving, moving, len(without))
    k = np.maximum(number, 2)
    return gap, np.sqrt((k - 1) / k * ((gaps - gap) ** 2).sum(axis=0)), number


def _concerned(quantity: Quantity, each: Totals) -> npt.NDArray[np.bool_]:
    """Return in which clusters there is anything that the number counts."""
    found = evaluate(quantity, each)
    if isinstance(found, Share):
        return np.asarray(found.trials > 0)
    if isinstance(found, Cells):
        return np.asarray(found.hits + found.missed + found.false > 0)
    return np.ones(np.shape(found), bool)


def _trials(quantity: Quantity, whole: Totals, items: int, *, weighted: bool) -> FloatArray:
    """Return how many independent trials there are at the most; sums of weights are none."""
    found = evaluate(quantity, whole)
    if isinstance(found, Share) and not weighted:
        return np.asarray(found.trials[0])
    return np.asarray(float(items))
