"""The answers to every question that a table allows: what a report is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any

from karat.report.page.measure_forms import PERCENT, MeasureForms, forms_of
from karat.report.pixel_pictures import PixelPicture
from karat.result.base import Row
from karat.tally.facts import Facts
from karat.verdict.audit.lists import AuditList
from karat.verdict.audit.plan import AuditPlan
from karat.verdict.change import Change
from karat.verdict.class_errors import ClassErrors
from karat.verdict.compare.comparison import Comparison
from karat.verdict.compare.result import ComparisonResult
from karat.verdict.consensus.result import ConsensusResult, System
from karat.verdict.correlated_items import CorrelatedItems
from karat.verdict.disputed_items import DisputedItems
from karat.verdict.group_leaders import GroupLeader
from karat.verdict.judged.compare import JudgedComparisonResult
from karat.verdict.judged.scores import JudgedScoreResult
from karat.verdict.prevalence.result import PrevalenceResult
from karat.verdict.prevalence.slider import PrevalenceSlider
from karat.verdict.rank_ranges import better_by, rank_ranges
from karat.verdict.score.result import ScoreResult
from karat.verdict.stability.result import StabilityResult
from karat.verdict.whatif import ROBUSTNESS, Sliders

if TYPE_CHECKING:
    from karat.boxes.errors.box_findings import BoxFindings
    from karat.graphs.compare.result import GraphScores
    from karat.graphs.errors.browser import GraphBrowser
    from karat.graphs.errors.result import CommonErrors, Confusions


@dataclass(frozen=True, slots=True)
class LittleTruth:
    """How good each system is, and which is better, where most items have no truth."""

    scores: JudgedScoreResult
    comparisons: JudgedComparisonResult


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Every answer that the data allows; None where it does not.

    All of it is computed before the report is written: pages and panels only arrange it.
    """

    facts: Facts
    measure: str
    """What the ranking is by."""
    level: float
    seed: int
    scores: ScoreResult | None = None
    """None where there is no truth."""
    consensus: ConsensusResult | None = None
    """By the consensus of all systems, with or without a truth."""
    little_truth: LittleTruth | None = None
    """From a few items with truth and the answers to all, where most items have no truth."""
    at_prevalences: PrevalenceResult | None = None
    """At the prevalence of the data, and where the order changes; of scores only."""
    prevalence: PrevalenceSlider | None = None
    """At every prevalence of the page's slider."""
    groups: ScoreResult | None = None
    other_leaders: tuple[GroupLeader, ...] = ()
    """Groups that another system leads than the whole."""
    comparisons: ComparisonResult | None = None
    correlated: CorrelatedItems | None = None
    """Whether items are correlated, and what that means for the first two systems."""
    informed: StabilityResult | None = None
    """For errors that lie where systems contradict the labels, at the share that the page begins with."""
    stability: StabilityResult | None = None
    """At several shares of wrong labels."""
    audit: AuditPlan | None = None
    """How many labels must be looked up to settle the order of each two neighbours."""
    audit_list: AuditList | None = None
    """The first items that an audit of the first two systems draws."""
    class_errors: tuple[ClassErrors, ...] = ()
    """Where the first systems go wrong, label by label."""
    disputed: DisputedItems | None = None
    """Items that only one of the first two systems has right."""
    sliders: Sliders | None = None
    """The numbers that follow the page's sliders; None where some number has no closed form."""
    graphs: "GraphScores | None" = None
    """What went wrong inside, where the items are graphs."""
    wrong_objects: StabilityResult | None = None
    """At the share of wrong objects assumed, where the items are graphs."""
    confusions: "Confusions | None" = None
    common: "CommonErrors | None" = None
    browser: "GraphBrowser | None" = None
    boxes: "BoxFindings | None" = None
    """What was found, named right, spurious and missed, where the items are boxes."""
    images: tuple[PixelPicture, ...] = ()
    """A few images, for the first systems, where the items are pixels of images."""
    change: Change | None = None
    """What changed since an earlier report."""
    title: str | None = None
    """What the page is called; by its data unless given."""
    date: str | None = None
    """A date or another remark beside the title."""
    unasked: tuple[str, ...] = ()
    """Questions that this data cannot answer, and why."""

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The systems, the best first."""
        if self.sliders is not None:
            return self.sliders.tallies.systems
        if self.scores is None and self.consensus is not None:
            return tuple(self.consensus.ranks)
        return tuple(str(row["system"]) for row in self.ranked)

    @cached_property
    def ranked(self) -> tuple[Row, ...]:
        """The scores by what the ranking is by, the best first."""
        rows = [] if self.scores is None else self.scores.rows()
        return tuple(row for row in rows if measured(row) == self.measure)

    @property
    def has_truth(self) -> bool:
        """Whether the ranking is by a truth; without one its values have a spread over items, and no intervals."""
        return self.scores is not None or self.sliders is not None

    @property
    def forms(self) -> MeasureForms:
        """The forms in which values of what the ranking is by are written, and their differences."""
        if self.scores is None or not self.scores.entries:
            return PERCENT
        return forms_of(self.scores.entries[0].estimates.quantity)

    @property
    def range(self) -> tuple[float, float]:
        """The range of what the ranking is by."""
        if self.scores is None or not self.scores.entries:
            return 0.0, 1.0
        quantity = self.scores.entries[0].estimates.quantity
        if isfinite(quantity.high):
            return quantity.low, quantity.high
        # An error rate may be more than 1: the picture ends where the intervals do.
        ends = [float(row["high"]) for row in self.ranked]
        return quantity.low, max(ends, default=1.0)

    @cached_property
    def numbers(self) -> Mapping[str, Any]:
        """What the page shows of each system and of neighbours in the ranking; its script recomputes the same."""
        if self.sliders is not None:
            return self.sliders.numbers
        if self.scores is None and self.consensus is not None:
            by_name = {system.system: system for system in self.consensus.systems}
            ranked = [_by_consensus(by_name[name]) for name in self.order]
            return {"systems": ranked, "pairs": []}
        systems = [_by_score(row) for row in self.ranked]
        pairs = [_pair(comparison) for comparison in self.neighbours]
        numbers: dict[str, Any] = {"systems": systems, "pairs": pairs}
        if self.compared:
            ranges = rank_ranges(better_by(self.order, self.compared))
            for system, stands in zip(systems, ranges.systems, strict=True):
                system["ranks"] = stands.ranks
                system["letters"] = stands.letters
            numbers["settled"] = {
                "neighbours": ranges.settled_neighbours,
                "all": ranges.settled,
                "pairs": ranges.pairs,
            }
        return numbers

    def rank(self, place: int) -> int:
        """Return the rank of the system at a place of the order; equal values share one."""
        values = [system["value"] for system in self.numbers["systems"]]
        return 1 + values.index(values[place])

    @property
    def assumed(self) -> dict[str, float]:
        """The level, and the share of wrong labels, that the page begins with."""
        label_error = 0.0 if self.sliders is None else self.sliders.state.error
        return {"level": self.level, "error": label_error}

    @cached_property
    def compared(self) -> tuple[Comparison, ...]:
        """The comparisons of all pairs by what the ranking is by."""
        if self.comparisons is None:
            return ()
        return tuple(
            one for one in self.comparisons.comparisons if str(one.quantity) == self.measure
        )

    @cached_property
    def neighbours(self) -> tuple[Comparison, ...]:
        """The comparisons of neighbours in the ranking."""
        by_pair = {(one.first, one.second): one for one in self.compared}
        return tuple(by_pair[pair] for pair in pairwise(self.order) if pair in by_pair)


def measured(row: Row) -> str:
    """Return what a row of scores measures, such as recall[cat]."""
    if row["label"] is None:
        return str(row["measure"])
    return f"{row['measure']}[{row['label']}]"


def _by_score(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "hits": row["successes"],
        "trials": row["trials"],
        "value": row["value"],
        "low": row["low"],
        "high": row["high"],
    }


def _by_consensus(system: System) -> dict[str, Any]:
    return {
        "hits": None,
        "trials": None,
        "value": system.value,
        "low": system.spread_low,
        "high": system.spread_high,
    }


def _pair(comparison: Comparison) -> dict[str, Any]:
    return {
        "only_first": comparison.only_first,
        "only_second": comparison.only_second,
        "p": comparison.p_value,
        "adjusted": comparison.p_adjusted,
        "difference": comparison.difference,
        "low": comparison.low,
        "high": comparison.high,
        "verdict": comparison.verdict,
        "more": comparison.more_items,
        "likely": comparison.more_items_80,
        **dict.fromkeys(ROBUSTNESS),
    }
