"""Labels that were looked up, in a column of the table or by item, for the model informed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from karat.doubt.label_noise.informed.constants import LEARNT, Constants, read_constants
from karat.doubt.label_noise.informed.items import (
    ELSEWHERE,
    UNCHECKED,
    LabelledItems,
    right_codes,
)
from karat.errors import InputError
from karat.tally.audit_items import AuditItems, audit_items
from karat.tally.counter import Counter
from karat.tally.digest import digest
from karat.tally.votes.patterns import Patterns, patterns
from karat.words import listing


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Knowledge:
    """What the model informed is given besides a share of wrong labels."""

    checked: Mapping[str, str] = field(default_factory=dict)
    """The right labels of items that were looked up, by item; a column of them is the table's second truth."""
    constants: Constants = LEARNT

    def items(self, counter: Counter, whole: Patterns | None = None) -> LabelledItems:
        """Return the items of a table with the labels that were looked up; `whole` is what was counted before."""
        if self.checked:
            return _by_item(counter.count(audit_items), self.checked)
        counted = whole
        if counted is None or {"g", "u"} & set(counter.facts.keys):
            counted = counter.count(patterns, keys="gu")
        rows = counted.by_name()
        right = None
        if "u" in rows.keys:
            rows = rows.filled()
            right = right_codes(rows.labels, rows.keys["u"], rows.meaning)
        return LabelledItems.of(rows, right)

    def signed(self) -> dict[str, str]:
        """Return its options as a signature has them."""
        signed = {}
        if self.checked:
            signed["checked"] = digest([repr(sorted(self.checked.items()))])
        if self.constants is not LEARNT:
            signed["constants"] = self.constants.signed()
        return signed


NOTHING = Knowledge()


def known_labels(checked: Mapping[str, str] | None, constants: str | Path | None) -> Knowledge:
    """Return the checked labels that a user gave, and the constants of a file where one is named."""
    if checked is None and constants is None:
        return NOTHING
    return Knowledge(
        checked={str(item): str(label) for item, label in (checked or {}).items()},
        constants=LEARNT if constants is None else read_constants(constants),
    )


def _by_item(items: AuditItems, checked: Mapping[str, str]) -> LabelledItems:
    """Return the items with the labels that were looked up, by their names."""
    place_of = {name: place for place, name in enumerate(items.names)}
    unknown = sorted(name for name in checked if name not in place_of)
    if unknown:
        raise InputError(
            f"{len(unknown):,} of {len(checked):,} checked items are not in the table, such as "
            f"{listing(unknown, most=3)}; name the column of items with --item COL"
        )
    code_of = {text: code for code, text in enumerate(items.labels)}
    right = np.full(len(items.names), UNCHECKED)
    for name, label in checked.items():
        right[place_of[name]] = code_of.get(items.meaning.label(label), ELSEWHERE)
    order = np.argsort(items.systems, kind="stable")
    as_patterns = Patterns(
        systems=tuple(items.systems[place] for place in order),
        labels=items.labels,
        truth=items.given,
        answers=items.answers[:, order],
        number=np.ones(len(items.names), np.int64),
        meaning=items.meaning,
    )
    return LabelledItems.of(as_patterns, right)
