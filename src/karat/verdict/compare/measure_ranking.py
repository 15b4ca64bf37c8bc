"""The ranking by one measure: its order, the groups that are not significantly different, the ranks in resamples."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from karat.doubt.resampling.ranks import Ranks
from karat.measure.quantity import Quantity
from karat.verdict.compare.groups import letters
from karat.verdict.ranking import ranking_by

FIRST_IN = "first in"
"""The column of how often a system came first in resamples."""


@dataclass(frozen=True, slots=True)
class MeasureRanking:
    """The ranking by one quantity: its order, its groups of systems that are not significantly different, P(rank)."""

    quantity: Quantity
    order: tuple[str, ...]
    values: Mapping[str, float | None]
    groups: tuple[tuple[str, ...], ...]
    ranks: Ranks | None = None
    level: float = 0.95
    ranks_take_long: bool = False
    """Whether the ranks were left out as they take long."""

    def about(self) -> dict[str, Any]:
        """Return all fields as plain values."""
        about: dict[str, Any] = {
            "measure": str(self.quantity),
            "order": list(self.order),
            "groups": [list(members) for members in self.groups],
        }
        if self.ranks is None:
            return about
        chances = dict(zip(self.ranks.systems, self.ranks.chance.tolist(), strict=True))
        return about | {
            "best": self.ranks.best(),
            "ranks": chances,
            "standard_error": self.ranks.standard_error,
            "method": self.ranks.method,
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per system, the best first."""
        groups = letters(self.order, self.groups)
        places = ranking_by(self.quantity, self.values)
        best = self.ranks.best() if self.ranks else {}
        rows = []
        for system in self.order:
            row: dict[str, Any] = {
                "rank": places[system],
                "system": system,
                "value": self.values[system],
                "groups": groups[system] or None,
            }
            if self.ranks:
                first, last = self.ranks.range(system, level=self.level)
                row[FIRST_IN] = best[system]
                row["ranks"] = f"{first}" if first == last else f"{first} to {last}"
            rows.append(row)
        return rows
