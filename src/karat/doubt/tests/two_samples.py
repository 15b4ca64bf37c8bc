"""Whether two shares, counted on different items, differ by more than chance: the exact test."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import check_counts, check_level, refuse
from karat.doubt.tests.significance_test import SignificanceTest
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray

_ROWS = 2048  # tables summed at a time, so that their cells stay in the cache
_CELLS = 16  # terms of the first stretch of a sum
_NEGLIGIBLE = 1e-25  # relative to the observed table, eleven standard deviations from a likely one
_TIE = 1 + 1e-7  # two tables this near in probability are equally likely, as in R's fisher.test
_SLACK = 1 + 1e-12  # a tail of exactly 1/40 is computed a few units in the last place off


@dataclass(frozen=True, slots=True)
class TwoSamples:
    """The tails and p-values of each table, if both shares are the same.

    lower = P(X1 <= x1 | s), upper = P(X1 >= x1 | s), p_value the doubled smaller one, fisher the probability of all
    tables that are no likelier than the observed one.
    """

    lower: FloatArray
    upper: FloatArray
    p_value: FloatArray
    fisher: FloatArray


@dataclass(frozen=True, slots=True)
class Limits:
    """x1 <= x1_min and x1 >= x1_max are significant; NaN where no number of successes is, on that side."""

    x1_min: FloatArray
    x1_max: FloatArray


@dataclass(frozen=True, slots=True)
class _Tails:
    """P(X1 <= x1 | s), P(X1 >= x1 | s), and the probability of all tables that are no likelier than this one."""

    lower: FloatArray
    upper: FloatArray
    no_likelier: FloatArray


def two_samples(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
) -> TwoSamples:
    """How surprising is the difference of two shares of different items, if both are the same?

    h(x1 | s) = C(n1, x1) C(n2, s-x1) / C(n1+n2, s), s = x1 + x2; p = min(1, 2 min(P(X1 <= x1), P(X1 >= x1))):
    each side may be wrong with probability gamma/2. Fisher's p, which sums the tables that are no likelier, is given
    as well.
    Assumes independent items and no item in both samples; never wrong more often than promised.
    No trials, no successes or no failures at all give p = 1.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> two_samples(40, 50, [92, 93], 100).p_value.round(5)
    array([0.06729, 0.04068])
    """
    x1, n1, x2, n2 = check_samples(first_successes, first_trials, second_successes, second_trials)
    tails = _tails(x1, n1, x2, n2)
    doubled = 2 * np.minimum(tails.lower, tails.upper)
    p_value = np.asarray(np.minimum(1, doubled))
    return TwoSamples(tails.lower, tails.upper, p_value, tails.no_likelier)


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
    x1_min = _fewest(s, n1, n2, g)
    x2_min = _fewest(s, n2, n1, g)
    return Limits(x1_min, np.asarray(s - x2_min))


def error(level: float) -> float:
    """Return 1 - level, as a decimal: 1 - 0.9 is 0.1, not 0.09999999999999998.

    >>> error(0.9)
    0.1
    """
    check_level(level)
    return float(1 - Decimal(str(float(level))))


def significant(p_value: npt.ArrayLike, *, level: float = 0.95) -> BoolArray:
    """Which p-values are at most 1 - level, ignoring rounding in the last digits?

    Zero of three against three of three has p = 2/20: significant at the level 0.9.
    >>> bool(significant(two_samples(0, 3, 3, 3).p_value, level=0.9))
    True
    """
    return within(np.asarray(p_value, np.float64), error(level))


def within(tail: FloatArray, most: float) -> BoolArray:
    """Whether a tail probability is at most `most`; what is equal in exact arithmetic counts as equal.

    >>> bool(within(np.float64(0.1 + 0.2), 0.3))
    True
    """
    return np.less_equal(tail, most * _SLACK)


def lower_tail(x1: FloatArray, n1: FloatArray, x2: FloatArray, n2: FloatArray) -> FloatArray:
    """P(X1 <= x1 | s) of checked counts.

    >>> lower_tail(*(np.array([k]) for k in (40.0, 50.0, 50.0, 50.0))).round(6)
    array([0.000593])
    """
    return _tails(x1, n1, x2, n2).lower


def first_where(
    holds: Callable[[FloatArray], BoolArray], low: FloatArray, high: FloatArray, *, near: FloatArray
) -> FloatArray:
    """Return the smallest whole k in [low, high] from which on a condition holds, or high + 1.

    A search by halving, whose first two steps bracket the guess `near`: quick if that is good.

    >>> first_where(lambda k: k * k > 10, np.array([0.0]), np.array([3.0, 9.0]), near=np.array([2.0]))
    array([4., 4.])
    """
    low, end = np.broadcast_arrays(low, high + 1)
    guesses = [np.floor(near) - 3, np.floor(near) + 3]
    open_cases = low < end
    while np.any(open_cases):
        middle = guesses.pop() if guesses else np.floor((low + end) / 2)
        middle = np.clip(middle, low, np.maximum(low, end - 1))
        held = holds(np.minimum(middle, high))
        low = np.where(open_cases & ~held, middle + 1, low)
        end = np.where(open_cases & held, middle, end)
        open_cases = low < end
    return end


def check_samples(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return four arrays of whole counts and one shape, or refuse the first entry that is not a share.

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
        raise OptionError(f"{which} sample: {wrong.message}") from wrong
    return x, n


def _fewest(s: FloatArray, n1: FloatArray, n2: FloatArray, g: float) -> FloatArray:
    """Return the largest k with P(X1 <= k | s) <= g, NaN where there is none."""
    least = np.maximum(0, s - n2)
    most = np.minimum(n1, s)
    n = np.maximum(1, n1 + n2)
    # The search begins where the normal distribution with the same mean and variance has its quantile.
    deviation = np.sqrt(s * (n - s) * n1 * n2 / n**3)
    near = s * n1 / n + special.ndtri(g) * deviation

    def too_likely(k: FloatArray) -> BoolArray:
        return ~within(lower_tail(k, n1, s - k, n2), g)

    fewest = first_where(too_likely, least, most, near=near) - 1
    return np.where(fewest < least, np.nan, fewest)


def _tails(x1: FloatArray, n1: FloatArray, x2: FloatArray, n2: FloatArray) -> _Tails:
    """Return the tails of all tables, a block of rows at a time."""
    x1_flat, n1_flat, x2_flat, n2_flat = (np.ravel(counts) for counts in (x1, n1, x2, n2))
    size = x1_flat.size
    lower = np.empty(size)
    upper = np.empty(size)
    no_likelier = np.empty(size)
    for start in range(0, size, _ROWS):
        rows = slice(start, start + _ROWS)
        block = _block(x1_flat[rows], n1_flat[rows], x2_flat[rows], n2_flat[rows])
        lower[rows] = block.lower
        upper[rows] = block.upper
        no_likelier[rows] = block.no_likelier
    shape = np.shape(x1)
    return _Tails(lower.reshape(shape), upper.reshape(shape), no_likelier.reshape(shape))


def _block(x1: FloatArray, n1: FloatArray, x2: FloatArray, n2: FloatArray) -> _Tails:
    """Return tails as sums of probabilities relative to that of the observed table, so that no factorial is needed."""
    above, rare_above = _relative_tail(n1 - x1, x2, x1 + 1, n2 - x2 + 1)
    below, rare_below = _relative_tail(n2 - x2, x1, x2 + 1, n1 - x1 + 1)
    whole = 1 + above + below
    # An infinite side means that the observed table has a probability below 1e-308: that tail is then 1.
    lower = np.divide(1 + below, whole, out=np.ones(whole.size), where=below < np.inf)
    upper = np.divide(1 + above, whole, out=np.ones(whole.size), where=above < np.inf)
    no_likelier = np.minimum(1, (1 + rare_above + rare_below) / whole)
    return _Tails(lower, upper, no_likelier)


def _relative_tail(
    a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Sum h(k) / h(x1) over all k > x1, and over those that are no likelier than x1.

    h(k+1) / h(k) = (a-j)(b-j) / ((c+j)(d+j)), j steps from x1, where a, b, c and d are the cells beside it.
    """
    total = np.zeros(a.size)
    rare = np.zeros(a.size)
    # Tables whose sums are not complete yet, and the last term of each. All go on by one stretch of terms at a time;
    # stretches grow as tables are done with, so that a step is never much work and seldom little.
    live = np.flatnonzero((a > 0) & (b > 0))
    weight = np.ones(live.size)
    done = 0
    cells = _CELLS
    while live.size:
        steps = done + np.arange(cells, dtype=np.float64)
        beside = (part[live, None] for part in (a, b, c, d))
        weights = _stretch(weight, steps, *beside)
        with np.errstate(over="ignore"):
            total[live] += weights.sum(axis=1)
        rare[live] += np.where(weights <= _TIE, weights, 0).sum(axis=1)
        # Beyond the likeliest table the terms fall: after a negligible one the rest is negligible too. An infinite sum
        # cannot become finite again.
        last = weights[:, -1]
        going = (last > _NEGLIGIBLE) & (last < np.inf)
        live = live[going]
        weight = last[going]
        done += cells
        room = _ROWS * _CELLS // max(live.size, 1)
        cells = max(_CELLS, min(2 * cells, room))
    return np.where(np.isnan(total), np.inf, total), rare


def _stretch(
    weight: FloatArray,
    steps: FloatArray,
    a: FloatArray,
    b: FloatArray,
    c: FloatArray,
    d: FloatArray,
) -> FloatArray:
    """Return the next terms h(k) / h(x1) of each table: the last one times the running product of the ratios."""
    with np.errstate(over="ignore", invalid="ignore"):
        ratios = np.maximum(a - steps, 0)
        ratios *= np.maximum(b - steps, 0)
        ratios /= (c + steps) * (d + steps)
        ratios[:, 0] *= weight
        weights: FloatArray = np.multiply.accumulate(ratios, axis=1, out=ratios)
    return weights


TEST = SignificanceTest(method=two_samples)
