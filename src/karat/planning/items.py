"""How many items are needed: the exact bound and the exact tests, turned around."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import ceil, exp, log, pi, sqrt

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.bounds.exact import exact
from karat.doubt.interval import check_counts, refuse
from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.two_samples import check_samples, error, significant, two_samples, within
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray
from karat.planning.power import (
    critical,
    first_true,
    first_with,
    increase_lot,
    increase_power,
    one_sample_power,
    pair_power,
    upper,
    z,
)

FIGURES = (10, 20, 50, 100, 200)  # the numbers of trials the paper draws
OBSERVED = "exact, if observed exactly so"
POWER = "exact power"
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


def lower_bound(
    estimate: npt.ArrayLike, trials: npt.ArrayLike, *, level: float = 0.95
) -> LowerBound:
    """Which share can be guaranteed if so many trials show this estimate? (The paper's Figure 1.)

    The one-sided exact bound of x = estimate * trials successes, rounded to the nearest whole number, a half down.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> lower_bound([0.5, 1], 20).lower.round(2)
    array([0.3 , 0.86])
    """
    share, n = np.asarray(estimate, np.float64), check_counts(0, trials)[1]
    refuse(~((share >= 0) & (share <= 1)), "estimate", share, "a share lies between 0 and 1")
    x = whole(share, n)
    return LowerBound(
        exact(x, n, level=level, side="lower").low, x, np.broadcast_to(n, x.shape), level
    )


def smallest_increase(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_trials: npt.ArrayLike,
    *,
    level: float = 0.95,
) -> FloatArray:
    """How many successes must the second sample have at the least to be significantly better? NaN: none is enough.

    min{x2: P(X1 <= x1 | x1 + x2) <= gamma/2}; the tail falls as x2 rises, so the search may halve.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> smallest_increase([40, 40, 45], 50, [50, 100, 50])
    array([48., 93., nan])
    """
    g = error(level) / 2
    x1, n1, _, n2 = check_samples(first_successes, first_trials, 0, second_trials)
    x2 = critical(x1, n1, n2, g)
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
    return tuple(
        Curve(n, x / n, (smallest_increase(x, n, n, level=level) - x) / n) for n, x in counts
    )


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
        return significant(
            two_samples(whole(baseline, n), n, whole(raised, n), n).p_value, level=level
        )

    def search(_: int) -> int:
        return _from_here_on(holds, lambda n: _tail_bound(n, baseline, raised) <= g)

    rough = _normal(increase, z(g) * _common_spread(baseline, raised), 1)
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
        return _from_here_on(lambda n: within(upper(whole(estimate, n), n, lower), g), proven)

    rough = _normal(estimate - lower, z(g) * sqrt(lower * (1 - lower)), 0.5)
    return _answer(rough, 1_000_000, search, level)


def items_for_pair(
    only_first_share: float,
    only_second_share: float,
    *,
    level: float = 0.95,
    power: float | None = None,
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
        chances = pair_power(less, more, g)
        return first_with(power, rough, lambda n: chances(n)[0], lambda n: chances(n)[1])

    spread = z(g) * sqrt(both) + _z_of_power(power) * sqrt(max(0.0, both - gap**2))
    return _answer(_normal(gap, spread, 1), 100_000, search, level, power)


def further_items(
    only_first: float,
    only_second: float,
    items: float,
    *,
    pairs: int = 1,
    level: float = 0.95,
    now: float | None = None,
) -> int | None:
    """How many more items would settle a pair, if it went on disagreeing as it does?

    At a level that holds for all of so many pairs together, which is more than Holm asks of most of them. `now` is how
    many items there are, if not those on which the two were counted. None where neither leads, or there are none.
    >>> further_items(20, 10, 200), further_items(10, 10, 200)
    (76, None)
    """
    if only_first == only_second or not items:
        return None
    needed = items_for_pair(
        only_first / items, only_second / items, level=1 - (1 - level) / pairs
    ).items
    return None if needed is None else max(1, needed - int(items if now is None else now))


def items_for_increase_power(
    baseline: float, increase: float, *, level: float = 0.95, power: float = 0.8
) -> Items:
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
        test, drawn = (
            partial(chance, p1=baseline, p2=raised, g=g)
            for chance in (increase_power, increase_lot)
        )
        return first_with(power, rough, test, drawn)

    own_spread = sqrt(baseline * (1 - baseline) + raised * (1 - raised))
    spread = z(g) * _common_spread(baseline, raised) + _z_of_power(power) * own_spread
    return _answer(_normal(increase, spread, 1), 2_000, search, level, power)


def items_for_bound_power(
    lower: float, estimate: float, *, level: float = 0.95, power: float = 0.8
) -> Items:
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
        chances = partial(one_sample_power, null=lower, true=estimate, g=g)
        return first_with(power, rough, lambda n: chances(n)[0], lambda n: chances(n)[1])

    spread = z(g) * sqrt(lower * (1 - lower)) + _z_of_power(power) * sqrt(estimate * (1 - estimate))
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
        raise OptionError(
            f"increase is {increase}; it cannot be negative: take the lower share as the baseline"
        )
    _check_shares(**{"baseline": baseline, "baseline + increase": baseline + increase})
    return min(1.0, baseline + increase)


def _answer(
    rough: int | None,
    most: int,
    search: Callable[[int], int],
    level: float,
    power: float | None = None,
) -> Items:
    """Return the exact number where a rough one shows it to be in reach."""
    method = OBSERVED if power is None else POWER
    if rough is None:
        return Items(None, method, level, power)
    return (
        Items(rough, NORMAL, level, power)
        if rough > most
        else Items(search(rough), method, level, power)
    )


def _z_of_power(power: float | None) -> float:
    """Return 0 for what is taken as observed: the estimate then falls below the truth as often as above."""
    if power is not None and not 0 < power <= 0.999999:
        raise OptionError(f"power is {power}; it must be above 0 and at most 0.999999, as 0.8 is")
    return 0.0 if power is None else -z(power)


def _common_spread(p1: float, p2: float) -> float:
    return sqrt((p1 + p2) * (1 - (p1 + p2) / 2))


def _normal(gap: float, spread: float, correction: float) -> int | None:
    """Return the first n with gap * n - correction >= spread * √n, if there is one."""
    if gap < 1e-12:  # 0.3 - (0.1 + 0.2) is none
        return None
    return ceil(((spread + sqrt(spread**2 + 4 * gap * correction)) / (2 * gap)) ** 2)


def _divergence(p: float, q: float) -> float:
    return float(special.rel_entr(p, q) + special.rel_entr(1 - p, 1 - q))


def _from_here_on(holds: Callable[[FloatArray], BoolArray], proven: Callable[[int], bool]) -> int:
    """Return the smallest n such that a condition holds for all m >= n; where it is proven, it is for all above."""
    stop = 1
    while not proven(stop):
        stop *= 2
    stop = first_true(proven, stop // 2, stop)
    size = 64
    while stop > 1:
        tried = np.arange(max(1, stop - size), stop)
        if not np.all(held := holds(tried.astype(np.float64))):
            return int(tried[~held][-1]) + 1
        stop, size = int(tried[0]), min(2 * size, 2**16)
    return 1


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
    factors = (
        _way_factor(n, baseline)
        * _way_factor(n, raised)
        * sqrt(8 * (2 * n * p * (1 - p) + abs(1 - 2 * p)))
    )
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
