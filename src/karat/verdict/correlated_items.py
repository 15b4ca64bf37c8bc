"""Whether the first of a ranking is ahead of the second also if items are correlated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat.doubt.resampling.difference_over_groups import difference_over_groups

FEWEST_GROUPS = 6
"""Of fewer groups the spread between them is a matter of luck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelatedItems:
    """What is known of correlated items, and what it means for the first two systems."""

    clusters: bool = False
    """Whether every interval and test goes over clusters."""
    column: str | None = None
    """A column that was not taken as clusters, and is called as such are."""
    groups: int = 0
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    """The lead if whole groups are the sample, and its interval."""

    @property
    def holds(self) -> bool:
        """Whether the lead is larger than what groups differ by."""
        return self.low is not None and self.low > 0


def lead_over_groups(
    rows: Sequence[Mapping[str, Any]], first: str, second: str, *, level: float
) -> CorrelatedItems | None:
    """Return the lead of the first over the second if groups are the sample; None of few groups, or of no counts."""
    ahead = _counts_by_group(rows, first)
    behind = _counts_by_group(rows, second)
    shared = sorted(ahead.keys() & behind.keys())
    if len(shared) < FEWEST_GROUPS:
        return None
    leads = np.zeros(len(shared))
    items = np.zeros(len(shared))
    for place, group in enumerate(shared):
        successes, trials = ahead[group]
        other_successes, other_trials = behind[group]
        if trials != other_trials:
            return None
        leads[place] = successes - other_successes
        items[place] = trials
    interval = difference_over_groups(leads, items, level=level)
    return CorrelatedItems(
        groups=len(shared),
        difference=float(leads.sum() / items.sum()),
        low=float(interval.low),
        high=float(interval.high),
    )


def _counts_by_group(rows: Sequence[Mapping[str, Any]], system: str) -> dict[str, tuple[int, int]]:
    """Return the successes and trials of a system in each group where it has some."""
    counts = {}
    for row in rows:
        if row["system"] == system and row["successes"] is not None and row["trials"]:
            counts[row["group"]] = (row["successes"], row["trials"])
    return counts
