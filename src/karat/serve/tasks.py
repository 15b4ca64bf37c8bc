"""What a checker goes through: the draws of an audit, or some of them once more for a second opinion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from karat.ask.checked_lists import CheckedRow
from karat.errors import InputError
from karat.serve.audit_status import audit_status, second_opinion_status
from karat.verdict.audit.audit import Audit
from karat.verdict.audit.lists import next_entries
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.second_opinion import random_part
from karat.verdict.audit.walk import Walk


@dataclass(frozen=True, slots=True)
class Listed:
    """One item to look at: the number of its draw, its name, and the probability with which it was drawn."""

    draw: int
    item: str
    q: float


class LabelTask(Protocol):
    """Items in an order, the labels that they get, and what these lead to."""

    audit: Audit
    is_second: bool

    def upcoming(self, number: int) -> list[Listed]:
        """Return the next items that have no label yet."""

    def take(self, item: int, right: RightLabel) -> None:
        """Give an item its label, or another one."""

    def labels(self) -> Mapping[int, RightLabel]:
        """Return the labels as they are now: a copy, for another thread."""

    def standing(self, labels: Mapping[int, RightLabel]) -> dict[str, Any]:
        """Return what such labels lead to."""


class AuditTask:
    """The draws of an audit, the first blank one first."""

    is_second = False

    def __init__(self, audit: Audit) -> None:
        """Begin with the labels that the audit has."""
        self.audit = audit
        self._labels = dict(audit.labels)
        self._walk = self._walked()

    def upcoming(self, number: int) -> list[Listed]:
        """Return the next items that have no label yet: those that count next, in the order of the draws."""
        entries = next_entries(self._walk, number)
        return [Listed(entry["draw"], entry["item"], entry["q"]) for entry in entries]

    def take(self, item: int, right: RightLabel) -> None:
        """Give an item its label; the walk goes on from where it is, unless a label that counted is another now."""
        is_new = item not in self._labels
        self._labels[item] = right
        if is_new:
            self._walk.go()
        else:
            self._walk = self._walked()

    def labels(self) -> Mapping[int, RightLabel]:
        """Return the labels as they are now."""
        return dict(self._labels)

    def standing(self, labels: Mapping[int, RightLabel]) -> dict[str, Any]:
        """Return where the claims stand."""
        return audit_status(replace(self.audit, labels=labels))

    def _walked(self) -> Walk:
        return Walk(self.audit.setup, self._labels, record=False).go()


class SecondTask:
    """A random part of what the first checker has looked at, for a second opinion.

    It comes in a random order, so that whoever stops early has looked at a random part, too.
    """

    is_second = True

    def __init__(self, first: Audit, rows: Sequence[CheckedRow], number: int) -> None:
        """Choose the items, whatever their labels are."""
        self.audit = first
        self._labels: dict[int, RightLabel] = {}
        listed = {row.draw: Listed(row.draw, row.item, row.chance) for row in rows if row.right}
        chosen = random_part(first.setup.seed, list(listed), number)
        self._part = [listed[draw] for draw in chosen]
        if not self._part:
            raise InputError(
                "the lists of --apply have no label yet; a second opinion is on labels that were looked up"
            )
        names = first.setup.items.names
        self._place_of = {name: place for place, name in enumerate(names)}

    def upcoming(self, number: int) -> list[Listed]:
        """Return the next items that the second checker has not looked at."""
        left = [one for one in self._part if self._place_of[one.item] not in self._labels]
        return left[:number]

    def take(self, item: int, right: RightLabel) -> None:
        """Give an item the second checker's label."""
        self._labels[item] = right

    def labels(self) -> Mapping[int, RightLabel]:
        """Return the second checker's labels as they are now."""
        return dict(self._labels)

    def standing(self, labels: Mapping[int, RightLabel]) -> dict[str, Any]:
        """Return how far the two agree, and what the audit says by either."""
        return second_opinion_status(self.audit, labels)
