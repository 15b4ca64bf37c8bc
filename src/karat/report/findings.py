"""All that was found out about a table: what a report is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from karat.result.base import Row
from karat.tally.facts import Facts
from karat.verdict.compare.result import Comparison, Comparisons
from karat.verdict.consensus.result import Standing, System
from karat.verdict.prevalence.result import Skewed
from karat.verdict.score.scores import Scores
from karat.verdict.stability.result import Stability
from karat.verdict.whatif import State, Tallies, whatif

if TYPE_CHECKING:
    from karat.graphs.compare.result import GraphScores
    from karat.graphs.errors.browser import GraphBrowser
    from karat.graphs.errors.result import CommonErrors, Confusions


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Every answer that the data allows; None where it does not."""

    facts: Facts
    measure: str
    """What the ranking is by."""
    level: float
    seed: int
    scores: Scores | None = None
    """None where there is no truth."""
    standing: Standing | None = None
    """By what all systems say together, with or without a truth."""
    skewed: Skewed | None = None
    """At the class balance of the data, and where the order changes; of scores only."""
    groups: Scores | None = None
    comparisons: Comparisons | None = None
    stability: Stability | None = None
    """At several shares of wrong labels."""
    tallies: Tallies | None = None
    """The counts from which a page recomputes; None where some number has no closed form."""
    state: State | None = None
    graphs: "GraphScores | None" = None
    """What went wrong inside, where the items are graphs."""
    erring: Stability | None = None
    """At the share of wrong objects supposed, where the items are graphs."""
    confusions: "Confusions | None" = None
    common: "CommonErrors | None" = None
    browser: "GraphBrowser | None" = None
    unasked: tuple[str, ...] = ()
    """Questions that could not be asked, and why."""

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The systems, the best first."""
        if self.tallies is not None:
            return self.tallies.systems
        if self.scores is None and self.standing is not None:
            return tuple(self.standing.ranks)
        return tuple(str(row["system"]) for row in self.ranked)

    @cached_property
    def ranked(self) -> tuple[Row, ...]:
        """The scores by what the ranking is by, the best first."""
        rows = [] if self.scores is None else self.scores.rows()
        return tuple(row for row in rows if _measured(row) == self.measure)

    @property
    def range(self) -> tuple[float, float]:
        """The range of what the ranking is by."""
        if self.scores is None or not self.scores.entries:
            return 0.0, 1.0
        quantity = self.scores.entries[0].estimates.quantity
        return quantity.low, quantity.high

    @cached_property
    def live(self) -> Mapping[str, Any]:
        """What the page shows of the ranking, as its script recomputes it."""
        if self.tallies is not None and self.state is not None:
            return whatif(self.tallies, self.state)
        if self.scores is None and self.standing is not None:
            found = {one.system: one for one in self.standing.systems}
            return {"systems": [_voted(found[name]) for name in self.order], "pairs": []}
        return {
            "systems": [_system(row) for row in self.ranked],
            "pairs": [_pair(one) for one in self.neighbours],
        }

    def rank(self, place: int) -> int:
        """Return the rank of the system at a place of the order; equal values share one."""
        values = [one["value"] for one in self.live["systems"]]
        return 1 + values.index(values[place])

    @property
    def supposed(self) -> dict[str, float]:
        """The level, and the share of wrong labels, that the page begins with."""
        return {"level": self.level, "error": self.state.error if self.state else 0.0}

    @cached_property
    def neighbours(self) -> tuple[Comparison, ...]:
        """The comparisons of neighbours in the ranking."""
        if self.comparisons is None:
            return ()
        found = {
            (one.first, one.second): one
            for one in self.comparisons.found
            if str(one.quantity) == self.measure
        }
        return tuple(found[pair] for pair in pairwise(self.order) if pair in found)


def _measured(row: Row) -> str:
    return row["measure"] if row["label"] is None else f"{row['measure']}[{row['label']}]"


def _system(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "hits": row["successes"],
        **{name: row[name] for name in ("trials", "value", "low", "high")},
    }


def _voted(one: System) -> dict[str, Any]:
    return {"hits": None, "trials": None, "value": one.value, "low": one.low, "high": one.high}


def _pair(one: Comparison) -> dict[str, Any]:
    return {
        "only_first": one.only_first,
        "only_second": one.only_second,
        "p": one.p_value,
        "adjusted": one.p_adjusted,
        "difference": one.difference,
        "low": one.low,
        "high": one.high,
        "verdict": one.verdict,
        "more": one.more_items,
        **dict.fromkeys(("kept", "tie", "reversed", "critical", "safe")),
    }
