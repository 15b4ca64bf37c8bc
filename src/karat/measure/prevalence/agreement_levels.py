"""Several annotators as several truths: what at least one, two, ... of them marked, and how scores follow agreement."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr, stdtr

from karat.errors import OptionError
from karat.numeric.arrays import FloatArray
from karat.tally.scores.annotator_marks import Marks
from karat.tally.scores.curve import Curve, Ints


def level_curves(marks: Marks) -> dict[int, Curve]:
    """Which curve has a system, if what at least k annotators marked is the truth, for each k?

    Where not all annotators looked at an item, as large a share of those who did. Levels that all items reach, or none
    does, have no curve and are left out.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 3. doi:10.1007/s10994-013-5432-x
    >>> found = level_curves(Marks(2, np.array([0, 1, 2]), np.array([0.1, 0.5, 0.5]), np.array([7, 2, 1])))
    >>> {level: curve.positive.tolist() for level, curve in found.items()}
    {1: [3, 0], 2: [1, 0]}
    """
    falling, place = np.unique(-marks.score, return_inverse=True)
    total = int(marks.number.sum())
    reached = marks.level
    curves = {}
    for level in range(1, marks.annotators + 1):
        yes = reached >= level
        if 0 < marks.number[yes].sum() < total:
            positive = _counts(place[yes], marks.number[yes], len(falling))
            negative = _counts(place[~yes], marks.number[~yes], len(falling))
            curves[level] = Curve(0.0 - falling, positive, negative)
    return curves


def _counts(place: Ints, number: Ints, size: int) -> Ints:
    return np.bincount(place, number, minlength=size).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation, the probability of one as strong by chance (two-sided), the number of items; None if undefined."""

    value: float | None
    p_value: float | None
    items: int
    method: str


def pearson(marks: Marks) -> Correlation:
    """How straight do scores rise with agreement?

    The correlation of the number of marks and the score; t = r √((n-2)/(1-r²)), with n - 2 degrees of freedom: exact
    for normal values, else approximate. Assumes independent items.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, table 1. doi:10.1007/s10994-013-5432-x
    >>> found = pearson(Marks(2, np.array([0, 1, 2]), np.array([1.0, 2.0, 2.5]), np.array([4, 3, 2])))
    >>> round(found.value, 4), found.items
    (0.9827, 9)
    """
    return _product_moment(marks.agreement, marks.score, marks.number, "Pearson")


def spearman(marks: Marks) -> Correlation:
    """How steadily do scores rise with agreement?

    Pearson's correlation of the ranks, ties with their mean rank; p by t, as there: approximate.
    Reference: Spearman, American Journal of Psychology 15, 1904. doi:10.2307/1412159
    >>> found = spearman(Marks(2, np.array([0, 1, 2]), np.array([1.0, 2.0, 900.0]), np.array([4, 3, 2])))
    >>> found.value
    1.0
    """
    rank_of_marks = _ranks(marks.agreement, marks.number)
    rank_of_score = _ranks(marks.score, marks.number)
    return _product_moment(rank_of_marks, rank_of_score, marks.number, "Spearman")


def _ranks(values: FloatArray | Ints, number: Ints) -> FloatArray:
    """Return the rank of each value, ties with their mean rank."""
    distinct, place = np.unique(values, return_inverse=True)
    counts = np.bincount(place, number, minlength=len(distinct))
    mean_rank = counts.cumsum() - (counts - 1) / 2
    return np.asarray(mean_rank[place])


def _product_moment(
    first: FloatArray, second: FloatArray, number: Ints, method: str
) -> Correlation:
    """Return Pearson's correlation of two columns, of which each row represents a number of items."""
    items = int(number.sum())
    x = first - (number @ first) / items
    y = second - (number @ second) / items
    scale = np.sqrt((number @ x**2) * (number @ y**2))
    if items < 3 or not np.isfinite(scale) or scale <= 0:
        return Correlation(None, None, items, method)
    value = float(np.clip((number @ (x * y)) / scale, -1.0, 1.0))
    with np.errstate(divide="ignore"):
        t = abs(value) * np.sqrt((items - 2) / np.float64(1 - value**2))
    p_value = float(2 * stdtr(items - 2, -t))
    return Correlation(value, p_value, items, method)


def kendall(marks: Marks) -> Correlation:
    """How much likelier does the item with more marks have the higher score than the lower one?

    tau-b: (concordant - discordant pairs) / √(pairs not tied in marks x pairs not tied in score); p by the normal
    approximation with its variance under ties. Whole numbers throughout, from counts: as fast for a million items.
    Reference: Kendall, Rank Correlation Methods, Griffin 1970, chapters 3 and 4.
    >>> found = kendall(Marks(2, np.array([0, 1, 2]), np.array([1.0, 2.0, 2.0]), np.array([4, 3, 2])))
    >>> round(found.value, 4)
    0.8771
    """
    items = int(marks.number.sum())
    _, level = np.unique(marks.agreement, return_inverse=True)
    _, score = np.unique(marks.score, return_inverse=True)
    level_ties = _Ties(_counts(level, marks.number, 0))
    score_ties = _Ties(_counts(score, marks.number, 0))
    pairs = items * (items - 1) // 2
    if items < 3 or pairs in {level_ties.pairs, score_ties.pairs}:
        return Correlation(None, None, items, "Kendall")
    excess = _excess(level, score, marks.number)
    level_untied = np.sqrt(float(pairs - level_ties.pairs))
    score_untied = np.sqrt(float(pairs - score_ties.pairs))
    value = float(excess / level_untied / score_untied)
    deviation = np.sqrt(_variance(items, level_ties, score_ties))
    p_value = float(2 * ndtr(-abs(excess / deviation)))
    return Correlation(value, p_value, items, "Kendall")


def _excess(level: Ints, score: Ints, number: Ints) -> int:
    """Return the concordant less the discordant pairs: each level against all lower ones, score by score."""
    lower = np.zeros(int(score.max()) + 1, np.int64)
    total = 0
    for each in range(int(level.max()) + 1):
        at_level = level == each
        here = _counts(score[at_level], number[at_level], len(lower))
        scoring_less = lower.cumsum() - lower
        scoring_more = lower.sum() - lower.cumsum()
        total += int((here * (scoring_less - scoring_more)).sum())
        lower += here
    return total


@dataclass(frozen=True, slots=True, eq=False)
class _Ties:
    """How many items have each distinct value."""

    number: Ints

    @property
    def pairs(self) -> int:
        """How many pairs of items are tied."""
        return int((self.number * (self.number - 1) // 2).sum())

    @property
    def triples(self) -> float:
        """Six times the number of tied triples."""
        t = self.number.astype(np.float64)
        return float((t * (t - 1) * (t - 2)).sum())

    @property
    def correction(self) -> float:
        """What ties take off 18 times the variance."""
        t = self.number.astype(np.float64)
        return float((t * (t - 1) * (2 * t + 5)).sum())


def _variance(items: int, first: _Ties, second: _Ties) -> float:
    """Return the variance of concordant less discordant pairs by chance, under ties."""
    n = float(items)
    whole = n * (n - 1) * (2 * n + 5) - (first.correction + second.correction)
    pairs = 2 * first.pairs * float(second.pairs) / (n * (n - 1))
    triples = first.triples * second.triples / (9 * n * (n - 1) * (n - 2))
    return whole / 18 + pairs + triples


@dataclass(frozen=True, slots=True)
class Following:
    """How a system's scores follow agreement: within what anyone marked, and over all items, each by three measures."""

    within: tuple[Correlation, ...]
    over_all: tuple[Correlation, ...]

    def with_p_values(self, p_value: float) -> "Following":
        """Return the same correlations with another p-value."""
        within = [replace(each, p_value=p_value) for each in self.within]
        over_all = [replace(each, p_value=p_value) for each in self.over_all]
        return Following(within=tuple(within), over_all=tuple(over_all))


def following(marks: Marks) -> Following:
    """Do scores rise with the annotators' agreement, among the marked items and over all?

    Pearson's, Spearman's and Kendall's correlation, of the items with at least one mark and of all.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, table 1. doi:10.1007/s10994-013-5432-x
    >>> rows = Marks(2, np.array([0, 1, 1, 2]), np.array([1.0, 2.0, 3.0, 3.0]), np.array([9, 2, 2, 3]))
    >>> [each.items for each in (following(rows).within[0], following(rows).over_all[0])]
    [7, 16]
    """
    # Sums in one order give one number, in whatever clusters or blocks the rows were counted.
    rows = marks.over_clusters()
    kept = rows.marks > 0
    if not kept.any():
        raise OptionError("no item has a mark; agreement needs some")
    marked = rows.chosen(kept)
    return Following(
        within=(pearson(marked), spearman(marked), kendall(marked)),
        over_all=(pearson(rows), spearman(rows), kendall(rows)),
    )
