"""For each query, the places of the relevant documents in a system's ranking, and how many there are."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import InputError, TallyError
from karat.table.distinct_rows import Rows
from karat.table.table import Table
from karat.tally.codes import encode
from karat.tally.digest import digest, joined
from karat.tally.sql import answer_sql, by_place, cells_of, has_item_names, named_rows, numbers
from karat.tally.tally import tally

RANKED = """
    select k, g, t, {grade} as grade,
        row_number() over (partition by k, g order by v desc, item desc) as place
    from ({cells}) as cells where t is not null and v is not null"""
RANKED_ALONE = """
    select cast({k} as bigint) as k, g, t, {grade} as grade,
        row_number() over (partition by g order by {answer} desc, item desc) as place
    from {rows} as rows where t is not null and {answer} is not null"""
FEW_SYSTEMS = 10
"""Up to how many systems are ranked one by one, which is a fifth quicker; DuckDB plans hundreds of them for minutes."""
PLACES = """
select k, g, place, grade, case when relevant.value is not null then 1 else 0 end as relevant,
    case when grade is not null then 1 else 0 end as judged
from ({ranked}) as ranked left join relevant on cast(ranked.t as string) = relevant.value
where relevant.value is not null or grade is not null order by k, g, place"""
IDEAL = """
select g, {grade} as grade, count(*) as n from {rows} as rows
where t is not null and {grade} is not null group by g, {grade} order by g, grade desc"""
TOTALS = """
select g, sum(case when relevant.value is not null then 1 else 0 end) as relevant, {retrieved}
from {rows} as rows left join relevant on cast(rows.t as string) = relevant.value
where t is not null group by g order by g"""
FROM_TRUTH = "case when cast(t as string) in (select value from relevant) then 1.0 else 0.0 end"
"""The grade of a document where none is given: all that have a truth were judged."""
Whole = npt.NDArray[np.int64]
Grades = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedDocuments:
    """The documents of each query that were judged, with their grades; from 0 up, or below for those of a pool that
    nobody looked at.
    """

    query: Whole
    """For each judged document that was retrieved, the place of its query among the queries."""
    place: Whole
    """Its place in the ranking, from 1; in order within a query."""
    grade: Grades
    ideal_query: Whole
    """For each grade that documents of a query have, retrieved or not, the query; the highest grade first."""
    ideal_grade: Grades
    ideal_number: Whole
    """How many documents of the query have it."""

    def after(self, queries: int) -> "JudgedDocuments":
        """Return the same documents, with queries that come after others."""
        return JudgedDocuments(
            self.query + queries,
            self.place,
            self.grade,
            self.ideal_query + queries,
            self.ideal_grade,
            self.ideal_number,
        )

    def __add__(self, other: "JudgedDocuments") -> "JudgedDocuments":
        """Return the documents of both."""
        return JudgedDocuments(
            np.concatenate([self.query, other.query]),
            np.concatenate([self.place, other.place]),
            np.concatenate([self.grade, other.grade]),
            np.concatenate([self.ideal_query, other.ideal_query]),
            np.concatenate([self.ideal_grade, other.ideal_grade]),
            np.concatenate([self.ideal_number, other.ideal_number]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Rankings:
    """What measures of rankings are made of.

    Documents are ordered by score, of equal ones the later name first, as trec_eval has it; those without truth are
    not there.
    """

    queries: tuple[str, ...]
    relevant: Whole
    retrieved: Whole
    query: Whole
    """For each relevant document that was retrieved, the place of its query in `queries`."""
    place: Whole
    """Its place in the ranking, from 1; in order within a query."""
    judged: JudgedDocuments | None = None
    """The places of judged documents, relevant or not, if these were counted."""

    def __add__(self, other: "Rankings") -> "Rankings":
        """Return the queries of both."""
        if set(self.queries) & set(other.queries):
            raise TallyError("a query is in both tallies; rankings of one query cannot be added")
        judged = None
        if self.judged is not None and other.judged is not None:
            judged = self.judged + other.judged.after(len(self.queries))
        return Rankings(
            self.queries + other.queries,
            np.concatenate([self.relevant, other.relevant]),
            np.concatenate([self.retrieved, other.retrieved]),
            np.concatenate([self.query, other.query + len(self.queries)]),
            np.concatenate([self.place, other.place]),
            judged,
        )

    def digest(self) -> str:
        """Return a short hash of the counts."""
        parts: list[npt.NDArray[Any]] = [self.relevant, self.retrieved, self.query, self.place]
        if self.judged is not None:
            parts += [self.judged.query, self.judged.place, self.judged.grade]
        return digest([joined(self.queries), *parts])


@tally(needs="ranked lists")
def rankings(table: Table, *, judged: bool = False) -> dict[str, Rankings]:
    """Count the places of the relevant documents of each query, or of all judged ones, in the list of every system."""
    if "g" not in table.keys or not has_item_names(table):
        raise TallyError(
            "rankings need queries and items; name their columns with --group COL and --item COL"
        )
    table.engine.put("relevant", {"value": np.array(_relevant_truths(table), object)})
    size = len(table.systems)
    rows = named_rows(table)
    has_grades = "d" in table.keys
    grade = "d" if has_grades else FROM_TRUTH
    ranked = _ranked(table, rows, grade=grade if judged else "null")
    counts = [f"count({answer_sql(table, k)}) as n{k}" for k in range(size)]
    totals = table.engine.query(TOTALS.format(rows=rows.name, retrieved=", ".join(counts)))
    placed = table.engine.query(PLACES.format(ranked=ranked))
    placed_by_system = by_place(placed["k"], size)
    ideal = table.engine.query(IDEAL.format(grade=grade, rows=rows.name)) if judged else None
    by_system = {}
    for place, system in enumerate(table.systems):
        own_totals = {**totals, "retrieved": totals[f"n{place}"]}
        own = _rows(placed, placed_by_system[place])
        ranking = _ranking(own_totals, _rows(own, np.flatnonzero(numbers(own, "relevant"))))
        if ideal is not None:
            with_grade = _rows(own, np.flatnonzero(numbers(own, "judged")))
            ranking = _with_judged(ranking, with_grade, ideal)
        by_system[system] = ranking
    return by_system


def _ranked(table: Table, rows: Rows, *, grade: str) -> str:
    """Return SQL for the place of each document in the list of each system."""
    size = len(table.systems)
    if size > FEW_SYSTEMS:
        beside = ["item", "g", "t"]
        if "d" in table.keys:
            beside.append("d")
        cells = cells_of(table, range(size), beside=beside, rows=rows)
        return RANKED.format(cells=cells, grade=grade)
    lists = []
    for k in range(size):
        answer = answer_sql(table, k)
        lists.append(RANKED_ALONE.format(k=k, answer=answer, rows=rows.name, grade=grade))
    return " union all ".join(lists)


def _rows(found: Arrays, chosen: Whole) -> Arrays:
    return {name: column[chosen] for name, column in found.items()}


def _ranking(totals: Arrays, placed: Arrays) -> Rankings:
    queries = tuple(str(name) for name in np.ma.getdata(totals["g"]))
    return Rankings(
        queries=queries,
        relevant=numbers(totals, "relevant"),
        retrieved=numbers(totals, "retrieved"),
        query=_places_of(placed["g"], queries),
        place=numbers(placed, "place"),
    )


def _with_judged(ranking: Rankings, found: Arrays, ideal: Arrays) -> Rankings:
    judged = JudgedDocuments(
        query=_places_of(found["g"], ranking.queries),
        place=numbers(found, "place"),
        grade=np.ma.getdata(found["grade"]).astype(np.float64),
        ideal_query=_places_of(ideal["g"], ranking.queries),
        ideal_grade=np.ma.getdata(ideal["grade"]).astype(np.float64),
        ideal_number=numbers(ideal),
    )
    return replace(ranking, judged=judged)


def _places_of(names: npt.NDArray[np.generic], queries: tuple[str, ...]) -> Whole:
    """Return which of the queries each row is of; rows of one query are adjacent."""
    plain = np.ma.getdata(names)
    if not len(plain):
        return np.empty(0, np.int64)
    starts = np.append(0, np.flatnonzero(plain[1:] != plain[:-1]) + 1)
    lengths = np.diff(np.append(starts, len(plain)))
    place_of_query = {name: place for place, name in enumerate(queries)}
    places = [place_of_query[str(name)] for name in plain[starts]]
    return np.repeat(np.array(places, np.int64), lengths)


def _relevant_truths(table: Table) -> list[str]:
    """Return the stored truths that mean relevant, as text."""
    positive = table.labels.positive
    if positive is None:
        raise TallyError("rankings need a label that means relevant; name it with --positive")
    stored = table.engine.query(f"select t from {table.rows.name} where t is not null group by t")[
        "t"
    ]
    (codes,), labels = encode([stored], [None], table.labels)
    is_relevant = [positive in table.labels.members(text) for text in labels]
    truths = [str(raw) for raw, code in zip(stored, codes, strict=True) if is_relevant[code]]
    if not truths:
        raise InputError(
            f"{table.origin}: no document is relevant ({positive!r}); nothing can be found"
        )
    return truths
