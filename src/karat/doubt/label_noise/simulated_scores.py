"""Scores of all systems by simulated true labels: any number of classes, any measure."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.ranking_order import RankingUnderNoise, ranking_from_draws
from karat.doubt.label_noise.simulated_labels import (
    Block,
    LabelledPatterns,
    blocks,
    matrix_errors,
    uniform_errors,
)
from karat.doubt.resampling.joint import Joint
from karat.errors import OptionError
from karat.measure.outcomes import of_right_answers
from karat.measure.quantity import Quantity, values
from karat.measure.totals import Totals
from karat.numeric.arrays import BoolArray, FloatArray
from karat.numeric.ties import equal_but_for_rounding
from karat.table.labels import Codes
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns

MOST_KEYS = 200_000_000
"""Cells of pattern x label up to which a table is made to look wrong labels up."""
EXACT_SINGLES = 2**24
"""Up to this number of items single precision counts exactly."""
Valued = Callable[[Block], FloatArray]
"""From a block of draws to every system's value in each."""


def scores_under_label_noise(
    patterns: Patterns,
    quantity: Quantity,
    error: npt.ArrayLike,
    *,
    classes: int | None = None,
    draws: int = 10_000,
    seed: int = 0,
) -> Joint:
    """Values of all systems by simulated true labels, if each label is wrong with this probability.

    A wrong label moves to any of the other K - 1 classes with equal probability, K the number of distinct labels of
    truth and answers unless given; or, where `error` is a matrix, by its rows, P(true | given) in the order of
    `patterns.labels`, with a last column for labels that do not occur if there are such. Labels are wrong
    independently; a seeded simulation. Averages run over the classes that occur in the given truth.
    Reference: Lamiroy, Pierrot, Statistical performance metrics for use with imprecise ground-truth, GREC 2015.
    doi:10.1007/978-3-319-52159-6_3
    >>> from karat.table.labels import Labels
    >>> codes = np.array([0, 0, 1]), np.array([[0, 1], [1, 0], [1, 1]])
    >>> seen = Patterns(("a", "b"), ("no", "yes"), *codes, np.array([6, 1, 9]), Labels())
    >>> accuracy = Quantity("accuracy")
    >>> simulated = scores_under_label_noise(seen, accuracy, 0.0)
    >>> order_under_label_noise(seen, accuracy, simulated).kept
    1.0
    """
    noise = LabelNoise(patterns, quantity)
    return noise.joint(error, classes, draws=draws, seed=seed, few=False)


def scores_under_noise_and_sampling(
    patterns: Patterns,
    quantity: Quantity,
    error: npt.ArrayLike,
    *,
    classes: int | None = None,
    draws: int = 10_000,
    seed: int = 0,
) -> Joint:
    """Values of all systems on resampled items, by simulated true labels.

    Few items and wrong labels in one seeded simulation: items are drawn with replacement, then labels are wrong as in
    `scores_under_label_noise`.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    noise = LabelNoise(patterns, quantity)
    return noise.joint(error, classes, draws=draws, seed=seed, few=True)


def order_under_label_noise(
    patterns: Patterns, quantity: Quantity, joint: Joint
) -> RankingUnderNoise:
    """Return how likely the order by the given labels is kept in these draws."""
    given = _given(LabelledPatterns.of(patterns), quantity)
    return ranking_from_draws(
        given, joint.drawn, method=joint.method, lower_is_better=quantity.lower_is_better
    )


def _given(items: LabelledPatterns, quantity: Quantity) -> FloatArray:
    """Return every system's value by the given labels."""
    if _by_right_answers(items, quantity):
        hits = _Sums(items, _right(items)).once
        return _share(hits, _Sums(items, items.counts).once, wrong=quantity.lower_is_better)
    no_wrong = np.empty(0, np.int64)
    block = Block(1, None, no_wrong, no_wrong, no_wrong, no_wrong)
    return np.asarray(_valued(items, quantity)(block)[0])


class LabelNoise:
    """Items on which wrong labels are simulated: what all shares of wrong labels have in common is made once."""

    def __init__(self, patterns: Patterns, quantity: Quantity) -> None:
        """Take the items of these patterns."""
        self._patterns = patterns
        self._quantity = quantity

    @cached_property
    def _items(self) -> LabelledPatterns:
        return LabelledPatterns.of(self._patterns)

    @cached_property
    def _as_they_are(self) -> tuple[LabelledPatterns, Valued]:
        return self._items, _valued(self._items, self._quantity)

    @cached_property
    def _for_one_share(self) -> tuple[LabelledPatterns, Valued]:
        """Return the items as one share of wrong labels for all of them needs them."""
        if not _by_right_answers(self._items, self._quantity):
            return self._as_they_are
        items = self._items.by_agreement()
        return items, _valued(items, self._quantity)

    def joint(
        self, error: npt.ArrayLike, classes: int | None, *, draws: int, seed: int, few: bool
    ) -> Joint:
        """Return the values of all systems: as `scores_under_label_noise`, or with `few` also of resampled items."""
        known = len(self._items.labels) - 1
        smallest = max(2, known)
        size = smallest if classes is None else classes
        if size < smallest:
            raise OptionError(
                f"classes is {classes}, but {known} labels occur; give the number of all classes"
            )
        if np.ndim(error):
            items, value = self._as_they_are
            errors = matrix_errors(error, known)
        else:
            items, value = self._for_one_share
            errors = uniform_errors(error, size, len(items.labels) - 1)
        drawn = blocks(items, errors, draws=draws, seed=seed, few=few)
        values = np.concatenate([value(block) for block in drawn])
        what = "bootstrap and wrong labels" if few else "wrong labels"
        method = f"simulation of {what} (draws={draws}, seed={seed})"
        return Joint(self._patterns.systems, values, method)


def _by_right_answers(items: LabelledPatterns, quantity: Quantity) -> bool:
    """Return whether a quantity is a share of right answers among all items."""
    return of_right_answers(quantity) and items.nothing == MISSING


def _valued(items: LabelledPatterns, quantity: Quantity) -> Valued:
    """Return how the values of all systems follow from a block of draws."""
    if _by_right_answers(items, quantity):
        return _shares(items, wrong=quantity.lower_is_better)
    margins = [_margins(items, system) for system in range(items.answers.shape[1])]
    in_truth = {items.labels[code] for code in np.unique(items.truth)}

    def value(block: Block) -> FloatArray:
        moved = _moved_truths(items, block)
        columns = [_measured(quantity, in_truth, margin(block, moved)) for margin in margins]
        return np.stack(columns, axis=1)

    return value


def _shares(items: LabelledPatterns, *, wrong: bool) -> Valued:
    """Return how accuracy follows: a wrong label takes the hits of its pattern, and gives those of the new label."""
    right = _right(items)
    width = len(items.labels)
    row, system = np.nonzero(items.counts & (items.answers >= 0) & ~right)
    # A pattern and a label make a key; the systems that give this label there gain a hit if it is the true one.
    keys, place = np.unique(row * width + items.answers[row, system], return_inverse=True)
    # Single precision counts items exactly up to some number of them, and is read in half the time.
    precision = np.float32 if items.number.sum() < EXACT_SINGLES else float
    gains = np.zeros((len(keys), right.shape[1]), precision)
    gains[place, system] = 1
    find = _finder(keys, len(right) * width)
    losses = right.astype(precision)
    hits = _Sums(items, right)
    trials = _Sums(items, items.counts)

    def value(block: Block) -> FloatArray:
        gainers, effect = find(block.row * width + block.new)
        gained = _summed(block.draw[gainers], effect, block.times[gainers], gains, block.size)
        lost = _summed(block.draw, block.row, block.times, losses, block.size)
        successes_of = hits.of(block) + gained - lost
        return _share(successes_of, trials.of(block), wrong=wrong)

    return value


def _right(items: LabelledPatterns) -> BoolArray:
    """Return who is right by the given label."""
    return np.asarray((items.answers == items.truth[:, None]) & items.counts)


def _share(hits: FloatArray, trials: FloatArray, *, wrong: bool) -> FloatArray:
    """Return the share of right answers, or of wrong ones."""
    successes = trials - hits if wrong else hits
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nan_to_num(successes / trials, nan=float(wrong)))


def _finder(keys: Codes, size: int) -> Callable[[Codes], tuple[Codes, Codes]]:
    """Return a function that finds which of many numbers below `size` are keys, and which keys they are."""
    is_key: BoolArray | None = None
    if size <= MOST_KEYS:
        is_key = np.zeros(size, bool)
        is_key[keys] = True

    def find(numbers: Codes) -> tuple[Codes, Codes]:
        # The table of keys only sorts most numbers out before the search.
        chosen = np.arange(len(numbers))
        if is_key is not None:
            chosen = np.flatnonzero(is_key[numbers])
        place = np.searchsorted(keys, numbers[chosen])
        matches = np.append(keys, -1)[place] == numbers[chosen]
        return chosen[matches], place[matches]

    return find


class _Sums:
    """The sums of the parts of all items, in each draw; where items are not resampled they are computed once."""

    def __init__(self, items: LabelledPatterns, parts: Any) -> None:
        self.parts = parts.astype(float)
        self.once = np.asarray(items.number @ self.parts)

    def of(self, block: Block) -> FloatArray:
        if block.counts is None:
            return np.broadcast_to(self.once, (block.size, *self.once.shape))
        return np.asarray(block.counts.astype(float) @ self.parts)


def _summed(
    draw: Codes, row: Codes, times: Codes, parts: npt.NDArray[Any], size: int
) -> FloatArray:
    """Return the sums of the parts' rows, each so many times, by draw; draws are in order."""
    from scipy.sparse import csr_array  # noqa: PLC0415 (wanted only here)

    starts = np.searchsorted(draw, np.arange(size + 1))
    chosen = csr_array((times.astype(parts.dtype), row, starts), shape=(size, len(parts)))
    return np.asarray(chosen @ parts, float)


def _moved_truths(items: LabelledPatterns, block: Block) -> FloatArray | None:
    """Return what wrong labels add to the truths of each class, where every system is judged on every item."""
    if not items.counts.all():
        return None
    every = np.ones(len(block.row), bool)
    return _changed(block, items.truth[block.row], every, every, len(items.labels))


def _margins(items: LabelledPatterns, system: int) -> Callable[[Block, FloatArray | None], Totals]:
    """Return how a system's hits, truths and answers by class follow."""
    from scipy.sparse import coo_array  # noqa: PLC0415 (wanted only here)

    answer = items.answers[:, system]
    counts = items.counts[:, system]
    width = len(items.labels)
    answered = counts & (answer >= 0)
    right = answered & (answer == items.truth)
    real = [code for code in range(width) if code != items.nothing]
    labels = tuple(items.labels[code] for code in real)

    def by_class(codes: Codes, chosen: BoolArray) -> _Sums:
        rows = np.flatnonzero(chosen)
        ones = np.ones(len(rows))
        parts = coo_array((ones, (rows, codes[chosen])), shape=(len(codes), width))
        return _Sums(items, parts.tocsr())

    sums_of_hits = by_class(items.truth, right)
    sums_of_truth = by_class(items.truth, counts)
    sums_of_answers = by_class(answer, answered)
    sums_of_items = _Sums(items, counts)

    def margin(block: Block, moved_truths: FloatArray | None) -> Totals:
        old = items.truth[block.row]
        lost_hit = right[block.row]
        gained_hit = answer[block.row] == block.new
        if moved_truths is None:
            moved = counts[block.row]
            moved_truths = _changed(block, old, moved, moved, width)
        hits = sums_of_hits.of(block) + _changed(block, old, lost_hit, gained_hit, width)
        truth = sums_of_truth.of(block) + moved_truths
        answers = sums_of_answers.of(block)
        total = sums_of_items.of(block)
        if items.nothing >= 0:
            total = total - hits[:, items.nothing]
        return Totals(labels, hits[:, real], truth[:, real], answers[:, real], total)

    return margin


def _changed(
    block: Block, old: Codes, lost: BoolArray, gained: BoolArray, width: int
) -> FloatArray:
    """Return what wrong labels add to each class in each draw: the new one gains, the old one loses."""
    base = block.draw * width
    size = block.size * width
    gains = np.bincount((base + block.new)[gained], block.times[gained], minlength=size)
    losses = np.bincount((base + old)[lost], block.times[lost], minlength=size)
    change = gains - losses
    return change.reshape(block.size, width).astype(float)


def _measured(quantity: Quantity, in_truth: set[str], totals: Totals) -> FloatArray:
    """Return a quantity by draw, averages over the labels in the given truth; undefined counts as in a ranking."""
    if quantity.averages:
        each = values(quantity.of_one_class(), totals)
        chosen = [place for place, label in enumerate(totals.labels) if label in in_truth]
        defined = np.nan_to_num(each[:, chosen], nan=quantity.worst)
        return equal_but_for_rounding(defined.mean(axis=1))
    measured = values(quantity, totals)
    if quantity.label is not None:
        # A label that does not occur is treated as the last one, which represents all such labels.
        column = -1
        if quantity.label in totals.labels:
            column = totals.labels.index(quantity.label)
        measured = measured[:, column]
    return equal_but_for_rounding(np.nan_to_num(measured, nan=quantity.worst))
