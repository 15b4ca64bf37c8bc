"""For each query, at which places of a system's ranking the relevant documents stand, and how many there are."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import InputError, TallyError
from karat.table.labels import factorise
from karat.table.table import Table
from karat.tally.codes import encode
from karat.tally.digest import digest, joined
from karat.tally.sql import by_place, cells_of, has_item_names, named_rows, numbers
from karat.tally.tally import tally

PLACES = """
select k, g, place from (
    select k, g, t, row_number() over (partition by k, g order by v desc, item desc) as place
    from ({cells}) as cells where t is not null and v is not null
) as ranked join relevant on cast(ranked.t as string) = relevant.value order by k, g, place"""
TOTALS = """
select k, g, sum(case when relevant.value is not null then 1 else 0 end) as relevant, count(v) as retrieved
from ({cells}) as cells left join relevant on cast(cells.t as string) = relevant.value
where t is not null group by k, g order by k, g"""
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Rankings:
    """What precision, recall and average precision of rankings are made of.

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

    def __add__(self, other: "Rankings") -> "Rankings":
        """Return the queries of both."""
        if set(self.queries) & set(other.queries):
            raise TallyError("a query is in both tallies; rankings of one query cannot be added")
        return Rankings(
            self.queries + other.queries,
            np.concatenate([self.relevant, other.relevant]),
            np.concatenate([self.retrieved, other.retrieved]),
            np.concatenate([self.query, other.query + len(self.queries)]),
            np.concatenate([self.place, other.place]),
        )

    def digest(self) -> str:
        """Return a short hash of the counts."""
        parts = [self.relevant, self.retrieved, self.query, self.place]
        return digest([joined(self.queries), *parts])


@tally(needs="ranked lists")
def rankings(table: Table) -> dict[str, Rankings]:
    """Count where the relevant documents of each query stand, in the list of every system."""
    if "g" not in table.keys or not has_item_names(table):
        raise TallyError(
            "rankings need queries and items; name their columns with --group COL and --item COL"
        )
    table.engine.put("relevant", {"value": np.array(_relevant_truths(table), object)})
    size = len(table.systems)
    rows = named_rows(table)
    cells = cells_of(table, range(size), beside=["item", "g", "t"], rows=rows)
    totals = table.engine.query(TOTALS.format(cells=cells))
    placed = table.engine.query(PLACES.format(cells=cells))
    totals_by_system = by_place(totals["k"], size)
    placed_by_system = by_place(placed["k"], size)
    by_system = {}
    for place, system in enumerate(table.systems):
        own_totals = _rows(totals, totals_by_system[place])
        by_system[system] = _ranking(own_totals, _rows(placed, placed_by_system[place]))
    return by_system


def _rows(found: Arrays, chosen: Whole) -> Arrays:
    return {name: column[chosen] for name, column in found.items()}


def _ranking(totals: Arrays, placed: Arrays) -> Rankings:
    queries = [str(name) for name in np.ma.getdata(totals["g"])]
    place_of_query = {name: place for place, name in enumerate(queries)}
    codes, names = factorise(placed["g"])
    query = codes
    if len(codes):
        query = np.array([place_of_query[str(name)] for name in names], np.int64)[codes]
    return Rankings(
        queries=tuple(queries),
        relevant=numbers(totals, "relevant"),
        retrieved=numbers(totals, "retrieved"),
        query=query,
        place=numbers(placed, "place"),
    )


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
