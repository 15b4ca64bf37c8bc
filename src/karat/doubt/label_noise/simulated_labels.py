"""Simulated wrong labels: which labels of the truth are wrong in each draw, and what is true in their place."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.ranking_order import AT_ONCE, check_draws, check_error
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray
from karat.numeric.sparse_successes import successes
from karat.table.labels import Codes
from karat.tally.codes import MISSING, UNASKED
from karat.tally.votes.patterns import Patterns

OTHER = "\x00other"
"""All classes that occur neither in the truth nor in an answer."""
Moved = Callable[[np.random.Generator, Codes], Codes]
"""From the given labels of wrong ones to the true ones."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPatterns:
    """The patterns with truth, in codes; each answer counts or not."""

    labels: tuple[str, ...]
    truth: Codes
    answers: Codes
    counts: BoolArray
    number: npt.NDArray[np.int64]
    nothing: int

    @classmethod
    def of(cls, patterns: Patterns) -> "LabelledPatterns":
        """Return the items of these patterns, or refuse what has no single label that could be wrong."""
        patterns = patterns.filled()
        meaning = patterns.meaning
        has_truth = patterns.truth != MISSING
        if meaning.truth_sep is not None or {*patterns.keys} & {"c", "w"}:
            raise OptionError(
                "truths that are sets, clusters and weights have no distribution of wrong labels; leave them out"
            )
        truth = patterns.truth[has_truth]
        answers = patterns.answers[has_truth].astype(np.int64)
        if not len(truth):
            raise OptionError("no item has a truth, so there are no labels that could be wrong")
        counts = answers != UNASKED
        if meaning.missing == "skip":
            counts &= answers != MISSING
        nothing = MISSING
        if meaning.nothing in patterns.labels:
            nothing = patterns.labels.index(meaning.nothing)
        labels = (*patterns.labels, OTHER)
        return cls(labels, truth, answers, counts, patterns.number[has_truth], nothing)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some draws: how often each pattern is in each, and which labels are wrong."""

    size: int
    counts: Codes | None
    """A row a draw; None where the items are not resampled."""
    draw: Codes
    """The draw of each wrong label, in order."""
    row: Codes
    """Its pattern."""
    new: Codes
    """The true label in its place."""


def uniform_errors(error: npt.ArrayLike, classes: int, known: int) -> tuple[FloatArray, Moved]:
    """Return the probability of each label to be wrong, and how wrong ones move to any other class."""

    def move(random: np.random.Generator, label: Codes) -> Codes:
        # One of the other classes: numbers from the label's own on stand for the next.
        new = random.integers(classes - 1, size=len(label))
        new += new >= label
        return np.minimum(new, known)

    return np.broadcast_to(check_error(error), known), move


def matrix_errors(error: npt.ArrayLike, known: int) -> tuple[FloatArray, Moved]:
    """Return the probability of each label to be wrong, and how wrong ones move by P(true | given)."""
    matrix = check_error(error)
    width = matrix.shape[-1]
    has_shape = matrix.shape in {(known, known), (known, known + 1)}
    if not has_shape or np.abs(matrix.sum(axis=1) - 1).max() > 1e-6:
        raise OptionError(
            f"P(true | given) has {known} rows and columns, one a label, and each row sums to 1"
        )
    off = matrix * (1 - np.eye(known, width))
    sums = np.cumsum(off, axis=1)
    # The distribution functions of all rows on one scale, row k from k to k + 1, so that one search serves all labels.
    functions = sums / np.maximum(sums[:, -1:], np.finfo(float).tiny)
    steps = (functions + np.arange(known)[:, None]).ravel()

    def move(random: np.random.Generator, label: Codes) -> Codes:
        step = np.searchsorted(steps, label + random.random(len(label)), side="right")
        return np.asarray(np.minimum(step - label * width, width - 1))

    return off.sum(axis=1), move


def blocks(
    items: LabelledPatterns, chance: FloatArray, move: Moved, *, draws: int, seed: int, few: bool
) -> Iterator[Block]:
    """Yield blocks of draws, each small enough for memory."""
    check_draws(draws)
    random = np.random.default_rng(seed)
    rows = len(items.number)
    owner = np.repeat(np.arange(rows), items.number)
    number = len(owner)
    highest = float(chance.max())
    at_once = max(1, AT_ONCE // max(1, number))
    for start in range(0, draws, at_once):
        size = min(at_once, draws - start)
        counts = None
        if few:
            picked = owner[random.integers(number, size=(size, number))]
            counts = _counts(picked, rows)
        # Every label is wrong with the highest probability first; then the surplus of labels with a lower one is
        # taken back. So only the wrong labels are ever drawn, not all.
        wrong = successes(random, size * number, highest)
        draw = wrong // number
        row = picked.ravel()[wrong] if few else owner[wrong - draw * number]
        if chance.min() < highest:
            stays = random.random(len(row)) * highest < chance[items.truth[row]]
            draw = draw[stays]
            row = row[stays]
        yield Block(size, counts, draw, row, move(random, items.truth[row]))


def _counts(picked: Codes, rows: int) -> Codes:
    """Return how often each pattern is picked in each draw."""
    size = len(picked)
    keys = picked + np.arange(size)[:, None] * rows
    counts = np.bincount(keys.ravel(), minlength=size * rows)
    return counts.reshape(size, rows)
