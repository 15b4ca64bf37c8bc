"""How many items are needed: the exact bound and the exact tests, turned around."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import ceil, exp, log, pi, sqrt

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.exact import exact
from karat.doubt.interval import BoolArray, FloatArray, check_counts, refuse
from karat.doubt.mcnemar import mcnemar
from karat.doubt.two_samples import check_samples, error, first_where, lower_tail, significant, two_samples, within
from karat.errors import OptionError

FIGURES = (10, 20, 50, 100, 200)  # the numbers of trials the paper draws
OBSERVED = "exact, if observed exactly so"
POWER = "exact power"
_REACH = 1e-15  # what is rarer changes no chance that matters
NORMAL = "normal approximation with continuity correction"


@dataclass(frozen=True, slots=True)
class LowerBound:
    """What an estimate guarantees: the lower bound of the true share, and the successes it was taken for."""

    lower: FloatArray
    successes: FloatArray
    trials: FloatArray
    level: float


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of the paper's figures: a value for each estimate that so many trials can give; NaN is none."""

    trials: int
    estimate: FloatArray
    value: FloatArray


@dataclass(frozen=True, slots=True)
class Items:
    """How many items it takes, and how that was found; None where no number suffices."""

    items: int | None
    method: str
    level: float
    power: float | None = None


def whole(share: npt.ArrayLike, trials: npt.ArrayLike) -> FloatArray:
    """Successes nearest to a share, a half rounded down: 0.07 of 50 is 3, although 0.07 * 50 = 3.5000000000000004.

    >>> whole([0.07, 0.5, 0.97], 50)
    array([ 3., 25., 48.])
    """
    return np.asarray(np.ceil(np.round(np.multiply(share, trials), 9) - 0.5))


def lower_bound(estimate: npt.ArrayLike, trials: npt.ArrayLike, *, level: float = 0.95) -> LowerBound:
    """Which share can be guaranteed if so many trials show this estimate? (The paper's Figure 1.)

    The one-sided exact bound of x = estimate * trials successes, rounded to the nearest whole number, a half down.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> lower_bound([0.5, 1], 20).lower.round(2)
    array([0.3 , 0.86])
    """
    share, n = np.asarray(estimate, np.float64), check_counts(0, trials)[1]
    refuse(~((share >= 0) & (share <= 1)), "estimate", share, "a share lies between 0 and 1")
    x = whole(share, n)
    return LowerBound(exact(x, n, level=level, side="lower").low, x, np.broadcast_to(n, x.shape), level)


def smallest_increase(
    first_successes: npt.ArrayLike, first_trials: npt.ArrayLike, second_trials: npt.ArrayLike, *, level: float = 0.95
) -> FloatArray:
    """How many successes must the second sample have at the least to be significantly better? NaN: none is enough.

    min{x2: P(X1 <= x1 | x1 + x2) <= gamma/2}; the tail falls as x2 rises, so the search may halve.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> smallest_increase([40, 40, 45], 50, [50, 100, 50])
    array([48., 93., nan])
    """
    g = error(level) / 2
    x1, n1, _, n2 = check_samples(first_successes, first_trials, 0, second_trials)
    x2 = _critical(x1, n1, n2, g)
    return np.where(x2 > n2, np.nan, x2)


def figure_one(trials: Iterable[int] = FIGURES, *, level: float = 0.95) -> tuple[Curve, ...]:
    """Which share does each estimate guarantee, for several numbers of trials? (The paper's Figure 1.)

    >>> figure_one([20])[0].value[[10, 20]].round(2)
    array([0.3 , 0.86])
    """
    counts = ((n, np.arange(n + 1)) for n in trials)
    return tuple(Curve(n, x / n, exact(x, n, level=level, side="lower").low) for n, x in counts)


def figure_two(trials: Iterable[int] = FIGURES, *, level: float = 0.95) -> tuple[Curve, ...]:
    """Which increase over each estimate is significant, with as many trials again? (The paper's Figure 2.)

    >>> figure_two([50])[0].value[[25, 40, 45]].round(2)
    array([0.22, 0.16,  nan])
    """
    counts = ((n, np.arange(n + 1)) for n in trials)
    return tuple(Curve(n, x / n, (smallest_increase(x, n, n, level=level) - x) / n) for n, x in counts)


def items_for_increase(baseline: float, increase: float, *, level: float = 0.95) -> Items:
    """From how many items in each sample on is an increase significant, if it is observed exactly so?

    The smallest n such that `whole(baseline, m)` against `whole(baseline + increase, m)` of m items is significant
    for every m >= n, however large: beyond a horizon a bound of the tail proves it, up to there every m is tried.
    Where rounding favours them, single smaller numbers may do.
    Over 100,000 items: d n - 1 = z √(2 p (1-p) n), d the increase, p the share halfway; right to some 1/d items.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> items_for_increase(0.8, 0.1).items
    128
    """
    g, raised = error(level) / 2, _raised(baseline, increase)

    def holds(n: FloatArray) -> BoolArray:
        return significant(two_samples(whole(baseline, n), n, whole(raised, n), n).p_value, level=level)

    def search(_: int) -> int:
        return _from_here_on(holds, lambda n: _tail_bound(n, baseline, raised) <= g)

    rough = _normal(increase, _z(g) * _common_spread(baseline, raised), 1)
    return _answer(rough, 100_000, search, level)


def items_for_bound(lower: float, estimate: float, *, level: float = 0.95) -> Items:
    """From how many items on does an estimate guarantee a share, if it is observed exactly so?

    The smallest n such that the lower bound of `whole(estimate, m)` of m items is at least `lower` for every
    m >= n, however large: beyond a horizon Chernoff's bound of the tail proves it, up to there every m is tried.
    Over 1,000,000 items: (estimate - lower) n - 1/2 = z √(lower (1-lower) n).
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> items_for_bound(0.9, 0.95).items
    116
    """
    _check_bound(lower, estimate)
    g = error(level)

    def proven(n: int) -> bool:
        least = estimate - 0.5 / n
        return least > lower and n * _divergence(least, lower) >= log(1 / g)

    def search(_: int) -> int:
        return _from_here_on(lambda n: within(_upper(whole(estimate, n), n, lower), g), proven)

    rough = _normal(estimate - lower, _z(g) * sqrt(lower * (1 - lower)), 0.5)
    return _answer(rough, 1_000_000, search, level)


def items_for_pair(
    only_first_share: float, only_second_share: float, *, level: float = 0.95, power: float | None = None
) -> Items:
    """How many items must two systems share for a difference between them to be significant?

    Each share is that of the items which only this system has right. Without power: the smallest n such that
    McNemar's exact test of `whole(share, m)` is significant for every m >= n, proven as in `items_for_bound`.
    With it: the smallest n at which the test is significant, the right way round, with at least this probability,
    over the binomial numbers of items that just one has right; a few larger n may fall just short.
    Over 100,000 items: d n - 1 = (z √q + z' √(q - d²)) √n, q the sum of the shares and d their difference.
    Reference: Miettinen, Biometrics 24, 1968. doi:10.2307/2528039
    >>> items_for_pair(0.10, 0.05).items, items_for_pair(0.10, 0.05, power=0.8).items
    (276, 498)
    """
    _check_shares(only_first_share=only_first_share, only_second_share=only_second_share)
    _check_shares(**{"only_first_share + only_second_share": only_first_share + only_second_share})
    g, less, more = error(level) / 2, *sorted((only_first_share, only_second_share))
    gap, both = more - less, more + less

    def search(rough: int) -> int:
        if power is None:
            return _first_pairs(less, more, g)
        chances = _pair_power(less, more, g)
        return _first_with(power, rough, lambda n: chances(n)[0], lambda n: chances(n)[1])

    spread = _z(g) * sqrt(both) + _z_of_power(power) * sqrt(max(0.0, both - gap**2))
    return _answer(_normal(gap, spread, 1), 100_000, search, level, power)


def items_for_increase_power(baseline: float, increase: float, *, level: float = 0.95, power: float = 0.8) -> Items:
    """How many items must each sample have to find an increase with this probability?

    The smallest n at which the exact test is significant, the second sample being better, with at least this
    probability if the true shares are baseline and baseline + increase. Power is a saw: a few larger n may fall
    just short. Over 2,000 items: d n - 1 = (z √(2 p (1-p)) + z' √(p1 (1-p1) + p2 (1-p2))) √n, p halfway.
    Reference: Casagrande, Pike & Smith, Biometrics 34, 1978. doi:10.2307/2530613
    >>> items_for_increase_power(0.8, 0.1).items
    214
    """
    g, raised = error(level) / 2, _raised(baseline, increase)

    def search(rough: int) -> int:
        test, drawn = (partial(chance, p1=baseline, p2=raised, g=g) for chance in (_increase_power, _increase_lot))
        return _first_with(power, rough, test, drawn)

    own_spread = sqrt(baseline * (1 - baseline) + raised * (1 - raised))
    spread = _z(g) * _common_spread(baseline, raised) + _z_of_power(power) * own_spread
    return _answer(_normal(increase, spread, 1), 2_000, search, level, power)


def items_for_bound_power(lower: float, estimate: float, *, level: float = 0.95, power: float = 0.8) -> Items:
    """How many items does it take to guarantee a share with this probability, if the true share is higher?

    The smallest n at which the exact lower bound is at least `lower` with at least this probability if the true
    share is `estimate`. Power is a saw: a few larger n may fall just short.
    Over 100,000 items: (estimate - lower) n - 1/2 = (z √(lower (1-lower)) + z' √(estimate (1-estimate))) √n.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> items_for_bound_power(0.9, 0.95).items
    179
    """
    _check_bound(lower, estimate)
    g = error(level)

    def search(rough: int) -> int:
        chances = partial(_one_sample_power, null=lower, true=estimate, g=g)
        return _first_with(power, rough, lambda n: chances(n)[0], lambda n: chances(n)[1])

    spread = _z(g) * sqrt(lower * (1 - lower)) + _z_of_power(power) * sqrt(estimate * (1 - estimate))
    return _answer(_normal(estimate - lower, spread, 0.5), 100_000, search, level, power)


def _check_shares(**shares: float) -> None:
    for name, share in shares.items():
        if not 0 <= share <= 1 + 1e-12:  # 0.7 + 0.2 + 0.1 is a share too
            raise OptionError(f"{name} is {share}; a share lies between 0 and 1")


def _check_bound(lower: float, estimate: float) -> None:
    _check_shares(lower=lower, estimate=estimate)
    if not lower:
        raise OptionError("lower is 0; every estimate guarantees that, name the share you need")


def _raised(baseline: float, increase: float) -> float:
    if not increase >= 0:
        raise OptionError(f"increase is {increase}; it cannot be negative: take the lower share as the baseline")
    _check_shares(**{"baseline": baseline, "baseline + increase": baseline + increase})
    return min(1.0, baseline + increase)


def _answer(
    rough: int | None, most: int, search: Callable[[int], int], level: float, power: float | None = None
) -> Items:
    """Return the exact number where a rough one shows it to be in reach."""
    method = OBSERVED if power is None else POWER
    if rough is None:
        return Items(None, method, level, power)
    return Items(rough, NORMAL, level, power) if rough > most else Items(search(rough), method, level, power)


def _z(g: float) -> float:
    return -float(special.ndtri(g))


def _z_of_power(power: float | None) -> float:
    """Return 0 for what is taken as observed: the estimate then falls below the truth as often as above."""
    if power is not None and not 0 < power <= 0.999999:
        raise OptionError(f"power is {power}; it must be above 0 and at most 0.999999, as 0.8 is")
    return 0.0 if power is None else -_z(power)


def _common_spread(p1: float, p2: float) -> float:
    return sqrt((p1 + p2) * (1 - (p1 + p2) / 2))


def _normal(gap: float, spread: float, correction: float) -> int | None:
    """Return the first n with gap * n - correction >= spread * √n, if there is one."""
    if gap < 1e-12:  # 0.3 - (0.1 + 0.2) is none
        return None
    return ceil(((spread + sqrt(spread**2 + 4 * gap * correction)) / (2 * gap)) ** 2)


def _divergence(p: float, q: float) -> float:
    return float(special.rel_entr(p, q) + special.rel_entr(1 - p, 1 - q))


def _upper(x: FloatArray, n: FloatArray, share: float) -> FloatArray:
    """P(X >= x), X binomial."""
    tail = special.betainc(np.maximum(x, 1), np.maximum(n - x, 0) + 1, share)
    return np.where(x > n, 0.0, np.where(x <= 0, 1.0, tail))


def _critical(x1: FloatArray, n1: FloatArray, n2: FloatArray, g: float) -> FloatArray:
    """Return the fewest successes of the second sample that are significantly more, or n2 + 1."""
    one, two = np.maximum(1, n1), np.maximum(1, n2)
    near = middle = x1 / one
    for _ in range(4):
        spread = np.sqrt(middle * (1 - middle) * (1 / one + 1 / two))
        near = np.minimum(1, x1 / one + _z(g) * spread + (1 / one + 1 / two) / 2)
        middle = (x1 + near * n2) / (one + two)
    return first_where(lambda x2: within(lower_tail(x1, n1, x2, n2), g), np.zeros(n2.shape), n2, near=near * n2)


def _from_here_on(holds: Callable[[FloatArray], BoolArray], proven: Callable[[int], bool]) -> int:
    """Return the smallest n such that a condition holds for all m >= n; where it is proven, it is for all above."""
    stop = 1
    while not proven(stop):
        stop *= 2
    stop = _first_true(proven, stop // 2, stop)
    size = 64
    while stop > 1:
        tried = np.arange(max(1, stop - size), stop)
        if not np.all(held := holds(tried.astype(np.float64))):
            return int(tried[~held][-1]) + 1
        stop, size = int(tried[0]), min(2 * size, 2**16)
    return 1


def _first_true(holds: Callable[[int], bool], low: int, high: int) -> int:
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _tail_bound(n: int, baseline: float, raised: float) -> float:
    """Bound P(X1 <= x1 | s) of both samples' n items for all numbers of items from n on; 1 where it proves nothing.

    Rounding leaves x1 <= n p1 and x2 >= n p2, p1 = baseline + 1/2n, p2 = raised - 1/2n; the tail rises with x1 and
    falls with x2. With √(n/8x(n-x)) <= C(n, x) exp(-n H(x/n)) <= √(n/2πx(n-x)) (and <= 1), and as the terms of the
    tail fall at least by r each, it is at most f1 f2 √(8V) exp(-n G) / (1-r), G = 2 H(p) - H(p1) - H(p2), p halfway.
    As n grows, G grows, f1, f2 and r fall, and √V grows no faster than √n: once n G >= 1/2, the bound only falls.
    """
    p1, p2 = baseline + 0.5 / n, raised - 0.5 / n
    if p1 >= p2:
        return 1.0
    p, r = (p1 + p2) / 2, p1 * (1 - p2) / ((1 - p1) * p2)
    gain = n * (_divergence(p1, p) + _divergence(p2, p))
    factors = _way_factor(n, baseline) * _way_factor(n, raised) * sqrt(8 * (2 * n * p * (1 - p) + abs(1 - 2 * p)))
    return 1.0 if gain < 0.5 else factors * exp(-gain) / (1 - r)


def _way_factor(n: int, share: float) -> float:
    """Bound C(n, x) exp(-n H(x/n)) for all whole x within a half of n times a share."""
    least = min(p * (1 - p) for p in (share - 0.5 / n, share + 0.5 / n))
    return 1 / sqrt(max(1.0, 2 * pi * n * least))


def _first_pairs(less: float, more: float, g: float) -> int:
    def holds(n: FloatArray) -> BoolArray:
        return within(mcnemar(whole(less, n), whole(more, n)), 2 * g)

    def proven(n: int) -> bool:
        b, c = less * n + 0.5, more * n - 0.5
        return b < c and b * log(2 * b / (b + c)) + c * log(2 * c / (b + c)) >= log(1 / g)

    return _from_here_on(holds, proven)


def _first_with(power: float, rough: int, test: Callable[[int], float], above: Callable[[int], float]) -> int:
    """Return the first n with this chance, given the chance of a test, and one above it that never falls.

    Below the first n at which the latter is large enough, the former is not either. The latter is the chance of the
    randomised test, which is the best of all unbiased ones and so never loses by an item more; or, for pairs, the
    chance if each number of items that just one has right were as good as the best number up to it.
    """
    high = rough
    while above(high) < power:
        high *= 2
    n = _first_true(lambda middle: above(middle) >= power, 0, high)
    while test(n) < power:
        n += 1
    return n


def _one_sample_power(n: npt.ArrayLike, null: float, true: float, g: float) -> FloatArray:
    """How likely X ~ (n, true) reaches the first x with P(X >= x | null) <= g; and with the rest of g drawn by lot."""
    n = np.asarray(n, np.float64)
    near = n * null + _z(g) * np.sqrt(n * null * (1 - null))
    x = first_where(lambda x: within(_upper(x, n, null), g), np.zeros(n.shape), n, near=near)
    reached, edge = _upper(x, n, true), _upper(x - 1, n, null)
    lot = (g - _upper(x, n, null)) / (edge - _upper(x, n, null))
    return np.array([reached, reached + lot * (_upper(x - 1, n, true) - reached)])


def _pair_power(less: float, more: float, g: float) -> Callable[[int], tuple[float, float]]:
    both = min(1.0, less + more)
    known = np.zeros((2, 0))

    def chances(n: int) -> tuple[float, float]:
        nonlocal known
        reach = 9 * sqrt(n * both * (1 - both)) + 9
        low, high = max(0, int(n * both - reach)), min(n, int(n * both + reach))
        if known.shape[1] <= high:
            test = _one_sample_power(np.arange(2.0 * high + 1), 0.5, more / (less + more), g)[0]
            known = np.array([test, np.maximum.accumulate(test)])
        weights = _probability(np.arange(low, high + 1.0), np.asarray(float(n)), both)
        test, best = known[:, low : high + 1] @ weights
        return float(test), float(best)

    return chances


def _increase_power(n: int, p1: float, p2: float, g: float) -> float:
    """How likely the exact test finds the second of two samples of n items significantly better."""
    return _found(n, p2, *_significant(n, p1, p2, g))


def _increase_lot(n: int, p1: float, p2: float, g: float) -> float:
    """How likely the test does so if the rest of g is drawn by lot, at the first x1 of a sum that falls short."""
    x1, x2, chance1, chance2 = found = _significant(n, p1, p2, g)
    s = np.arange(x1[0], x1[-1] + x2[-1])
    edge = x1[np.searchsorted(x1 + x2, s, side="right")]
    other = np.clip(s - edge, 0, n)
    weight = chance1[edge.astype(int)] * chance2[other.astype(int)]
    here = (s - edge <= n) & (weight > _REACH)
    tails = two_samples(edge[here], n, other[here], n)
    lot = np.clip((g - 1 + tails.upper) / np.maximum(tails.lower + tails.upper - 1, 1e-300), 0, 1)
    return _found(n, p2, *found) + float(lot @ weight[here])


def _found(n: int, p2: float, x1: FloatArray, x2: FloatArray, chance1: FloatArray, _: FloatArray) -> float:
    return float(chance1[x1.astype(int)] @ _upper(x2, np.asarray(float(n)), p2))


def _significant(n: int, p1: float, p2: float, g: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return all x1 that may occur, the first x2 significantly above each, and the chances of 0..n in both samples."""
    x, items = np.arange(n + 1.0), np.asarray(float(n))
    chance1, chance2 = _probability(x, items, p1), _probability(x, items, p2)
    x1 = x[chance1 > _REACH]
    return x1, _critical(x1, np.full(x1.shape, items), np.full(x1.shape, items), g), chance1, chance2


def _probability(x: FloatArray, n: FloatArray, share: float) -> FloatArray:
    """P(X = x), X binomial."""
    ways = special.gammaln(n + 1) - special.gammaln(x + 1) - special.gammaln(n - x + 1)
    chance: FloatArray = np.exp(ways + special.xlogy(x, share) + special.xlog1py(n - x, -share))
    return chance
