"""Positives and negatives at each distinct score, from the highest down: all a curve is made of."""

from collections.abc import Iterator
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
from karat.tally.sql import alike, by_place, cells_of, key_values, numbers
from karat.tally.tally import tally
from karat.words import listing

SQL = "select k, v, t, {keys}{n} as n from ({cells}) as cells where t is not null group by k, v, {keys}t"

TRUTHS = "select t, count(*) as n from {rows} where t is not null group by t"

NO_GROUPS = "there are no groups to split the curve by; name their column with --group"

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Counts = Ints | Floats
"""Numbers of items, or sums of their weights."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """How many positives and negatives share each score, or what they weigh; a missing score is below every other."""

    score: Floats
    positive: Counts
    negative: Counts

    def __add__(self, other: "Curve") -> "Curve":
        """Return the counts of both."""
        score = np.concatenate([self.score, other.score])
        positive = np.concatenate([self.positive, other.positive])
        negative = np.concatenate([self.negative, other.negative])
        return gathered(score, positive, negative)

    def digest(self) -> str:
        """Return a short hash of the counts."""
        return digest([self.score, self.positive, self.negative])


@tally(needs="scores")
def curves(table: Table) -> dict[str, Curve]:
    """Count positives and negatives at each score of every system."""
    by_system: dict[str, Curve] = {}
    for part in _counted(table, ""):
        score, positive, negative = _columns(table, part.counted)
        for system, own in part.rows.items():
            by_system[system] = gathered(score[own], positive[own], negative[own])
    return by_system


@tally(needs="scores")
def group_curves(table: Table) -> dict[str, dict[str, Curve]]:
    """Count positives and negatives at each score of every system, group by group; a group may have but one kind."""
    if "g" not in table.keys:
        raise TallyError(NO_GROUPS)
    by_system: dict[str, dict[str, Curve]] = {}
    for part in _counted(table, "g"):
        score, positive, negative = _columns(table, part.counted)
        groups = key_values(table, "g", part.counted)["g"]
        for system, own in part.rows.items():
            by_group: dict[str, Curve] = {}
            for name in ordered(set(groups[own])):
                rows = own[groups[own] == name]
                by_group[name] = gathered(score[rows], positive[rows], negative[rows])
            by_system[system] = by_group
    return by_system


@dataclass(frozen=True, slots=True, eq=False)
class _CountedScores:
    """What one query counted, and which rows of it belong to each of its systems."""

    counted: Arrays
    rows: dict[str, Ints]


def _counted(table: Table, key: str) -> Iterator[_CountedScores]:
    """Count truth and score of all systems, so many at once as memory holds."""
    keys = f"{key}, " if key else ""
    for places in alike(table, rows_each=table.counts.items):
        cells = cells_of(table, places, beside=[key, "t"] if key else ["t"])
        counted = table.engine.query(SQL.format(keys=keys, n=table.rows.total, cells=cells))
        rows = by_place(counted["k"], len(places))
        names = [table.systems[place] for place in places]
        yield _CountedScores(counted, dict(zip(names, rows, strict=True)))


def _columns(table: Table, counted: Arrays) -> tuple[Floats, Ints, Ints]:
    """Return the score, and the numbers of positives and of negatives, of each counted row."""
    number = numbers(counted)
    is_positive = positives(table, counted["t"])
    score = missing_last(counted["v"])
    return score, np.where(is_positive, number, 0), np.where(is_positive, 0, number)


def missing_last(scores: npt.NDArray[Any]) -> Floats:
    """Return scores as numbers, missing ones below every other; 0 for -0, which not all engines distinguish."""
    return np.asarray(np.ma.filled(scores.astype(np.float64), -np.inf)) + 0.0


def positives(table: Table, truth: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which of the counted rows are positives; refuse rows of one kind only."""
    label = table.labels.positive
    (codes,), labels = encode([truth], [None], table.labels)
    if label is None:
        raise TallyError(
            f"a curve needs a positive label; name it with --positive, out of {listing(labels)}"
        )
    yes = np.array([label in table.labels.members(text) for text in labels], bool)[codes]
    if not yes.any() or yes.all():
        only = "no" if not yes.any() else "nothing but"
        raise InputError(
            f"{table.origin}: the truth has {only} {label!r}; a curve needs both sides"
        )
    return yes


def put_truths(table: Table, name: str, *, positive: bool) -> None:
    """Lay the truths of one kind of items beside the data, as the column `truth`."""
    truths = table.engine.query(TRUTHS.format(rows=table.rows.name))["t"]
    own = positives(table, truths) == positive
    table.engine.put(name, {"truth": np.ma.getdata(truths)[own]})


def gathered(score: Floats, positive: Counts, negative: Counts) -> Curve:
    """Return the curve of counts, or weights, at scores in any order, of which some are equal."""
    falling, place = np.unique(-score, return_inverse=True)
    # Not -falling, which makes -0 of 0.
    return Curve(0.0 - falling, summed(place, positive), summed(place, negative))


def summed(cell: Ints, amounts: Counts, length: int = 0) -> Counts:
    """Return the sum of the amounts in each cell: whole numbers of whole numbers."""
    sums = np.bincount(cell, weights=amounts, minlength=length)
    if amounts.dtype.kind == "f":
        return sums
    return sums.astype(np.int64)
