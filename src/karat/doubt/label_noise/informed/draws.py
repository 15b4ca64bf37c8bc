"""Every system's number of right answers by drawn right labels: the model `informed`, pattern by pattern."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.label_noise.informed.items import UNCHECKED, DisputedLabels, Singles
from karat.doubt.label_noise.informed.unknowns import Beliefs, Unknowns
from karat.numeric.arrays import FloatArray, IntArray

AT_ONCE = 1_000_000
"""Patterns times draws that are in memory at once."""
FEWEST_AT_ONCE = 8
"""Draws that are made at once at least: fewer are slow, since each block reads all answers."""
EXACT_SINGLES = 2**24
"""Up to this number of items single precision counts exactly."""
STEPS = 60
"""How often the search for an intercept may be halved."""
ONE = np.float32(1)
NARROW = 6
"""As many alternatives to its label as most patterns have at the most."""


@dataclass(frozen=True, slots=True, eq=False)
class _Unchecked:
    """The patterns whose right labels are drawn, and what is certain beside them."""

    rows: IntArray
    number: IntArray
    disputed: IntArray
    """Which of the rows some system contradicts: only there do scores move apart."""
    single: npt.NDArray[np.bool_]
    """Which of the disputed patterns represent one item."""
    items: int
    known_wrong: int
    right: npt.NDArray[Any]
    """Whether each system is right, a row of the items each: by the right label if it is known, else by the given."""
    part: IntArray
    """The part of the table that each row of the items belongs to."""
    parts: int
    certain: FloatArray
    """What each system has right in each part: checked items by their right label, all others by the given one."""
    against: Singles
    """The answers of the systems that contradict the labels, row by row."""


def informed_scores(beliefs: Beliefs, *, draws: int, seed: int, few: bool = False) -> FloatArray:
    """Return how many items each system has right by the right labels, a row a draw, a column a system.

    logit P(wrong) = alpha + beta log((u + .02)/(1 - u + .02)) + gamma c + delta[g] + kappa[g, top alternative]
    + sum_k xi_k ([v_k != g] - u) (+ an effect of the group); if wrong, the right label is with probability rho an
    answered alternative j, with weight s_j^eta exp(phi_j), else nobody's answer. What all items share is drawn again in
    every draw. With `few` the items are resampled, too, by the Bayesian bootstrap.
    Reference: Rubin, The Bayesian bootstrap, Annals of Statistics 9, 1981. doi:10.1214/aos/1176345338
    """
    items = beliefs.disputes.items
    whole = np.zeros(len(items.given), np.int64)
    return _drawn(beliefs, whole, 1, draws=draws, seed=seed, few=few)[:, 0]


def informed_scores_by_group(
    beliefs: Beliefs, *, draws: int, seed: int, few: bool = False
) -> FloatArray:
    """Return the same for each group of the items: the axes are draw, group and system.

    All groups are drawn together: a stated share is that of the whole table, and what its items share, its groups do.
    """
    items = beliefs.disputes.items
    return _drawn(beliefs, items.group, items.groups, draws=draws, seed=seed, few=few)


def _drawn(
    beliefs: Beliefs, part: IntArray, parts: int, *, draws: int, seed: int, few: bool
) -> FloatArray:
    """Return the right answers in each draw and part of the table, a column a system."""
    disputes = beliefs.disputes
    unchecked = _unchecked(disputes, part, parts)
    random = np.random.default_rng(seed)
    blocks = []
    for size in _sizes(draws, len(unchecked.rows)):
        unknowns = beliefs.draw(random, size)
        chance = wrong_chances(disputes, unknowns, unchecked.rows, unchecked.against)
        chance = _with_intercept(chance, unknowns, unchecked)
        chance = np.take(chance, unchecked.disputed, axis=1)
        wrong = _wrong(random, chance, unchecked)
        moved = _moved(random, disputes, unknowns, unchecked, wrong)
        if few:
            blocks.append(_resampled(random, disputes, unchecked, wrong, moved))
        else:
            blocks.append(_rescored(disputes, unchecked, moved, size))
    return np.concatenate(blocks)


def _sizes(draws: int, rows: int) -> Iterator[int]:
    """Yield how many draws are made at once."""
    at_once = max(FEWEST_AT_ONCE, AT_ONCE // max(1, rows))
    for start in range(0, draws, at_once):
        yield min(at_once, draws - start)


def _unchecked(disputes: DisputedLabels, part: IntArray, parts: int) -> _Unchecked:
    items = disputes.items
    is_open = items.right == UNCHECKED
    rows = np.flatnonzero(is_open)
    number = items.number[rows]
    disputed = np.flatnonzero(disputes.contradicted[rows] > 0)
    standard = np.where(is_open, items.given, items.right)
    right = (items.answers == standard[:, None]) & (items.answers >= 0)
    wrong = (items.right != items.given) & ~is_open
    is_whole = bool(is_open.all())
    total = int(items.number.sum())
    numbers = right.astype(np.float32 if total < EXACT_SINGLES else float)
    return _Unchecked(
        rows=rows,
        number=number,
        disputed=disputed,
        single=number[disputed] == 1,
        items=total,
        known_wrong=int(items.number[wrong].sum()),
        right=numbers,
        part=part,
        parts=parts,
        certain=_certain(items.number, numbers, part, parts),
        against=disputes.against if is_whole else disputes.against[rows],
    )


def _certain(number: IntArray, right: npt.NDArray[Any], part: IntArray, parts: int) -> FloatArray:
    """Return how many items each system has right in each part."""
    weights = number.astype(right.dtype)
    if parts == 1:
        return np.asarray(weights @ right, float)[None, :]
    sums = np.zeros((parts, right.shape[1]))
    for place in range(parts):
        rows = np.flatnonzero(part == place)
        sums[place] = weights[rows] @ right[rows]
    return sums


def wrong_chances(
    disputes: DisputedLabels, unknowns: Unknowns, rows: IntArray, against: Singles
) -> Singles:
    """Return the log odds of a wrong label without the intercept, a row a draw, a column a row of the items."""
    items = disputes.items
    linear = unknowns.by_system.astype(np.float32) @ against.T
    # One array takes each part in turn: a new one for each would cost more than the sums.
    part = np.empty_like(linear)
    linear += _outer(unknowns.slope, disputes.log_odds[rows], part)
    linear += _outer(unknowns.unanimity, disputes.unanimity[rows], part)
    linear += _columns(unknowns.by_label, items.given[rows], part)
    linear += _columns(unknowns.by_pair, disputes.pair[rows], part)
    if items.groups:
        linear += _columns(unknowns.by_group, items.group[rows], part)
    return np.asarray(linear, np.float32)


def _outer(by_draw: FloatArray, by_row: FloatArray, out: Singles) -> Singles:
    return np.multiply(by_draw[:, None], by_row, out=out, casting="same_kind")


def _columns(by_draw: FloatArray, columns: IntArray, out: Singles) -> Singles:
    # All columns are there: the mode "raise" would only make a copy first.
    return np.take(by_draw.astype(np.float32), columns, axis=1, out=out, mode="clip")


def _expit(linear: Singles, shift: FloatArray, out: Singles) -> Singles:
    """Return 1/(1 + exp(-x)) of shifted rows, in an array that is there already."""
    np.add(linear, shift.astype(np.float32)[:, None], out=out)
    np.exp(np.negative(out, out=out), out=out)
    out += ONE
    return np.divide(ONE, out, out=out)


def _with_intercept(linear: Singles, unknowns: Unknowns, unchecked: _Unchecked) -> Singles:
    """Return the probabilities: with the intercept drawn, or the one by which the stated share is wrong."""
    if unknowns.share is None:
        return _expit(linear, unknowns.intercept, np.empty_like(linear))
    number = unchecked.number.astype(np.float32)
    wanted = unknowns.share * unchecked.items - unchecked.known_wrong
    total = float(unchecked.number.sum())
    wanted = np.clip(wanted, 0.0, total)
    low = np.full(len(linear), -60.0)
    high = np.full(len(linear), 60.0)
    share = np.clip(wanted / max(1.0, total), 1e-9, 1 - 1e-9)
    intercept = special.logit(share) - linear @ number / max(1.0, total)
    chance = np.empty_like(linear)
    curve_there = np.empty_like(linear)
    for _ in range(STEPS):
        _expit(linear, intercept, chance)
        excess = chance @ number - wanted
        # Single precision has some seven digits; a tenth of an item is closer than any share is known.
        if (np.abs(excess) < 1e-4 * wanted + 1e-3).all():
            break
        high = np.where(excess > 0, intercept, high)
        low = np.where(excess <= 0, intercept, low)
        np.subtract(ONE, chance, out=curve_there)
        curve_there *= chance
        curve = curve_there @ number
        newton = intercept - excess / np.maximum(curve, 1e-12)
        inside = (low < newton) & (newton < high)
        intercept = np.where(inside, newton, (low + high) / 2)
    return chance


def _wrong(random: np.random.Generator, chance: Singles, unchecked: _Unchecked) -> IntArray:
    """Return how many labels of each disputed pattern are wrong, a row a draw."""
    wrong = np.zeros(chance.shape, np.int64)
    single = np.flatnonzero(unchecked.single)
    of_one = np.take(chance, single, axis=1)
    wrong[:, single] = random.random(of_one.shape, np.float32) < of_one
    several = np.flatnonzero(~unchecked.single)
    of_several = np.clip(np.take(chance, several, axis=1).astype(float), 0, 1)
    number = unchecked.number[unchecked.disputed[several]]
    wrong[:, several] = random.binomial(number, of_several)
    return wrong


@dataclass(frozen=True, slots=True, eq=False)
class _MovedLabels:
    """Wrong labels by draw and pattern, and how many of them have which right label; in the order of the draws."""

    draw: IntArray
    row: IntArray
    """A row of the items."""
    times: IntArray
    """How many of its labels are wrong."""
    entry: IntArray
    """Wrong labels whose right one is an alternative: which of the above they belong to."""
    column: IntArray
    """The alternative."""
    number: IntArray


def _moved(
    random: np.random.Generator,
    disputes: DisputedLabels,
    unknowns: Unknowns,
    unchecked: _Unchecked,
    wrong: IntArray,
) -> _MovedLabels:
    place = np.flatnonzero(wrong > 0)
    times = wrong.ravel()[place]
    draw, disputed = np.divmod(place, wrong.shape[1])
    row = unchecked.rows[unchecked.disputed[disputed]]
    # Few rows have many alternatives; apart from the others, they do not make all of them wide.
    is_narrow = disputes.number_of_alternatives[row] <= NARROW
    parts = []
    for chosen in (np.flatnonzero(is_narrow), np.flatnonzero(~is_narrow)):
        if len(chosen):
            chances = _right_chances(disputes, unknowns, draw[chosen], row[chosen])
            to = random.multinomial(times[chosen], chances)
            to[:, -1] = 0
            there = np.flatnonzero(to)
            entry, column = np.divmod(there, to.shape[1])
            parts.append((chosen[entry], column, to.ravel()[there]))
    entry, column, number = _joined(parts)
    return _MovedLabels(draw, row, times, entry, column, number)


def _right_chances(
    disputes: DisputedLabels, unknowns: Unknowns, draw: IntArray, row: IntArray
) -> FloatArray:
    """Return how likely each alternative is the right label of a wrong one; the last column is nobody's answer."""
    width = int(disputes.number_of_alternatives[row].max())
    # A row an alternative, a column a wrong label: there are few rows, and columns are long.
    weights = np.take(disputes.log_shares.T[:width], row, axis=1)
    weights *= unknowns.exponent[draw]
    place = np.take(disputes.alternatives.T[:width], row, axis=1)
    # Where there is no alternative the place is any other, and its weight is 0 all the same.
    weights += np.take(unknowns.by_right_label, place + draw * unknowns.by_right_label.shape[1])
    np.exp(weights, out=weights)
    total = weights.sum(axis=0)
    answered = np.where(total > 0, unknowns.answered[draw], 0.0)
    weights *= answered / np.where(total > 0, total, 1.0)
    nobody = np.maximum(0.0, 1 - weights.sum(axis=0))
    return np.vstack([weights, nobody]).T


def _joined(parts: list[tuple[IntArray, IntArray, IntArray]]) -> tuple[IntArray, ...]:
    """Return parts one after the other, in the order of their entries."""
    if not parts:
        none = np.empty(0, np.int64)
        return none, none, none
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    return tuple(column[order] for column in columns)


def _rescored(
    disputes: DisputedLabels, unchecked: _Unchecked, moved: _MovedLabels, size: int
) -> FloatArray:
    """Return the right answers by the drawn right labels: wrong ones lose theirs, and give those of the right ones."""
    times = moved.times.astype(unchecked.right.dtype)
    losing = _summed(unchecked, moved.draw, moved.row, moved.row, times, size)
    lost = np.asarray(losing @ unchecked.right[: losing.shape[1]], float)
    number = moved.number.astype(unchecked.right.dtype)
    gained = _gained(disputes, unchecked, moved, number, size)
    return np.asarray(unchecked.certain + (gained - lost).reshape(size, *unchecked.certain.shape))


def _gained(
    disputes: DisputedLabels,
    unchecked: _Unchecked,
    moved: _MovedLabels,
    weight: npt.NDArray[Any],
    size: int,
) -> FloatArray:
    """Return the weights of the wrong labels whose right one is each system's answer, a row a draw and part."""
    row = moved.row[moved.entry]
    label = disputes.alternatives[row, moved.column]
    gives_it = np.take(disputes.items.answers, row, axis=0) == label[:, None]
    every = np.arange(len(row))
    draw = moved.draw[moved.entry]
    summing = _summed(unchecked, draw, row, every, weight, size)
    return np.asarray(summing @ gives_it.astype(weight.dtype), float)


def _summed(
    unchecked: _Unchecked,
    draw: IntArray,
    row: IntArray,
    column: IntArray,
    weight: npt.NDArray[Any],
    size: int,
) -> Any:
    """Return a sparse matrix with a line for each draw and part, which sums weighted columns of wrong labels."""
    from scipy.sparse import coo_array  # noqa: PLC0415 (wanted only here)

    line = draw * unchecked.parts + unchecked.part[row]
    width = int(column.max(initial=-1)) + 1
    shape = (size * unchecked.parts, width)
    return coo_array((weight, (line, column)), shape).tocsr()


def _resampled(
    random: np.random.Generator,
    disputes: DisputedLabels,
    unchecked: _Unchecked,
    wrong: IntArray,
    moved: _MovedLabels,
) -> FloatArray:
    """Return the right answers on resampled items: n equal items together have a weight from Gamma(n)."""
    number = disputes.items.number
    size = len(wrong)
    still = np.broadcast_to(number, (size, len(number))).copy()
    still[:, unchecked.rows[unchecked.disputed]] -= wrong
    weights = random.standard_gamma(still)
    scores = np.zeros((size, unchecked.parts, unchecked.right.shape[1]))
    for part in range(unchecked.parts):
        rows = np.flatnonzero(unchecked.part == part)
        scores[:, part] = weights[:, rows] @ unchecked.right[rows]
    gained = _gained(disputes, unchecked, moved, random.standard_gamma(moved.number), size)
    return np.asarray(scores + gained.reshape(scores.shape))
