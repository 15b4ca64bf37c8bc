"""Several annotators as several truths: what at least one, two, ... of them marked, and how scores follow agreement."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtr

from karat.errors import OptionError
from karat.numeric.arrays import FloatArray
from karat.tally.scores.annotator_marks import Marks
from karat.tally.scores.curve import Curve, Ints


def level_curves(marks: Marks) -> dict[int, Curve]:
    """Which curve has a system, if what at least k annotators marked is the truth, for each k?

    Levels that all items reach, or none does, have no curve and are left out.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 3. doi:10.1007/s10994-013-5432-x
    >>> found = level_curves(Marks(2, np.array([0, 1, 2]), np.array([0.1, 0.5, 0.5]), np.array([7, 2, 1])))
    >>> {level: curve.positive.tolist() for level, curve in found.items()}
    {1: [3, 0], 2: [1, 0]}
    """
    scores, place = np.unique(-marks.score, return_inverse=True)
    total = int(marks.number.sum())
    found = {}
    for level in range(1, marks.annotators + 1):
        yes = marks.marks >= level
        if 0 < marks.number[yes].sum() < total:
            sums = [
                np.bincount(place[kind], marks.number[kind], minlength=len(scores))
                for kind in (yes, ~yes)
            ]
            found[level] = Curve(0.0 - scores, sums[0].astype(np.int64), sums[1].astype(np.int64))
    return found


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
    return _straight(marks.marks.astype(np.float64), marks.score, marks.number, "Pearson")


def spearman(marks: Marks) -> Correlation:
    """How steadily do scores rise with agreement?

    Pearson's correlation of the ranks, ties with their mean rank; p by t, as there: approximate.
    Reference: Spearman, American Journal of Psychology 15, 1904. doi:10.2307/1412159
    >>> found = spearman(Marks(2, np.array([0, 1, 2]), np.array([1.0, 2.0, 900.0]), np.array([4, 3, 2])))
    >>> found.value
    1.0
    """
    ranks = [_ranks(values, marks.number) for values in (marks.marks, marks.score)]
    return _straight(ranks[0], ranks[1], marks.number, "Spearman")


def _ranks(values: FloatArray | Ints, number: Ints) -> FloatArray:
    distinct, place = np.unique(values, return_inverse=True)
    counts = np.bincount(place, number, minlength=len(distinct))
    return np.asarray((counts.cumsum() - (counts - 1) / 2)[place])


def _straight(first: FloatArray, second: FloatArray, number: Ints, method: str) -> Correlation:
    items = int(number.sum())
    x, y = (values - (number @ values) / items for values in (first, second))
    scale = np.sqrt((number @ x**2) * (number @ y**2))
    if items < 3 or not np.isfinite(scale) or scale <= 0:
        return Correlation(None, None, items, method)
    value = float(np.clip((number @ (x * y)) / scale, -1.0, 1.0))
    with np.errstate(divide="ignore"):
        size = abs(value) * np.sqrt((items - 2) / np.float64(1 - value**2))
    return Correlation(value, float(2 * stdtr(items - 2, -size)), items, method)


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
    columns = [np.unique(values, return_inverse=True) for values in (marks.marks, marks.score)]
    ties = [np.bincount(place, marks.number).astype(np.int64) for _, place in columns]
    pairs = items * (items - 1) // 2
    tied = [int((part * (part - 1) // 2).sum()) for part in ties]
    if items < 3 or pairs in tied:
        return Correlation(None, None, items, "Kendall")
    excess = _excess(columns[0][1], columns[1][1], marks.number)
    value = excess / np.sqrt(float(pairs - tied[0])) / np.sqrt(float(pairs - tied[1]))
    deviation = np.sqrt(_variance(items, tied, [part.astype(np.float64) for part in ties]))
    return Correlation(float(value), float(2 * ndtr(-abs(excess / deviation))), items, "Kendall")


def _excess(level: Ints, score: Ints, number: Ints) -> int:
    """Return the concordant less the discordant pairs."""
    lower = np.zeros(int(score.max()) + 1, np.int64)
    total = 0
    for each in range(int(level.max()) + 1):
        here = np.bincount(
            score[level == each], number[level == each], minlength=len(lower)
        ).astype(np.int64)
        below = lower.cumsum() - lower
        total += int((here * (2 * below + lower - lower.sum())).sum())
        lower += here
    return total


def _variance(items: int, tied: list[int], ties: list[FloatArray]) -> float:
    n = float(items)
    whole = n * (n - 1) * (2 * n + 5) - sum(float((t * (t - 1) * (2 * t + 5)).sum()) for t in ties)
    threes = [float((t * (t - 1) * (t - 2)).sum()) for t in ties]
    return (
        whole / 18
        + 2 * tied[0] * float(tied[1]) / (n * (n - 1))
        + threes[0] * threes[1] / (9 * n * (n - 1) * (n - 2))
    )


@dataclass(frozen=True, slots=True)
class Following:
    """How a system's scores follow agreement: within what anyone marked, and over all items, each by three measures."""

    within: tuple[Correlation, Correlation, Correlation]
    over_all: tuple[Correlation, Correlation, Correlation]


def following(marks: Marks) -> Following:
    """Do scores rise with the annotators' agreement, among the marked items and over all?

    Pearson's, Spearman's and Kendall's correlation, of the items with at least one mark and of all.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, table 1. doi:10.1007/s10994-013-5432-x
    >>> rows = Marks(2, np.array([0, 1, 1, 2]), np.array([1.0, 2.0, 3.0, 3.0]), np.array([9, 2, 2, 3]))
    >>> [each.items for each in (following(rows).within[0], following(rows).over_all[0])]
    [7, 16]
    """
    kept = marks.marks > 0
    if not kept.any():
        raise OptionError("no item has a mark; agreement needs some")
    marked = Marks(marks.annotators, marks.marks[kept], marks.score[kept], marks.number[kept])
    within, whole = ((pearson(part), spearman(part), kendall(part)) for part in (marked, marks))
    return Following(within, whole)
