"""Groups of items in which another system is ahead of the first of the whole ranking."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from karat.doubt.tests.mover import BoundedValue, mover

NOTE = (
    "Both intervals are taken to be of different items, which makes that of the difference wider than it need be; each "
    "group by itself, so that of twenty groups without a difference about one seems to have one."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLeader:
    """The leader of a group, where it is not the first of the whole ranking."""

    group: str
    leader: str
    value: float
    first_value: float
    """Of the first of the whole ranking."""
    lead: float
    low: float
    high: float

    @property
    def is_settled(self) -> bool:
        """Whether the lead is more than doubt."""
        return self.low > 0


def other_leaders(
    rows: Iterable[Mapping[str, Any]], first: str, *, lower_is_better: bool, without: str
) -> tuple[GroupLeader, ...]:
    """Return the groups in which the best system is another one and strictly better, the largest lead first."""
    by_group: dict[str, dict[str, BoundedValue]] = {}
    for row in rows:
        if row["value"] is None or row["group"] == without:
            continue
        found = BoundedValue(row["value"], row["low"], row["high"])
        by_group.setdefault(str(row["group"]), {})[str(row["system"])] = found
    leaders = []
    for group, values in by_group.items():
        if first not in values:
            continue
        leader = _other_leader(group, values, first, sign=-1 if lower_is_better else 1)
        if leader is not None:
            leaders.append(leader)
    return tuple(sorted(leaders, key=lambda one: (-one.lead, one.group)))


def _other_leader(
    group: str, values: Mapping[str, BoundedValue], first: str, *, sign: int
) -> GroupLeader | None:
    leader = max(sorted(values), key=lambda name: sign * values[name].value)
    lead = sign * (values[leader].value - values[first].value)
    if lead <= 0:
        return None
    ends = mover(values[leader], values[first])
    low, high = sorted(sign * end for end in ends)
    return GroupLeader(
        group=group,
        leader=leader,
        value=values[leader].value,
        first_value=values[first].value,
        lead=lead,
        low=low,
        high=high,
    )
