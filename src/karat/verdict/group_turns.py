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
class GroupTurn:
    """A group that another system leads."""

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


def group_turns(
    rows: Iterable[Mapping[str, Any]], first: str, *, lower_is_better: bool, without: str
) -> tuple[GroupTurn, ...]:
    """Return the groups in which the best system is another one and strictly better, the largest lead first."""
    by_group: dict[str, dict[str, BoundedValue]] = {}
    for row in rows:
        if row["value"] is None or row["group"] == without:
            continue
        found = BoundedValue(row["value"], row["low"], row["high"])
        by_group.setdefault(str(row["group"]), {})[str(row["system"])] = found
    turns = []
    for group, values in by_group.items():
        if first not in values:
            continue
        turn = _turn(group, values, first, sign=-1 if lower_is_better else 1)
        if turn is not None:
            turns.append(turn)
    return tuple(sorted(turns, key=lambda turn: (-turn.lead, turn.group)))


def _turn(
    group: str, values: Mapping[str, BoundedValue], first: str, *, sign: int
) -> GroupTurn | None:
    leader = max(sorted(values), key=lambda name: sign * values[name].value)
    lead = sign * (values[leader].value - values[first].value)
    if lead <= 0:
        return None
    ends = mover(values[leader], values[first])
    low, high = sorted(sign * end for end in ends)
    return GroupTurn(
        group=group,
        leader=leader,
        value=values[leader].value,
        first_value=values[first].value,
        lead=lead,
        low=low,
        high=high,
    )
