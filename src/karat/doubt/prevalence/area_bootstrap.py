"""How sure an area and a difference of two areas are: positives and negatives resampled."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import Interval, Side, tails
from karat.doubt.prevalence.curve_cells import cells, stretches
from karat.doubt.prevalence.filled_cells import filled_cells, with_harm, without_harm
from karat.doubt.prevalence.unseen_items import WeightedCells, unseen
from karat.errors import OptionError
from karat.measure.prevalence.distribution import PrevalenceDistribution
from karat.measure.prevalence.pr_curve import RocCurve, RocStretches, areas, roc
from karat.measure.prevalence.precision_at import check_prevalence
from karat.numeric.arrays import FloatArray
from karat.numeric.resampled_counts import drawing
from karat.tally.scores.curve import Curve

DRAWS = 1000


def area_draws(curve: Curve, pi: npt.ArrayLike, *, draws: int = DRAWS, seed: int = 0) -> FloatArray:
    """Which areas would other samples have had? A row a draw, a column a prevalence.

    Multinomial resamples of the positives and of the negatives, each over the distinct scores; their numbers stay.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> area_draws(Curve(np.array([1.0]), np.array([3]), np.array([9])), [0.2], draws=2).tolist()
    [[0.2], [0.2]]
    """
    prevalences = check_prevalence("the prevalence", pi).ravel()
    _check(curve, draws)
    resamples = resampled_stretches(curve, draws=draws, seed=seed)
    return np.array([areas(rising, prevalences) for rising in resamples])


def resampled_stretches(
    curve: Curve, *, draws: int = DRAWS, seed: int = 0
) -> Iterator[RocStretches]:
    """Yield the stretches of curves whose positives and negatives were resampled.

    >>> one_score = Curve(np.array([1.0]), np.array([3]), np.array([9]))
    >>> [rising.r1.tolist() for rising in resampled_stretches(one_score, draws=2)]
    [[1.0], [1.0]]
    """
    counts = cells(curve)
    random = np.random.default_rng(seed)
    draw_positives = drawing(counts.positive.astype(np.int64))
    draw_negatives = drawing(counts.negative.astype(np.int64))
    for _ in range(draws):
        positive = draw_positives(random, 1)[0]
        negative = draw_negatives(random, 1)[0]
        yield stretches(positive, negative)


@dataclass(frozen=True, slots=True, eq=False)
class AreaExtremes:
    """The areas of resamples with unseen items, for the low and the high end; a row a draw, a column a prevalence."""

    low: FloatArray
    high: FloatArray


def ends_of(curve: Curve, pi: npt.ArrayLike, *, draws: int = DRAWS, seed: int = 0) -> AreaExtremes:
    """Return the areas of resamples for the low and for the high end of an interval.

    Every item has an exponential weight, and so have one more positive and one more negative, whose scores are not
    known (`unseen_items`): what no item of the data shows may still come.
    Reference: Rubin, Annals of Statistics 9, 1981, doi:10.1214/aos/1176345338, with an unseen item of each kind.
    """
    prevalences = check_prevalence("the prevalence", pi).ravel()
    _check(curve, draws)
    filled = filled_cells(cells(curve))
    harm, no_harm = with_harm(filled), without_harm(filled)
    random = np.random.default_rng(seed)
    low = np.empty((draws, len(prevalences)))
    high = np.empty((draws, len(prevalences)))
    for draw in range(draws):
        positive = random.standard_gamma(filled.positive)
        negative = random.standard_gamma(filled.negative)
        more = unseen(random)
        low[draw] = areas(harm.stretches(positive, negative, more), prevalences)
        high[draw] = areas(no_harm.stretches(positive, negative, more), prevalences)
    return AreaExtremes(low, high)


def areas_of_cells(weights: WeightedCells, pi: FloatArray) -> FloatArray:
    """Return the area of weighted cells at each prevalence."""
    return areas(stretches(weights.positive, weights.negative), pi)


def area_interval(
    curve: Curve,
    pi: npt.ArrayLike,
    *,
    level: float = 0.95,
    side: Side = "both",
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """Where does the area lie at each prevalence, if the items were resampled?

    Quantiles over seeded resamples with one unseen positive and one unseen negative (`unseen_items`). Covers more often
    than `level` says rather than less, as a rule: for perfect systems, few items and positives far rarer than in the
    data, where plain resamples know nothing of the negatives that are yet to come. Approximate; docs/coverage.md shows
    how far it was seen to hold.
    Reference: Rubin, Annals of Statistics 9, 1981. doi:10.1214/aos/1176345338
    >>> found = area_interval(Curve(np.arange(3.0)[::-1], np.array([5, 3, 2]), np.array([1, 3, 6])), [0.1, 0.5])
    >>> bool(np.all(found.low < found.high))
    True
    """
    drawn = ends_of(curve, pi, draws=draws, seed=seed)
    low, high = _quantiles(drawn, level, side)
    shape = np.shape(pi)
    return Interval(np.reshape(low, shape), np.reshape(high, shape), level, _method(draws, seed))


def mean_area_interval(
    curve: Curve,
    prevalences: PrevalenceDistribution,
    *,
    level: float = 0.95,
    side: Side = "both",
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """Where does the area over a range of prevalences lie, if the items were resampled?

    As for one prevalence; a distribution of 16 nodes is fine enough here.
    Reference: Rubin, Annals of Statistics 9, 1981. doi:10.1214/aos/1176345338
    >>> from karat.measure.prevalence.priors.uniform import uniform
    >>> curve = Curve(np.arange(3.0)[::-1], np.array([5, 3, 2]), np.array([1, 3, 6]))
    >>> found = mean_area_interval(curve, uniform(0, 0.5, nodes=16))
    >>> bool(found.low < found.high)
    True
    """
    drawn = ends_of(curve, prevalences.pi, draws=draws, seed=seed)
    means = AreaExtremes(drawn.low @ prevalences.weight, drawn.high @ prevalences.weight)
    low, high = _quantiles(means, level, side)
    return Interval(np.asarray(low), np.asarray(high), level, _method(draws, seed))


def _quantiles(drawn: AreaExtremes, level: float, side: Side) -> tuple[FloatArray, FloatArray]:
    """Return both ends; an end that is not requested is 0, or 1."""
    below, above = tails(level, side)
    low = np.zeros(drawn.low.shape[1:])
    high = np.ones(drawn.high.shape[1:])
    if below:
        low = np.quantile(drawn.low, below, axis=0)
    if above:
        high = np.quantile(drawn.high, 1 - above, axis=0)
    return low, high


def _method(draws: int, seed: int) -> str:
    return f"bootstrap within positives and negatives (draws={draws}, seed={seed})"


def _check(curve: Curve, draws: int) -> None:
    roc(curve)  # which refuses a curve of one kind of items
    if draws < 1:
        raise OptionError(f"draws is {draws}; draw at least once, and better a thousand times")


@dataclass(frozen=True, slots=True, eq=False)
class PairedAreas:
    """The areas of two systems on the same items, in each resample and as they are; a column a prevalence."""

    pi: FloatArray
    first: RocCurve
    second: RocCurve
    first_draws: FloatArray
    second_draws: FloatArray
    method: str

    def difference(self, *, level: float = 0.95) -> Interval:
        """Return the interval of first - second at each prevalence."""
        below, above = tails(level, "both")
        gap = self.first_draws - self.second_draws
        low, high = np.quantile(gap, [below, 1 - above], axis=0)
        return Interval(low, high, level, self.method)

    @property
    def better(self) -> FloatArray:
        """The share of resamples in which the first has the larger area, ties half; never quite 0 or 1."""
        return share_above(self.first_draws - self.second_draws)


def share_above(gap: FloatArray) -> FloatArray:
    """Return how often a difference is above 0, ties half: as if one more draw had been a tie, so never 0 or 1.

    >>> share_above(np.ones((99, 1))).tolist(), share_above(np.zeros((5, 1))).tolist()
    ([0.995], [0.5])
    """
    wins = ((gap > 0) + 0.5 * (gap == 0)).sum(axis=0)
    return np.asarray((wins + 0.5) / (len(gap) + 1))


def share_largest(values: FloatArray) -> FloatArray:
    """Return how often each column is the largest of its row, ties shared: as if one more draw had been a tie of all.

    >>> share_largest(np.array([[2.0, 1.0], [3.0, 3.0], [5.0, 4.0]])).tolist()
    [0.75, 0.25]
    """
    largest = values == values.max(axis=1, keepdims=True)
    wins = (largest / largest.sum(axis=1, keepdims=True)).sum(axis=0)
    return np.asarray((wins + 1 / values.shape[1]) / (len(values) + 1))


def unpaired_areas(
    first: Curve, second: Curve, pi: npt.ArrayLike, *, draws: int = DRAWS, seed: int = 0
) -> PairedAreas:
    """How do two systems compare at each prevalence on resamples, each of its own items?

    For systems on different items, or where only the tallies are left; on shared items too wide, as a rule.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> curve = Curve(np.array([1.0]), np.array([3]), np.array([9]))
    >>> unpaired_areas(curve, curve, [0.2], draws=5).better.tolist()
    [0.5]
    """
    prevalences = check_prevalence("the prevalence", pi).ravel()
    return PairedAreas(
        prevalences,
        roc(first),
        roc(second),
        area_draws(first, prevalences, draws=draws, seed=seed),
        area_draws(second, prevalences, draws=draws, seed=seed + 1),
        "unpaired " + _method(draws, seed),
    )
