"""How many annotators marked an item, and how it was scored: all that agreement levels need."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.tally.codes import gather
from karat.tally.curve import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The distinct pairs of a number of marks and a score, and how many items have each; out of so many annotators."""

    annotators: int
    marks: Ints
    score: Floats
    number: Ints


def marks_of(marks: npt.ArrayLike, score: npt.ArrayLike, *, annotators: int | None = None) -> Marks:
    """Count items by marks and score.

    `marks` is the number of annotators who marked each item, or a column of yes and no (1 and 0) for each of them.
    >>> found = marks_of([[1, 1], [0, 1], [0, 1]], [0.9, 0.5, 0.5])
    >>> found.annotators, found.marks.tolist(), found.score.tolist(), found.number.tolist()
    (2, [1, 2], [0.5, 0.9], [2, 1])
    """
    given, scores = np.asarray(marks), np.asarray(score, np.float64)
    if given.ndim == 2:
        if not np.isin(given, (0, 1)).all():
            raise InputError(
                "a column of marks holds something else than 0 and 1; give yes and no, or numbers of marks"
            )
        annotators, given = given.shape[1], given.sum(axis=1)
    if given.shape != scores.shape or scores.ndim != 1 or not len(scores):
        raise InputError(f"{len(given):,} numbers of marks for {scores.size:,} scores; give one of each per item")
    if np.isnan(scores).any():
        raise InputError(f"{int(np.isnan(scores).sum()):,} scores are NaN; leave such items out")
    number = given.astype(np.int64)
    if not np.array_equal(number, given) or number.min() < 0:
        raise InputError(f"the marks go from {given.min()} to {given.max()}; they are whole numbers from 0 up")
    most = int(number.max())
    if annotators is not None and annotators < most:
        raise InputError(f"an item has {most} marks of {annotators} annotators; say how many there are")
    (levels, values), counts = gather([number, scores + 0.0], np.ones(len(number), np.int64))
    return Marks(annotators or most, levels, values, counts)
