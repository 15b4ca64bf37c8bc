"""What changed since an earlier report, and whether that is more than doubt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from karat.doubt.tests.mover import BoundedValue, mover
from karat.verdict.compare.comparison import BETTER, SWAPPED, UNDECIDED, WORSE

NOTE = (
    "Each interval is from those of both reports (MOVER), as if their items were different ones; of the same items it "
    "is wider than it need be. Each system by itself: of twenty that did not change, about one is called so at the "
    "level 0.95."
)
Ranked = Mapping[str, Mapping[str, Any]]
"""The row of each system, the best first."""
Verdicts = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemChange:
    """One system in both reports."""

    system: str
    old: float
    new: float
    difference: float
    low: float
    high: float
    verdict: str
    """Whether it is better now, worse, or undecided."""
    old_rank: int
    new_rank: int

    def row(self) -> dict[str, Any]:
        """Return all fields as plain values."""
        return {
            "system": self.system,
            "old": self.old,
            "new": self.new,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "verdict": self.verdict,
            "old_rank": self.old_rank,
            "new_rank": self.new_rank,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is different from an earlier report."""

    origin: str
    old_items: int
    new_items: int
    systems: tuple[SystemChange, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    old_first: str
    new_first: str
    reversed: tuple[tuple[str, str], ...]
    """Pairs whose first was significantly better then, and is significantly worse now."""
    newly_settled: int
    no_longer_settled: int

    def plain(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "origin": self.origin,
            "old_items": self.old_items,
            "new_items": self.new_items,
            "rows": [one.row() for one in self.systems],
            "added": list(self.added),
            "removed": list(self.removed),
            "old_first": self.old_first,
            "new_first": self.new_first,
            "turned": [list(pair) for pair in self.reversed],
            "newly_settled": self.newly_settled,
            "no_longer_settled": self.no_longer_settled,
        }


def system_changes(old: Ranked, new: Ranked, *, lower_is_better: bool) -> tuple[SystemChange, ...]:
    """Return how every system that is in both reports changed, in the order of the new one."""
    old_ranks = _ranks(old)
    new_ranks = _ranks(new)
    changes = []
    for name, row in new.items():
        if name not in old or row["value"] is None or old[name]["value"] is None:
            continue
        now = BoundedValue(row["value"], row["low"], row["high"])
        then = BoundedValue(old[name]["value"], old[name]["low"], old[name]["high"])
        low, high = mover(now, then)
        changes.append(
            SystemChange(
                system=name,
                old=then.value,
                new=now.value,
                difference=now.value - then.value,
                low=low,
                high=high,
                verdict=_verdict(low, high, lower_is_better=lower_is_better),
                old_rank=old_ranks[name],
                new_rank=new_ranks[name],
            )
        )
    return tuple(changes)


@dataclass(frozen=True, slots=True)
class PairChanges:
    """How the verdicts on pairs of systems changed."""

    reversed: tuple[tuple[str, str], ...]
    """The pairs whose first system was significantly better, and is significantly worse now."""
    newly_settled: int
    no_longer_settled: int


def pair_changes(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> PairChanges:
    """Return how the verdicts on the pairs changed that both reports have.

    >>> then = [{"first": "a", "second": "b", "verdict": "better"}]
    >>> now = [{"first": "b", "second": "a", "verdict": "better"}]
    >>> pair_changes(then, now)
    PairChanges(reversed=(('a', 'b'),), newly_settled=0, no_longer_settled=0)
    """
    before = _verdicts(old)
    after = _verdicts(new)
    reverse = []
    newly_settled = 0
    no_longer_settled = 0
    for pair in before.keys() & after.keys():
        if before[pair] == BETTER and after[pair] == WORSE:
            reverse.append(pair)
        # Each pair is there in both directions, and counted in one.
        if pair[0] > pair[1]:
            continue
        was_settled = before[pair] in SWAPPED
        is_settled = after[pair] in SWAPPED
        if is_settled and not was_settled:
            newly_settled += 1
        if was_settled and not is_settled:
            no_longer_settled += 1
    return PairChanges(tuple(sorted(reverse)), newly_settled, no_longer_settled)


def _verdicts(rows: Sequence[Mapping[str, Any]]) -> Verdicts:
    """Return the verdict on every pair, in both directions."""
    verdicts = {}
    for row in rows:
        first, second, verdict = row["first"], row["second"], row["verdict"]
        verdicts[first, second] = verdict
        verdicts[second, first] = SWAPPED.get(verdict, UNDECIDED)
    return verdicts


def _ranks(rows: Ranked) -> dict[str, int]:
    """Return the rank of each system; equal values share one."""
    values = [row["value"] for row in rows.values()]
    return {name: 1 + values.index(row["value"]) for name, row in rows.items()}


def _verdict(low: float, high: float, *, lower_is_better: bool) -> str:
    if low > 0:
        return WORSE if lower_is_better else BETTER
    if high < 0:
        return BETTER if lower_is_better else WORSE
    return UNDECIDED
