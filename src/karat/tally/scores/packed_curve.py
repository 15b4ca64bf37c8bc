"""The curve of scores that are in memory already, by a sort of bare numbers: no order of items is ever made."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.tally.scores.curve import Curve

Scores = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
SMALL = 100_000
"""Up to so many scores a second thread costs more than it saves."""
AT_ONCE = 8_000
"""Scores of one kind that are merged in one step: all that is made of them stays in the cache of a core."""


def curve_of(truth: npt.ArrayLike, score: npt.ArrayLike) -> Curve:
    """How many positives and negatives share each score?

    `truth` is yes or no, 1 or 0; `score` any numbers but NaN. Exact; equal scores are one point, 0 and -0 are equal.
    >>> found = curve_of([1, 0, 1, 0], [0.9, 0.9, 0.5, 0.1])
    >>> found.score.tolist(), found.positive.tolist(), found.negative.tolist()
    ([0.9, 0.5, 0.1], [1, 1, 0], [1, 0, 1])
    """
    positive, negative = _sorted(truth, score)
    number = len(positive) + len(negative)
    # At most as many distinct scores as there are; what is never written takes no memory.
    falling = np.empty(number)
    positives = np.empty(number, np.int64)
    negatives = np.empty(number, np.int64)
    first = number
    for some_positives, some_negatives in _parts(positive, negative):
        block = _merged(some_positives, some_negatives)
        here = slice(first - len(block.score), first)
        hits = np.diff(block.hits)[::-1]
        falling[here] = block.score[::-1]
        positives[here] = hits
        negatives[here] = np.diff(block.begin)[::-1] - hits
        first = here.start
    falling = falling[first:]
    falling += 0.0  # 0 for -0
    return Curve(falling, positives[first:], negatives[first:])


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Where recall rises, from the highest score down: positives down to there, negatives before it and with it.

    All that precision and recall depend on: scores with no negative in or between them may be one step, and negatives
    between two steps need not be distinguished.
    """

    hits: Ints
    before: Ints
    after: Ints
    negatives: int


def steps_of(truth: npt.ArrayLike, score: npt.ArrayLike) -> Steps:
    """At which scores does recall rise, and over how many negatives?

    As `curve_of`, but only at places of positives: faster, and much smaller where positives are rare.
    >>> found = steps_of([1, 0, 0, 1], [4, 3, 1, 1])
    >>> found.hits.tolist(), found.before.tolist(), found.after.tolist()
    ([1, 2], [0, 1], [0, 2])
    """
    positive, negative = _sorted(truth, score)
    hits, before, after = [], [], []
    hits_below, false_below = 0, 0
    for some_positives, some_negatives in _parts(positive, negative):
        place, hits_before = _turns(some_positives, some_negatives)
        rise = np.flatnonzero(hits_before[1:] != hits_before[:-1])
        false = place - hits_before + false_below
        hits.append(hits_before[rise] + hits_below)
        before.append(false[rise + 1])
        after.append(false[rise])
        hits_below += len(some_positives)
        false_below += len(some_negatives)
    return Steps(
        len(positive) - np.concatenate(hits)[::-1],
        len(negative) - np.concatenate(before)[::-1],
        len(negative) - np.concatenate(after)[::-1],
        len(negative),
    )


def _parts(positive: Scores, negative: Scores) -> Iterator[tuple[Scores, Scores]]:
    """Cut both runs into parts that belong together, from the lowest up, equal scores into the same one."""
    longer = max(positive, negative, key=len)
    cuts = longer[AT_ONCE::AT_ONCE]
    places = [[0, *np.searchsorted(run, cuts).tolist(), len(run)] for run in (positive, negative)]
    for (left, right), (low, high) in zip(*map(pairwise, places), strict=True):
        if left < right or low < high:
            yield positive[left:right], negative[low:high]


@dataclass(frozen=True, slots=True, eq=False)
class DistinctScores:
    """Distinct scores, rising; at which places they begin, and how many positives come before each.

    After the last place: the number of items, and of positives.
    """

    score: Scores
    begin: Ints
    hits: Ints


def _merged(positive: Scores, negative: Scores) -> DistinctScores:
    """Count along all scores of two runs."""
    scores, is_positive = _in_order(positive, negative)
    differs = scores[1:] != scores[:-1]
    begin = np.flatnonzero(np.concatenate([[True], differs, [True]]))
    return DistinctScores(scores[begin[:-1]], begin, _hits_before(begin, is_positive))


def _turns(positive: Scores, negative: Scores) -> tuple[Ints, Ints]:
    """Return places along all scores of two runs, and how many positives come before each.

    Between two of these places are items of one kind, or equal scores; the last place is the number of items.
    """
    scores, is_positive = _in_order(positive, negative)
    is_tied = scores[1:] == scores[:-1]
    turns = is_positive[1:] != is_positive[:-1]
    # Equal scores of both kinds are one step, which begins and ends beside a tie.
    turns[1:] |= is_tied[:-1]
    turns[:-1] |= is_tied[1:]
    turns &= ~is_tied
    place = np.flatnonzero(np.concatenate([[True], turns, [True]]))
    return place, _hits_before(place, is_positive)


def _in_order(positive: Scores, negative: Scores) -> tuple[Scores, npt.NDArray[np.bool_]]:
    """Return all scores of two runs, rising, and which are of positives: a stable sort finds both, and merges them."""
    both = np.concatenate([positive, negative])
    order = np.argsort(both, kind="stable")
    return both[order], order < len(positive)


def _hits_before(place: Ints, is_positive: npt.NDArray[np.bool_]) -> Ints:
    hits = np.zeros(len(is_positive) + 1, np.int64)
    np.cumsum(is_positive, out=hits[1:])
    return hits[place]


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
            "a missing score ranks below every other: write it as -inf, or leave the item out"
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
