"""The curve of scores that are in memory already, by a sort of bare numbers: no order of items is ever made."""

import os
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
RARE = 8
"""With fewer positives than one in so many negatives, runs of negatives are searched one by one, not merged."""


def curve_of(truth: npt.ArrayLike, score: npt.ArrayLike) -> Curve:
    """How many positives and negatives share each score?

    `truth` is yes or no, 1 or 0; `score` any numbers but NaN. Exact; equal scores are one point, 0 and -0 are equal.
    >>> found = curve_of([1, 0, 1, 0], [0.9, 0.9, 0.5, 0.1])
    >>> found.score.tolist(), found.positive.tolist(), found.negative.tolist()
    ([0.9, 0.5, 0.1], [1, 1, 0], [1, 0, 1])
    """
    positive, runs = _sorted(truth, score)
    negative = _merged(runs)
    positive_scores, positive_number = _distinct(positive)
    negative_scores, negative_number = _distinct(negative)
    # Merge two sorted lists of distinct scores: each score of a positive has a place of its own,
    # or shares that of an equal score of negatives.
    place = np.searchsorted(negative_scores, positive_scores)
    nearest = negative_scores[np.minimum(place, len(negative_scores) - 1)]
    unshared = nearest != positive_scores
    home = place + np.cumsum(unshared) - unshared
    size = len(negative_scores) + int(np.count_nonzero(unshared))
    of_negatives = np.ones(size, bool)
    of_negatives[home[unshared]] = False
    scores = np.empty(size, np.float64)
    positives = np.zeros(size, np.int64)
    negatives = np.zeros(size, np.int64)
    scores[of_negatives] = negative_scores
    negatives[of_negatives] = negative_number
    scores[home] = positive_scores
    positives[home] = positive_number
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
    positive, runs = _sorted(truth, score)
    total = sum(map(len, runs))
    scores, number = _distinct(positive)
    if RARE * len(scores) > total:
        runs = [_merged(runs)]
    below = np.zeros(len(scores), np.int64)
    equal = np.zeros(len(scores), np.int64)
    for run in runs:
        less, same = _beside(run, scores)
        below += less
        equal += same
    after = total - below[::-1]
    return Steps(number[::-1].cumsum(), after - equal[::-1], after, total)


def _beside(run: Scores, wanted: Scores) -> tuple[Ints, Ints]:
    """Return how many of a sorted run are less than each wanted number, and how many equal it."""
    place = np.searchsorted(run, wanted)
    at = np.zeros(len(wanted), np.int64)
    same = np.flatnonzero(run[np.minimum(place, len(run) - 1)] == wanted)
    at[same] = np.searchsorted(run, wanted[same], side="right") - place[same]
    return place, at


def _sorted(truth: npt.ArrayLike, score: npt.ArrayLike) -> tuple[Scores, list[Scores]]:
    """Return the positives' scores, rising, and the negatives' in runs that each rise."""
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
    runs = [positive, *_runs(negative)]
    _sort(runs)
    # A sort puts NaN last, so that looking for it costs nothing.
    if any(np.isnan(run[-1]) for run in runs):
        missing = np.isnan(values)
        raise InputError(
            f"{int(missing.sum()):,} scores are NaN, the first that of item {int(missing.argmax()):,} (from 0); "
            "a missing score ranks below every other: say so with -inf, or leave the item out"
        )
    return runs[0], runs[1:]


def _runs(values: Scores) -> list[Scores]:
    """Return the values in as many parts as threads can sort at once."""
    if len(values) <= SMALL:
        return [values]
    return np.array_split(values, min(os.cpu_count() or 1, 8))


def _sort(runs: Sequence[Scores]) -> None:
    if sum(map(len, runs)) <= SMALL:
        for run in runs:
            run.sort()
        return
    with ThreadPoolExecutor(len(runs)) as pool:
        list(pool.map(lambda run: run.sort(), runs))


def _merged(runs: Sequence[Scores]) -> Scores:
    if len(runs) == 1:
        return runs[0]
    return np.sort(np.concatenate(runs), kind="stable")


def _distinct(values: Scores) -> tuple[Scores, Ints]:
    """Return the different numbers of a sorted array, and how often each occurs."""
    first = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    return values[first], np.diff(np.append(first, len(values)))


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
