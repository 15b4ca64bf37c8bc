"""Better, worse or undecided, for every pair of systems, and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar

from karat.doubt.resampling.ranks import Ranks
from karat.measure.quantity import Quantity
from karat.result import Result
from karat.result.base import Row
from karat.verdict.compare.groups import letters
from karat.verdict.ranking import ranking_by

BETTER = "better"
WORSE = "worse"
NO_WORSE = "no worse"
UNDECIDED = "undecided"
TURNED = {BETTER: WORSE, WORSE: BETTER}
"""The verdict on the second system, given that on the first; any other is undecided."""
ROUNDING = 1e-9
SAME_GROUP = "systems of the same group are not significantly different"
DISCORDANT = "discordant: items that only the first has right : only the second."
DISCORDANT_WRONG = "discordant: items that only the first has wrong : only the second."
FIRST_IN = "first in"
"""The column of how often a system came first in resamples."""
FIRST = (
    "first in: the share of resamples in which it came first. No probability that it is the best: in simulations of "
    "four systems and 200 items, 0.98 was right in 0.76 to 0.96 of the cases."
)
MORE_ITEMS = (
    "+N/M: about N more such items decide it if they fall exactly as these did, and M more with a chance of 80 %, "
    "if the two go on disagreeing as they do."
)
TEST_DECIDES = (
    "interval: for each pair by itself. The verdict goes by p, adjusted for all pairs (Holm); the two may differ where "
    "an interval ends near 0."
)
QUERIES = "queries: those on which the first has the better value : the second, of all."
UNITS = "{things}: those on which the first has the better value : the second, of all."
IF_SAME_ITEMS = (
    "if same items: the verdict if both were asked the same items, over all ways in which their right answers may "
    "overlap (McNemar's test); depends: on these."
)
MORE_LABELS = (
    "+N/M: about N more labels of items on which the two differ decide it if they fall exactly as these did, and M "
    "more with a chance of 80 %."
)
DIFFER = "differ: items on which the two answer differently, and how many of them have a truth; only these tell."
GRADED = "graded: items of which people graded the outputs of both systems; only these tell."
MORE_GRADES = (
    "+N/M: about N more items of which people grade both outputs decide it if they fall exactly as these did, and M "
    "more with a chance of 80 %."
)
LESS_IS_BETTER = "gain: first less second; of errors less is better, so that below 0 the first is."
OF_SHARED = (
    "gain: on the items that both answered; the values of a ranking are of all that one answered."
)
NEIGHBOURS = (
    "Shown are neighbours in the ranking; --json and --csv have every pair, -o FILE.svg draws them."
)
BY_STRATA = "gain: by strata of the two answers and the judge's, not the difference of two values."
ALL_PAIRS = 8
"""Up to so many systems a terminal shows every pair; if there are more, neighbours in the ranking."""


@dataclass(frozen=True, slots=True)
class SameItems:
    """What holds of two counts if they are of the same items, over every way in which right answers can overlap."""

    p_low: float
    p_high: float
    """The smallest and the largest p-value of McNemar's test, adjusted for all pairs."""
    verdict: str
    """better or worse where all decide so, undecided where none does, and depends."""

    def turned(self) -> "SameItems":
        """Return the same for the second count."""
        return replace(self, verdict=TURNED.get(self.verdict, self.verdict))


@dataclass(frozen=True, slots=True)
class QueryCounts:
    """On how many queries two rankings of documents were compared, and on how many each had the better value."""

    number: int
    first: int
    second: int

    def turned(self) -> "QueryCounts":
        """Return the same for the second ranking."""
        return QueryCounts(self.number, self.second, self.first)


@dataclass(frozen=True, slots=True)
class UnitCounts:
    """On how many texts, items or clusters two systems were compared, and on how many each had the better value."""

    things: str
    number: int
    first: int
    second: int

    def turned(self) -> "UnitCounts":
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
    """Where a judge looks at items without truth: the items on which the two differ; None where any item may tell."""
    labelled: int | None = None
    """Where a judge looks at items without truth: how many items with a truth tell something of the two."""
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
            verdict=TURNED.get(self.verdict, UNDECIDED),
            p_no_worse=self.p_second_no_worse,
            p_second_no_worse=self.p_no_worse,
            same_items=self.same_items.turned() if self.same_items else None,
            queries=self.queries.turned() if self.queries else None,
            units=self.units.turned() if self.units else None,
        )

    @property
    def is_at_odds(self) -> bool:
        """Whether the interval alone would say otherwise than the verdict."""
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


@dataclass(frozen=True, slots=True)
class MeasureRanking:
    """The ranking by one quantity: its order, its groups of systems that are not significantly different, P(rank)."""

    quantity: Quantity
    order: tuple[str, ...]
    values: Mapping[str, float | None]
    groups: tuple[tuple[str, ...], ...]
    ranks: Ranks | None = None
    level: float = 0.95

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


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonResult(Result):
    """Every requested comparison."""

    section: ClassVar[str | None] = None
    found: tuple[Comparison, ...]
    fields: tuple[MeasureRanking, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[Row]:
        """Return one row per pair and quantity."""
        return [comparison.row() for comparison in self.found]

    def __iter__(self) -> Iterator[Row]:
        """Give one row after the other."""
        return (comparison.row() for comparison in self.found)

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the ranking and the pairs of each quantity, in words."""
        tables: dict[str, Sequence[Row]] = {}
        by_quantity: dict[Quantity, list[Comparison]] = {}
        for comparison in self.found:
            by_quantity.setdefault(comparison.quantity, []).append(comparison)
        fields = {one.quantity: one for one in self.fields}
        for quantity, comparisons in by_quantity.items():
            field_of = fields.get(quantity)
            shown = comparisons
            if field_of and field_of.groups:
                tables[f"{quantity}: the ranking; {SAME_GROUP}"] = field_of.rows()
                shown = _shown(comparisons, field_of)
            elif field_of:
                tables[f"{quantity}: the ranking"] = field_of.rows()
            heading = f"{quantity}: is the first better than the second?"
            tables[heading] = _lines(shown)
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, and the ranking of each quantity."""
        return {**self.about, "ranking": [one.about() for one in self.fields]}

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return (*self._legend(), *self.remarks)

    def _legend(self) -> list[str]:
        """Return what the short words of the tables mean, if they occur."""
        return [
            *self._legend_of_pairs(),
            *self._legend_of_units(),
            *self._legend_of_labels(),
            *self._legend_of_shown(),
        ]

    def _legend_of_pairs(self) -> list[str]:
        """Return what the columns of counts, ranks, gains and verdicts mean."""
        legend = []
        if any(one.only_first is not None for one in self.found):
            by_errors = any(one.quantity.lower_is_better for one in self.found)
            legend.append(DISCORDANT_WRONG if by_errors else DISCORDANT)
        if any(one.ranks for one in self.fields):
            legend.append(FIRST)
        if any(one.quantity.lower_is_better for one in self.found):
            legend.append(LESS_IS_BETTER)
        if any(one.of_shared for one in self.found):
            legend.append(OF_SHARED)
        if any(one.is_at_odds for one in self.found):
            legend.append(TEST_DECIDES)
        if any(one.more_items for one in self.found):
            legend.append(MORE_ITEMS)
        return legend

    def _legend_of_units(self) -> list[str]:
        """Return what the column of queries, texts or items means, if there is one."""
        if any(one.queries for one in self.found):
            return [QUERIES]
        things = dict.fromkeys(one.units.things for one in self.found if one.units)
        return [UNITS.format(things=name) for name in things]

    def _legend_of_labels(self) -> list[str]:
        """Return what holds of same items, and of items without truth that a judge looked at."""
        legend = []
        if any(one.same_items for one in self.found):
            legend.append(IF_SAME_ITEMS)
        if any(one.labelled is not None for one in self.found):
            by_labels = any(one.differ is not None for one in self.found)
            legend += [BY_STRATA, DIFFER if by_labels else GRADED]
            if any(one.more_labels for one in self.found):
                legend.append(MORE_LABELS if by_labels else MORE_GRADES)
        return legend

    def _legend_of_shown(self) -> list[str]:
        """Say where pairs are left out of the printed table."""
        if any(len(one.order) > ALL_PAIRS and one.groups for one in self.fields):
            return [NEIGHBOURS]
        return []


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


def _shown(own: list[Comparison], whole: MeasureRanking) -> list[Comparison]:
    """Return all pairs if systems are few, else only neighbours in the ranking."""
    if len(whole.order) <= ALL_PAIRS:
        return own
    neighbours = set(pairwise(whole.order))
    return [one for one in own if (one.first, one.second) in neighbours]


def _lines(shown: Sequence[Comparison]) -> list[dict[str, Any]]:
    """Return comparisons as rows of the printed table, with what holds of the same items where that is known."""
    lines = [_line(comparison) for comparison in shown]
    if not any(comparison.same_items for comparison in shown):
        return lines
    for comparison, line in zip(shown, lines, strict=True):
        line["if same items"] = comparison.same_items.verdict if comparison.same_items else None
    return lines


def _line(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as a row of the printed table."""
    discordant = None
    if comparison.only_first is not None:
        discordant = f"{comparison.only_first:,}:{comparison.only_second:,}"
    queries = {}
    if comparison.queries is not None:
        counts = comparison.queries
        queries["queries"] = f"{counts.first:,}:{counts.second:,} of {counts.number:,}"
    if comparison.units is not None:
        units = comparison.units
        queries[units.things] = f"{units.first:,}:{units.second:,} of {units.number:,}"
    differ = None
    if comparison.differ is not None:
        differ = f"{comparison.differ:,} ({comparison.labelled:,})"
    graded = None
    if comparison.differ is None and comparison.labelled is not None:
        graded = f"{comparison.labelled:,}"
    return {
        "first": comparison.first,
        "second": comparison.second,
        "gain": comparison.difference,
        "low": comparison.low,
        "high": comparison.high,
        "differ": differ,
        "graded": graded,
        "discordant": discordant,
        **queries,
        "p (Holm)": comparison.p_adjusted,
        "verdict": comparison.words(),
        "level": comparison.level,
        "method": comparison.test,
    }
