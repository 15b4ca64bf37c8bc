"""How many annotators marked an item, and how it was scored: all that agreement levels need."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.engine import Engine, Relation
from karat.errors import InputError
from karat.table.checks import first_where
from karat.table.kinds import as_number
from karat.table.series import no_number, places_of
from karat.tally.codes import digest, gather
from karat.tally.scores.curve import Floats, Ints

SQL = "select cast({marks} as bigint) as k, {score} as s, count(*) as n from marked group by {marks}, {score}"
ODD = "({cell} is null or isnan({cell}) or abs({cell}) > 1.7976931348623157e308)"


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The distinct pairs of a number of marks and a score, and how many items have each; out of so many annotators."""

    annotators: int
    marks: Ints
    score: Floats
    number: Ints

    def digest(self) -> str:
        """Return a short hash of the counts."""
        return digest([str(self.annotators), self.marks, self.score, self.number])


def marks(
    engine: Engine, opened: Relation, annotators: Sequence[str], systems: Sequence[str]
) -> dict[str, Marks]:
    """Count items by marks and score, for each system: annotators have columns of 0 and 1, systems of scores.

    Counted where the data is; what comes back has a row for each number of marks and score that occur together.
    """
    names = [*annotators, *systems]
    places = places_of(opened, names)
    cells = [as_number(f"c{place}", opened.stored[place]) for place in places]
    hold = engine.view if opened.columnar else engine.keep
    hold(
        "marked",
        f"select {', '.join(f'{cell} as m{k}' for k, cell in enumerate(cells))} from {opened.name}",
    )
    _check(engine, opened, dict(zip(names, places, strict=True)), len(annotators))
    added = " + ".join(f"m{k}" for k in range(len(annotators)))
    found = {}
    for k, system in enumerate(systems, len(annotators)):
        rows = engine.query(SQL.format(marks=added, score=f"m{k}"))
        score, number = (
            np.ma.getdata(rows["s"]).astype(np.float64) + 0.0,
            np.ma.getdata(rows["n"]).astype(np.int64),
        )
        (levels, values), counts = gather(
            [np.ma.getdata(rows["k"]).astype(np.int64), score], number
        )
        found[system] = Marks(len(annotators), levels, values, counts)
    return found


def _check(engine: Engine, opened: Relation, places: dict[str, int], annotators: int) -> None:
    """Refuse the first column with a cell that is no number, or no mark where marks should stand."""
    odd = [ODD.format(cell=f"m{k}") for k in range(len(places))]
    wrong = [f"m{k} not in (0, 1)" for k in range(annotators)]
    sums = [
        f"sum(case when {bad} then 1 else 0 end) as n{k}" for k, bad in enumerate([*odd, *wrong])
    ]
    found = engine.query(f"select count(*) as n, {', '.join(sums)} from marked")
    if not int(found["n"][0]):
        raise InputError(f"{opened.origin} has no rows; agreement needs items")
    for k, (name, place) in enumerate(places.items()):
        cell, number = f"c{place}", as_number(f"c{place}", opened.stored[place])
        if int(found[f"n{k}"][0]):
            row, text = first_where(engine, opened, cell, ODD.format(cell=number))
            raise no_number(opened.origin, row, name, text)
        if k < annotators and int(found[f"n{len(places) + k}"][0]):
            row, text = first_where(engine, opened, cell, f"{number} not in (0, 1)")
            raise InputError(
                f"{opened.origin}, row {row}: {name} has {text!r}; a mark is 1, and none is 0"
            )


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
        raise InputError(
            f"{len(given):,} numbers of marks for {scores.size:,} scores; give one of each per item"
        )
    if np.isnan(scores).any():
        raise InputError(f"{int(np.isnan(scores).sum()):,} scores are NaN; leave such items out")
    number = given.astype(np.int64)
    if not np.array_equal(number, given) or number.min() < 0:
        raise InputError(
            f"the marks go from {given.min()} to {given.max()}; they are whole numbers from 0 up"
        )
    most = int(number.max())
    if annotators is not None and annotators < most:
        raise InputError(
            f"an item has {most} marks of {annotators} annotators; say how many there are"
        )
    (levels, values), counts = gather([number, scores + 0.0], np.ones(len(number), np.int64))
    return Marks(annotators or most, levels, values, counts)
