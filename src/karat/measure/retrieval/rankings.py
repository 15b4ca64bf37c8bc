"""Precision, recall and average precision of rankings, query by query."""

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings

WRITTEN = re.compile(r"(P|R|AP|RR)(?:@([1-9]\d*))?", re.IGNORECASE)
NAMES = {"precision": "P", "recall": "R", "average-precision": "AP"}


@dataclass(frozen=True, slots=True)
class RankedMeasure:
    """A measure of a ranking as one writes it: P@10, R@100, AP, RR.

    >>> str(RankedMeasure.parse("p@10")), str(RankedMeasure.parse("recall@5"))
    ('P@10', 'R@5')
    """

    name: str
    cut: int | None = None

    def __str__(self) -> str:
        return self.name + (f"@{self.cut}" if self.cut else "")

    @classmethod
    def parse(cls, text: str) -> "RankedMeasure":
        """Return the measure that a text names."""
        head, at, tail = text.strip().partition("@")
        found = WRITTEN.fullmatch(NAMES.get(head.lower(), head) + at + tail)
        if not found:
            raise OptionError(
                f"{text!r} is no measure of a ranking that karat has: P@10, R@100, AP, RR"
            )
        return cls(found[1].upper(), int(found[2]) if found[2] else None)


def ranked(measure: RankedMeasure, rankings: Rankings) -> FloatArray:
    """How good is the ranking of each query? NaN where a measure is undefined.

    With k documents, h of them relevant, of R relevant ones in all: P@k = h / k, R@k = h / R; without a cut all that
    were retrieved count. AP = (1/R) Σ i / place of the i-th relevant one, RR = 1 / place of the first, 0 if there is
    none. Without relevant documents R, AP and RR are undefined, without retrieved ones P.
    """
    queries, cut = len(rankings.queries), measure.cut
    inside = np.ones(len(rankings.place), bool) if cut is None else rankings.place <= cut
    query, place = rankings.query[inside], rankings.place[inside].astype(float)
    hits = np.bincount(query, minlength=queries).astype(float)
    if measure.name == "P":
        return _over(
            hits, rankings.retrieved.astype(float) if cut is None else np.full(queries, float(cut))
        )
    relevant = rankings.relevant.astype(float)
    if measure.name == "R":
        return _over(hits, relevant)
    first = np.searchsorted(query, np.arange(queries))
    order = np.arange(len(query)) - first[query] + 1
    if measure.name == "AP":
        return _over(_sums(query, order / place, queries), relevant)
    return np.asarray(np.where(relevant > 0, _sums(query, (order == 1) / place, queries), np.nan))


def _sums(query: npt.NDArray[np.int64], amount: FloatArray, queries: int) -> FloatArray:
    return np.bincount(query, weights=amount, minlength=queries).astype(float)


def _over(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.asarray(np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0))
