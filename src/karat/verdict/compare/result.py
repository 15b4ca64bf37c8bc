"""Comparisons of systems as they are shown: the ranking by each measure, and the verdict on every pair."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from karat.result import Result
from karat.result.base import Row
from karat.verdict.compare.comparison import Comparison
from karat.verdict.compare.legend import ALL_PAIRS, legend
from karat.verdict.compare.measure_ranking import MeasureRanking

if TYPE_CHECKING:
    from karat.measure.quantity import Quantity

SAME_GROUP = "systems of the same group are not significantly different"


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonResult(Result):
    """Every requested comparison."""

    section: ClassVar[str | None] = None
    comparisons: tuple[Comparison, ...]
    rankings: tuple[MeasureRanking, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[Row]:
        """Return one row per pair and quantity."""
        return [comparison.row() for comparison in self.comparisons]

    def __iter__(self) -> Iterator[Row]:
        """Give one row after the other."""
        return (comparison.row() for comparison in self.comparisons)

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the ranking and the pairs of each quantity, in words."""
        tables: dict[str, Sequence[Row]] = {}
        by_quantity: dict[Quantity, list[Comparison]] = {}
        for comparison in self.comparisons:
            by_quantity.setdefault(comparison.quantity, []).append(comparison)
        rankings = {one.quantity: one for one in self.rankings}
        for quantity, comparisons in by_quantity.items():
            ranking = rankings.get(quantity)
            shown = comparisons
            if ranking and ranking.groups:
                tables[f"{quantity}: the ranking; {SAME_GROUP}"] = ranking.rows()
                shown = _shown(comparisons, ranking)
            elif ranking:
                tables[f"{quantity}: the ranking"] = ranking.rows()
            heading = f"{quantity}: is the first better than the second?"
            tables[heading] = _lines(shown)
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, and the ranking of each quantity."""
        return {**self.about, "ranking": [one.about() for one in self.rankings]}

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return (*legend(self.comparisons, self.rankings), *self.remarks)


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
