"""The verdict on one pair of systems: better, worse or undecided, with its evidence."""

from dataclasses import dataclass, replace
from typing import Any

from karat.measure.quantity import Quantity

BETTER = "better"
WORSE = "worse"
NO_WORSE = "no worse"
UNDECIDED = "undecided"
SWAPPED = {BETTER: WORSE, WORSE: BETTER}
"""The verdict on the second system, given that on the first; any other is undecided."""
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class SameItems:
    """What holds of two counts if they are of the same items, over every way in which right answers can overlap."""

    p_low: float
    p_high: float
    """The smallest and the largest p-value of McNemar's test, adjusted for all pairs."""
    verdict: str
    """better or worse where all decide so, undecided where none does, and depends."""

    def swapped(self) -> "SameItems":
        """Return the same for the second count."""
        return replace(self, verdict=SWAPPED.get(self.verdict, self.verdict))


@dataclass(frozen=True, slots=True)
class QueryCounts:
    """On how many queries two rankings of documents were compared, and on how many each had the better value."""

    number: int
    first: int
    second: int

    def swapped(self) -> "QueryCounts":
        """Return the same for the second ranking."""
        return QueryCounts(self.number, self.second, self.first)


@dataclass(frozen=True, slots=True)
class UnitCounts:
    """On how many texts, items or clusters two systems were compared, and on how many each had the better value."""

    things: str
    number: int
    first: int
    second: int

    def swapped(self) -> "UnitCounts":
        """Return the same for the second system."""
        return UnitCounts(self.things, self.number, self.second, self.first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The verdict on the first system against the second, with its evidence."""

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
    """How many more items would decide it, if they fall exactly as these do."""
    more_items_80: int | None = None
    """How many more items decide it with a chance of 80 %, if the two go on disagreeing as they do."""
    p_no_worse: float | None = None
    """The p-value if the first is worse by the margin or more; adjusted for all pairs, as `p_adjusted`."""
    p_second_no_worse: float | None = None
    """The same for the second."""
    same_items: SameItems | None = None
    """Of counts out of the same number: what holds if the items are the same."""
    queries: QueryCounts | None = None
    """Of rankings of documents: the queries that decide."""
    units: UnitCounts | None = None
    """Of texts, or of items with several samples: those that decide."""
    differ: int | None = None
    """With a judge for items without truth: the items on which the two differ; None where any item may tell."""
    labelled: int | None = None
    """With a judge for items without truth: how many items with a truth are informative about the two."""
    more_labels: int | None = None
    """How many more such items must be labelled, if they fall exactly as these do."""
    more_labels_80: int | None = None
    """How many more decide it with a chance of 80 %."""

    @property
    def is_significant(self) -> bool:
        """Whether the two were found to differ."""
        return self.verdict in {BETTER, WORSE}

    def row(self) -> dict[str, Any]:
        """Return all fields as plain values."""
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
            "more_items_80": self.more_items_80,
        }
        if self.p_no_worse is not None:
            row["p_no_worse"] = self.p_no_worse
        if self.same_items is not None:
            row["same_items_p_low"] = self.same_items.p_low
            row["same_items_p_high"] = self.same_items.p_high
            row["same_items_verdict"] = self.same_items.verdict
        if self.queries is not None:
            row["queries"] = self.queries.number
            row["queries_first"] = self.queries.first
            row["queries_second"] = self.queries.second
        if self.units is not None:
            row["units"] = self.units.number
            row["units_first"] = self.units.first
            row["units_second"] = self.units.second
        if self.labelled is not None:
            row["differ"] = self.differ
            row["labelled"] = self.labelled
            row["more_labels"] = self.more_labels
            row["more_labels_80"] = self.more_labels_80
        return row

    def swapped(self) -> "Comparison":
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
            verdict=SWAPPED.get(self.verdict, UNDECIDED),
            p_no_worse=self.p_second_no_worse,
            p_second_no_worse=self.p_no_worse,
            same_items=self.same_items.swapped() if self.same_items else None,
            queries=self.queries.swapped() if self.queries else None,
            units=self.units.swapped() if self.units else None,
        )

    @property
    def is_at_odds(self) -> bool:
        """Whether the interval by itself would give another verdict."""
        if self.difference is None:
            return False
        leaves_out_zero = self.low > 0 or self.high < 0
        return leaves_out_zero != self.is_significant

    @property
    def of_shared(self) -> bool:
        """Whether the difference is of fewer items than the two values."""
        if self.difference is None or self.first_value is None or self.second_value is None:
            return False
        if self.labelled is not None:
            return False
        difference_of_values = self.first_value - self.second_value
        return abs(difference_of_values - self.difference) > ROUNDING

    def words(self) -> str:
        """Return the verdict, and how many more items or labels would decide it, if that is known."""
        some = self.more_items
        many = self.more_items_80
        if self.labelled is not None:
            some = self.more_labels
            many = self.more_labels_80
        if self.verdict != UNDECIDED or some is None:
            return self.verdict
        if many is None:
            return f"{UNDECIDED} +{_about(some)}"
        return f"{UNDECIDED} +{_about(some)}/{_about(many)}"


def _about(number: int) -> str:
    """Return a number with two digits or more, in thousands or millions where it is large.

    >>> _about(86), _about(2_449), _about(17_629), _about(999_600), _about(1_689_656)
    ('86', '2.4k', '18k', '1M', '1.7M')
    """
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        scaled = number / size
        if scaled >= 0.9995:
            return f"{scaled:.2g}{letter}" if scaled < 99.5 else f"{scaled:.0f}{letter}"
    return f"{number}"
