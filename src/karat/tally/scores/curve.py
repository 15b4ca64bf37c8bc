"""Positives and negatives at each distinct score, from the highest down: all a curve is made of."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import InputError, TallyError
from karat.table.labels import ordered
from karat.table.table import Table
from karat.tally.codes import encode
from karat.tally.digest import digest
from karat.tally.sql import frequency, key_values, numbers
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
        score = np.concatenate([self.score, other.score])
        positive = np.concatenate([self.positive, other.positive])
        negative = np.concatenate([self.negative, other.negative])
        return _gathered(score, positive, negative)

    def digest(self) -> str:
        """Return a short hash of the counts."""
        return digest([self.score, self.positive, self.negative])


@tally(needs="scores")
def curve(table: Table, system: str) -> Curve:
    """Count positives and negatives at each score of one system."""
    counted = table.engine.query(_sql(table, system, ""))
    score, positive, negative = _columns(table, counted)
    return _gathered(score, positive, negative)


@tally(needs="scores")
def curves(table: Table, system: str) -> dict[str, Curve]:
    """Count positives and negatives at each score of one system, group by group; a group may have but one kind."""
    if "g" not in table.keys:
        raise TallyError(NO_GROUPS)
    counted = table.engine.query(_sql(table, system, "g, "))
    score, positive, negative = _columns(table, counted)
    group = key_values(table, "g", counted)["g"]
    by_group: dict[str, Curve] = {}
    for name in ordered(set(group)):
        own = group == name
        by_group[name] = _gathered(score[own], positive[own], negative[own])
    return by_group


def _sql(table: Table, system: str, keys: str) -> str:
    return SQL.format(system=table.systems.index(system), n=frequency(table), keys=keys)


def _columns(table: Table, counted: Arrays) -> tuple[Floats, Ints, Ints]:
    """Return the score, and the numbers of positives and of negatives, of each counted row."""
    number = numbers(counted)
    is_positive = positives(table, counted["t"])
    score = missing_last(counted["s"])
    return score, np.where(is_positive, number, 0), np.where(is_positive, 0, number)


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
    falling, place = np.unique(-score, return_inverse=True)
    positive_sums = np.bincount(place, weights=positive).astype(np.int64)
    negative_sums = np.bincount(place, weights=negative).astype(np.int64)
    # Not -falling, which makes -0 of 0.
    return Curve(0.0 - falling, positive_sums, negative_sums)
