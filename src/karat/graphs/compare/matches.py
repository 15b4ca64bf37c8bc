"""Which graphs are most like a query: the result, one row a graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.graphs.compare.search import GraphMatch
from karat.result import Result
from karat.result.base import Row
from karat.words import counted


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GraphMatches(Result):
    """The nearest graphs, the nearest first; those at the same distance share a rank."""

    query: str
    searched: int
    found: tuple[GraphMatch, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per graph."""
        far = [one.distance for one in self.found]
        return [
            {
                "rank": 1 + far.index(one.distance),
                "file": one.name,
                "distance": one.distance,
                "shared_symbols": one.shared_symbols,
                "symbols": one.symbols,
                "shared_relations": one.shared_relations,
                "relations": one.relations,
            }
            for one in self.found
        ]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the graphs, with what they share with the query."""
        shown = [
            {
                "rank": row["rank"],
                "file": row["file"],
                "distance": f"{row['distance']:.4f}",
                "symbols": f"{row['shared_symbols']} of {row['symbols']}",
                "relations": f"{row['shared_relations']} of {row['relations']}",
            }
            for row in self.rows()
        ]
        return {f"the graphs most like {self.query}, by symbols and relations": shown}

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return {**self.about, "query": self.query, "searched": self.searched}

    def notes(self) -> Sequence[str]:
        """Return what the numbers are."""
        searched = (
            f"{counted(self.searched, 'graph')} searched. The distance is 0 for the same symbols in the same "
            "relations, 1 for none in common; primitives do not count."
        )
        return (searched, *self.remarks)
