"""How sure the areas of systems are by each level of annotators' agreement, and how sure their order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from karat.doubt.bounds.log_odds import log_odds_ends
from karat.doubt.prevalence.curve_cells import areas_of_rows
from karat.doubt.resampling.jackknife import grouped
from karat.doubt.resampling.left_out_curves import variance_without
from karat.measure.curves import roc_areas
from karat.measure.of_scores.roc_area import roc_area
from karat.measure.prevalence.agreement_levels import Correlation, level_curves
from karat.measure.prevalence.distribution import PrevalenceDistribution, single
from karat.measure.prevalence.pr_curve import areas, joined, rises, roc
from karat.numeric.arrays import FloatArray
from karat.tally.scores.annotator_marks import Marks
from karat.tally.scores.curve import Curve, Ints

MOST_LEFT_OUT = 200
"""Up to so many clusters are left out one by one; of more, as many random groups of them."""
MOST_SCORES = 4096
"""Of more distinct scores, those that share a bin of as many items are one where clusters are left out."""
FEW_CLUSTERS = 50
CAUTION = (
    f"jackknife: approximate with fewer than {FEW_CLUSTERS} clusters; of 12 clusters of very different sizes "
    "it covered 0.92 instead of 0.95."
)


def level_values(curve: Curve, fields: Sequence[PrevalenceDistribution]) -> FloatArray:
    """Return the ROC area, the area at the curve's own prevalence, and those at deployment prevalences.

    >>> curve = Curve(np.array([2.0, 1.0]), np.array([3, 1]), np.array([1, 3]))
    >>> level_values(curve, [single(0.5)]).round(4).tolist()
    [0.75, 0.7116, 0.7116]
    """
    positives = int(curve.positive.sum())
    prevalence = positives / (positives + int(curve.negative.sum()))
    parts = joined(rises(roc(curve)))
    everywhere = (single(prevalence), *fields)
    found = [each.mean(areas(parts, each.pi)) for each in everywhere]
    return np.array([roc_area(curve), *found])


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """What a system has without each cluster, or group of clusters: by level, a row a cluster."""

    by_level: Mapping[int, FloatArray]
    clusters: int
    """How many are left out one by one."""


def without_clusters(
    marks: Marks, fields: Sequence[PrevalenceDistribution], *, seed: int = 0
) -> LeftOut:
    """Return the values by level without one cluster after the other; NaN where but one kind of items is left.

    >>> cluster = np.array([0, 0, 1, 1])
    >>> own = Marks(1, np.array([1, 0, 1, 0]), np.array([4.0, 3, 2, 1]), np.ones(4, int), cluster=cluster)
    >>> without_clusters(own, []).by_level[1][:, 0].tolist()
    [1.0, 1.0]
    """
    group = cluster_groups(marks, seed=seed)
    groups = int(group.max()) + 1
    coarse = _with_fewer_scores(marks)
    falling, place = np.unique(-coarse.score, return_inverse=True)
    cell = group * len(falling) + place
    whole = marks.level
    everything = _counted(cell, marks.number, groups, len(falling))
    by_level = {}
    for level in level_curves(coarse):
        yes = whole >= level
        positive = _counted(cell[yes], marks.number[yes], groups, len(falling))
        negative = everything - positive
        rest = positive.sum(axis=0) - positive, negative.sum(axis=0) - negative
        by_level[level] = _values_of_rows(*rest, fields)
    return LeftOut(by_level, groups)


def _counted(cell: Ints, number: Ints, groups: int, scores: int) -> FloatArray:
    """Return how many items of each group have each score."""
    sums = np.bincount(cell, number, minlength=groups * scores)
    return np.asarray(sums.reshape(groups, scores), np.float64)


def _values_of_rows(
    positive: FloatArray, negative: FloatArray, fields: Sequence[PrevalenceDistribution]
) -> FloatArray:
    """Return what `level_values` does for many curves at once; NaN where one kind of items is missing."""
    values = np.full((len(positive), 2 + len(fields)), np.nan)
    both = np.flatnonzero(positive.any(axis=1) & negative.any(axis=1))
    if not len(both):
        return values
    hits, false = positive[both], negative[both]
    values[both, 0] = roc_areas(hits, false)
    own = hits.sum(axis=1) / (hits + false).sum(axis=1)
    for row, prevalence in zip(both.tolist(), own.tolist(), strict=True):
        here = slice(row, row + 1)
        values[row, 1] = areas_of_rows(positive[here], negative[here], [prevalence])[0, 0]
    if fields:
        nodes = np.concatenate([field.pi for field in fields])
        found = areas_of_rows(hits, false, nodes)
        start = 0
        for place, field in enumerate(fields, 2):
            end = start + len(field.pi)
            values[both, place] = found[:, start:end] @ field.weight
            start = end
    return values


def cluster_groups(marks: Marks, *, seed: int = 0) -> Ints:
    """Return for each row which cluster, or group of clusters, is left out with it."""
    if marks.cluster is None:
        raise ValueError("the marks were counted without clusters")
    clusters = int(marks.cluster.max()) + 1
    group, _ = grouped(clusters, seed=seed, most=MOST_LEFT_OUT)
    return np.asarray(group[marks.cluster])


def _with_fewer_scores(marks: Marks) -> Marks:
    """Return the marks with scores in bins of about as many items each, where there are very many of them."""
    distinct, place = np.unique(marks.score, return_inverse=True)
    if len(distinct) <= MOST_SCORES:
        return marks
    below = np.bincount(place, marks.number).cumsum()
    bins = np.minimum(below * MOST_SCORES // below[-1], MOST_SCORES - 1)
    return marks.rescored(bins[place].astype(np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class ClusterEnds:
    """Both ends of the intervals of some areas."""

    low: FloatArray
    high: FloatArray


def cluster_intervals(value: FloatArray, without: FloatArray, *, level: float) -> ClusterEnds:
    """Intervals of areas where items are clustered: the jackknife on the scale of the log odds.

    l ± t s / (v (1-v)), l = log(v / (1-v)) of the area v, s² = (k-1)/k Σ (v(i) - v)², v(i) the area without cluster i,
    and t Student's quantile. Its degrees of freedom are Satterthwaite's, 2 k / (kurtosis - 1) of these differences, at
    most k - 1: a few clusters that move the area most make the spread itself unsure. An area of 0 or 1 has no spread:
    g^(1/k) bounds it, as if each cluster were one trial. [0, 1] where a cluster holds all items of one kind.
    Reference: Bell, McCaffrey, Survey Methodology 28, 2002; Tukey, Annals of Mathematical Statistics 29, 1958.
    >>> ends = cluster_intervals(np.array([0.8]), np.array([[0.78], [0.82], [0.8]]), level=0.95)
    >>> ends.low.round(3).tolist(), ends.high.round(3).tolist()
    ([0.682], [0.882])
    """
    k = len(without)
    variance = variance_without(value, without)
    freedom = _freedom(without - value)
    low = np.zeros(len(value))
    high = np.ones(len(value))
    for place, own in enumerate(value.tolist()):
        ends = log_odds_ends(
            own, float(variance[place]), freedom=float(freedom[place]), units=k, level=level
        )
        low[place], high[place] = ends
    return ClusterEnds(low, high)


def _freedom(moved: FloatArray) -> FloatArray:
    """Return the degrees of freedom of a spread, from how far each cluster moves a value; a row a cluster.

    With the kurtosis k Σ d⁴ / (Σ d²)² of normal differences, 3, it is k.
    >>> _freedom(np.array([[1.0], [-1.0], [1.0], [-1.0], [3.0], [-3.0]])).round(3).tolist()
    [5.0]
    """
    k = len(moved)
    squares = (moved**2).sum(axis=0)
    fourths = (moved**4).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        kurtosis = k * fourths / squares**2
        freedom = 2 * k / (kurtosis - 1)
    known = np.where(np.isnan(freedom), k - 1.0, freedom)
    return np.asarray(np.clip(known, 1.0, max(k - 1.0, 1.0)))


def clustered_correlation(whole: Correlation, without: Sequence[Correlation]) -> Correlation:
    """Return a correlation whose p-value allows for clusters: Fisher's z over the jackknife's standard error.

    z = atanh(r), s² = (k-1)/k Σ (z(i) - z)², z(i) without cluster i; z / s by Student's t with k - 1 degrees of
    freedom. Approximate. 1 where that cannot be said: fewer than two clusters, or one without which it is undefined.
    Reference: Fisher, Metron 1, 1921; Tukey, Annals of Mathematical Statistics 29, 1958.
    >>> each = [Correlation(r, 0.0, 9, "Pearson") for r in (0.5, 0.7, 0.6)]
    >>> round(clustered_correlation(Correlation(0.6, 0.0, 12, "Pearson"), each).p_value, 4)
    0.0641
    """
    values = [one.value for one in without if one.value is not None]
    k = len(without)
    if whole.value is None:
        return whole
    if len(values) < k or k < 2:
        return Correlation(whole.value, 1.0, whole.items, whole.method)
    ends = np.clip([whole.value, *values], -1 + 1e-15, 1 - 1e-15)
    z = np.arctanh(ends)
    error = np.sqrt(variance_without(z[0], z[1:]))
    if not error:
        return Correlation(whole.value, 1.0, whole.items, whole.method)
    p_value = float(2 * stdtr(k - 1, -abs(z[0]) / error))
    return Correlation(whole.value, p_value, whole.items, whole.method)
