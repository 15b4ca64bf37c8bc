"""How many annotators marked an item, and how it was scored: all that agreement levels need."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.engine import Engine, OpenedSource
from karat.errors import InputError
from karat.table.checks import first_where
from karat.table.kinds import as_number
from karat.table.series import no_number, places_of
from karat.tally.codes import gather
from karat.tally.digest import digest
from karat.tally.scores.curve import Floats, Ints
from karat.tally.sql import numbers

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
    engine: Engine, opened: OpenedSource, annotators: Sequence[str], systems: Sequence[str]
) -> dict[str, Marks]:
    """Count items by marks and score, for each system: annotators have columns of 0 and 1, systems of scores.

    Counted where the data is; what comes back has a row for each number of marks and score that occur together.
    """
    names = [*annotators, *systems]
    places = places_of(opened, names)
    cells = [as_number(f"c{place}", opened.stored[place]) for place in places]
    marked = ", ".join(f"{cell} as m{place}" for place, cell in enumerate(cells))
    hold = engine.view if opened.columnar else engine.keep
    hold("marked", f"select {marked} from {opened.name}")
    _check(engine, opened, dict(zip(names, places, strict=True)), len(annotators))
    sum_of_marks = " + ".join(f"m{place}" for place in range(len(annotators)))
    by_system: dict[str, Marks] = {}
    for place, system in enumerate(systems, len(annotators)):
        rows = engine.query(SQL.format(marks=sum_of_marks, score=f"m{place}"))
        score = np.ma.getdata(rows["s"]).astype(np.float64) + 0.0  # 0 for -0
        (levels, scores), counts = gather([numbers(rows, "k"), score], numbers(rows))
        by_system[system] = Marks(len(annotators), levels, scores, counts)
    return by_system


def _check(engine: Engine, opened: OpenedSource, places: dict[str, int], annotators: int) -> None:
    """Refuse the first column with a cell that is no number, or no mark where marks should stand."""
    not_numbers = [ODD.format(cell=f"m{place}") for place in range(len(places))]
    not_marks = [f"m{place} not in (0, 1)" for place in range(annotators)]
    sums = []
    for place, fault in enumerate([*not_numbers, *not_marks]):
        sums.append(f"sum(case when {fault} then 1 else 0 end) as n{place}")
    faults = engine.query(f"select count(*) as n, {', '.join(sums)} from marked")
    if not int(faults["n"][0]):
        raise InputError(f"{opened.origin} has no rows; agreement needs items")
    for place, (name, column) in enumerate(places.items()):
        cell = f"c{column}"
        number = as_number(cell, opened.stored[column])
        if int(faults[f"n{place}"][0]):
            row, text = first_where(engine, opened, cell, ODD.format(cell=number))
            raise no_number(opened.origin, row, name, text)
        if place < annotators and int(faults[f"n{len(places) + place}"][0]):
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
