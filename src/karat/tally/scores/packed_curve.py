"""The curve of scores that are in memory already, by a sort of bare numbers: no order of items is ever made."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.tally.scores.curve import Curve

Scores = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
SMALL = 100_000
"""Up to so many scores a second thread costs more than it saves."""


def curve_of(truth: npt.ArrayLike, score: npt.ArrayLike) -> Curve:
    """How many positives and negatives share each score?

    `truth` is yes or no, 1 or 0; `score` any numbers but NaN. Exact; equal scores are one point, 0 and -0 are equal.
    >>> found = curve_of([1, 0, 1, 0], [0.9, 0.9, 0.5, 0.1])
    >>> found.score.tolist(), found.positive.tolist(), found.negative.tolist()
    ([0.9, 0.5, 0.1], [1, 1, 0], [1, 0, 1])
    """
    counts = _cumulated(truth, score)
    positives = np.diff(counts.hits)
    negatives = np.diff(counts.begin) - positives
    scores = counts.score[counts.begin[:-1]].astype(np.float64)
    scores += 0.0  # 0 for -0
    return Curve(scores[::-1], positives[::-1], negatives[::-1])


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """The positives' distinct scores, from the highest down: positives down to each, negatives before it and with it.

    All that precision and recall depend on: negatives between two of these scores need not be distinguished.
    """

    hits: Ints
    before: Ints
    after: Ints
    negatives: int


def steps_of(truth: npt.ArrayLike, score: npt.ArrayLike) -> Steps:
    """At which scores does recall rise, and over how many negatives?

    As `curve_of`, but only where a positive stands: faster, and much smaller where positives are rare.
    >>> found = steps_of([1, 0, 0, 1], [4, 3, 1, 1])
    >>> found.hits.tolist(), found.before.tolist(), found.after.tolist()
    ([1, 2], [0, 1], [0, 2])
    """
    counts = _cumulated(truth, score)
    rise = np.flatnonzero(counts.hits[1:] != counts.hits[:-1])[::-1]
    hits_below, hits_to = counts.hits[rise], counts.hits[rise + 1]
    positives, items = counts.hits[-1], counts.begin[-1]
    false_below = counts.begin[rise] - hits_below
    false_to = counts.begin[rise + 1] - hits_to
    negatives = int(items - positives)
    return Steps(positives - hits_below, negatives - false_to, negatives - false_below, negatives)


@dataclass(frozen=True, slots=True, eq=False)
class Cumulated:
    """All scores, rising; at which places the distinct ones begin, and how many positives lie before each.

    After the last one: the number of items, and of positives.
    """

    score: Scores
    begin: Ints
    hits: Ints


def _cumulated(truth: npt.ArrayLike, score: npt.ArrayLike) -> Cumulated:
    """Count along the scores of positives and negatives."""
    scores, is_positive = _merged(*_sorted(truth, score))
    differs = scores[1:] != scores[:-1]
    begin = np.flatnonzero(np.concatenate([[True], differs, [True]]))
    hits = np.zeros(len(scores) + 1, np.int64)
    np.cumsum(is_positive, out=hits[1:])
    return Cumulated(scores, begin, hits[begin])


def _merged(positive: Scores, negative: Scores) -> tuple[Scores, npt.NDArray[np.bool_]]:
    """Return all scores, rising, and which are of positives: a stable sort finds both runs and merges them once."""
    both = np.concatenate([positive, negative])
    order = np.argsort(both, kind="stable")
    return both[order], order < len(positive)


def _sorted(truth: npt.ArrayLike, score: npt.ArrayLike) -> tuple[Scores, Scores]:
    """Return the scores of the positives and of the negatives, each rising."""
    yes = _truth(truth)
    values = np.asarray(score)
    if values.dtype.kind not in "fiub":
        raise InputError(f"the scores are of type {values.dtype}; a curve needs numbers")
    if yes.ndim != 1 or yes.shape != values.shape:
        raise InputError(
            f"{values.size:,} scores for {yes.size:,} items; give one score an item, in one dimension"
        )
    positive = np.compress(yes, values)
    negative = np.compress(~yes, values)
    if not len(positive):
        raise InputError("the truth has no positives; a curve needs both kinds")
    if not len(negative):
        raise InputError("the truth has only positives; a curve needs both kinds")
    _sort([positive, negative])
    # A sort puts NaN last, so that looking for it costs nothing.
    if any(np.isnan(run[-1]) for run in (positive, negative)):
        missing = np.isnan(values)
        raise InputError(
            f"{int(missing.sum()):,} scores are NaN, the first that of item {int(missing.argmax()):,} (from 0); "
            "a missing score ranks below every other: say so with -inf, or leave the item out"
        )
    return positive, negative


def _sort(runs: Sequence[Scores]) -> None:
    if sum(map(len, runs)) <= SMALL:
        for run in runs:
            run.sort()
        return
    with ThreadPoolExecutor(len(runs)) as pool:
        list(pool.map(lambda run: run.sort(), runs))


def _truth(truth: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    given = np.asarray(truth)
    if given.dtype == bool:
        return given
    yes = np.asarray(given == 1)
    neither = given[~yes & (given != 0)]
    if neither.size:
        raise InputError(
            f"the truth holds {neither.ravel()[0]!r}; a positive is 1 or True, a negative 0 or False"
        )
    return yes
