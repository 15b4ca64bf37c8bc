"""How many annotators marked an item, and how it was scored: all that agreement levels need."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Engine, OpenedSource
from karat.errors import InputError
from karat.table.checks import first_where
from karat.table.kinds import as_number, says_absent
from karat.table.series import no_number, places_of
from karat.tally.codes import gather
from karat.tally.digest import digest
from karat.tally.scores.curve import Floats, Ints
from karat.tally.sql import BLOCK, numbers

SQL = "select k, l, {score} as s, cluster as c, {n} as n from marked where l > 0 group by k, l, {score}, cluster"
ODD = "({cell} is null or isnan({cell}) or abs({cell}) > 1.7976931348623157e308)"
COUNTS_OF_MARKS = "it is a whole number from 0 up, and no more marked an item than looked at it"
Columns = Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The distinct rows of marks, of annotators who looked, and of a score, and how many items have each.

    `annotators` is how many there are at most; where an item was not looked at by all of them, `looked` says by how
    many. Items of one cluster, as the pixels of an image, are correlated.
    """

    annotators: int
    marks: Ints
    score: Floats
    number: Ints
    looked: Ints | None = None
    cluster: Ints | None = None
    """The number of the cluster, or of a block of independent items that chance put together; None if not counted."""
    clustered: bool = False
    """Whether they are clusters of correlated items."""
    left_out: int = 0
    """Items that nobody looked at."""

    @property
    def by_all(self) -> bool:
        """Whether every annotator looked at every item."""
        return self.looked is None or bool((self.looked == self.annotators).all())

    @property
    def level(self) -> Ints:
        """The largest k so that at least k of all annotators marked an item, or as large a share of those who looked.

        >>> Marks(8, np.array([1, 2, 5]), np.zeros(3), np.ones(3, int), np.array([8, 5, 5])).level.tolist()
        [1, 3, 8]
        """
        if self.looked is None:
            return self.marks
        return np.asarray(self.marks * self.annotators // self.looked)

    @property
    def agreement(self) -> Floats:
        """Which share of those who looked marked the item, as a number of marks of all annotators."""
        if self.looked is None:
            return self.marks.astype(np.float64)
        return np.asarray(self.marks * self.annotators / self.looked)

    def chosen(self, which: npt.NDArray[np.bool_]) -> "Marks":
        """Return some of the rows."""
        return replace(
            self,
            marks=self.marks[which],
            score=self.score[which],
            number=self.number[which],
            looked=None if self.looked is None else self.looked[which],
            cluster=None if self.cluster is None else self.cluster[which],
        )

    def over_clusters(self) -> "Marks":
        """Return the same rows with those of all clusters counted together, in the order of marks and scores."""
        if self.cluster is None:
            return self
        looked = np.full(len(self.marks), self.annotators) if self.looked is None else self.looked
        order = np.lexsort((self.score, looked, self.marks))
        rows = np.stack((self.marks[order], looked[order], self.score[order]))
        is_new = np.ones(len(order), dtype=bool)
        is_new[1:] = (rows[:, 1:] != rows[:, :-1]).any(axis=0)
        first = np.flatnonzero(is_new)
        return replace(
            self,
            marks=self.marks[order][first],
            score=self.score[order][first],
            number=np.add.reduceat(self.number[order], first) if len(first) else self.number,
            looked=None if self.looked is None else self.looked[order][first],
            cluster=None,
        )

    def rescored(self, score: Floats) -> "Marks":
        """Return the same marks beside other scores."""
        return replace(self, score=score)

    def digest(self) -> str:
        """Return a short hash of the counts."""
        parts: list[str | npt.NDArray[Any]] = [str(self.annotators)]
        parts += [self.marks, self.score, self.number]
        if not self.by_all and self.looked is not None:
            parts.append(self.looked)
        if self.clustered and self.cluster is not None:
            parts.append(self.cluster)
        return digest(parts)


def marks(
    engine: Engine,
    opened: OpenedSource,
    annotators: Columns,
    systems: Columns,
    *,
    counted: bool = False,
    cluster: str | None = None,
    count: str | None = None,
) -> dict[str, Marks]:
    """Count items by marks and score, for each system, and by cluster; without a column of them, by block of items.

    `count` is a column of how many items a row stands for; clusters are named beside it. Annotators have columns of 0
    and 1, empty where one did not look; if `counted`, there are two columns instead, of how many marked an item and how
    many looked. Counted where the data is; what comes back has a row for each set of marks and scores that occur
    together.
    """
    names = [*annotators, *systems]
    places = places_of(opened, names)
    columns = [_MarkColumn.of(opened, place) for place in places]
    number = len(annotators)
    parts = [f"{column.known} as m{place}" for place, column in enumerate(columns[:number])]
    parts += [
        f"{column.number} as m{place}" for place, column in enumerate(columns[number:], number)
    ]
    parts += [
        f"{fault} as b{place}"
        for place, fault in enumerate(_faults(columns, number, counted=counted))
    ]
    if cluster is not None:
        (place,) = places_of(opened, [cluster])
        parts.append(f"cast(c{place} as string) as cluster")
    if count is not None:
        (place,) = places_of(opened, [count])
        parts.append(f"cast(c{place} as bigint) as items")
    hold = engine.view if opened.columnar else engine.keep
    hold("cells_of_marks", f"select {', '.join(parts)} from {opened.name}")
    _check(engine, opened, dict(zip(names, places, strict=True)), number, counted=counted)
    if cluster is not None:
        _check_clusters(engine, opened, cluster)
    sums = _sums(number, counted=counted)
    if cluster is None:
        # Equal rows get different places, and by these a block: at random, and independent of the order of the rows.
        ordered = sorted(range(len(names)), key=lambda place: names[place])
        keys = ", ".join(f"m{place}" for place in ordered)
        placed = f"select *, row_number() over (order by {keys}) as place from cells_of_marks"
        block = BLOCK.format(name="place")
        engine.keep("marked", f"select *, {sums}, {block} as cluster from ({placed}) as placed")
    else:
        engine.view("marked", f"select *, {sums} from cells_of_marks")
    total = "count(*)" if count is None else "sum(items)"
    clustered = cluster is not None
    return _by_system(engine, number, systems, total, counted=counted, clustered=clustered)


@dataclass(frozen=True, slots=True)
class _MarkColumn:
    """SQL for one column: its cell, its number, and its number where an empty cell is none."""

    cell: str
    number: str
    absent: str
    """Whether there is no value."""

    @property
    def known(self) -> str:
        return f"case when {self.absent} then null else {self.number} end"

    @classmethod
    def of(cls, opened: OpenedSource, place: int) -> "_MarkColumn":
        cell = f"c{place}"
        number = as_number(cell, opened.stored[place])
        absent = f"{cell} is null"
        if opened.stored[place] == "text":
            absent = f"({absent} or {says_absent(cell)})"
        elif opened.stored[place] == "fraction":
            absent = f"({absent} or isnan({cell}))"
        return cls(cell, number, absent)


def _faults(columns: Sequence[_MarkColumn], annotators: int, *, counted: bool) -> list[str]:
    """Return SQL for 1 where a cell is not a number, 2 where it is a number that is not allowed there, else 0."""
    faults = []
    for place, column in enumerate(columns):
        odd = ODD.format(cell=column.number)
        wrong = "1 = 0"
        if place < annotators and counted:
            wrong = f"({column.number} < 0 or {column.number} <> floor({column.number}))"
        elif place < annotators:
            odd = f"(not {column.absent} and {odd})"
            wrong = f"{column.known} not in (0, 1)"
        faults.append(f"case when {odd} then 1 when {wrong} then 2 else 0 end")
    if counted:
        marked, looked = (column.number for column in columns[:2])
        faults[0] = f"case when {marked} > {looked} then 3 else {faults[0]} end"
    return faults


def _sums(annotators: int, *, counted: bool) -> str:
    """Return SQL for the marks of an item, and for how many annotators looked."""
    if counted:
        return "cast(m0 as bigint) as k, cast(m1 as bigint) as l"
    marked = " + ".join(f"coalesce(m{place}, 0)" for place in range(annotators))
    looked = " + ".join(
        f"(case when m{place} is null then 0 else 1 end)" for place in range(annotators)
    )
    return f"cast({marked} as bigint) as k, {looked} as l"


def _by_system(
    engine: Engine, annotators: int, systems: Columns, total: str, *, counted: bool, clustered: bool
) -> dict[str, Marks]:
    """Count each system's items; `total` is SQL for how many items some rows represent."""
    facts = engine.query("select max(l) as most from marked")
    none = engine.query(f"select {total} as n from marked where l = 0")
    most = int(facts["most"][0]) if counted else annotators
    if not int(facts["most"][0]):
        raise InputError("nobody looked at any item; marks are 1 and 0")
    left_out = int(numbers(none)[0]) if np.ma.count(none["n"]) else 0
    by_system: dict[str, Marks] = {}
    for place, system in enumerate(systems, annotators):
        rows = engine.query(SQL.format(score=f"m{place}", n=total))
        score = np.ma.getdata(rows["s"]).astype(np.float64) + 0.0  # 0 for -0
        # Items are of the same clusters for every system, so the same names get the same numbers.
        _, group = np.unique(np.ma.getdata(rows["c"]).astype(str), return_inverse=True)
        keys = [numbers(rows, "k"), numbers(rows, "l"), score, group.astype(np.int64)]
        (levels, looked, scores, clusters), counts = gather(keys, numbers(rows))
        by_system[system] = Marks(
            most,
            levels,
            scores,
            counts,
            looked=looked,
            cluster=clusters,
            clustered=clustered,
            left_out=left_out,
        )
    return by_system


def _check(
    engine: Engine,
    opened: OpenedSource,
    places: dict[str, int],
    annotators: int,
    *,
    counted: bool,
) -> None:
    """Refuse the first column with a cell that is not a number, or not a mark where marks are expected."""
    sums = []
    for place in range(len(places)):
        sums.append(f"sum(case when b{place} = 1 then 1 else 0 end) as odd{place}")
        sums.append(f"sum(case when b{place} > 1 then 1 else 0 end) as wrong{place}")
    faults = engine.query(f"select count(*) as n, {', '.join(sums)} from cells_of_marks")
    if not int(faults["n"][0]):
        raise InputError(f"{opened.origin} has no rows; agreement needs items")
    columns = [_MarkColumn.of(opened, place) for place in places.values()]
    tests = _faults(columns, annotators, counted=counted)
    for place, name in enumerate(places):
        cell = columns[place].cell
        if int(faults[f"odd{place}"][0]):
            row, text = first_where(engine, opened, cell, f"{tests[place]} = 1")
            raise no_number(opened.origin, row, name, text)
        if int(faults[f"wrong{place}"][0]):
            row, text = first_where(engine, opened, cell, f"{tests[place]} > 1")
            what = COUNTS_OF_MARKS if counted else "a mark is 1, and none is 0"
            raise InputError(f"{opened.origin}, row {row}: {name} has {text!r}; {what}")


def _check_clusters(engine: Engine, opened: OpenedSource, cluster: str) -> None:
    (place,) = places_of(opened, [cluster])
    found = engine.query(
        "select sum(case when cluster is null then 1 else 0 end) as n from cells_of_marks"
    )
    if int(found["n"][0]):
        row, _ = first_where(engine, opened, f"c{place}", f"c{place} is null")
        raise InputError(
            f"{opened.origin}, row {row}: {cluster} has no value; each item is in a cluster"
        )


def marks_of(marks: npt.ArrayLike, score: npt.ArrayLike, *, annotators: int | None = None) -> Marks:
    """Count items by marks and score.

    `marks` is the number of annotators who marked each item, or a column of yes and no (1 and 0) for each of them.
    >>> found = marks_of([[1, 1], [0, 1], [0, 1]], [0.9, 0.5, 0.5])
    >>> found.annotators, found.marks.tolist(), found.score.tolist(), found.number.tolist()
    (2, [1, 2], [0.5, 0.9], [2, 1])
    """
    given = np.asarray(marks)
    scores = np.asarray(score, np.float64)
    if given.ndim == 2:
        if not np.isin(given, (0, 1)).all():
            raise InputError(
                "a column of marks holds something other than 0 and 1; give yes and no, or numbers of marks"
            )
        annotators = given.shape[1]
        given = given.sum(axis=1)
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
            f"an item has {most} marks of {annotators} annotators; give the number of annotators"
        )
    # Adding 0.0 turns -0.0 into 0.0, so that equal scores are one row.
    columns = [number, scores + 0.0]
    once_each = np.ones(len(number), np.int64)
    (levels, values), counts = gather(columns, once_each)
    return Marks(annotators or most, levels, values, counts)
