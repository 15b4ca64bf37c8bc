"""Simulated wrong labels: which labels of the truth are wrong in each draw, and what is true in their place."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.ranking_order import AT_ONCE, check_draws, check_error
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray
from karat.numeric.resampled_counts import drawing
from karat.numeric.sparse_successes import successes
from karat.table.labels import Codes
from karat.tally.codes import MISSING, UNASKED, gather
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

    def by_agreement(self) -> "LabelledPatterns":
        """Return the patterns by who is right and who agrees with whom, whatever the labels are.

        The given label is 0, the others are numbered as they first occur. Where all wrong labels are equally likely,
        nothing else matters for accuracy, and there are few such patterns, however many labels and items there are.
        """
        no_number = len(self.labels)
        codes = np.where(self.answers < 0, self.answers, no_number)
        codes[self.answers == self.truth[:, None]] = 0
        used = np.zeros(len(codes), np.int64)
        systems = codes.shape[1]
        for system in range(systems):
            # Most answers are right, or given by a system before: few rows get a number.
            fresh = np.flatnonzero(codes[:, system] == no_number)
            used[fresh] += 1
            answers = self.answers[fresh]
            same = answers == answers[:, [system]]
            codes[fresh] = np.where(same, used[fresh, None], codes[fresh])
        columns = [*codes.T]
        if not self.counts.all():
            columns += [*self.counts.T.astype(np.int64)]
        distinct, number = gather(columns, self.number)
        counts = np.ones((len(number), systems), bool)
        if len(distinct) > systems:
            counts = np.stack(distinct[systems:], axis=1).astype(bool)
        return replace(
            self,
            labels=(*(str(code) for code in range(int(used.max(initial=0)) + 1)), OTHER),
            truth=np.zeros(len(number), np.int64),
            answers=np.stack(distinct[:systems], axis=1),
            counts=counts,
            number=number,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some draws: how often each pattern is in each, and which labels are wrong."""

    size: int
    counts: Codes | None
    """A row a draw; None where the items are not resampled."""
    draw: Codes
    """The draw of each entry, in order; an entry is one wrong label, or several that are wrong in the same way."""
    row: Codes
    """Its pattern."""
    new: Codes
    """The true label in its place."""
    times: Codes
    """How many labels it represents."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelErrors:
    """How likely each label is wrong, and what is true in its place."""

    chance: FloatArray
    """P(a label is wrong | it is given), an entry a label."""
    move: Moved
    matrix: FloatArray
    """P(true | given), a row a label, and in a last column what belongs to none of them."""


def uniform_errors(error: npt.ArrayLike, classes: int, known: int) -> LabelErrors:
    """Return the same probability of being wrong for each label, the true one any other class."""

    def move(random: np.random.Generator, label: Codes) -> Codes:
        # One of the other classes: numbers from the label's own on mean the class after.
        new = random.integers(classes - 1, size=len(label))
        new += new >= label
        return np.minimum(new, known)

    chance = np.broadcast_to(check_error(error), known)
    rate = float(chance[0]) if known else 0.0
    matrix = np.full((known, known + 1), rate / (classes - 1))
    np.fill_diagonal(matrix, 1 - rate)
    matrix[:, known] = rate * (classes - known) / (classes - 1)
    return LabelErrors(chance, move, matrix)


def matrix_errors(error: npt.ArrayLike, known: int) -> LabelErrors:
    """Return the errors of labels whose true ones follow P(true | given)."""
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

    whole = np.zeros((known, known + 1))
    whole[:, :width] = matrix
    return LabelErrors(off.sum(axis=1), move, whole / whole.sum(axis=1, keepdims=True))


def blocks(
    items: LabelledPatterns, errors: LabelErrors, *, draws: int, seed: int, few: bool
) -> Iterator[Block]:
    """Yield blocks of draws, each small enough for memory.

    Frequent patterns are drawn as a whole, by how many of their items have which true label; of rare ones only the
    wrong labels are drawn. So the work follows the number of patterns, not that of the items.
    """
    check_draws(draws)
    random = np.random.default_rng(seed)
    expected = items.number * errors.chance[items.truth]
    frequent = expected > errors.matrix.shape[1]
    whole = np.flatnonzero(frequent)
    single = np.flatnonzero(~frequent)
    owner = np.repeat(single, items.number[single])
    resampled = drawing(items.number) if few else None
    per_draw = len(whole) * errors.matrix.shape[1]
    per_draw += len(items.number) if few else len(owner)
    at_once = max(1, AT_ONCE // max(1, per_draw))
    for start in range(0, draws, at_once):
        size = min(at_once, draws - start)
        counts = None if resampled is None else resampled(random, size)
        parts = [_of_frequent(random, items, errors, whole, counts, size)]
        if counts is None:
            parts.append(_of_rare(random, items, errors, owner, size))
        else:
            parts.append(_of_rare_resampled(random, items, errors, single, counts))
        draw, row, new, times = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        order = np.argsort(draw, kind="stable")
        yield Block(size, counts, draw[order], row[order], new[order], times[order])


Entries = tuple[Codes, Codes, Codes, Codes]
"""Draw, pattern, true label and number of wrong labels."""


def _of_frequent(
    random: np.random.Generator,
    items: LabelledPatterns,
    errors: LabelErrors,
    rows: Codes,
    counts: Codes | None,
    size: int,
) -> Entries:
    """Return the wrong labels of patterns with many items: how many of them have which true label is multinomial."""
    number = np.broadcast_to(items.number[rows], (size, len(rows)))
    if counts is not None:
        number = counts[:, rows]
    labels = items.truth[rows]
    true = random.multinomial(number, errors.matrix[labels])
    true[:, np.arange(len(rows)), labels] = 0
    draw, place, new = np.nonzero(true)
    return draw, rows[place], new, true[draw, place, new]


def _of_rare(
    random: np.random.Generator,
    items: LabelledPatterns,
    errors: LabelErrors,
    owner: Codes,
    size: int,
) -> Entries:
    """Return the wrong labels of patterns with few items, `owner` being the pattern of each item."""
    number = len(owner)
    # Every label is wrong with the highest probability first; then the surplus of labels with a lower one is
    # taken back. So only the wrong labels are ever drawn, not all.
    highest = float(errors.chance.max())
    wrong = successes(random, size * number, highest)
    draw = wrong // max(1, number)
    row = owner[wrong - draw * number]
    if errors.chance.min() < highest:
        stays = random.random(len(row)) * highest < errors.chance[items.truth[row]]
        draw = draw[stays]
        row = row[stays]
    return draw, row, errors.move(random, items.truth[row]), np.ones(len(row), np.int64)


def _of_rare_resampled(
    random: np.random.Generator,
    items: LabelledPatterns,
    errors: LabelErrors,
    rows: Codes,
    counts: Codes,
) -> Entries:
    """Return the wrong labels of patterns with few items, of which each draw has so many."""
    wrong = random.binomial(counts[:, rows], errors.chance[items.truth[rows]])
    draw, place = np.nonzero(wrong)
    times = wrong[draw, place]
    draw = np.repeat(draw, times)
    row = np.repeat(rows[place], times)
    return draw, row, errors.move(random, items.truth[row]), np.ones(len(row), np.int64)
