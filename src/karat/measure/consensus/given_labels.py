"""The different labels that were given to each row of answers, and how many systems gave them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

Codes = npt.NDArray[np.int64]
AT_ONCE = 50_000
"""Rows that are sorted at once: of a million rows of fifty answers all together would take gigabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class GivenLabels:
    """Each label that somebody gave to a row is one entry: rows have few, however many labels there are."""

    row: Codes
    """The row of each entry, ascending."""
    label: Codes
    """Its label, ascending within a row."""
    votes: Codes
    """How many systems gave it."""
    system: Codes
    """Who gave them: the systems of the first entry, ascending, then those of the next."""
    entry: Codes
    """The entry of each answer, in the shape of the answers; -1 where there is none."""
    items: FloatArray
    """How many items each row represents."""

    @property
    def given(self) -> Codes:
        """How many systems answered each row."""
        return np.asarray((self.entry >= 0).sum(axis=1), np.int64)

    def by_row(self, of_entries: npt.ArrayLike) -> FloatArray:
        """Return the sum over the entries of each row."""
        weights = np.asarray(of_entries, float)
        sums = np.bincount(self.row, weights, minlength=len(self.items))
        return np.asarray(sums, float)

    def most(self) -> Codes:
        """Return the votes of each row's most frequent label; 0 where nobody answered."""
        most = np.zeros(len(self.items), np.int64)
        starts = np.flatnonzero(np.diff(self.row, prepend=-1))
        if len(starts):
            most[self.row[starts]] = np.maximum.reduceat(self.votes, starts)
        return most


def given_labels(
    answers: npt.ArrayLike | GivenLabels, number: npt.ArrayLike | None = None
) -> GivenLabels:
    """Return the labels given to each row, from a column of codes for each system; codes below 0 are missing.

    Labels that were counted before are handed back.
    >>> found = given_labels([[0, 1, 1], [1, -1, -2]])
    >>> found.row.tolist(), found.label.tolist(), found.votes.tolist()
    ([0, 0, 1], [0, 1, 1], [1, 2, 1])
    """
    if isinstance(answers, GivenLabels):
        return answers
    codes = np.asarray(answers)
    if codes.ndim != 2:
        raise OptionError(
            f"the answers are of shape {codes.shape}; give a row for each item and a column for each system"
        )
    rows, labels, votes, systems = [], [], [], []
    # Half the memory, where the entries can be numbered so.
    narrow = codes.size <= np.iinfo(np.int32).max
    entry = np.empty(codes.shape, np.int32 if narrow else np.int64)
    known = 0
    for start in range(0, len(codes), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        found = _of_some(codes[part], entry[part], known)
        rows.append(found.row + start)
        labels.append(found.label)
        votes.append(found.votes)
        systems.append(found.system)
        known += len(found.row)
    return GivenLabels(
        row=_joined(rows),
        label=_joined(labels),
        votes=_joined(votes),
        system=_joined(systems),
        entry=entry,
        items=items_of_rows(number, len(codes)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    row: Codes
    label: Codes
    votes: Codes
    system: Codes


def _of_some(codes: npt.NDArray[Any], entry: Codes, known: int) -> _Entries:
    """Return the entries of some rows, and write into `entry` which of all entries each answer is."""
    # Equal answers are adjacent in a sorted row; a table of rows by labels would be mostly zeros. A number that
    # holds a label and who gave it is sorted faster than labels are with their places.
    bits = int(codes.shape[1]).bit_length()
    arranged = np.sort((codes.astype(np.int64) << bits) | np.arange(codes.shape[1]), axis=1)
    system = arranged & ((1 << bits) - 1)
    arranged >>= bits
    answered = arranged >= 0
    begins = answered.copy()
    begins[:, 1:] &= arranged[:, 1:] != arranged[:, :-1]
    first = np.flatnonzero(begins)
    number = begins.ravel().cumsum().reshape(begins.shape) - 1
    np.put_along_axis(entry, system, np.where(answered, number + known, -1), axis=1)
    votes = np.bincount(number[answered], minlength=len(first))
    return _Entries(
        row=first // max(1, codes.shape[1]),
        label=arranged.ravel()[first],
        votes=votes,
        system=system[answered],
    )


def _joined(parts: list[Codes]) -> Codes:
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def items_of_rows(number: npt.ArrayLike | None, rows: int) -> FloatArray:
    """Return how many items each row represents: one, unless numbers are given."""
    amount = np.ones(rows) if number is None else np.asarray(number, float)
    if amount.shape != (rows,):
        raise OptionError(
            f"number is of shape {amount.shape}, and there are {rows} rows of answers; give one for each"
        )
    return amount
