"""The area under the precision-recall curve where some of the given labels are wrong."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import tails
from karat.doubt.label_noise.ranking_order import check_draws, check_error
from karat.doubt.prevalence.area_bootstrap import DRAWS
from karat.doubt.prevalence.curve_cells import IntArray, stretches
from karat.errors import OptionError
from karat.measure.prevalence.pr_curve import RocStretches, areas, pr_area, roc
from karat.measure.prevalence.precision_at import check_prevalence
from karat.numeric.arrays import FloatArray
from karat.numeric.sparse_successes import successes
from karat.tally.scores.curve import Counts, Curve

Error = float | tuple[float, float]
"""How often a label is wrong: one probability, or two, P(true 1 | given 0) and P(true 0 | given 1)."""
MOST = 20_000
"""Outcomes that the exact distribution may run over."""
_BY_ITEM = 8
"""Up to so many items a score, items are flipped; beyond, counts."""
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class AreaUnderLabelNoise:
    """The area as the labels stand, of the expected counts, and by the true labels: its mean and where it lies.

    `undefined` is the probability that all true labels are of one kind; the mean and the ends are those of the rest.
    """

    pi: FloatArray
    given: FloatArray
    plugged: FloatArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    undefined: float
    level: float
    method: str


def area_under_label_noise(
    curve: Curve,
    pi: npt.ArrayLike,
    *,
    error: Error,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> AreaUnderLabelNoise:
    """Which area has a system by the true labels, if labels are wrong independently of each other and of the score?

    At each distinct score the truly positive are a binomial sum of the given positives and negatives there; the area
    is that of their curve. Every outcome, exactly, while there are at most 20,000; a seeded simulation otherwise.
    `plugged` is the area of the expected counts: of many items about the mean, and quick.
    Reference: Lamiroy, Pierrot, GREC 2015, doi:10.1007/978-3-319-52159-6_3, on the curve of Davis, Goadrich, ICML 2006.
    >>> curve = Curve(np.array([3.0, 2.0, 1.0]), np.array([1, 0, 1]), np.array([0, 1, 0]))
    >>> found = area_under_label_noise(curve, [0.5], error=0.1)
    >>> found.method, float(found.given.round(4)[0]), float(found.mean.round(4)[0]), round(found.undefined, 4)
    ('exact', 0.7123, 0.7004, 0.09)
    """
    prevalences = check_prevalence("the prevalence", pi).ravel()
    up, down = rates(error)
    given = pr_area(roc(curve), pi=prevalences)
    number_of_outcomes = np.prod(curve.positive + curve.negative + 1, dtype=np.float64)
    if number_of_outcomes <= MOST:
        outcomes = _every_outcome(curve, prevalences, up, down)
        method = "exact"
    else:
        check_draws(draws)
        outcomes = _simulated(curve, prevalences, up, down, draws, seed)
        method = f"simulation (draws={draws}, seed={seed})"
    if not len(outcomes.chance):
        raise _one_kind(up, down)
    # What is left are the outcomes with both kinds of items: their probabilities are those given that there are both.
    both_kinds = float(outcomes.chance.sum())
    chance = outcomes.chance / outcomes.chance.sum()
    low, high = _quantiles(outcomes.areas, chance, level)
    undefined = max(0.0, 1 - both_kinds)
    return AreaUnderLabelNoise(
        pi=prevalences,
        given=given,
        plugged=expected_area(curve, prevalences, error=error),
        mean=chance @ outcomes.areas,
        low=low,
        high=high,
        undefined=undefined if undefined > _ROUNDING else 0.0,
        level=level,
        method=method,
    )


def rates(error: Error) -> tuple[float, float]:
    """Return P(true 1 | given 0) and P(true 0 | given 1).

    >>> rates(0.03), rates((0.01, 0.2))
    ((0.03, 0.03), (0.01, 0.2))
    """
    up, down = np.broadcast_to(check_error(error), 2).tolist()
    return up, down


def expected_area(curve: Curve, pi: npt.ArrayLike, *, error: Error) -> FloatArray:
    """What is the area of the counts that are expected by the true labels?

    p (1 - down) + n up positives and p down + n (1 - up) negatives at each score. Not quite the expected area, since an
    area is no linear function of counts, but near it where items are many.
    Reference: Lamiroy, Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> curve = Curve(np.array([2.0, 1.0]), np.array([100, 0]), np.array([0, 100]))
    >>> expected_area(curve, [0.5], error=0.1).round(4).tolist()
    [0.8755]
    """
    up, down = rates(error)
    positive = curve.positive * (1 - down) + curve.negative * up
    negative = curve.positive * down + curve.negative * (1 - up)
    if not (positive.any() and negative.any()):
        raise _one_kind(up, down)
    return areas(stretches(positive, negative), check_prevalence("the prevalence", pi))


def _one_kind(up: float, down: float) -> OptionError:
    return OptionError(f"with label errors of {up:g} and {down:g} all true labels are of one kind")


@dataclass(frozen=True, slots=True, eq=False)
class AreaOutcomes:
    """The areas of outcomes with both kinds of items, outcomes x prevalences, and their probabilities."""

    areas: FloatArray
    chance: FloatArray


def _every_outcome(curve: Curve, pi: FloatArray, up: float, down: float) -> AreaOutcomes:
    """Return every number of true positives at every score: the product of their distributions."""
    total = curve.positive + curve.negative
    distributions = []
    for positive, negative in zip(curve.positive.tolist(), curve.negative.tolist(), strict=True):
        distributions.append(_true_positives(positive, negative, up, down))
    ranges = [np.arange(len(each)) for each in distributions]
    grid = np.stack(np.meshgrid(*ranges, indexing="ij"), axis=-1).reshape(-1, len(ranges))
    chance = np.ones(len(grid))
    for place, distribution in enumerate(distributions):
        chance *= distribution[grid[:, place]]
    positives = grid.sum(axis=1)
    kept = (chance > 0) & (positives > 0) & (positives < total.sum())
    values = [areas(stretches(row, total - row), pi) for row in grid[kept]]
    return AreaOutcomes(np.array(values).reshape(-1, len(pi)), chance[kept])


def _true_positives(positive: int, negative: int, up: float, down: float) -> FloatArray:
    """Return the distribution of the truly positive among items of one score: a sum of two binomial ones."""
    return np.convolve(_binomial(positive, 1 - down), _binomial(negative, up))


def _binomial(number: int, chance: float) -> FloatArray:
    from scipy.special import comb  # noqa: PLC0415 (wanted only here)

    k = np.arange(number + 1)
    return np.asarray(comb(number, k) * chance**k * (1 - chance) ** (number - k))


def _simulated(
    curve: Curve, pi: FloatArray, up: float, down: float, draws: int, seed: int
) -> AreaOutcomes:
    """Return the areas of curves with their labels flipped at random."""
    values = []
    for resample in _flipped(curve, up, down, draws, seed):
        if resample is not None:
            values.append(areas(resample, pi))  # noqa: PERF401 (a loop reads better)
    table = np.array(values).reshape(len(values), len(pi))
    return AreaOutcomes(table, np.full(len(values), 1 / draws))


def _flipped(
    curve: Curve, up: float, down: float, draws: int, seed: int
) -> Iterator[RocStretches | None]:
    """Yield the stretches of a curve with its labels flipped at random; None where only one kind is left."""
    random = np.random.default_rng(seed)
    flip_positives = _flipping(curve.positive, down)
    flip_negatives = _flipping(curve.negative, up)
    for _ in range(draws):
        lost = flip_positives(random)
        won = flip_negatives(random)
        yield both_kinds(curve.positive - lost + won, curve.negative - won + lost)


def _flipping(counts: Counts, chance: float) -> Callable[[np.random.Generator], IntArray]:
    """Return what draws how many labels are wrong at each score: item by item where there are few at a score."""
    number = counts.astype(np.int64)
    size = len(number)
    if int(number.sum()) > _BY_ITEM * size:
        return lambda random: random.binomial(number, chance)
    score_of_item = np.repeat(np.arange(size), number)

    def flip(random: np.random.Generator) -> IntArray:
        flipped = successes(random, len(score_of_item), chance)
        return np.bincount(score_of_item[flipped], minlength=size)

    return flip


def both_kinds(positive: Counts, negative: Counts) -> RocStretches | None:
    """Return the stretches of a curve with these counts, None where there is only one kind of items."""
    if not (positive.any() and negative.any()):
        return None
    return stretches(positive, negative)


def _quantiles(
    values: FloatArray, chance: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the interval of a discrete distribution, column by column."""
    order = np.argsort(values, axis=0)
    cumulative = chance[order].cumsum(axis=0)
    below, above = tails(level, "both")
    ordered = np.take_along_axis(values, order, axis=0)
    return _quantile(ordered, cumulative, below), _quantile(ordered, cumulative, 1 - above)


def _quantile(ordered: FloatArray, cumulative: FloatArray, share: float) -> FloatArray:
    """Return the least value with so much probability up to it."""
    first = (cumulative < share * (1 - _ROUNDING)).sum(axis=0)
    place = np.minimum(first, len(ordered) - 1)
    return np.asarray(np.take_along_axis(ordered, place[None], axis=0)[0])
