"""Whether two shares, counted on different items, differ by more than chance: the exact test."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import check_counts, check_level, refuse
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray

_ROWS = 2048  # tables walked at a time, so that their cells stay in the cache
_CELLS = 16  # steps of the first stretch of a walk
_NEGLIGIBLE = 1e-25  # relative to the observed table, eleven standard deviations from a likely one
_TIE = 1 + 1e-7  # two tables this near in probability are equally likely, as in R's fisher.test
_SLACK = 1 + 1e-12  # a tail of exactly 1/40 is computed a few units in the last place off


@dataclass(frozen=True, slots=True)
class TwoSamples:
    """How surprising each table is if both shares are the same.

    lower = P(X1 <= x1 | s), upper = P(X1 >= x1 | s), p_value the doubled smaller one, fisher the probability of all
    tables that are no likelier than the observed one.
    """

    lower: FloatArray
    upper: FloatArray
    p_value: FloatArray
    fisher: FloatArray


@dataclass(frozen=True, slots=True)
class Limits:
    """Significant are x1 <= x1_min and x1 >= x1_max; NaN where no number of successes is, on that side."""

    x1_min: FloatArray
    x1_max: FloatArray


def two_samples(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
) -> TwoSamples:
    """Could two shares of different items be the same, and only chance set them apart?

    h(x1 | s) = C(n1, x1) C(n2, s-x1) / C(n1+n2, s), s = x1 + x2; p = min(1, 2 min(P(X1 <= x1), P(X1 >= x1))):
    each side may be wrong with probability gamma/2. Beside it Fisher's p, which sums the tables that are no likelier.
    Assumes independent items and no item in both samples; never wrong more often than promised.
    Of nothing nothing is known: no trials, no successes or no failures at all give p = 1.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> two_samples(40, 50, [92, 93], 100).p_value.round(5)
    array([0.06729, 0.04068])
    """
    x1, n1, x2, n2 = check_samples(first_successes, first_trials, second_successes, second_trials)
    lower, upper, fisher = _tails(x1, n1, x2, n2)
    return TwoSamples(lower, upper, np.asarray(np.minimum(1, 2 * np.minimum(lower, upper))), fisher)


def limits(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
    *,
    level: float = 0.95,
) -> Limits:
    """How few and how many successes of the first sample would be significant, given the sum of both?

    x1_min = max{k: P(X1 <= k | s) <= gamma/2}, x1_max = min{j: P(X1 >= j | s) <= gamma/2}, gamma = 1 - level.
    The paper's formula (2) returns s - x1_max instead, and nothing is significant on a side where no k qualifies.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> limits(40, 50, 50, 50)
    Limits(x1_min=array(41.), x1_max=array(49.))
    """
    g = error(level) / 2
    x1, n1, x2, n2 = check_samples(first_successes, first_trials, second_successes, second_trials)
    s = x1 + x2
    return Limits(_fewest(s, n1, n2, g), np.asarray(s - _fewest(s, n2, n1, g)))


def error(level: float) -> float:
    """What a level leaves to chance, as a decimal: 1 - 0.9 is 0.1, not 0.09999999999999998.

    >>> error(0.9)
    0.1
    """
    check_level(level)
    return float(1 - Decimal(str(float(level))))


def significant(p_value: npt.ArrayLike, *, level: float = 0.95) -> BoolArray:
    """Which p-values are at most 1 - level, whatever the last digit of either says?

    Zero of three against three of three has p = 2/20: significant at the level 0.9.
    >>> bool(significant(two_samples(0, 3, 3, 3).p_value, level=0.9))
    True
    """
    return within(np.asarray(p_value, np.float64), error(level))


def within(tail: FloatArray, most: float) -> BoolArray:
    """Whether a tail is at most so large, a tie in exact arithmetic included.

    >>> bool(within(np.float64(0.1 + 0.2), 0.3))
    True
    """
    return np.less_equal(tail, most * _SLACK)


def lower_tail(x1: FloatArray, n1: FloatArray, x2: FloatArray, n2: FloatArray) -> FloatArray:
    """P(X1 <= x1 | s) of checked counts.

    >>> lower_tail(*(np.array([k]) for k in (40.0, 50.0, 50.0, 50.0))).round(6)
    array([0.000593])
    """
    return _tails(x1, n1, x2, n2)[0]


def first_where(
    holds: Callable[[FloatArray], BoolArray], low: FloatArray, high: FloatArray, *, near: FloatArray
) -> FloatArray:
    """Smallest whole k in [low, high] from which on a condition holds, or high + 1; quick if it is near a guess.

    >>> first_where(lambda k: k * k > 10, np.array([0.0]), np.array([3.0, 9.0]), near=np.array([2.0]))
    array([4., 4.])
    """
    low, end = np.broadcast_arrays(low, high + 1)
    tries = [np.floor(near) - 3, np.floor(near) + 3]
    while np.any(unsure := low < end):
        middle = np.clip(
            tries.pop() if tries else np.floor((low + end) / 2), low, np.maximum(low, end - 1)
        )
        found = holds(np.minimum(middle, high))
        low, end = np.where(unsure & ~found, middle + 1, low), np.where(unsure & found, middle, end)
    return end


def check_samples(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Four arrays of whole counts and one shape, or a sentence about the first entry that is no share.

    >>> check_samples(4, 5, [7, 9], 8)
    Traceback (most recent call last):
    karat.errors.OptionError: second sample: entry 1 has 9 successes in 8 trials; there cannot be more ...
    """
    first = _sample("first", first_successes, first_trials)
    second = _sample("second", second_successes, second_trials)
    try:
        x1, n1, x2, n2 = np.broadcast_arrays(*first, *second)
    except ValueError as wrong:
        shapes = f"the samples have the shapes {first[0].shape} and {second[0].shape}"
        raise OptionError(
            f"{shapes}; give one second sample for each first, or one for all"
        ) from wrong
    return x1, n1, x2, n2


def _sample(
    which: str, successes: npt.ArrayLike, trials: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    try:
        x, n = check_counts(successes, trials)
        for name, counts in (("successes", x), ("trials", n)):
            refuse(counts != np.floor(counts), name, counts, "the exact tests count whole items")
    except OptionError as wrong:
        raise OptionError(f"{which} sample: {wrong}") from wrong
    return x, n


def _fewest(s: FloatArray, n1: FloatArray, n2: FloatArray, g: float) -> FloatArray:
    least, most, n = np.maximum(0, s - n2), np.minimum(n1, s), np.maximum(1, n1 + n2)
    near = s * n1 / n + special.ndtri(g) * np.sqrt(s * (n - s) * n1 * n2 / n**3)
    found = (
        first_where(lambda k: ~within(lower_tail(k, n1, s - k, n2), g), least, most, near=near) - 1
    )
    return np.where(found < least, np.nan, found)


def _tails(
    x1: FloatArray, n1: FloatArray, x2: FloatArray, n2: FloatArray
) -> tuple[FloatArray, ...]:
    flat = [np.ravel(counts) for counts in (x1, n1, x2, n2)]
    lower, upper, fisher = (np.empty(flat[0].size) for _ in range(3))
    for start in range(0, flat[0].size, _ROWS):
        rows = slice(start, start + _ROWS)
        lower[rows], upper[rows], fisher[rows] = _block(*(counts[rows] for counts in flat))
    return tuple(tail.reshape(np.shape(x1)) for tail in (lower, upper, fisher))


def _block(
    x1: FloatArray, n1: FloatArray, x2: FloatArray, n2: FloatArray
) -> tuple[FloatArray, ...]:
    """Tails as sums of probabilities relative to that of the observed table, so that no factorial is needed."""
    above, rare_above = _walk(n1 - x1, x2, x1 + 1, n2 - x2 + 1)
    below, rare_below = _walk(n2 - x2, x1, x2 + 1, n1 - x1 + 1)
    whole = 1 + above + below
    # An infinite side means that the observed table has a probability below 1e-308.
    lower, upper = (
        np.divide(1 + side, whole, out=np.ones(whole.size), where=side < np.inf)
        for side in (below, above)
    )
    return lower, upper, np.minimum(1, (1 + rare_above + rare_below) / whole)


def _walk(
    a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Sum h(k) / h(x1) over all k > x1, and over those that are no likelier than x1.

    h(k+1) / h(k) = (a-j)(b-j) / ((c+j)(d+j)), j steps from x1, where a, b, c and d are the cells beside it.
    """
    total, rare = np.zeros(a.size), np.zeros(a.size)
    live = np.flatnonzero((a > 0) & (b > 0))
    weight, done, cells = np.ones(live.size), 0, _CELLS
    while live.size:
        steps = done + np.arange(cells, dtype=np.float64)
        weights = _stretch(weight, steps, *(part[live, None] for part in (a, b, c, d)))
        with np.errstate(over="ignore"):
            total[live] += weights.sum(axis=1)
        rare[live] += np.where(weights <= _TIE, weights, 0).sum(axis=1)
        # Going away from the likeliest table the rest is negligible; infinite it cannot become finite again.
        going = (weights[:, -1] > _NEGLIGIBLE) & (weights[:, -1] < np.inf)
        live, weight, done = live[going], weights[going, -1], done + cells
        cells = max(_CELLS, min(2 * cells, _ROWS * _CELLS // max(live.size, 1)))
    return np.where(np.isnan(total), np.inf, total), rare


def _stretch(
    weight: FloatArray,
    steps: FloatArray,
    a: FloatArray,
    b: FloatArray,
    c: FloatArray,
    d: FloatArray,
) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):
        ratios = np.maximum(a - steps, 0)
        ratios *= np.maximum(b - steps, 0)
        ratios /= (c + steps) * (d + steps)
        ratios[:, 0] *= weight
        weights: FloatArray = np.multiply.accumulate(ratios, axis=1, out=ratios)
    return weights
