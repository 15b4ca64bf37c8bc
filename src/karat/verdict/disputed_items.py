"""Items on which the first two systems of a ranking differ: names, labels, answers and fields, never a number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat.tally.audit_items import AuditItems

MOST_ITEMS = 40
MOST_SYSTEMS = 6
"""So many systems' answers are shown of each item."""
NO_LABEL = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputedItem:
    """One item: its label, what the first systems answered, and what the table says of it."""

    name: str
    given: str
    answers: tuple[str, ...]
    right: tuple[bool, ...]
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputedItems:
    """Items that only one of the first two systems has right, those on which all systems differ most first."""

    systems: tuple[str, ...]
    items: tuple[DisputedItem, ...]
    of: int
    """How many such items there are."""


def disputed_places(items: AuditItems, first: str, second: str) -> tuple[list[int], int]:
    """Return the places of the items that only one of two systems has right, and how many there are.

    Those on which about half of all systems are right come first: there, people learn most.
    """
    right = items.answers == items.given[:, None]
    known = items.given >= 0
    one = right[:, items.systems.index(first)]
    other = right[:, items.systems.index(second)]
    disputed = np.flatnonzero(known & (one != other))
    from_half = np.abs(right[disputed].mean(axis=1) - 0.5)
    order = disputed[np.argsort(from_half, kind="stable")]
    return order[:MOST_ITEMS].tolist(), len(disputed)


def disputed_items(
    items: AuditItems,
    places: Sequence[int],
    fields: Sequence[Mapping[str, Any]],
    *,
    systems: Sequence[str],
    of: int,
) -> DisputedItems:
    """Return the items at some places, with the answers of some systems and what the table says of each."""
    columns = [items.systems.index(name) for name in systems]
    found = []
    for place, beside in zip(places, fields, strict=True):
        codes = [int(items.answers[place, column]) for column in columns]
        given = int(items.given[place])
        found.append(
            DisputedItem(
                name=items.names[place],
                given=items.labels[given],
                answers=tuple(NO_LABEL if code < 0 else items.labels[code] for code in codes),
                right=tuple(code == given for code in codes),
                fields=beside,
            )
        )
    return DisputedItems(systems=tuple(systems), items=tuple(found), of=of)
