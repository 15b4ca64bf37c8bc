"""How many items are needed: the exact bound and the exact tests, solved for the number of items."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import ceil, sqrt

import numpy as np
import numpy.typing as npt

from karat.doubt.bounds.exact import exact
from karat.doubt.interval import check_counts, refuse
from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.tango import score
from karat.doubt.tests.two_samples import check_samples, error, significant, two_samples, within
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray
from karat.planning.power import (
    critical,
    first_with,
    increase_power,
    increase_power_randomised,
    one_sample_power,
    pair_power,
    upper,
    z,
)
from karat.planning.significant_from import bound_proven, pair_bound, significant_from, tail_bound

FIGURES = (10, 20, 50, 100, 200)  # the numbers of trials the paper draws
OBSERVED = "exact, if observed exactly so"
POWER = "exact power"
NORMAL = "normal approximation with continuity correction"


@dataclass(frozen=True, slots=True)
class LowerBound:
    """What an estimate guarantees: the lower bound of the true share, and the successes it was computed from."""

    lower: FloatArray
    successes: FloatArray
    trials: FloatArray
    level: float


@dataclass(frozen=True, slots=True)
class FigureCurve:
    """One line of the paper's figures: a value for each estimate that so many trials can give; NaN is none."""

    trials: int
    estimate: FloatArray
    value: FloatArray


@dataclass(frozen=True, slots=True)
class PlannedItems:
    """How many items it takes, None where no number suffices, and how that was computed."""

    items: int | None
    method: str
    level: float
    power: float | None = None


def whole(share: npt.ArrayLike, trials: npt.ArrayLike) -> FloatArray:
    """Return the successes nearest to a share, a half rounded down: 0.07 of 50 is 3, though 0.07 * 50 > 3.5 in floats.

    >>> whole([0.07, 0.5, 0.97], 50)
    array([ 3., 25., 48.])
    """
    product = np.round(np.multiply(share, trials), 9)
    return np.asarray(np.ceil(product - 0.5))


def lower_bound(
    estimate: npt.ArrayLike, trials: npt.ArrayLike, *, level: float = 0.95
) -> LowerBound:
    """Which share does an estimate from so many trials guarantee? (The paper's Figure 1.)

    The one-sided exact bound of x = estimate * trials successes, rounded to the nearest whole number, a half down.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> lower_bound([0.5, 1], 20).lower.round(2)
    array([0.3 , 0.86])
    """
    share = np.asarray(estimate, np.float64)
    n = check_counts(0, trials)[1]
    possible = (share >= 0) & (share <= 1)
    refuse(~possible, "estimate", share, "a share lies between 0 and 1")
    x = whole(share, n)
    interval = exact(x, n, level=level, side="lower")
    return LowerBound(interval.low, x, np.broadcast_to(n, x.shape), level)


def smallest_increase(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_trials: npt.ArrayLike,
    *,
    level: float = 0.95,
) -> FloatArray:
    """Return the fewest successes with which the second sample is significantly better; NaN where none is enough.

    min{x2: P(X1 <= x1 | x1 + x2) <= gamma/2}; the tail falls as x2 rises, so the search may halve.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> smallest_increase([40, 40, 45], 50, [50, 100, 50])
    array([48., 93., nan])
    """
    g = error(level) / 2
    x1, n1, _, n2 = check_samples(first_successes, first_trials, 0, second_trials)
    x2 = critical(x1, n1, n2, g)
    return np.where(x2 > n2, np.nan, x2)


def figure_one(trials: Iterable[int] = FIGURES, *, level: float = 0.95) -> tuple[FigureCurve, ...]:
    """Which share does each estimate guarantee, for several numbers of trials? (The paper's Figure 1.)

    >>> figure_one([20])[0].value[[10, 20]].round(2)
    array([0.3 , 0.86])
    """
    curves = []
    for n in trials:
        x = np.arange(n + 1)
        interval = exact(x, n, level=level, side="lower")
        curves.append(FigureCurve(n, x / n, interval.low))
    return tuple(curves)


def figure_two(trials: Iterable[int] = FIGURES, *, level: float = 0.95) -> tuple[FigureCurve, ...]:
    """Which increase over each estimate is significant, with as many trials again? (The paper's Figure 2.)

    >>> figure_two([50])[0].value[[25, 40, 45]].round(2)
    array([0.22, 0.16,  nan])
    """
    curves = []
    for n in trials:
        x = np.arange(n + 1)
        needed = smallest_increase(x, n, n, level=level)
        curves.append(FigureCurve(n, x / n, (needed - x) / n))
    return tuple(curves)


def items_for_increase(baseline: float, increase: float, *, level: float = 0.95) -> PlannedItems:
    """From how many items in each sample on is an increase significant, if exactly this increase is observed?

    The smallest n such that `whole(baseline, m)` against `whole(baseline + increase, m)` of m items is significant
    for every m >= n, however large: beyond a horizon a bound of the tail proves it, up to there every m is tried.
    Where rounding favours them, single smaller numbers may suffice.
    Over 100,000 items: d n - 1 = z √(2 p (1-p) n), d the increase, p the share halfway; right to about 1/d items.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> items_for_increase(0.8, 0.1).items
    128
    """
    g = error(level) / 2
    raised = _raised(baseline, increase)

    def holds(n: FloatArray) -> BoolArray:
        tested = two_samples(whole(baseline, n), n, whole(raised, n), n)
        return significant(tested.p_value, level=level)

    def search(_: int) -> int:
        return significant_from(holds, lambda n: tail_bound(n, baseline, raised) <= g)

    rough = _normal(increase, z(g) * _common_spread(baseline, raised), 1)
    return _answer(rough, 100_000, search, level)


def items_for_bound(lower: float, estimate: float, *, level: float = 0.95) -> PlannedItems:
    """From how many items on does an estimate guarantee a share, if exactly this estimate is observed?

    The smallest n such that the lower bound of `whole(estimate, m)` of m items is at least `lower` for every
    m >= n, however large: beyond a horizon Chernoff's bound of the tail proves it, up to there every m is tried.
    Over 1,000,000 items: (estimate - lower) n - 1/2 = z √(lower (1-lower) n).
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> items_for_bound(0.9, 0.95).items
    116
    """
    _check_bound(lower, estimate)
    g = error(level)

    def holds(n: FloatArray) -> BoolArray:
        return within(upper(whole(estimate, n), n, lower), g)

    def search(_: int) -> int:
        return significant_from(holds, lambda n: bound_proven(n, lower, estimate, g))

    rough = _normal(estimate - lower, z(g) * sqrt(lower * (1 - lower)), 0.5)
    return _answer(rough, 1_000_000, search, level)


def items_for_pair(
    only_first_share: float,
    only_second_share: float,
    *,
    level: float = 0.95,
    power: float | None = None,
) -> PlannedItems:
    """How many items must two systems share for a difference between them to be significant?

    Each share is that of the items which only this system has right. Without power: the smallest n such that
    McNemar's exact test of `whole(share, m)` is significant for every m >= n, proven as in `items_for_bound`.
    With it: the smallest n at which the test is significant, in favour of the better system, with at least this
    probability, over the binomial numbers of discordant items; a few larger n may fall just short.
    Over 100,000 items: d n - 1 = (z √q + z' √(q - d²)) √n, q the sum of the shares and d their difference.
    Reference: Miettinen, Biometrics 24, 1968. doi:10.2307/2528039
    >>> items_for_pair(0.10, 0.05).items, items_for_pair(0.10, 0.05, power=0.8).items
    (276, 498)
    """
    _check_shares(only_first_share=only_first_share, only_second_share=only_second_share)
    _check_shares(**{"only_first_share + only_second_share": only_first_share + only_second_share})
    g = error(level) / 2
    less = min(only_first_share, only_second_share)
    more = max(only_first_share, only_second_share)
    gap = more - less
    both = more + less

    def holds(n: FloatArray) -> BoolArray:
        return within(mcnemar(whole(less, n), whole(more, n)), 2 * g)

    def search(rough: int) -> int:
        if power is None:
            return significant_from(holds, lambda n: pair_bound(n, less, more) <= g)
        powers = pair_power(less, more, g)
        return first_with(
            power, rough, lambda n: float(powers(n).test), lambda n: float(powers(n).above)
        )

    own_spread = sqrt(max(0.0, both - gap**2))
    spread = z(g) * sqrt(both) + _z_of_power(power) * own_spread
    return _answer(_normal(gap, spread, 1), 100_000, search, level, power)


def items_for_no_worse(
    only_first_share: float,
    only_second_share: float,
    margin: float,
    *,
    level: float = 0.95,
    power: float = 0.8,
) -> PlannedItems:
    """How many items must two systems share for the first to be shown no worse than the second by a margin?

    (d + m) √n = z √V + z' √(q - d²), d the difference of the shares of items that only one has right, q their sum, m
    the margin and V the variance in Tango's score at d = -m. The test is Tango's, on one side; a normal approximation.
    No number is enough where the first is worse by the margin or more.
    Reference: Tango, Stat. Med. 17, 1998. doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B
    >>> items_for_no_worse(0.05, 0.05, 0.03).items
    717
    """
    _check_shares(only_first_share=only_first_share, only_second_share=only_second_share)
    _check_shares(margin=margin)
    if not margin:
        raise OptionError("margin is 0; it is by how much the first may be worse, as 0.02 is")
    both = only_first_share + only_second_share
    difference = only_first_share - only_second_share
    above_margin = difference + margin
    method = "normal approximation of Tango's test"
    if above_margin <= 0:
        return PlannedItems(None, method, level, power)
    shares = (np.array(only_first_share), np.array(only_second_share))
    null_spread = above_margin / float(score(*shares, np.array(1.0), np.array(-margin)))
    own_spread = sqrt(max(0.0, both - difference**2))
    spread = z(error(level)) * null_spread + _z_of_power(power) * own_spread
    items = _normal(above_margin, spread, 0)
    return PlannedItems(items, method, level, power)


def design_effect(cluster_size: float, correlation: float) -> float:
    """By which factor do more items have to be drawn, if they come in clusters of correlated items?

    1 + (m - 1) r, m the mean number of items a cluster, r their correlation within it.
    Reference: Kish, Survey Sampling, Wiley 1965, section 5.4.
    >>> round(design_effect(10, 0.2), 2)
    2.8
    """
    if not cluster_size >= 1:
        raise OptionError(
            f"--cluster-size is {cluster_size:g}; a cluster has one item or more, as 10"
        )
    _check_shares(correlation=correlation)
    return 1 + (cluster_size - 1) * correlation


def further_items(
    only_first: float,
    only_second: float,
    items: float,
    *,
    pairs: int = 1,
    level: float = 0.95,
    now: float | None = None,
) -> int | None:
    """How many more items would make a difference significant, if two systems go on disagreeing as they do?

    At a level that holds for all of so many pairs together, which is stricter than Holm's for most of them. `now` is
    how many items there are, if not those on which the two were counted. None where neither leads, or without items.
    >>> further_items(20, 10, 200), further_items(10, 10, 200)
    (76, None)
    """
    if only_first == only_second or not items:
        return None
    adjusted_level = 1 - (1 - level) / pairs
    needed = items_for_pair(only_first / items, only_second / items, level=adjusted_level).items
    if needed is None:
        return None
    available = int(items if now is None else now)
    return max(1, needed - available)


def items_for_increase_power(
    baseline: float, increase: float, *, level: float = 0.95, power: float = 0.8
) -> PlannedItems:
    """How many items must each sample have to find an increase with this probability?

    The smallest n at which the exact test is significant, the second sample being better, with at least this
    probability if the true shares are baseline and baseline + increase. Power is a sawtooth: a few larger n may fall
    just short. Over 2,000 items: d n - 1 = (z √(2 p (1-p)) + z' √(p1 (1-p1) + p2 (1-p2))) √n, p halfway.
    Reference: Casagrande, Pike & Smith, Biometrics 34, 1978. doi:10.2307/2530613
    >>> items_for_increase_power(0.8, 0.1).items
    214
    """
    g = error(level) / 2
    raised = _raised(baseline, increase)

    def search(rough: int) -> int:
        test = partial(increase_power, p1=baseline, p2=raised, g=g)
        above = partial(increase_power_randomised, p1=baseline, p2=raised, g=g)
        return first_with(power, rough, test, above)

    own_spread = sqrt(baseline * (1 - baseline) + raised * (1 - raised))
    spread = z(g) * _common_spread(baseline, raised) + _z_of_power(power) * own_spread
    return _answer(_normal(increase, spread, 1), 2_000, search, level, power)


def items_for_bound_power(
    lower: float, estimate: float, *, level: float = 0.95, power: float = 0.8
) -> PlannedItems:
    """How many items does it take to guarantee a share with this probability, if the true share is higher?

    The smallest n at which the exact lower bound is at least `lower` with at least this probability if the true
    share is `estimate`. Power is a sawtooth: a few larger n may fall just short.
    Over 100,000 items: (estimate - lower) n - 1/2 = (z √(lower (1-lower)) + z' √(estimate (1-estimate))) √n.
    Reference: Junker, Hoch & Dengel, ICDAR 1999. doi:10.1109/ICDAR.1999.791887
    >>> items_for_bound_power(0.9, 0.95).items
    179
    """
    _check_bound(lower, estimate)
    g = error(level)

    def search(rough: int) -> int:
        powers = partial(one_sample_power, null=lower, true=estimate, g=g)
        return first_with(
            power, rough, lambda n: float(powers(n).test), lambda n: float(powers(n).above)
        )

    null_spread = sqrt(lower * (1 - lower))
    own_spread = sqrt(estimate * (1 - estimate))
    spread = z(g) * null_spread + _z_of_power(power) * own_spread
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
) -> PlannedItems:
    """Return the exact number of items, unless a rough one shows that the search would take long."""
    method = OBSERVED if power is None else POWER
    if rough is None:
        return PlannedItems(None, method, level, power)
    if rough > most:
        return PlannedItems(rough, NORMAL, level, power)
    return PlannedItems(search(rough), method, level, power)


def _z_of_power(power: float | None) -> float:
    """Return the normal quantile of the power, 0 without one: an estimate is below the truth as often as above."""
    if power is None:
        return 0.0
    if not 0 < power <= 0.999999:
        raise OptionError(f"power is {power}; it must be above 0 and at most 0.999999, as 0.8 is")
    return -z(power)


def _common_spread(p1: float, p2: float) -> float:
    """Return √(2 p (1-p)), p halfway between two shares."""
    return sqrt((p1 + p2) * (1 - (p1 + p2) / 2))


def _normal(gap: float, spread: float, correction: float) -> int | None:
    """Return the first n with gap * n - correction >= spread * √n, if there is one."""
    if gap < 1e-12:  # 0.3 - (0.1 + 0.2) is none
        return None
    discriminant = spread**2 + 4 * gap * correction
    root = (spread + sqrt(discriminant)) / (2 * gap)
    return ceil(root**2)
