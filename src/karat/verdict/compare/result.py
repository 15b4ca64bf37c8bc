"""Better, worse or undecided, for every pair of systems, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar

from karat.doubt.resampling.ranks import Ranks
from karat.measure.quantity import Quantity
from karat.result import Result
from karat.result.base import Row
from karat.verdict.compare.groups import letters
from karat.verdict.ranking import ranking_by

BETTER, WORSE, NO_WORSE, UNDECIDED = "better", "worse", "no worse", "undecided"
ROUNDING = 1e-9
ALL_PAIRS = 8
"""Up to how many systems a terminal shows every pair; of more it shows neighbours in the ranking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What may be said of the first system against the second."""

    first: str
    second: str
    quantity: Quantity
    first_value: float | None
    second_value: float | None
    difference: float | None
    low: float
    high: float
    level: float
    only_first: int | None
    only_second: int | None
    items: int | None
    p_value: float
    p_adjusted: float
    test: str
    verdict: str
    more_items: int | None = None
    p_no_worse: float | None = None
    """How surprising it is if the first is worse by the margin or more; adjusted for all pairs, as `p_adjusted`."""
    p_second_no_worse: float | None = None
    """The same of the second."""

    def row(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        row = {
            "first": self.first,
            "second": self.second,
            "measure": self.quantity.name,
            "label": self.quantity.label,
            "first_value": self.first_value,
            "second_value": self.second_value,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "items": self.items,
            "p_value": self.p_value,
            "p_adjusted": self.p_adjusted,
            "test": self.test,
            "verdict": self.verdict,
            "more_items": self.more_items,
        }
        return row if self.p_no_worse is None else {**row, "p_no_worse": self.p_no_worse}

    def turned(self) -> "Comparison":
        """Return the second against the first."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            first_value=self.second_value,
            second_value=self.first_value,
            difference=None if self.difference is None else -self.difference,
            low=-self.high,
            high=-self.low,
            only_first=self.only_second,
            only_second=self.only_first,
            verdict={BETTER: WORSE, WORSE: BETTER}.get(self.verdict, UNDECIDED),
            p_no_worse=self.p_second_no_worse,
            p_second_no_worse=self.p_no_worse,
        )

    @property
    def of_shared(self) -> bool:
        """Whether the difference is of fewer items than the two values."""
        if self.difference is None or self.first_value is None or self.second_value is None:
            return False
        return abs(self.first_value - self.second_value - self.difference) > ROUNDING

    def words(self) -> str:
        """Return the verdict as a sentence's end."""
        if self.verdict != UNDECIDED or self.more_items is None:
            return self.verdict
        return f"{UNDECIDED} (+{self.more_items:,})"


@dataclass(frozen=True, slots=True)
class Field:
    """All systems by one quantity: their order, who does not differ significantly, and how likely each place is."""

    quantity: Quantity
    order: tuple[str, ...]
    values: Mapping[str, float | None]
    groups: tuple[tuple[str, ...], ...]
    ranks: Ranks | None = None
    level: float = 0.95

    def about(self) -> dict[str, Any]:
        """Return it as plain values."""
        alike = [list(members) for members in self.groups]
        found: dict[str, Any] = {
            "measure": str(self.quantity),
            "order": list(self.order),
            "groups": alike,
        }
        if self.ranks is None:
            return found
        chance = {
            system: row.tolist()
            for system, row in zip(self.ranks.systems, self.ranks.chance, strict=True)
        }
        extra = {
            "best": self.ranks.best(),
            "ranks": chance,
            "standard_error": self.ranks.standard_error,
        }
        return {**found, **extra, "method": self.ranks.method}

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per system, the best first."""
        marks = letters(self.order, self.groups)
        best = self.ranks.best() if self.ranks else {}
        found = []
        places = ranking_by(self.quantity, self.values)
        for system in self.order:
            row = {"rank": places[system], "system": system, "value": self.values[system]}
            row |= {"alike": marks[system] or None}
            if self.ranks:
                first, last = self.ranks.range(system, level=self.level)
                row |= {
                    "P(best)": best[system],
                    "ranks": f"{first}" if first == last else f"{first} to {last}",
                }
            found.append(row)
        return found


@dataclass(frozen=True, slots=True)
class Comparisons(Result):
    """Every comparison that was asked for."""

    section: ClassVar[str | None] = None
    found: tuple[Comparison, ...]
    fields: tuple[Field, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per pair and quantity."""
        return [comparison.row() for comparison in self.found]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the ranking and the pairs of each quantity, in words."""
        tables: dict[str, Sequence[Row]] = {}
        for quantity in dict.fromkeys(comparison.quantity for comparison in self.found):
            own = [comparison for comparison in self.found if comparison.quantity == quantity]
            whole = next((one for one in self.fields if one.quantity == quantity), None)
            if whole:
                alike = "; systems that share a letter are not told apart" if whole.groups else ""
                tables[f"{quantity}: the ranking{alike}"] = whole.rows()
                own = _shown(own, whole) if whole.groups else own
            tables[f"{quantity}: is the first better than the second?"] = [
                _line(comparison) for comparison in own
            ]
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, and the ranking of each quantity."""
        return {**self.about, "ranking": [one.about() for one in self.fields]}

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return (*self._words(), *self.remarks)

    def _words(self) -> list[str]:
        """Return what the short words of the tables mean, if they occur."""
        said = []
        if any(one.only_first is not None for one in self.found):
            wrong = any(one.quantity.lower_is_better for one in self.found)
            said.append(
                f"alone: the items that only the first, and only the second, has {'wrong' if wrong else 'right'}."
            )
        if any(one.of_shared for one in self.found):
            said.append(
                "gain: on the items that both answered; the values of a ranking are of all that one answered."
            )
        if any(one.more_items for one in self.found):
            said.append(
                "(+N): at most so many more such items settle it, if the two go on disagreeing as they do."
            )
        if any(len(one.order) > ALL_PAIRS and one.groups for one in self.fields):
            said.append(
                "Shown are neighbours in the ranking; --json and --csv have every pair, -o FILE.svg draws them."
            )
        return said


def _shown(own: list[Comparison], whole: Field) -> list[Comparison]:
    """Return all pairs of few systems, or of many only neighbours in the ranking."""
    if len(whole.order) <= ALL_PAIRS:
        return own
    neighbours = set(pairwise(whole.order))
    return [one for one in own if (one.first, one.second) in neighbours]


def _line(comparison: Comparison) -> dict[str, Any]:
    counts = (
        None
        if comparison.only_first is None
        else f"{comparison.only_first:,}:{comparison.only_second:,}"
    )
    row = {"first": comparison.first, "second": comparison.second, "gain": comparison.difference}
    row |= {
        "low": comparison.low,
        "high": comparison.high,
        "alone": counts,
        "p (Holm)": comparison.p_adjusted,
    }
    return {
        **row,
        "verdict": comparison.words(),
        "level": comparison.level,
        "method": comparison.test,
    }
