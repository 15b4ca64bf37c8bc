"""Positives and negatives at each distinct score, from the highest down: all a curve is made of."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, TallyError
from karat.table.table import Table
from karat.tally.codes import MISSING, digest, encode, frequency

SQL = "select s{system} as s, t, {n} as n from answers where t is not null group by s{system}, t"


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """How many positives and negatives share each score; a missing score is below every other."""

    score: npt.NDArray[np.float64]
    positive: npt.NDArray[np.int64]
    negative: npt.NDArray[np.int64]

    def __add__(self, other: "Curve") -> "Curve":
        """Return the counts of both."""
        parts = (self, other)
        columns = [
            np.concatenate([getattr(part, name) for part in parts]) for name in ("score", "positive", "negative")
        ]
        return _gathered(*columns)

    def digest(self) -> str:
        """Return a short hash of the counts."""
        return digest([self.score, self.positive, self.negative])


def curve(table: Table, system: str) -> Curve:
    """Count positives and negatives at each score of one system."""
    if table.labels.positive is None:
        raise TallyError("a curve needs a positive label; name it with --positive")
    counted = table.engine.query(SQL.format(system=table.systems.index(system), n=frequency(table)))
    number = np.ma.getdata(counted["n"]).astype(np.int64)
    (truth,), labels = encode([counted["t"]], [None], replace(table.labels, truth_sep=None))
    score = np.ma.filled(counted["s"].astype(np.float64), -np.inf)
    yes = truth == (labels.index(table.labels.positive) if table.labels.positive in labels else MISSING)
    if not yes.any() or yes.all():
        only = "no" if not yes.any() else "nothing but"
        raise InputError(f"{table.origin}: the truth has {only} {table.labels.positive!r}; a curve needs both sides")
    return _gathered(score, np.where(yes, number, 0), np.where(yes, 0, number))


def _gathered(
    score: npt.NDArray[np.float64], positive: npt.NDArray[np.int64], negative: npt.NDArray[np.int64]
) -> Curve:
    distinct, place = np.unique(-score, return_inverse=True)
    sums = [np.bincount(place, weights=part).astype(np.int64) for part in (positive, negative)]
    return Curve(-distinct, sums[0], sums[1])
