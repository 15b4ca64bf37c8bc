"""Which system is ahead by its area, how surely, and over which prevalences."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from karat.verdict.prevalence.result import OrderStretch, PrevalenceResult


@dataclass(frozen=True, slots=True)
class Lead:
    """By how much one system is ahead of another in the data, and how likely it is better."""

    difference: float
    low: float
    high: float
    better: float


def lead_of(result: PrevalenceResult, first: str, second: str) -> Lead:
    """Return the lead of the first of two systems, whichever of them was named first."""
    for gap in result.differences:
        if (gap.first, gap.second) == (first, second):
            return Lead(gap.difference, gap.low, gap.high, gap.better)
        if (gap.second, gap.first) == (first, second):
            return Lead(-gap.difference, -gap.high, -gap.low, 1 - gap.better)
    raise KeyError(first, second)


def settled_neighbours(result: PrevalenceResult) -> int:
    """Return how many neighbours by area are significantly different."""
    ranked = sorted(result.areas, key=lambda area: area.rank)
    settled = 0
    for first, second in pairwise(ranked):
        lead = lead_of(result, first.system, second.system)
        if lead.low > 0 or lead.high < 0:
            settled += 1
    return settled


def settled_pairs(result: PrevalenceResult) -> int:
    """Return how many of all pairs are significantly different by area."""
    return sum(gap.low > 0 or gap.high < 0 for gap in result.differences)


def stretch_of(stretches: Sequence[OrderStretch], prevalence: float) -> OrderStretch:
    """Return the stretch that holds a prevalence, of stretches in their order."""
    for stretch in stretches:
        if prevalence <= stretch.high:
            return stretch
    return stretches[-1]


def is_surely_first(result: PrevalenceResult, order: Sequence[str]) -> bool:
    """Return whether the first is ahead of all others in the resamples too."""
    if not result.differences:
        return False
    first, *others = order
    return all(lead_of(result, first, name).low > 0 for name in others)


def leading_stretches(stretches: Sequence[OrderStretch]) -> list[OrderStretch]:
    """Return the stretches of prevalences with the same leader, joined."""
    leaders = [stretches[0]]
    for stretch in stretches[1:]:
        last = leaders[-1]
        if stretch.order[0] == last.order[0]:
            leaders[-1] = OrderStretch(last.low, stretch.high, last.order)
        else:
            leaders.append(stretch)
    return leaders
