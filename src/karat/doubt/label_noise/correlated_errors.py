"""Labels that err together: the law of a ranking where one wrong label takes many items with it, or is one of many."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.pair_order import Kept, kept_steps
from karat.doubt.label_noise.ranking_order import (
    MOST_SYSTEMS,
    ROUNDING,
    FaultyRanking,
    States,
    check_draws,
    survival,
    survived,
)
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray
from karat.tally.codes import UNASKED
from karat.tally.votes.patterns import Patterns

Ints = npt.NDArray[np.int64]
MOST_WORK, MOST_CELLS = 100_000_000, 1_000_000
"""Differences of scores that the exact law of a whole ranking may run over: in all steps together, and in the last."""


@dataclass(frozen=True, slots=True, eq=False)
class Lots:
    """What errs by itself: for each lot, the cases of what may be true, and what every system has right in each.

    The chance of a case is a product over its labels of P(true | given). What is left of 1 belongs to labels that no
    system says, by which none has anything of the lot right.
    """

    systems: tuple[str, ...]
    labels: tuple[str, ...]
    given: FloatArray
    """What each system has right by the given labels, a row a lot."""
    owner: Ints
    """The lot of each case, in order."""
    scores: FloatArray
    """What each system has right in a case, a row a case."""
    factors: tuple[Ints, Ints, Ints, Ints]
    """The case of each factor, in order; its given label, its true label, and how often it counts."""
    firm: FloatArray
    """What each system has right that never errs."""
    trials: FloatArray
    """How many items each system is judged by."""

    @property
    def total(self) -> FloatArray:
        """What each system has right by the given labels."""
        return np.asarray(self.firm + self.given.sum(axis=0))

    @property
    def alike(self) -> bool:
        """Whether all systems are judged by as many items."""
        return bool((self.trials == self.trials[0]).all())

    def chances(self, matrix: FloatArray) -> FloatArray:
        """Return the chance of each case under P(true | given)."""
        case, given, true, times = self.factors
        starts = np.flatnonzero(np.diff(case, prepend=-1))
        return (
            np.asarray(np.multiply.reduceat(matrix[given, true] ** times, starts))
            if len(case)
            else np.zeros(0)
        )


def shared_label(patterns: Patterns, firm: str) -> Lots:
    """Return the lots of items that have one label in common, and so err as one: the key c names what they err with.

    By the true label y of a lot a system has as many of its items right as it answers y.
    """
    owner, rows, lots, unmoved = _owned(patterns, firm)
    number, size = patterns.number[rows].astype(float), len(patterns.labels)
    given = np.zeros(lots, np.int64)
    given[owner] = patterns.truth[rows]
    answers = patterns.answers[rows].astype(np.int64)
    said = np.concatenate(
        [owner[:, None] * size + answers, owner[:, None] * size + given[owner][:, None]], axis=1
    )
    known = np.concatenate([answers >= 0, np.ones((len(owner), 1), bool)], axis=1)
    cases, place = np.unique(said[known], return_inverse=True)
    scores = np.zeros((len(cases), len(patterns.systems)))
    where = np.zeros(said.shape, np.int64)
    where[known] = place.ravel()
    for system in range(len(patterns.systems)):
        np.add.at(scores[:, system], where[known[:, system], system], number[known[:, system]])
    lot, label = cases // size, cases % size
    factors = np.arange(len(cases)), given[lot], label, np.ones(len(cases), np.int64)
    right = np.zeros((lots, len(patterns.systems)))
    right[lot[label == given[lot]]] = scores[label == given[lot]]
    return replace(unmoved, given=right, owner=lot, scores=scores, factors=factors)


def every_label(patterns: Patterns, firm: str) -> Lots:
    """Return the lots that are right if all their labels are: the key c names them, and each label errs by itself.

    A system has the one thing that a lot is right by true labels y if it answers each of them.
    """
    owner, rows, lots, unmoved = _owned(patterns, firm)
    order = np.argsort(owner, kind="stable")
    owner, rows = owner[order], rows[order]
    systems = len(patterns.systems)
    given = np.zeros((lots, systems))
    cases: list[tuple[int, list[int], Ints]] = []
    for lot, own in enumerate(np.split(rows, np.flatnonzero(np.diff(owner)) + 1) if lots else []):
        readings: dict[bytes, list[int]] = {patterns.truth[own].astype(np.int64).tobytes(): []}
        columns = {k: patterns.answers[own, k].astype(np.int64) for k in range(systems)}
        for system, column in columns.items():
            if (column >= 0).all():
                readings.setdefault(column.tobytes(), []).append(system)
        for reading, holders in readings.items():
            cases.append((lot, holders, np.stack([own, np.frombuffer(reading, np.int64)])))
        given[lot, next(iter(readings.values()))] = 1
    scores = np.zeros((len(cases), systems))
    for case, (_, holders, _) in enumerate(cases):
        scores[case, holders] = 1
    sizes = [labels.shape[1] for _, _, labels in cases]
    row, true = np.concatenate(
        [np.zeros((2, 0), np.int64), *(labels for _, _, labels in cases)], axis=1
    )
    factors = (
        np.repeat(np.arange(len(cases)), sizes),
        patterns.truth[row],
        true,
        patterns.number[row],
    )
    lot_of = np.array([lot for lot, _, _ in cases], np.int64)
    trials = np.full(systems, float(lots)) + _firm_lots(patterns, firm)
    return replace(
        unmoved, given=given, owner=lot_of, scores=scores, factors=factors, trials=trials
    )


def _firm_lots(patterns: Patterns, firm: str) -> float:
    return float(patterns.number[patterns.keys["c"] == firm].sum())


def _owned(patterns: Patterns, firm: str) -> tuple[Ints, Ints, int, Lots]:
    """Return the lot and the place of each row that errs, the number of lots, and lots that hold what never errs."""
    held = patterns.keys["c"] == firm
    rows = np.flatnonzero(~held)
    names, owner = np.unique(patterns.keys["c"][rows], return_inverse=True)
    right = (patterns.answers == patterns.truth[:, None]) & (patterns.truth >= 0)[:, None]
    asked = patterns.answers != UNASKED
    number = patterns.number.astype(float)
    none = np.zeros(0, np.int64)
    systems = len(patterns.systems)
    unmoved = Lots(
        patterns.systems,
        patterns.labels,
        given=np.zeros((0, systems)),
        owner=none,
        scores=np.zeros((0, systems)),
        factors=(none, none, none, none),
        firm=number[held] @ right[held],
        trials=number @ asked,
    )
    return owner.ravel().astype(np.int64), rows, len(names), unmoved


def disputed(lots: Lots, systems: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Return which lots can change how these systems stand to each other."""
    scores = lots.scores[:, list(systems)]
    found = np.zeros(len(lots.given), bool)
    found[lots.owner[(scores != scores[:, :1]).any(axis=1)]] = True
    return found


def kept_lots(lots: Lots, better: str, worse: str, matrix: FloatArray) -> Kept:
    """Would the better system stay the better one, if lots err as P(true | given) says, each by itself?

    kept = P(sum over the lots of what the better one has right and the worse one has not > 0), by the true labels.
    Assumes that both are judged by as many items. Exact, as `kept_kinds`.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    """
    places = [lots.systems.index(name) for name in (better, worse)]
    if lots.trials[places[0]] != lots.trials[places[1]]:
        raise OptionError(
            f"{better!r} and {worse!r} are judged by different items; their law is simulated"
        )
    chances = lots.chances(matrix)
    lead, now = (part[:, places[0]] - part[:, places[1]] for part in (lots.scores, lots.given))
    total = lots.total
    told = disputed(lots, places)
    place = np.cumsum(told) - 1
    of_told = told[lots.owner]
    owner, loss, chance = (
        place[lots.owner[of_told]],
        (now[lots.owner] - lead)[of_told],
        chances[of_told],
    )
    least, most = int(min(loss.min(initial=0), now[told].min(initial=0))), int(loss.max(initial=0))
    most = max(most, int(now[told].max(initial=0)))
    dense = np.zeros((int(told.sum()), most - least + 1))
    np.add.at(dense, (owner, loss.astype(np.int64) - least), chance)
    rest = 1 - dense.sum(axis=1)
    np.add.at(
        dense,
        (np.arange(len(dense)), now[told].astype(np.int64) - least),
        np.where(rest < ROUNDING, 0.0, rest),
    )
    kinds, number = np.unique(dense, axis=0, return_counts=True)
    steps = np.arange(least, most + 1, dtype=float)
    return kept_steps(number, steps, kinds, float(total[places[0]] - total[places[1]]))


def safe_lots(lots: Lots, better: str, worse: str) -> int | None:
    """How many wrong labels cannot change the order, wherever they are and whatever is true?

    The largest m such that the m lots that cost the most, whichever label is true there, cost less than the lead.
    None without a lead.
    """
    places = [lots.systems.index(name) for name in (better, worse)]
    ahead = float(lots.total[places[0]] - lots.total[places[1]])
    if ahead <= 0:
        return None
    lead, now = (part[:, places[0]] - part[:, places[1]] for part in (lots.scores, lots.given))
    cost = np.maximum(now, 0.0)
    np.maximum.at(cost, lots.owner, now[lots.owner] - lead)
    worst = np.cumsum(np.sort(cost)[::-1])
    return int((worst < ahead).sum())


def ranking_of_lots(
    lots: Lots, matrix: FloatArray, *, draws: int = 10_000, seed: int = 0
) -> FaultyRanking:
    """Would the order of all systems be the same, if lots err as P(true | given) says, each by itself?

    The law of the differences to the first system is the convolution of the lots' laws: exact while that is little
    work, and systems are judged by as many items; a seeded simulation otherwise.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    """
    given = lots.total / np.maximum(lots.trials, 1)
    parts = _laws(lots, lots.chances(matrix))
    if lots.alike and _work(parts, len(lots.systems)) <= MOST_WORK:
        return survival(given, _lattice(parts, lots.total), method="exact")
    drawn = drawn_lots(lots, matrix, draws=draws, seed=seed)
    return survived(given, drawn, method=f"simulation (draws={draws}, seed={seed})")


def drawn_lots(lots: Lots, matrix: FloatArray, *, draws: int = 10_000, seed: int = 0) -> FloatArray:
    """Return every system's share of right items, a row a draw of what is true."""
    check_draws(draws)
    random = np.random.default_rng(seed)
    sums = np.tile(lots.total, (draws, 1))
    for (scores, given, chances), number in _laws(lots, lots.chances(matrix)).items():
        sides = np.array(scores) - np.array(given)
        sums += random.multinomial(number, chances, size=draws) @ sides
    return np.asarray(sums / np.maximum(lots.trials, 1))


Law = tuple[tuple[tuple[float, ...], ...], tuple[float, ...], tuple[float, ...]]
"""Of a lot: what the systems have right in each case, what by the given labels, and the chance of each case."""


def _laws(lots: Lots, chances: FloatArray) -> dict[Law, int]:
    """Return the distinct laws of lots, and how many lots have each; lots that change nothing are left out."""
    told = (
        disputed(lots, range(len(lots.systems))) if lots.alike else np.ones(len(lots.given), bool)
    )
    found: dict[Law, int] = {}
    ends = np.searchsorted(lots.owner, np.arange(len(lots.given) + 1))
    nobody = (0.0,) * len(lots.systems)
    for lot in np.flatnonzero(told):
        own = slice(ends[lot], ends[lot + 1])
        rest = 1 - float(chances[own].sum())
        cases = [
            (tuple(row), chance)
            for row, chance in zip(lots.scores[own].tolist(), chances[own].tolist(), strict=True)
        ]
        cases += [(nobody, rest)] if rest > ROUNDING else []
        scores, weights = zip(*sorted(cases), strict=True)
        law = scores, tuple(lots.given[lot].tolist()), weights
        found[law] = found.get(law, 0) + 1
    return found


def _work(parts: dict[Law, int], systems: int) -> float:
    """Return how many numbers the exact law of the differences takes, at the most."""
    reach, steps = np.zeros(systems), 0
    for (scores, _, weights), number in parts.items():
        apart = np.array(scores) - np.array(scores)[:, :1]
        reach += number * (apart.max(axis=0) - apart.min(axis=0))
        steps += number * len(weights)
    cells = float(np.prod(reach + 1)) if systems <= MOST_SYSTEMS else np.inf
    return cells * steps if cells <= MOST_CELLS else np.inf


def _lattice(parts: dict[Law, int], total: FloatArray) -> States:
    """Give every case of the systems' sums, up to what is common to all, with its chance."""
    given = np.array([number * np.array(law[1]) for law, number in parts.items()]).reshape(
        len(parts), len(total)
    )
    origin, table = total - given.sum(axis=0), np.ones((1,) * len(total))
    origin = origin - origin[0]
    for (scores, _, weights), number in parts.items():
        apart = (np.array(scores) - np.array(scores)[:, :1]).astype(np.int64)
        low = apart.min(axis=0)
        for _ in range(number):
            table = _wider(table, apart - low, weights)
        origin = origin + number * low
    places = np.argwhere(table > 0)
    yield places + origin, table[table > 0]


def _wider(table: FloatArray, steps: Ints, weights: Iterable[float]) -> FloatArray:
    wider = np.zeros(np.array(table.shape) + steps.max(axis=0))
    for step, weight in zip(steps, weights, strict=True):
        wider[tuple(slice(s, s + n) for s, n in zip(step, table.shape, strict=True))] += (
            weight * table
        )
    return wider
