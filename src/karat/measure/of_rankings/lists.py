"""What measures of ranked lists have in common: the relevant documents within the first k places."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings


@dataclass(frozen=True, slots=True, eq=False)
class RelevantDocuments:
    """The relevant documents in the first places of each list: query and place of each, in order."""

    queries: int
    query: npt.NDArray[np.int64]
    place: FloatArray

    @classmethod
    def within(cls, rankings: Rankings, cut: int | None) -> "RelevantDocuments":
        """Return those within the first `cut` places, or all that were retrieved."""
        inside = np.ones(len(rankings.place), bool)
        if cut is not None:
            inside = rankings.place <= cut
        place = rankings.place[inside].astype(float)
        return cls(len(rankings.queries), rankings.query[inside], place)

    @property
    def number(self) -> FloatArray:
        """How many there are of each query."""
        return np.bincount(self.query, minlength=self.queries).astype(float)

    @property
    def order(self) -> npt.NDArray[np.int64]:
        """Which of its query's relevant documents each is, from 1 up."""
        first = np.searchsorted(self.query, np.arange(self.queries))
        return np.asarray(np.arange(len(self.query)) - first[self.query] + 1)

    def sums(self, amount: FloatArray) -> FloatArray:
        """Return the sums of what each adds to its query."""
        return sums(self.query, amount, self.queries)


def sums(query: npt.NDArray[np.int64], amount: FloatArray, queries: int) -> FloatArray:
    """Return the sums of amounts by query."""
    return np.bincount(query, weights=amount, minlength=queries).astype(float)


def ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Return part / whole by query, NaN where there is nothing."""
    undefined = np.full(len(part), np.nan)
    return np.asarray(np.divide(part, whole, out=undefined, where=whole > 0))
