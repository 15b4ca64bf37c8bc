"""The labels that anybody gave to each row, and who gave them: what a model with one accuracy a system looks at."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.measure.consensus.dawid_skene_model import check_codes
from karat.measure.consensus.estimator import divide
from karat.measure.consensus.given_labels import GivenLabels, given_labels
from karat.numeric.arrays import BoolArray, FloatArray

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Each label that somebody gave to a row is one entry: rows have few, however many labels there are.

    Numbers of items, accuracies and chances have a last axis for resamples.
    """

    given: GivenLabels
    row: Codes
    """The row of each entry, ascending."""
    label: Codes
    """Its label, ascending within a row."""
    entry: Codes
    """The entry of each answer."""
    system: Codes
    """Whose answer it is."""
    who: Any
    """who[e, k]: system k gave the entry e; sparse."""
    answered: BoolArray
    """Whether anybody answered a row."""
    weights: FloatArray
    """Of each system."""
    classes: int

    @property
    def shares(self) -> FloatArray:
        """How many of a row's votes each entry has."""
        votes = np.asarray(self.who @ self.weights)[:, None]
        return np.asarray((votes / self.by_row(votes)[self.row])[:, 0])

    def sums(self, of_systems: FloatArray, only: Sequence[int] | None = None) -> FloatArray:
        """Return the sum over the systems that gave each entry; or over some of them."""
        if only is None:
            return np.asarray(self.who @ of_systems)
        chosen = np.zeros_like(of_systems)
        chosen[list(only)] = of_systems[list(only)]
        return np.asarray(self.who @ chosen)

    def by_row(self, of_entries: FloatArray) -> FloatArray:
        """Return the sum over the entries of each row."""
        return _sums_by(self.row, of_entries, len(self.answered))

    def by_label(self, of_entries: FloatArray) -> FloatArray:
        """Return the sum over the entries of each label."""
        return _sums_by(self.label, of_entries, self.classes)

    def largest_of_row(self, of_entries: FloatArray) -> FloatArray:
        """Return the largest number among the entries of each row; minus infinity where there is none."""
        largest = np.full((len(self.answered), of_entries.shape[1]), -np.inf)
        starts = np.flatnonzero(np.diff(self.row, prepend=-1))
        largest[self.row[starts]] = np.maximum.reduceat(of_entries, starts, axis=0)
        return largest

    def accuracies(self, number: FloatArray, chances: FloatArray) -> FloatArray:
        """Return the expected share of right answers of each system; NaN without answers."""
        items = number[self.row]
        return divide(np.asarray(self.who.T @ (items * chances)), np.asarray(self.who.T @ items))

    def means(self, of_answers: FloatArray, number: FloatArray) -> FloatArray:
        """Return the mean over the answers of each system, each item counting as often as it occurs."""
        systems = len(self.weights)
        items = number[self.row[self.entry]]
        above = _sums_by(self.system, items * of_answers, systems)
        return divide(above, _sums_by(self.system, items, systems))

    def likeliest(self, chances: FloatArray) -> Codes:
        """Return the likeliest of the labels that were given to each row, of equal ones the first; -1 without any."""
        largest = self.largest_of_row(chances[:, None])[:, 0]
        best = np.flatnonzero(chances == largest[self.row])[::-1]
        labels = np.full(len(self.answered), -1)
        # The last one written stays: of equal ones the first.
        labels[self.row[best]] = self.label[best]
        return labels

    def table(self, chances: FloatArray, rest: FloatArray, prior: FloatArray) -> FloatArray:
        """Return how likely each row has each label: a label that nobody gave shares the rest as it is frequent."""
        whole = np.tile(prior, (len(self.answered), 1))
        whole[self.row, self.label] = 0.0
        not_given = whole.sum(axis=1)
        scale = np.nan_to_num(divide(rest, not_given))
        whole *= np.where(self.answered, scale, 1.0)[:, None]
        whole[self.row, self.label] = chances
        return whole


def choices_of(codes: Codes, *, classes: int, weights: npt.ArrayLike | None = None) -> Choices:
    """Return the labels given to each row, from a column of codes for each system."""
    from scipy.sparse import csr_array  # noqa: PLC0415 (wanted only here)

    answered = codes >= 0
    check_codes("label", codes[answered].astype(np.int64), classes)
    given = given_labels(codes)
    system = np.nonzero(answered)[1]
    entry = given.entry[answered]
    shape = (len(given.row), codes.shape[1])
    ends = np.concatenate([[0], given.votes.cumsum()])
    each = np.ones(codes.shape[1]) if weights is None else np.asarray(weights, float)
    return Choices(
        given=given,
        row=given.row,
        label=given.label,
        entry=entry,
        system=system,
        who=csr_array((np.ones(len(entry)), given.system, ends), shape=shape),
        answered=given.given > 0,
        weights=each,
        classes=classes,
    )


def _sums_by(code: Codes, values: FloatArray, size: int) -> FloatArray:
    """Return the sum of the rows of each code."""
    if values.shape[1] == 1:
        return np.asarray(np.bincount(code, values[:, 0], minlength=size)[:, None], float)
    from scipy.sparse import csr_array  # noqa: PLC0415 (wanted only here)

    places = np.arange(len(code))
    matrix = csr_array((np.ones(len(code)), (code, places)), shape=(size, len(code)))
    return np.asarray(matrix @ values)
