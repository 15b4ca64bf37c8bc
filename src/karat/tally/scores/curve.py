"""Positives and negatives at each distinct score, from the highest down: all a curve is made of."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import InputError, TallyError
from karat.table.labels import ordered
from karat.table.table import Table
from karat.tally.codes import digest, encode, frequency, key_values
from karat.tally.tally import tally

SQL = "select s{system} as s, t, {keys} {n} as n from answers where t is not null group by s{system}, {keys} t"

NO_GROUPS = "there are no groups to split the curve by; name their column with --group"

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """How many positives and negatives share each score; a missing score is below every other."""

    score: Floats
    positive: Ints
    negative: Ints

    def __add__(self, other: "Curve") -> "Curve":
        """Return the counts of both."""
        parts = (self, other)
        columns = [
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("score", "positive", "negative")
        ]
        return _gathered(*columns)

    def digest(self) -> str:
        """Return a short hash of the counts."""
        return digest([self.score, self.positive, self.negative])


@tally(needs="scores")
def curve(table: Table, system: str) -> Curve:
    """Count positives and negatives at each score of one system."""
    return _gathered(*_counted(table, table.engine.query(_sql(table, system, ""))))


@tally(needs="scores")
def curves(table: Table, system: str) -> dict[str, Curve]:
    """Count positives and negatives at each score of one system, group by group; a group may have but one kind."""
    if "g" not in table.keys:
        raise TallyError(NO_GROUPS)
    found = table.engine.query(_sql(table, system, "g, "))
    columns, group = _counted(table, found), key_values(table, "g", found)["g"]
    names = ordered(set(group))
    return {name: _gathered(*(column[group == name] for column in columns)) for name in names}


def _sql(table: Table, system: str, keys: str) -> str:
    return SQL.format(system=table.systems.index(system), n=frequency(table), keys=keys)


def _counted(table: Table, found: Arrays) -> tuple[Floats, Ints, Ints]:
    number = np.ma.getdata(found["n"]).astype(np.int64)
    yes = positives(table, found["t"])
    return missing_last(found["s"]), np.where(yes, number, 0), np.where(yes, 0, number)


def missing_last(scores: npt.NDArray[Any]) -> Floats:
    """Return scores as numbers, missing ones below every other; 0 for -0, which an engine may or may not tell apart."""
    return np.asarray(np.ma.filled(scores.astype(np.float64), -np.inf)) + 0.0


def positives(table: Table, truth: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which of the counted rows are positives; refuse rows of one kind only."""
    label = table.labels.positive
    if label is None:
        raise TallyError("a curve needs a positive label; name it with --positive")
    (codes,), labels = encode([truth], [None], table.labels)
    yes = np.array([label in table.labels.members(text) for text in labels], bool)[codes]
    if not yes.any() or yes.all():
        only = "no" if not yes.any() else "nothing but"
        raise InputError(
            f"{table.origin}: the truth has {only} {label!r}; a curve needs both sides"
        )
    return yes


def _gathered(score: Floats, positive: Ints, negative: Ints) -> Curve:
    distinct, place = np.unique(-score, return_inverse=True)
    sums = [np.bincount(place, weights=part).astype(np.int64) for part in (positive, negative)]
    return Curve(0.0 - distinct, sums[0], sums[1])  # not -distinct, which makes 0 a -0
