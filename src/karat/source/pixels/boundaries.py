"""Hits within a distance: pixels of a truth's boundary and of a system's are matched one to one.

A system's pixel is a hit if it is matched with a pixel of the truth at most so far away; each is matched once, so that
a thick line is no better than a thin one. At every threshold the number of hits is the largest that is possible. Pixels
can be matched in the order of their scores, highest first, without losing any of these largest numbers (the sets that
can be matched are a matroid), so one matching serves all thresholds.
Reference: Martin, Fowlkes, Malik, Learning to detect natural image boundaries using local brightness, color, and
texture cues, IEEE PAMI 26, 2004. doi:10.1109/TPAMI.2004.1273918
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.source.pixels.histograms import EMPTY, Floats, Histogram, Ints, merged
from karat.source.pixels.values import Mask

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Which pixels may be matched: the system's one by one, and the pixels of the truth near each."""

    begin: list[int]
    """Where the neighbours of each of the system's pixels begin, and where the last ones end."""
    truth: list[int]


def matched(truth: Mask, values: Values, counts: Mask, *, tolerance: float) -> list[Histogram]:
    """Return how many pixels that are not hits, and how many hits, have each value; misses have the lowest.

    `values` are 0 and 1 of a mask, or scores: then every pixel is a detection at a threshold that is low enough, and
    all of the truth is found. `counts` are the pixels that count. The histograms have as many pixels in all as there
    are in the truth, and outside of it.
    """
    truth = truth & counts
    lowest = float(values[counts].min()) if counts.any() else 0.0
    answers = np.asarray(counts & (values > lowest))
    pairs = _pairs(truth, answers, tolerance)
    scores = values[answers]
    hits = scores[_matched_answers(pairs, int(truth.sum()), scores)]
    whole = _histogram(values[counts])
    found = _histogram(hits)
    missed = int(truth.sum()) - len(hits)
    positive = merged(
        [found, Histogram(np.array([lowest]), np.array([missed]))] if missed else [found]
    )
    return [_without(whole, positive), positive]


def _histogram(values: Floats) -> Histogram:
    if not len(values):
        return EMPTY
    value, number = np.unique(values, return_counts=True)
    return Histogram(value, number)


def _without(whole: Histogram, part: Histogram) -> Histogram:
    """Return what is left of a histogram when some of its pixels are taken away."""
    number = whole.number.copy()
    number[np.searchsorted(whole.value, part.value)] -= part.number
    return Histogram(whole.value[number > 0], number[number > 0])


def _pairs(truth: Mask, answers: Mask, tolerance: float) -> _Pairs:
    """Return all pairs at most so far apart, the nearest first."""
    number = np.full(truth.shape, -1)
    number[truth] = np.arange(int(truth.sum()))
    rows, columns = np.nonzero(answers)
    height, width = truth.shape
    found_answers, found_truths = [], []
    for down, right in _steps(tolerance):
        row, column = rows + down, columns + right
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        answer = np.flatnonzero(inside)
        near = number[row[answer], column[answer]]
        found_answers.append(answer[near >= 0])
        found_truths.append(near[near >= 0])
    of_answer = np.concatenate(found_answers)
    order = np.argsort(of_answer, kind="stable")
    begin = np.searchsorted(of_answer[order], np.arange(len(rows) + 1))
    return _Pairs(begin.tolist(), np.concatenate(found_truths)[order].tolist())


def _steps(tolerance: float) -> list[tuple[int, int]]:
    """Return the steps down and right that are at most so long, the shortest first."""
    reach = range(-int(tolerance), int(tolerance) + 1)
    steps = [(down, right) for down in reach for right in reach]
    near = [step for step in steps if step[0] ** 2 + step[1] ** 2 <= tolerance**2]
    return sorted(near, key=lambda step: (step[0] ** 2 + step[1] ** 2, step))


def _matched_answers(pairs: _Pairs, truths: int, scores: Floats) -> Ints:
    """Return which of a system's pixels are matched: as many as possible, those of high scores first."""
    matching = _Matching(pairs, truths)
    order = np.argsort(-scores, kind="stable")
    hits = [answer for answer in order.tolist() if matching.takes(answer)]
    return np.array(hits, np.int64)


class _Matching:
    """Pairs that grow one by one along augmenting paths; who is matched stays so, with the same or another partner."""

    def __init__(self, pairs: _Pairs, truths: int) -> None:
        self._pairs = pairs
        self._answer_of = [-1] * truths
        self._truth_of: dict[int, int] = {}
        # Pixels of the truth from which no path leads to a free one. None ever will: a path that enters cannot leave.
        self._closed = bytearray(truths)

    def takes(self, answer: int) -> bool:
        """Match one more of the system's pixels, if that can be done; return whether."""
        came: dict[int, int] = {}
        waiting = [answer]
        for one in waiting:
            begin, end = self._pairs.begin[one], self._pairs.begin[one + 1]
            for truth in self._pairs.truth[begin:end]:
                if truth in came or self._closed[truth]:
                    continue
                came[truth] = one
                partner = self._answer_of[truth]
                if partner < 0:
                    self._rematch(truth, came)
                    return True
                waiting.append(partner)
        for truth in came:
            self._closed[truth] = 1
        return False

    def _rematch(self, truth: int, came: dict[int, int]) -> None:
        """Give every pixel along a path its new partner."""
        while truth >= 0:
            answer = came[truth]
            before = self._truth_of.get(answer, -1)
            self._answer_of[truth] = answer
            self._truth_of[answer] = truth
            truth = before


def all_matched(
    truth: Mask, systems: Sequence[Values], counts: Mask, *, tolerance: float
) -> list[list[Histogram]]:
    """Return the histograms of every system: outside of the truth, and of the truth."""
    return [matched(truth, values, counts, tolerance=tolerance) for values in systems]
