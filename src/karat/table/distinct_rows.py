"""Equal rows, counted once: most tables repeat a few different rows many times.

What a column holds and what is counted later follow from the different rows and their numbers, so a large table is
scanned once. Names of items, which differ from row to row, stay in the table itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from karat.engine import Engine, OpenedSource

SAMPLE = 100_000
"""The first rows, which show whether equal ones are many; a table of no more is quick to scan as it is."""
FEW = 0.3
"""The share of different rows among the first up to which they are gathered; among all rows it is smaller still."""
MOST_COLUMNS = 64
"""Rows of more columns are seldom equal."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Where rows are counted, and SQL for how many rows of the data one of them represents."""

    name: str
    number: str = "1"

    @property
    def total(self) -> str:
        """SQL for how many rows of the data some of them represent."""
        return "count(*)" if self.number == "1" else f"sum({self.number})"

    def where(self, condition: str) -> str:
        """Return SQL for how many rows of the data meet a condition."""
        if self.number == "1":
            return f"count(*) filter (where {condition})"
        return f"sum(case when {condition} then {self.number} else 0 end)"

    def filled(self, cell: str) -> str:
        """Return SQL for how many rows of the data have a value in a cell."""
        return f"count({cell})" if self.number == "1" else self.where(f"{cell} is not null")


def distinct_rows(engine: Engine, relation: OpenedSource, columns: Sequence[int]) -> Rows:
    """Return the rows with each different one once, if there are few; else those of the relation."""
    as_they_stand = Rows(relation.name)
    if not 0 < len(columns) <= MOST_COLUMNS:
        return as_they_stand
    cells = ", ".join(f"c{column}" for column in columns)
    first = f"select {cells} from {relation.name} limit {SAMPLE}"
    each = f"select count(*) as number from ({first}) as first_rows group by {cells}"
    seen = engine.query(f"select count(*) as n, sum(number) as total from ({each}) as counted")
    different = int(seen["n"][0])
    if not different:
        return as_they_stand
    total = int(seen["total"][0])
    if total < SAMPLE or different > FEW * total:
        return as_they_stand
    gathered = f"select {cells}, count(*) as number from {relation.name} group by {cells}"
    engine.keep("distinct_rows", gathered)
    return Rows("distinct_rows", "number")
