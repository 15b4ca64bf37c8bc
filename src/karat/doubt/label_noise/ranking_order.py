"""Would the order of many systems be the same, if the wrong labels of the truth were mended?"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray

MOST_CELLS = 10_000_000
"""Differences of scores that the exact law may run over."""
MOST_SYSTEMS = 64
"""Axes that an array may have."""
AT_ONCE = 2_000_000
"""Numbers held in one step of a simulation."""
NEGLIGIBLE = 1e-25
"""Numbers of wrong labels less likely than this, beside the likeliest, are left out of the exact law."""
FEW = 16
"""Up to so many equal items are drawn one by one; more by one binomial number."""
ROUNDING = 1e-15
"""What is left of a probability of 1 by rounding alone."""
Law = tuple[int, FloatArray]
"""The least whole number that occurs, and the chances of it and of those that follow."""
States = Iterable[tuple[FloatArray, FloatArray]]
"""Scores (a row a case, a column a system) and the chance of each case."""


@dataclass(frozen=True, slots=True, eq=False)
class FaultyRanking:
    """How likely the true labels give the order that the given labels do; higher scores come first."""

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
    """The largest of any of these probabilities, from the number of draws alone; 0 where they are exact."""

    def tied(self, first: int, second: int) -> float:
        """Return how likely two systems score the same."""
        tie = 1 - float(self.before[first, second]) - float(self.before[second, first])
        return tie if tie > ROUNDING else 0.0


def faulty_ranking(
    right: npt.ArrayLike,
    number: npt.ArrayLike,
    error: npt.ArrayLike,
    *,
    classes: int = 2,
    draws: int = 10_000,
    seed: int = 0,
) -> FaultyRanking:
    """Would the ranking by accuracy survive, if each label is wrong with this probability, independently?

    With two classes a wrong label complements who is right, c: it adds 1 - 2c to the scores. The wrong labels of equal
    items are binomial, and the law of the scores' differences is their convolution: exact, while it has at most 1e7
    cells (less likely than 1e-25 counts as never); a seeded simulation otherwise. Rows of `right` are patterns, its
    columns systems; one error for all, or one per row. With more classes it matters which wrong answers agree, which
    `right` does not tell: see `faulty_classes`.
    Reference: Lamiroy, Pierrot, Statistical performance metrics for use with imprecise ground-truth, GREC 2015.
    doi:10.1007/978-3-319-52159-6_3
    >>> table_3 = faulty_ranking([[1, 1], [0, 1], [1, 0]], [3, 3, 1], 0.2)
    >>> round(table_3.kept, 4), round(table_3.tied(0, 1), 4), table_3.method
    (0.5888, 0.3264, 'exact')
    """
    if classes != 2:
        raise OptionError(
            f"who is right does not tell the law of {classes} classes; use faulty_classes, with the labels"
        )
    side, amount, chance = _checked(right, number, error)
    given = amount @ side.astype(float)
    side, amount, chance = grouped(side, amount, chance)
    laws = _laws(side, amount, chance)
    if _cells(laws, side.shape[1]) <= MOST_CELLS:
        return survival(given, _lattice(laws, given), method="exact")
    drawn = given + _simulated(side, amount, chance, draws=draws, seed=seed)
    return survived(given, drawn, method=f"simulation (draws={draws}, seed={seed})")


def check_error(error: npt.ArrayLike) -> FloatArray:
    """Refuse what is no probability.

    >>> check_error(5)
    Traceback (most recent call last):
    karat.errors.OptionError: the error rate of the labels is 5; it is a probability, from 0 to 1: 5 % is 0.05
    """
    chance = np.asarray(error, float)
    if not np.all((chance >= 0) & (chance <= 1)):
        worst = chance[~((chance >= 0) & (chance <= 1))].flat[0]
        raise OptionError(
            f"the error rate of the labels is {worst:g}; it is a probability, from 0 to 1: 5 % is 0.05"
        )
    return chance


def check_draws(draws: int) -> None:
    """Refuse a simulation of nothing."""
    if draws < 1:
        raise OptionError(
            f"draws is {draws}; a simulation takes at least one, and 10,000 are usual"
        )


def _checked(
    right: npt.ArrayLike, number: npt.ArrayLike, error: npt.ArrayLike
) -> tuple[BoolArray, FloatArray, FloatArray]:
    side, amount = np.asarray(right, bool), np.asarray(number, float)
    if side.ndim != 2 or amount.shape != side.shape[:1] or not side.shape[1]:
        raise OptionError(
            f"right is of shape {side.shape} and number of {amount.shape}; wanted: a row a pattern"
        )
    return side, amount, np.broadcast_to(check_error(error), amount.shape)


def grouped(
    side: BoolArray, amount: FloatArray, chance: FloatArray
) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Return the distinct patterns on which systems differ, with their number."""
    told = (side.any(axis=1) != side.all(axis=1)) & (amount > 0)
    packed = np.packbits(side[told], axis=1).astype(float)
    keys = np.column_stack([packed, chance[told]])
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return (
        side[told][first],
        np.bincount(inverse.ravel(), amount[told], len(first)).astype(float),
        chance[told][first],
    )


def binomial(number: int, chance: float) -> Law:
    """Return the law of the number of successes, without what is negligible.

    p(k+1) / p(k) = (n-k)/(k+1) e/(1-e), from the likeliest k on, both ways: no cancellation, no overflow.
    >>> binomial(2, 0.5)
    (0, array([0.25, 0.5 , 0.25]))
    """
    if chance in {0.0, 1.0} or not number:
        return int(number * chance), np.ones(1)
    mode, odds = min(number, int((number + 1) * chance)), chance / (1 - chance)
    above, below = np.arange(mode, number, dtype=float), np.arange(mode, 0, -1.0)
    up = np.cumprod((number - above) / (above + 1) * odds)
    down = np.cumprod(below / (number - below + 1) / odds)
    up, down = up[up > NEGLIGIBLE], down[down > NEGLIGIBLE]
    weights = np.concatenate([down[::-1], [1.0], up])
    return mode - len(down), weights / weights.sum()


def added(one: Law, other: Law) -> Law:
    """Return the law of the sum."""
    return one[0] + other[0], np.convolve(one[1], other[1])


def _laws(side: BoolArray, amount: FloatArray, chance: FloatArray) -> dict[tuple[int, ...], Law]:
    """Return, by direction, the law of the steps of the differences to the first system, halved."""
    found: dict[tuple[int, ...], Law] = {}
    for pattern, number, error in zip(side.astype(int), amount, chance, strict=True):
        step = pattern[0] - pattern
        sign = int(step[np.flatnonzero(step)[0]])
        start, chances = binomial(int(number), float(error))
        law = (start, chances) if sign > 0 else (-start - len(chances) + 1, chances[::-1])
        key = tuple((sign * step).tolist())
        found[key] = added(found[key], law) if key in found else law
    return found


def _cells(laws: dict[tuple[int, ...], Law], systems: int) -> float:
    if systems > MOST_SYSTEMS:
        return np.inf
    sizes = np.ones(systems)
    for step, (_, chances) in laws.items():
        sizes += np.abs(step) * (len(chances) - 1)
    return float(np.prod(sizes))


def _lattice(laws: dict[tuple[int, ...], Law], given: FloatArray) -> States:
    """Yield the scores, up to a common number, and their chances, by convolution over the directions."""
    table, origin = np.ones((1,) * len(given)), np.zeros(len(given))
    for step, (start, chances) in laws.items():
        reach = len(chances) - 1
        wider = np.zeros(np.array(table.shape) + np.abs(step) * reach)
        for k, chance in enumerate(chances):
            places = (k * s if s >= 0 else reach - k for s in step)
            wider[tuple(slice(p, p + n) for p, n in zip(places, table.shape, strict=True))] += (
                chance * table
            )
        origin += np.array(step) * start - reach * (np.array(step) < 0)
        table = wider
    yield from _cases(table, origin, given)


def _cases(table: FloatArray, origin: FloatArray, given: FloatArray) -> States:
    for part in np.array_split(np.flatnonzero(table), 1 + table.size * len(given) // AT_ONCE):
        steps = np.column_stack(np.unravel_index(part, table.shape)) + origin
        yield given + 2 * steps, table.ravel()[part]


def _simulated(
    side: BoolArray, amount: FloatArray, chance: FloatArray, *, draws: int, seed: int
) -> FloatArray:
    """Return what wrong labels add to the scores, a row a draw."""
    check_draws(draws)
    random = np.random.default_rng(seed)
    many = amount > FEW
    signs = np.where(side, -1, 1).astype(np.float32)  # whole numbers below 2^24 are exact
    single = np.repeat(np.flatnonzero(~many), amount[~many].astype(int))
    step = max(1, AT_ONCE // max(1, len(single) + int(many.sum())))
    found = []
    for start, stop in pairwise([*range(0, draws, step), draws]):
        wrong = random.random((stop - start, len(single))) < chance[single]
        sums = random.binomial(
            amount[many].astype(int), chance[many], (stop - start, int(many.sum()))
        )
        found.append(wrong.astype(np.float32) @ signs[single] + sums.astype(float) @ signs[many])
    return np.concatenate(found).astype(float)


def survived(
    given: npt.ArrayLike, drawn: FloatArray, *, method: str, lower_is_better: bool = False
) -> FaultyRanking:
    """Return what drawn scores, a row a draw, say of the order of the given ones."""
    sign = -1 if lower_is_better else 1
    size = max(1, AT_ONCE // drawn.shape[1])
    parts = (drawn[start : start + size] for start in range(0, len(drawn), size))
    states = ((sign * part, np.ones(len(part))) for part in parts)
    return survival(sign * np.asarray(given, float), states, method=method, draws=len(drawn))


def survival(given: FloatArray, states: States, *, method: str, draws: int = 0) -> FaultyRanking:
    """Return what cases say of the order of the given scores; of draws each weighs 1, other chances sum to 1."""
    size = len(given)
    sums = np.zeros(4)
    sole, ranks, before = np.zeros(size), np.zeros((size, size)), np.zeros((size, size))
    for scores, chance in states:
        sums += [chance @ case for case in _order(given, scores)]
        for system in range(size):
            own = scores[:, [system]]
            before[system] += chance @ (own > scores)
            ranks[system] += np.bincount((scores > own).sum(axis=1), chance, size)
            sole[system] += chance @ ((scores >= own).sum(axis=1) == 1)
    sums, sole, ranks, before = (
        np.minimum(part / max(1, draws), 1) for part in (sums, sole, ranks, before)
    )
    kept, no_inversion, best_kept, best_among = sums.tolist()
    alone = (given == given.max()).sum() == 1
    every = np.concatenate([sums, sole, ranks.ravel(), before.ravel()])
    error = float(np.sqrt(every * (1 - every) / draws).max()) if draws else 0.0
    best = [best_kept, best_among] if alone else [None, None]
    return FaultyRanking(
        given, kept, no_inversion, best[0], best[1], sole, ranks, before, method, error
    )


def _order(given: FloatArray, scores: FloatArray) -> list[BoolArray]:
    """Return in which cases the order is kept, nothing is inverted, the best is the sole best, and one of the best."""
    places = np.argsort(-given, kind="stable")
    ordered, levels = scores[:, places], given[places]
    falls = levels[:-1] > levels[1:]
    kept = ((ordered[:, :-1] > ordered[:, 1:]) == falls) & (ordered[:, :-1] >= ordered[:, 1:])
    least = np.minimum.accumulate(ordered, axis=1)
    first = np.searchsorted(
        -levels, -levels, side="left"
    )  # the systems before this place are strictly better
    later = np.flatnonzero(first)
    calm = (ordered[:, later] <= least[:, first[later] - 1]).all(axis=1)
    rest = ordered[:, 1:].max(axis=1, initial=-np.inf)
    return [kept.all(axis=1), np.asarray(calm), ordered[:, 0] > rest, ordered[:, 0] >= rest]
