"""Objects instead of pixels: what annotators miss or add, and what an audit can ask about.

An object is a connected set of marked pixels, corners included. One of the truth is found by a system that marked at
least a share of it. A system's object of which less than that share is in the truth is a false alarm; false alarms
of several systems that touch are one item.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.source.pixels.values import Mask

CORNERS = np.ones((3, 3), int)


@dataclass(frozen=True, slots=True, eq=False)
class Objects:
    """The objects of one image: where each begins, whether the truth has it, and which systems have it."""

    places: tuple[str, ...]
    truth: npt.NDArray[np.int64]
    answers: npt.NDArray[np.int64]
    """A row an object, a column a system: 1 where it has the object."""


def objects_of(
    truth: Mask, systems: Sequence[Mask], *, overlap: float, smallest: int = 1
) -> Objects:
    """Return the objects of the truth, then those that only systems have; none of fewer pixels than the smallest.

    >>> truth = np.zeros((4, 8), bool); truth[1, 1:5] = True
    >>> half = np.zeros((4, 8), bool); half[1, 1:3] = True; half[3, 7] = True
    >>> found = objects_of(truth, [half], overlap=0.5)
    >>> found.places, found.truth.tolist(), found.answers.tolist()
    (('row 1, column 1', 'row 3, column 7'), [1, 0], [[1], [1]])
    """
    from scipy.ndimage import label  # noqa: PLC0415 (slow to load)

    own, number = _objects(label, truth, smallest)
    found = [_covered(own, number, marks) >= overlap for marks in systems]
    alarms = [_alarms(label, truth, marks, overlap) for marks in systems]
    union, others = _objects(label, np.logical_or.reduce(alarms), smallest)
    raised = [_covered(union, others, marks) > 0 for marks in alarms]
    answers = np.concatenate([np.stack(found, axis=1), np.stack(raised, axis=1)])
    return Objects(
        places=_distinct([*_places(own, number), *_places(union, others)]),
        truth=np.repeat([1, 0], [number, others]),
        answers=answers.astype(np.int64),
    )


def _objects(
    label: Callable[..., Any], marks: Mask, smallest: int
) -> tuple[npt.NDArray[np.int32], int]:
    """Return the number of its object at each pixel, from 1 up, and how many there are."""
    labels, number = label(marks, CORNERS)
    if smallest == 1:
        return labels, int(number)
    size = np.bincount(labels.ravel(), minlength=number + 1)
    large = size >= smallest
    large[0] = False
    renumbered = np.where(large, large.cumsum(), 0)
    return renumbered[labels], int(large.sum())


def _covered(labels: npt.NDArray[np.int32], number: int, marks: Mask) -> npt.NDArray[np.float64]:
    """Return which share of each object is marked."""
    size = np.bincount(labels.ravel(), minlength=number + 1)[1:]
    inside = np.bincount(labels[marks], minlength=number + 1)[1:]
    return np.asarray(inside / np.maximum(size, 1))


def _alarms(label: Callable[..., Any], truth: Mask, marks: Mask, overlap: float) -> Mask:
    """Return the pixels of a system's objects of which too little is in the truth."""
    own, number = label(marks, CORNERS)
    in_truth = _covered(own, number, truth)
    is_alarm = np.concatenate([[False], in_truth < overlap])
    return np.asarray(is_alarm[own])


def _distinct(places: Sequence[str]) -> tuple[str, ...]:
    """Return places with a number behind those that occur again: a false alarm may begin where an object does.

    >>> _distinct(["row 1, column 1", "row 1, column 1"])
    ('row 1, column 1', 'row 1, column 1 (2)')
    """
    number: Counter[str] = Counter()
    found = []
    for place in places:
        number[place] += 1
        found.append(place if number[place] == 1 else f"{place} ({number[place]})")
    return tuple(found)


def _places(labels: npt.NDArray[np.int32], number: int) -> list[str]:
    """Return where each object begins: its first pixel from the top."""
    if not number:
        return []
    flat = labels.ravel()
    first = np.full(number + 1, flat.size)
    marked = np.flatnonzero(flat)
    np.minimum.at(first, flat[marked], marked)
    rows, columns = np.divmod(first[1:], labels.shape[1])
    return [f"row {row}, column {column}" for row, column in zip(rows, columns, strict=True)]
