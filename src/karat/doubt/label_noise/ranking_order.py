"""How likely many systems keep their order by the true labels, if some given labels are wrong."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray

MOST_CELLS = 10_000_000
"""Differences of scores that the exact distribution may run over."""
MOST_SYSTEMS = 64
"""Axes that an array may have."""
AT_ONCE = 2_000_000
"""Numbers in memory in one step of a simulation."""
NEGLIGIBLE = 1e-25
"""Numbers of wrong labels less likely than this, relative to the likeliest, are left out of the exact distribution."""
FEW = 16
"""Up to so many equal items are drawn one by one; more by one binomial number."""
ROUNDING = 1e-15
"""What may be left of a probability of 1 by rounding only."""
WholeDistribution = tuple[int, FloatArray]
"""A distribution over whole numbers: the least that occurs, and the chances of it and of those that follow."""
Direction = tuple[int, ...]
"""By how much a wrong label moves each system's difference to the first one, halved: -1, 0 or 1."""
States = Iterable[tuple[FloatArray, FloatArray]]
"""Scores (a row a case, a column a system) and the chance of each case."""


@dataclass(frozen=True, slots=True, eq=False)
class RankingUnderNoise:
    """How likely the true labels give the same order as the given labels; higher scores come first."""

    given: FloatArray
    """The scores by the given labels."""
    kept: float
    """The whole order is the same: who is before whom, and who ties with whom."""
    no_inversion: float
    """No two systems change places; ties may come and go."""
    best_kept: float | None
    """The sole best is the sole best again; None where several are the best by the given labels."""
    best_among: float | None
    """The sole best is still among the best."""
    sole_best: FloatArray
    ranks: FloatArray
    """ranks[i, r]: system i has rank r + 1, one more than the number of systems strictly before it."""
    before: FloatArray
    """before[i, j]: system i is strictly before system j."""
    method: str
    standard_error: float
    """The largest standard error of these probabilities, from the number of draws only; 0 where they are exact."""

    def tied(self, first: int, second: int) -> float:
        """Return how likely two systems score the same."""
        first_leads = float(self.before[first, second])
        second_leads = float(self.before[second, first])
        tie = 1 - first_leads - second_leads
        return tie if tie > ROUNDING else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Orders:
    """In which cases something holds of the order, a truth value a case."""

    kept: BoolArray
    no_inversion: BoolArray
    best_kept: BoolArray
    best_among: BoolArray


def ranking_under_label_noise(
    right: npt.ArrayLike,
    number: npt.ArrayLike,
    error: npt.ArrayLike,
    *,
    classes: int = 2,
    draws: int = 10_000,
    seed: int = 0,
) -> RankingUnderNoise:
    """How likely is the ranking by accuracy kept, if each label is wrong with this probability, independently?

    With two classes a wrong label complements who is right, c: it adds 1 - 2c to the scores. The number of wrong labels
    among equal items is binomial, and the distribution of the scores' differences is the convolution of these: exact,
    while it has at most 1e7 cells (what is less likely than 1e-25 is left out); a seeded simulation otherwise. Rows of
    `right` are patterns, its columns systems; one error for all, or one per row. With more classes it matters which
    wrong answers agree, which `right` does not contain: see `scores_under_label_noise`.
    Reference: Lamiroy, Pierrot, Statistical performance metrics for use with imprecise ground-truth, GREC 2015.
    doi:10.1007/978-3-319-52159-6_3
    >>> table_3 = ranking_under_label_noise([[1, 1], [0, 1], [1, 0]], [3, 3, 1], 0.2)
    >>> round(table_3.kept, 4), round(table_3.tied(0, 1), 4), table_3.method
    (0.5888, 0.3264, 'exact')
    """
    if classes != 2:
        raise OptionError(
            f"of {classes} classes it matters which wrong answers agree; use scores_under_label_noise, with the labels"
        )
    side, amount, chance = _checked(right, number, error)
    given = amount @ side.astype(float)
    side, amount, chance = grouped(side, amount, chance)
    distributions = _distributions(side, amount, chance)
    if _cells(distributions, side.shape[1]) <= MOST_CELLS:
        return ranking_from_cases(given, _lattice(distributions, given), method="exact")
    drawn = given + _simulated(side, amount, chance, draws=draws, seed=seed)
    return ranking_from_draws(given, drawn, method=f"simulation (draws={draws}, seed={seed})")


def check_error(error: npt.ArrayLike) -> FloatArray:
    """Refuse what is not a probability.

    >>> check_error(5)
    Traceback (most recent call last):
    karat.errors.OptionError: the error rate of the labels is 5; it is a probability, from 0 to 1: 5 % is 0.05
    """
    chance = np.asarray(error, float)
    possible = (chance >= 0) & (chance <= 1)
    if not np.all(possible):
        first = chance[~possible].flat[0]
        raise OptionError(
            f"the error rate of the labels is {first:g}; it is a probability, from 0 to 1: 5 % is 0.05"
        )
    return chance


def check_draws(draws: int) -> None:
    """Refuse a simulation without draws."""
    if draws < 1:
        raise OptionError(
            f"draws is {draws}; a simulation takes at least one, and 10,000 are usual"
        )


def _checked(
    right: npt.ArrayLike, number: npt.ArrayLike, error: npt.ArrayLike
) -> tuple[BoolArray, FloatArray, FloatArray]:
    side = np.asarray(right, bool)
    amount = np.asarray(number, float)
    if side.ndim != 2 or amount.shape != side.shape[:1] or not side.shape[1]:
        raise OptionError(
            f"right is of shape {side.shape} and number of {amount.shape}; give a row for each pattern"
        )
    return side, amount, np.broadcast_to(check_error(error), amount.shape)


def grouped(
    side: BoolArray, amount: FloatArray, chance: FloatArray
) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Return the distinct patterns on which systems differ, with their number."""
    discordant = side.any(axis=1) != side.all(axis=1)
    counted = discordant & (amount > 0)
    side = side[counted]
    chance = chance[counted]
    packed = np.packbits(side, axis=1).astype(float)
    keys = np.column_stack([packed, chance])
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    number = np.bincount(inverse.ravel(), amount[counted], len(first)).astype(float)
    return side[first], number, chance[first]


def binomial(number: int, chance: float) -> WholeDistribution:
    """Return the binomial distribution of the number of successes, without what is negligible.

    p(k+1) / p(k) = (n-k)/(k+1) e/(1-e), from the likeliest k on, both ways: no cancellation, no overflow.
    >>> binomial(2, 0.5)
    (0, array([0.25, 0.5 , 0.25]))
    """
    if chance in {0.0, 1.0} or not number:
        return int(number * chance), np.ones(1)
    odds = chance / (1 - chance)
    mode = min(number, int((number + 1) * chance))
    above = np.arange(mode, number, dtype=float)
    below = np.arange(mode, 0, -1.0)
    up = np.cumprod((number - above) / (above + 1) * odds)
    down = np.cumprod(below / (number - below + 1) / odds)
    up = up[up > NEGLIGIBLE]
    down = down[down > NEGLIGIBLE]
    weights = np.concatenate([down[::-1], [1.0], up])
    return mode - len(down), weights / weights.sum()


def added(one: WholeDistribution, other: WholeDistribution) -> WholeDistribution:
    """Return the distribution of the sum."""
    return one[0] + other[0], np.convolve(one[1], other[1])


def _distributions(
    side: BoolArray, amount: FloatArray, chance: FloatArray
) -> dict[Direction, WholeDistribution]:
    """Return, by direction, the distribution of the steps of the differences to the first system, halved.

    A wrong label of a pattern moves the differences along one direction. Patterns with opposite directions share an
    entry, the one counted backwards: there are then at most half as many convolutions, over smaller tables.
    """
    distributions: dict[Direction, WholeDistribution] = {}
    for pattern, number, error in zip(side.astype(int), amount, chance, strict=True):
        step = pattern[0] - pattern
        sign = int(step[np.flatnonzero(step)[0]])
        start, chances = binomial(int(number), float(error))
        if sign < 0:
            start = -start - len(chances) + 1
            chances = chances[::-1]
        direction = tuple((sign * step).tolist())
        steps = (start, chances)
        if direction in distributions:
            steps = added(distributions[direction], steps)
        distributions[direction] = steps
    return distributions


def _cells(distributions: dict[Direction, WholeDistribution], systems: int) -> float:
    """Return how many differences of scores are possible."""
    if systems > MOST_SYSTEMS:
        return np.inf
    sizes = np.ones(systems)
    for direction, (_, chances) in distributions.items():
        sizes += np.array(direction) * (len(chances) - 1)
    return float(np.prod(sizes))


def _lattice(distributions: dict[Direction, WholeDistribution], given: FloatArray) -> States:
    """Yield the scores, up to a common number, and their chances, by convolution over the directions.

    The table has an axis for each system and holds the chance of every combination of differences to the first one;
    `origin` are the differences in its first cell.
    """
    table = np.ones((1,) * len(given))
    origin = np.zeros(len(given))
    for direction, (start, chances) in distributions.items():
        step = np.array(direction)  # 0 or 1: who differs from the first gains on it, or loses
        wider = np.zeros(np.array(table.shape) + step * (len(chances) - 1))
        for k, chance in enumerate(chances):
            starts = k * step
            ends = starts + table.shape
            place = tuple(slice(first, last) for first, last in zip(starts, ends, strict=True))
            wider[place] += chance * table
        origin += step * start
        table = wider
    yield from _cases(table, origin, given)


def _cases(table: FloatArray, origin: FloatArray, given: FloatArray) -> States:
    """Yield the scores and chances of the cells of a table, so many at once as fit in memory."""
    parts = 1 + table.size * len(given) // AT_ONCE
    for part in np.array_split(np.flatnonzero(table), parts):
        steps = np.column_stack(np.unravel_index(part, table.shape)) + origin
        yield given + 2 * steps, table.ravel()[part]


def _simulated(
    side: BoolArray, amount: FloatArray, chance: FloatArray, *, draws: int, seed: int
) -> FloatArray:
    """Return what wrong labels add to the scores, a row a draw."""
    check_draws(draws)
    random = np.random.default_rng(seed)
    signs = np.where(side, -1, 1).astype(np.float32)  # whole numbers below 2^24 are exact
    many = amount > FEW
    kinds = int(many.sum())
    numbers = amount[many].astype(int)
    single = np.repeat(np.flatnonzero(~many), amount[~many].astype(int))
    step = max(1, AT_ONCE // max(1, len(single) + kinds))
    changes = []
    for start, stop in pairwise([*range(0, draws, step), draws]):
        size = stop - start
        wrong = random.random((size, len(single))) < chance[single]
        of_single = wrong.astype(np.float32) @ signs[single]
        wrong_of_many = random.binomial(numbers, chance[many], (size, kinds))
        of_many = wrong_of_many.astype(float) @ signs[many]
        changes.append(of_single + of_many)
    return np.concatenate(changes).astype(float)


def ranking_from_draws(
    given: npt.ArrayLike, drawn: FloatArray, *, method: str, lower_is_better: bool = False
) -> RankingUnderNoise:
    """Return how likely the order of the given scores is kept, from simulated scores, a row a draw."""
    sign = -1 if lower_is_better else 1
    states = _blocks(drawn, sign)
    return ranking_from_cases(
        sign * np.asarray(given, float), states, method=method, draws=len(drawn)
    )


def _blocks(drawn: FloatArray, sign: int) -> States:
    """Yield simulated scores, so many at once as fit in memory, each case with the weight 1."""
    size = max(1, AT_ONCE // drawn.shape[1])
    for start in range(0, len(drawn), size):
        block = drawn[start : start + size]
        yield sign * block, np.ones(len(block))


def ranking_from_cases(
    given: FloatArray, states: States, *, method: str, draws: int = 0
) -> RankingUnderNoise:
    """Return how likely the order of the given scores is kept, over all cases of the true scores.

    The chances of the cases sum to 1; those of a simulation weigh 1 each, and `draws` is their number.
    """
    size = len(given)
    orders = np.zeros(4)
    sole_best = np.zeros(size)
    ranks = np.zeros((size, size))
    before = np.zeros((size, size))
    for scores, chance in states:
        case = _orders(given, scores)
        holds = (case.kept, case.no_inversion, case.best_kept, case.best_among)
        orders += [chance @ each for each in holds]
        for system in range(size):
            own = scores[:, [system]]
            better = (scores > own).sum(axis=1)
            as_good = (scores >= own).sum(axis=1)
            before[system] += chance @ (own > scores)
            ranks[system] += np.bincount(better, chance, size)
            sole_best[system] += chance @ (as_good == 1)
    total = max(1, draws)
    orders = np.minimum(orders / total, 1)
    sole_best = np.minimum(sole_best / total, 1)
    ranks = np.minimum(ranks / total, 1)
    before = np.minimum(before / total, 1)
    error = 0.0
    if draws:
        every = np.concatenate([orders, sole_best, ranks.ravel(), before.ravel()])
        error = float(np.sqrt(every * (1 - every) / draws).max())
    kept, no_inversion, best_kept, best_among = orders.tolist()
    has_sole_best = (given == given.max()).sum() == 1
    return RankingUnderNoise(
        given,
        kept,
        no_inversion,
        best_kept if has_sole_best else None,
        best_among if has_sole_best else None,
        sole_best,
        ranks,
        before,
        method,
        error,
    )


def _orders(given: FloatArray, scores: FloatArray) -> _Orders:
    """Return in which cases the order is kept, nothing is inverted, the best is the sole best, and one of the best."""
    places = np.argsort(-given, kind="stable")
    levels = given[places]
    ordered = scores[:, places]
    one = ordered[:, :-1]
    after = ordered[:, 1:]
    falls = levels[:-1] > levels[1:]
    kept = ((one > after) == falls) & (one >= after)
    # Nothing is inverted where each system scores at most the least of all that are strictly better by the given
    # scores: these are the first `better` in order, whose least score is kept in `least`.
    least = np.minimum.accumulate(ordered, axis=1)
    better = np.searchsorted(-levels, -levels, side="left")
    later = np.flatnonzero(better)
    no_inversion = (ordered[:, later] <= least[:, better[later] - 1]).all(axis=1)
    best = ordered[:, 0]
    best_of_rest = after.max(axis=1, initial=-np.inf)
    return _Orders(
        kept=kept.all(axis=1),
        no_inversion=np.asarray(no_inversion),
        best_kept=best > best_of_rest,
        best_among=best >= best_of_rest,
    )
