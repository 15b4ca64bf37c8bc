"""Any number of classes, any measure: the scores of all systems, had the wrong labels of the truth been right."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.ranking_order import (
    AT_ONCE,
    FaultyRanking,
    check_draws,
    check_error,
    survived,
)
from karat.doubt.resampling.joint import Joint
from karat.errors import OptionError
from karat.measure.outcomes import of_right_answers
from karat.measure.quantity import Quantity, values
from karat.measure.totals import Totals
from karat.numeric.arrays import BoolArray, FloatArray
from karat.numeric.sparse_successes import successes
from karat.table.labels import Codes
from karat.tally.codes import MISSING, UNASKED
from karat.tally.votes.patterns import Patterns

OTHER = "\x00other"
"""All classes that occur neither in the truth nor in an answer."""
MOST_KEYS = 200_000_000
"""Cells of pattern x label that a table may have in which wrong labels are looked up."""
DIGITS = 12
"""Averages that differ by less are tied."""


@dataclass(frozen=True, slots=True, eq=False)
class _Items:
    """The patterns with truth, in codes; each answer counts or not."""

    labels: tuple[str, ...]
    truth: Codes
    answers: Codes
    counts: BoolArray
    number: npt.NDArray[np.int64]
    nothing: int

    @classmethod
    def of(cls, patterns: Patterns) -> "_Items":
        patterns = patterns.filled()
        meaning, told = patterns.meaning, patterns.truth != MISSING
        if meaning.truth_sep is not None or {*patterns.keys} & {"c", "w"}:
            raise OptionError(
                "truths that are sets, clusters and weights have no distribution of wrong labels; leave them out"
            )
        truth, answers = patterns.truth[told], patterns.answers[told].astype(np.int64)
        if not len(truth):
            raise OptionError("no item has a truth; nothing can be said of errors in it")
        counts = (answers != UNASKED) & ((answers != MISSING) | (meaning.missing != "skip"))
        nothing = (
            patterns.labels.index(meaning.nothing)
            if meaning.nothing in patterns.labels
            else MISSING
        )
        return cls(
            (*patterns.labels, OTHER), truth, answers, counts, patterns.number[told], nothing
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Some draws: how often each pattern is in each, and which labels are wrong."""

    size: int
    counts: Codes | None
    """A row a draw; None where the items are the given ones."""
    draw: Codes
    row: Codes
    new: Codes


Valued = Callable[[_Block], FloatArray]
Moved = Callable[[np.random.Generator, Codes], Codes]
"""From the given labels of wrong ones to the true ones."""


def faulty_classes(
    patterns: Patterns,
    quantity: Quantity,
    error: npt.ArrayLike,
    *,
    classes: int | None = None,
    draws: int = 10_000,
    seed: int = 0,
) -> Joint:
    """How would all systems have fared by the true labels, if each label is wrong with this probability?

    A wrong label moves to any of the other K - 1 classes alike, K being the distinct labels of truth and answers unless
    given; or, where `error` is a matrix, as its rows say, P(true | given) in the order of `patterns.labels`, with a
    last column for labels that nobody says if there are such. Labels err independently; a seeded simulation. Averages
    run over the classes that occur in the given truth.
    Reference: Lamiroy, Pierrot, Statistical performance metrics for use with imprecise ground-truth, GREC 2015.
    doi:10.1007/978-3-319-52159-6_3
    >>> from karat.table.labels import Labels
    >>> codes = np.array([0, 0, 1]), np.array([[0, 1], [1, 0], [1, 1]])
    >>> seen = Patterns(("a", "b"), ("no", "yes"), *codes, np.array([6, 1, 9]), Labels())
    >>> faulty_order(seen, Quantity("accuracy"), faulty_classes(seen, Quantity("accuracy"), 0.0)).kept
    1.0
    """
    return _joint(patterns, quantity, error, classes, draws=draws, seed=seed, few=False)


def few_and_faulty(
    patterns: Patterns,
    quantity: Quantity,
    error: npt.ArrayLike,
    *,
    classes: int | None = None,
    draws: int = 10_000,
    seed: int = 0,
) -> Joint:
    """How would all systems have fared, had the items been resampled and their labels been right?

    Both doubts in one seeded simulation: items are drawn with replacement, then labels err as in `faulty_classes`.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    return _joint(patterns, quantity, error, classes, draws=draws, seed=seed, few=True)


def faulty_order(patterns: Patterns, quantity: Quantity, joint: Joint) -> FaultyRanking:
    """Return how likely the order by the given labels is kept in these draws."""
    items = _Items.of(patterns)
    none = np.empty(0, np.int64)
    given = _valued(items, quantity)(_Block(1, None, none, none, none))
    return survived(
        given[0], joint.drawn, method=joint.method, lower_is_better=quantity.lower_is_better
    )


def _joint(
    patterns: Patterns,
    quantity: Quantity,
    error: npt.ArrayLike,
    classes: int | None,
    *,
    draws: int,
    seed: int,
    few: bool,
) -> Joint:
    items = _Items.of(patterns)
    known = len(items.labels) - 1
    size = max(2, known) if classes is None else classes
    if size < max(2, known):
        raise OptionError(
            f"classes is {classes}, but {known} labels occur; say how many classes there are in all"
        )
    chance, move = _matrix(error, known) if np.ndim(error) else _uniform(error, size, known)
    value = _valued(items, quantity)
    found = [
        value(block) for block in _blocks(items, chance, move, draws=draws, seed=seed, few=few)
    ]
    what = "bootstrap and wrong labels" if few else "wrong labels"
    return Joint(
        patterns.systems,
        np.concatenate(found),
        f"simulation of {what} (draws={draws}, seed={seed})",
    )


def _uniform(error: npt.ArrayLike, classes: int, known: int) -> tuple[FloatArray, Moved]:
    def move(random: np.random.Generator, label: Codes) -> Codes:
        new = random.integers(classes - 1, size=len(label))
        return np.minimum(new + (new >= label), known)

    return np.broadcast_to(check_error(error), known), move


def _matrix(error: npt.ArrayLike, known: int) -> tuple[FloatArray, Moved]:
    matrix = check_error(error)
    width = matrix.shape[-1]
    if (
        matrix.shape not in {(known, known), (known, known + 1)}
        or np.abs(matrix.sum(axis=1) - 1).max() > 1e-6
    ):
        raise OptionError(
            f"P(true | given) has {known} rows and columns, one a label, and each row sums to 1"
        )
    off = matrix * (1 - np.eye(known, width))
    sums = np.cumsum(off, axis=1)
    steps = sums / np.maximum(sums[:, -1:], np.finfo(float).tiny) + np.arange(known)[:, None]

    def move(random: np.random.Generator, label: Codes) -> Codes:
        found = np.searchsorted(steps.ravel(), label + random.random(len(label)), side="right")
        return np.asarray(np.minimum(found - label * width, width - 1))

    return off.sum(axis=1), move


def _blocks(
    items: _Items, chance: FloatArray, move: Moved, *, draws: int, seed: int, few: bool
) -> Iterator[_Block]:
    check_draws(draws)
    random = np.random.default_rng(seed)
    owner, rows = np.repeat(np.arange(len(items.number)), items.number), len(items.number)
    step = max(1, AT_ONCE // max(1, len(owner)))
    for start, stop in pairwise([*range(0, draws, step), draws]):
        size = stop - start
        picked, counts = owner, None
        if few:
            picked = owner[random.integers(len(owner), size=(size, len(owner)))]
            counts = np.bincount(
                (picked + np.arange(size)[:, None] * rows).ravel(), minlength=size * rows
            )
            counts = counts.reshape(size, rows)
        wrong = successes(random, size * len(owner), float(chance.max()))
        draw = wrong // len(owner)
        row = picked.ravel()[wrong if few else wrong - draw * len(owner)]
        if chance.min() < chance.max():
            wrong = random.random(len(row)) * chance.max() < chance[items.truth[row]]
            draw, row = draw[wrong], row[wrong]
        yield _Block(size, counts, draw, row, move(random, items.truth[row]))


def _valued(items: _Items, quantity: Quantity) -> Valued:
    if of_right_answers(quantity) and items.nothing == MISSING:
        return _shares(items, wrong=quantity.lower_is_better)
    margins = [_margins(items, system) for system in range(items.answers.shape[1])]
    return lambda block: np.stack(
        [_measured(quantity, items, margin(block)) for margin in margins], axis=1
    )


def _shares(items: _Items, *, wrong: bool) -> Valued:
    """Return how accuracy follows: a wrong label takes the hits of its pattern, and gives those of the new label."""
    right = (items.answers == items.truth[:, None]) & items.counts
    width, (row, system) = len(items.labels), np.nonzero(items.counts & (items.answers >= 0))
    keys, place = np.unique(row * width + items.answers[row, system], return_inverse=True)
    gains = np.zeros((len(keys), right.shape[1]), np.float32)
    gains[place, system] = 1
    found = _found(keys, len(right) * width)
    losses, hits, trials = right.astype(np.float32), _Sums(items, right), _Sums(items, items.counts)

    def value(block: _Block) -> FloatArray:
        gainers, effect = found(block.row * width + block.new)
        gained = _summed(block.draw[gainers], effect, gains, block.size)
        all_hits = hits.of(block) + gained - _summed(block.draw, block.row, losses, block.size)
        tried = trials.of(block)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(
                np.nan_to_num((tried - all_hits if wrong else all_hits) / tried, nan=float(wrong))
            )

    return value


def _found(keys: Codes, size: int) -> Callable[[Codes], tuple[Codes, Codes]]:
    """Return how to tell which of many numbers below `size` are keys, and which keys they are."""
    known = np.zeros(size, bool) if size <= MOST_KEYS else None
    if known is not None:
        known[keys] = True

    def find(wanted: Codes) -> tuple[Codes, Codes]:
        chosen = np.flatnonzero(known[wanted]) if known is not None else np.arange(len(wanted))
        place = np.searchsorted(keys, wanted[chosen])
        true = np.append(keys, -1)[place] == wanted[chosen]
        return chosen[true], place[true]

    return find


class _Sums:
    """The sums of the parts of all items, in each draw; those of the given items are taken once."""

    def __init__(self, items: _Items, parts: Any) -> None:
        self.parts = parts.astype(float)
        self.once = np.asarray(items.number @ self.parts)

    def of(self, block: _Block) -> FloatArray:
        if block.counts is None:
            return np.broadcast_to(self.once, (block.size, *self.once.shape))
        return np.asarray(block.counts.astype(float) @ self.parts)


def _summed(draw: Codes, row: Codes, parts: npt.NDArray[np.float32], size: int) -> FloatArray:
    """Return the sums of the parts' rows by draw; draws are in order."""
    from scipy.sparse import csr_array  # noqa: PLC0415 (wanted only here)

    starts = np.searchsorted(draw, np.arange(size + 1))
    chosen = csr_array((np.ones(len(row), np.float32), row, starts), shape=(size, len(parts)))
    return np.asarray(chosen @ parts, float)


def _margins(items: _Items, system: int) -> Callable[[_Block], Totals]:
    """Return how a system's hits, truths and answers by class follow."""
    from scipy.sparse import coo_array  # noqa: PLC0415 (wanted only here)

    answer, counts, width = items.answers[:, system], items.counts[:, system], len(items.labels)
    answered = counts & (answer >= 0)
    right = answered & (answer == items.truth)

    def by_class(codes: Codes, chosen: BoolArray) -> Any:
        places = np.flatnonzero(chosen), codes[chosen]
        return coo_array((np.ones(len(places[0])), places), shape=(len(codes), width)).tocsr()

    parts = [
        by_class(items.truth, right),
        by_class(items.truth, counts),
        by_class(answer, answered),
        counts,
    ]
    sums = [_Sums(items, part) for part in parts]

    def margin(block: _Block) -> Totals:
        old, new = items.truth[block.row], block.new
        hits, truth, given, total = (part.of(block) for part in sums)
        hits = hits + _changed(block, old, new, right[block.row], answer[block.row] == new, width)
        truth = truth + _changed(block, old, new, counts[block.row], counts[block.row], width)
        total = total - (hits[:, items.nothing] if items.nothing >= 0 else 0)
        real = [code for code in range(width) if code != items.nothing]
        labels = tuple(items.labels[code] for code in real)
        return Totals(labels, hits[:, real], truth[:, real], given[:, real], total)

    return margin


def _changed(
    block: _Block, old: Codes, new: Codes, lost: BoolArray, gained: BoolArray, width: int
) -> FloatArray:
    base, size = block.draw * width, block.size * width
    change = np.bincount((base + new)[gained], minlength=size) - np.bincount(
        (base + old)[lost], minlength=size
    )
    return change.reshape(block.size, width).astype(float)


def _measured(quantity: Quantity, items: _Items, totals: Totals) -> FloatArray:
    """Return a quantity by draw; undefined is what it counts as in a ranking."""
    if quantity.averages:
        each = values(quantity.of_one_class(), totals)
        true = {items.labels[code] for code in np.unique(items.truth)}
        chosen = [place for place, label in enumerate(totals.labels) if label in true]
        known = np.nan_to_num(each[:, chosen], nan=quantity.worst)
        return np.asarray(known.mean(axis=1).round(DIGITS))
    measured = values(quantity, totals)
    if quantity.label is not None:
        column = totals.labels.index(quantity.label) if quantity.label in totals.labels else -1
        measured = measured[:, column]
    return np.nan_to_num(measured, nan=quantity.worst).round(DIGITS)
