"""How sure an area, a difference of areas and the skew of an inversion are: positives and negatives drawn anew."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import Interval, Side, tails
from karat.doubt.resampling.resampled_counts import drawing
from karat.errors import OptionError
from karat.measure.prevalence.distribution import PrevalenceDistribution
from karat.measure.prevalence.pr_curve import Rises, Roc, areas, areas_of_many, roc
from karat.measure.prevalence.precision_at import check_prevalence
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve

IntArray = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int64] | npt.NDArray[np.float64]
Sides = tuple[FloatArray, FloatArray]
DRAWS = 1000


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
    share = check_prevalence("the prevalence", pi).ravel()
    _check(curve, draws)
    return np.array([areas(each, share) for each in redrawn(curve, draws=draws, seed=seed)])


def redrawn(curve: Curve, *, draws: int = DRAWS, seed: int = 0) -> Iterator[Rises]:
    """Yield the stretches of curves whose positives and negatives were drawn anew.

    >>> [part.r1.tolist() for part in redrawn(Curve(np.array([1.0]), np.array([3]), np.array([9])), draws=2)]
    [[1.0], [1.0]]
    """
    found, random = cells(curve), np.random.default_rng(seed)
    sides = [drawing(part) for part in (found.positive, found.negative)]
    for _ in range(draws):
        positive, negative = (draw(random, 1)[0] for draw in sides)
        yield stretches(positive, negative)


def stretches(positive: Counts, negative: Counts) -> Rises:
    """Return the stretches of the ROC curve with these counts, or weights, in its cells.

    >>> stretches(np.array([0, 1]), np.array([2, 2])).f0.tolist()
    [0.5]
    """
    hits, false = (np.concatenate([[0], part.cumsum()]) for part in (positive, negative))
    up = np.flatnonzero(positive)
    recall, rate = hits / hits[-1], false / false[-1]
    return Rises(recall[up], rate[up], recall[up + 1], rate[up + 1])


def areas_of_rows(positive: Counts, negative: Counts, pi: npt.ArrayLike) -> FloatArray:
    """Return the area of each row of counts, or weights, at each pi: a row a resample, a column a cell.

    >>> areas_of_rows(np.array([[0, 1], [1, 0]]), np.array([[2, 2], [0, 4]]), [0.5]).round(4).tolist()
    [[0.3586], [1.0]]
    """
    recall, rate = (_rates(part) for part in (positive, negative))
    row, cell = np.nonzero(positive)
    ends = [part[row, place] for place in (cell, cell + 1) for part in (recall, rate)]
    return areas_of_many(Rises(*ends), np.searchsorted(row, np.arange(len(positive))), pi)


def _rates(number: Counts) -> FloatArray:
    sums = np.zeros((len(number), number.shape[1] + 1))
    np.cumsum(number, axis=1, out=sums[:, 1:])
    sums /= sums[:, -1:].copy()
    return sums


@dataclass(frozen=True, slots=True)
class Unseen:
    """One more positive and one more negative, of unknown scores: their weights, and where they might stand.

    A number each, or one per resample.
    """

    positive: npt.ArrayLike
    negative: npt.ArrayLike
    lower: npt.ArrayLike
    """Which share of the negatives below every positive stands before the positive."""
    upper: npt.ArrayLike
    """Which share of the positives above every negative stands before the negative."""


def unseen(random: np.random.Generator) -> Unseen:
    """Draw what was not seen."""
    weights, places = random.exponential(size=2), random.random(2)
    return Unseen(*weights.tolist(), *places.tolist())


def low_and_high(positive: Counts, negative: Counts, more: Unseen) -> tuple[Sides, Sides]:
    """Return the counts with one more item of each kind: beyond the others where it hurts, and at its best.

    The next negative may stand among the positives that are above every negative, the next positive among the negatives
    that are below every positive; or the one below all, and the other above all. The last axis runs over the cells.
    >>> low, high = low_and_high(np.array([2.0, 0.0]), np.array([0.0, 3.0]), Unseen(1.0, 1.0, 0.5, 0.25))
    >>> low[0].tolist(), low[1].tolist()
    ([0.5, 0.0, 1.5, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 1.5, 0.0, 1.5])
    >>> high[0].tolist(), high[1].tolist()
    ([1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 1.0])
    """
    cell, size = np.arange(positive.shape[-1]), positive.shape[-1]
    first = (negative > 0).argmax(axis=-1)[..., None]
    last = size - (positive > 0)[..., ::-1].argmax(axis=-1)[..., None]
    above, below = np.where(cell < first, positive, 0.0), np.where(cell >= last, negative, 0.0)
    top, bottom = above.sum(axis=-1), below.sum(axis=-1)
    upper, lower = np.multiply(more.upper, top), np.multiply(more.lower, bottom)
    yes = [
        _beside(upper, 0.0, top - upper),
        positive - above,
        _beside(0.0, more.positive, 0.0 * top),
    ]
    no = [
        _beside(0.0, more.negative, 0.0 * top),
        negative - below,
        _beside(lower, 0.0, bottom - lower),
    ]
    best = [_beside(more.positive + 0.0 * top), positive, _beside(0.0 * top)]
    worst = [_beside(0.0 * top), negative, _beside(more.negative + 0.0 * top)]
    found = [
        np.asarray(np.concatenate(parts, axis=-1), np.float64) for parts in (yes, no, best, worst)
    ]
    return (found[0], found[1]), (found[2], found[3])


def _beside(*columns: npt.ArrayLike) -> FloatArray:
    return np.stack(np.broadcast_arrays(*columns), axis=-1)


def ends_of(
    curve: Curve, pi: npt.ArrayLike, *, draws: int = DRAWS, seed: int = 0
) -> tuple[FloatArray, FloatArray]:
    """Return the areas of resamples for the low and for the high end; a row a draw, a column a skew.

    Every item has an exponential weight, and so have one more positive and one more negative, whose scores are not
    known (`low_and_high`): what no item of the data shows may still come.
    Reference: Rubin, Annals of Statistics 9, 1981, doi:10.1214/aos/1176345338, with an unseen item of each kind.
    """
    share, found = check_prevalence("the prevalence", pi).ravel(), cells(curve)
    _check(curve, draws)
    random = np.random.default_rng(seed)
    low, high = np.empty((2, draws, len(share)))
    for draw in range(draws):
        weights = [random.standard_gamma(part) for part in (found.positive, found.negative)]
        below, above = low_and_high(weights[0], weights[1], unseen(random))
        low[draw], high[draw] = areas(stretches(*below), share), areas(stretches(*above), share)
    return low, high


def area_interval(
    curve: Curve,
    pi: npt.ArrayLike,
    *,
    level: float = 0.95,
    side: Side = "both",
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """Where does the area lie at each skew, if the items had been drawn anew?

    Quantiles over seeded resamples with one unseen positive and one unseen negative (`low_and_high`). Covers more often
    than said rather than less, also for perfect systems, few items and positives far rarer than in the data, where
    plain resamples know nothing of the negatives that are yet to come.
    Reference: Rubin, Annals of Statistics 9, 1981. doi:10.1214/aos/1176345338
    >>> found = area_interval(Curve(np.arange(3.0)[::-1], np.array([5, 3, 2]), np.array([1, 3, 6])), [0.1, 0.5])
    >>> bool(np.all(found.low < found.high))
    True
    """
    return _interval(
        *ends_of(curve, pi, draws=draws, seed=seed), np.shape(pi), level, side, _method(draws, seed)
    )


def _interval(
    low: FloatArray, high: FloatArray, shape: tuple[int, ...], level: float, side: Side, method: str
) -> Interval:
    first, last = tails(level, side)
    below = np.quantile(low, first, axis=0) if first else np.zeros(low.shape[1:])
    above = np.quantile(high, 1 - last, axis=0) if last else np.ones(high.shape[1:])
    return Interval(np.reshape(below, shape), np.reshape(above, shape), level, method)


def mean_area_interval(
    curve: Curve,
    spread: PrevalenceDistribution,
    *,
    level: float = 0.95,
    side: Side = "both",
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """Where does the area over a range of skews lie, if the items had been drawn anew?

    As for one skew; a spread of 16 nodes is fine enough here.
    Reference: Rubin, Annals of Statistics 9, 1981. doi:10.1214/aos/1176345338
    >>> from karat.measure.prevalence.priors.uniform import uniform
    >>> curve = Curve(np.arange(3.0)[::-1], np.array([5, 3, 2]), np.array([1, 3, 6]))
    >>> found = mean_area_interval(curve, uniform(0, 0.5, nodes=16))
    >>> bool(found.low < found.high)
    True
    """
    low, high = (part @ spread.weight for part in ends_of(curve, spread.pi, draws=draws, seed=seed))
    return _interval(low, high, (), level, side, _method(draws, seed))


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
        """The share of resamples in which the first has the larger area, ties half; never quite 0 or 1."""
        gap = self.first_draws - self.second_draws
        return share_above(gap)


def share_above(gap: FloatArray) -> FloatArray:
    """Return how often a difference is above 0, ties half: as if one more draw had been a tie, so never 0 or 1.

    >>> share_above(np.ones((99, 1))).tolist(), share_above(np.zeros((5, 1))).tolist()
    ([0.995], [0.5])
    """
    return np.asarray((((gap > 0) + 0.5 * (gap == 0)).sum(axis=0) + 0.5) / (len(gap) + 1))


def share_largest(values: FloatArray) -> FloatArray:
    """Return how often each column is the largest of its row, ties shared: as if one more draw had been a tie of all.

    >>> share_largest(np.array([[2.0, 1.0], [3.0, 3.0], [5.0, 4.0]])).tolist()
    [0.75, 0.25]
    """
    first = values == values.max(axis=1, keepdims=True)
    wins = (first / first.sum(axis=1, keepdims=True)).sum(axis=0)
    return np.asarray((wins + 1 / values.shape[1]) / (len(values) + 1))


def unpaired_areas(
    first: Curve, second: Curve, pi: npt.ArrayLike, *, draws: int = DRAWS, seed: int = 0
) -> PairedAreas:
    """How do two systems compare at each skew on resamples, each of its own items?

    For systems on different items, or where only the tallies are left; on shared items too wide, as a rule.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> curve = Curve(np.array([1.0]), np.array([3]), np.array([9]))
    >>> unpaired_areas(curve, curve, [0.2], draws=5).better.tolist()
    [0.5]
    """
    share = check_prevalence("the prevalence", pi).ravel()
    drawn = [
        area_draws(each, share, draws=draws, seed=seed + k)
        for k, each in enumerate((first, second))
    ]
    return PairedAreas(
        share, roc(first), roc(second), drawn[0], drawn[1], "unpaired " + _method(draws, seed)
    )
