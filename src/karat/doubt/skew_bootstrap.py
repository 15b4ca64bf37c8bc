"""How sure an area, a difference of areas and the skew of an inversion are: positives and negatives drawn anew."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import FloatArray, Interval, Side, tails
from karat.errors import OptionError
from karat.measure.pr_curve import Rises, Roc, areas, pr_area, roc, roc_of
from karat.measure.skew import check_skew
from karat.measure.spread import Spread
from karat.tally.curve import Curve

IntArray = npt.NDArray[np.int64]
DRAWS = 1000
_BY_ITEM = 8
"""Up to so many items a cell, items are drawn; beyond, counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Where a curve's items stand: cells from the highest score down, each with positives, negatives or both."""

    positive: IntArray
    negative: IntArray


def cells(curve: Curve) -> Cells:
    """Return the counts with neighbouring scores joined where all are positives, or all negatives: no area changes.

    >>> cells(Curve(np.arange(4.0)[::-1], np.array([1, 2, 0, 1]), np.array([0, 0, 3, 1]))).positive.tolist()
    [3, 0, 1]
    """
    start = np.flatnonzero(begins(curve))
    return Cells(np.add.reduceat(curve.positive, start), np.add.reduceat(curve.negative, start))


def begins(curve: Curve) -> npt.NDArray[np.bool_]:
    """Return at which scores a cell begins: not where all are of the kind that the score before has alone.

    >>> begins(Curve(np.arange(4.0)[::-1], np.array([1, 2, 0, 1]), np.array([0, 0, 3, 1]))).tolist()
    [True, False, True, True]
    """
    kind = (curve.positive > 0) + 2 * (curve.negative > 0)
    return np.concatenate([[True], (kind[1:] != kind[:-1]) | (kind[1:] == 3)])


def area_draws(curve: Curve, pi: npt.ArrayLike, *, draws: int = DRAWS, seed: int = 0) -> FloatArray:
    """Which areas would other samples have had? A row a draw, a column a skew.

    Multinomial resamples of the positives and of the negatives, each over the distinct scores; their numbers stay.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> area_draws(Curve(np.array([1.0]), np.array([3]), np.array([9])), [0.2], draws=2).tolist()
    [[0.2], [0.2]]
    """
    share = check_skew("the skew", pi).ravel()
    _check(curve, draws)
    return np.array([areas(each, share) for each in redrawn(curve, draws=draws, seed=seed)])


def redrawn(curve: Curve, *, draws: int = DRAWS, seed: int = 0) -> Iterator[Rises]:
    """Yield the stretches of curves whose positives and negatives were drawn anew.

    >>> [part.r1.tolist() for part in redrawn(Curve(np.array([1.0]), np.array([3]), np.array([9])), draws=2)]
    [[1.0], [1.0]]
    """
    found, random = cells(curve), np.random.default_rng(seed)
    owners = [
        np.repeat(np.arange(len(part)), part) if _few(part) else part for part in (found.positive, found.negative)
    ]
    size = len(found.positive)
    for _ in range(draws):
        drawn = [
            _of_items(random, each, size) if _few(part) else random.multinomial(int(part.sum()), part / part.sum())
            for each, part in zip(owners, (found.positive, found.negative), strict=True)
        ]
        yield stretches(drawn[0], drawn[1])


def _few(part: IntArray) -> bool:
    return int(part.sum()) <= _BY_ITEM * len(part)


def _of_items(random: np.random.Generator, owner: IntArray, size: int) -> IntArray:
    return np.bincount(owner[random.integers(0, len(owner), len(owner))], minlength=size)


def stretches(positive: IntArray, negative: IntArray) -> Rises:
    """Return the stretches of the ROC curve with these counts in its cells.

    >>> stretches(np.array([0, 1]), np.array([2, 2])).f0.tolist()
    [0.5]
    """
    hits, false = positive.cumsum(), negative.cumsum()
    up = np.flatnonzero(positive)
    r1, f1 = hits[up], false[up]
    return Rises((r1 - positive[up]) / hits[-1], (f1 - negative[up]) / false[-1], r1 / hits[-1], f1 / false[-1])


def area_interval(
    curve: Curve, pi: npt.ArrayLike, *, level: float = 0.95, side: Side = "both", draws: int = DRAWS, seed: int = 0
) -> Interval:
    """Where does the area lie at each skew, if the items had been drawn anew?

    Quantiles of the areas of seeded resamples; approximate. Where every positive stands before every negative no
    resample differs; there the low end is the area if as many negatives stood first as may have gone unseen,
    1 - g^(1/n) of them.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> found = area_interval(Curve(np.arange(3.0)[::-1], np.array([5, 3, 2]), np.array([1, 3, 6])), [0.1, 0.5])
    >>> bool(np.all(found.low < found.high))
    True
    """
    drawn = area_draws(curve, pi, draws=draws, seed=seed)
    first, last = tails(level, side)
    low = np.quantile(drawn, first, axis=0) if first else np.zeros(drawn.shape[1])
    high = np.quantile(drawn, 1 - last, axis=0) if last else np.ones(drawn.shape[1])
    low = np.where(drawn.min(axis=0) < 1, low, unseen(int(curve.negative.sum()), pi, first))
    shape = np.shape(pi)
    return Interval(low.reshape(shape), high.reshape(shape), level, _method(draws, seed))


def mean_area_interval(
    curve: Curve, spread: Spread, *, level: float = 0.95, side: Side = "both", draws: int = DRAWS, seed: int = 0
) -> Interval:
    """Where does the area over a range of skews lie, if the items had been drawn anew?

    As for one skew; a spread of 16 nodes is fine enough here.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> from karat.measure.spread import uniform
    >>> curve = Curve(np.arange(3.0)[::-1], np.array([5, 3, 2]), np.array([1, 3, 6]))
    >>> found = mean_area_interval(curve, uniform(0, 0.5, nodes=16))
    >>> bool(found.low < found.high)
    True
    """
    drawn = (area_draws(curve, spread.pi, draws=draws, seed=seed) * spread.weight).sum(axis=1)
    first, last = tails(level, side)
    low = np.quantile(drawn, first) if first else 0.0
    if drawn.min() > 1 - 1e-12:
        low = float((unseen(int(curve.negative.sum()), spread.pi, first) * spread.weight).sum())
    high = np.quantile(drawn, 1 - last) if last else 1.0
    return Interval(np.array(low), np.array(high), level, _method(draws, seed))


def unseen(negatives: int, pi: npt.ArrayLike, error: float) -> FloatArray:
    """Return the area at each skew if as many negatives stood first as may have gone unseen, 1 - error^(1/n) of them.

    >>> unseen(100, [0.5], 0.05).round(3).tolist()
    [0.895]
    """
    before = 1 - error ** (1 / negatives)
    return pr_area(roc_of([0.0, 1.0], [before, before]), pi=np.ravel(pi))


def _method(draws: int, seed: int) -> str:
    return f"bootstrap within positives and negatives (draws={draws}, seed={seed})"


def _check(curve: Curve, draws: int) -> None:
    roc(curve)  # which refuses a curve of one kind of items
    if draws < 1:
        raise OptionError(f"draws is {draws}; draw at least once, better a thousand times")


@dataclass(frozen=True, slots=True, eq=False)
class PairedAreas:
    """The areas of two systems on the same items, in each resample and as they are; a column a skew."""

    pi: FloatArray
    first: Roc
    second: Roc
    first_draws: FloatArray
    second_draws: FloatArray
    method: str

    def difference(self, *, level: float = 0.95) -> Interval:
        """Return where first - second lies at each skew."""
        below, above = tails(level, "both")
        low, high = np.quantile(self.first_draws - self.second_draws, [below, 1 - above], axis=0)
        return Interval(low, high, level, self.method)

    @property
    def better(self) -> FloatArray:
        """The share of resamples in which the first has the larger area, ties half."""
        gap = self.first_draws - self.second_draws
        return np.asarray(((gap > 0) + 0.5 * (gap == 0)).mean(axis=0))


def unpaired_areas(first: Curve, second: Curve, pi: npt.ArrayLike, *, draws: int = DRAWS, seed: int = 0) -> PairedAreas:
    """How do two systems compare at each skew on resamples, each of its own items?

    For systems on different items, or where only the tallies are left; on shared items too wide, as a rule.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> curve = Curve(np.array([1.0]), np.array([3]), np.array([9]))
    >>> unpaired_areas(curve, curve, [0.2], draws=5).better.tolist()
    [0.5]
    """
    share = check_skew("the skew", pi).ravel()
    drawn = [area_draws(each, share, draws=draws, seed=seed + k) for k, each in enumerate((first, second))]
    return PairedAreas(share, roc(first), roc(second), drawn[0], drawn[1], "unpaired " + _method(draws, seed))
