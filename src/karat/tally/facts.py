"""What is known of the rows that are counted: where they come from, what they hold, and what is missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from karat.table.kinds import score, yesno
from karat.table.labels import Labels
from karat.table.roles import RIGHT
from karat.table.table import Counts, Use
from karat.words import counted


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the rows that are counted."""

    origin: str
    systems: tuple[str, ...]
    kind: str
    meaning: Labels
    keys: tuple[str, ...]
    has_truth: bool
    counts: Counts
    options: Mapping[str, str]
    uses: tuple[Use, ...] = ()
    notes: tuple[str, ...] = ()

    def about(self) -> dict[str, Any]:
        """Return the input as every result carries it."""
        return {
            "origin": self.origin,
            "items": self.counts.items,
            "systems": list(self.systems),
            "kind": self.kind,
            "missing": dict(self.counts.missing),
            "without_truth": self.counts.without_truth,
            "unanswered": self.counts.unanswered,
        }

    def remarks(self) -> tuple[str, ...]:
        """Return in words what is missing; nothing is left out in silence."""
        counts = self.counts
        noun = "row" if "r" in self.keys or self.options.get("repeats") == "keep" else "item"
        said = [f"{counted(counts.items, noun)}, {counted(len(self.systems), 'system')}"]
        if self.has_truth and counts.without_truth:
            said.append(f"{counted(counts.without_truth, 'item')} without truth left out")
        if counts.unanswered is None:
            said.append("some items of the truth may be in none of these tallies")
        elif counts.unanswered:
            said.append(
                f"{counted(counts.unanswered, 'item')} of the truth not in the table, left out"
            )
        absent = sum(counts.missing.values())
        if absent:
            rule = {
                "wrong": "counted as wrong and as not retrieved",
                "skip": "left out, system by system",
            }
            what = rule.get(
                self.meaning.missing, f"counted as {self.meaning.missing.removeprefix('as:')!r}"
            )
            what = "below every score" if self.kind == score else what
            said.append(f"{counted(absent, 'answer')} missing, {what}")
        return (f"{'; '.join(said)}.",)

    def untold(self) -> str:
        """Return what to do about a table without truth."""
        right = next(
            (
                use.column
                for use in self.uses
                if use.role == "left out" and use.column.lower() in RIGHT
            ),
            None,
        )
        remedy = "name it with --truth COL, FILE or FILE:COL"
        if right is None and self.kind != yesno:
            return remedy
        what = f"{right!r} says" if right else f"{(self.meaning.pair or '1')[0]} means"
        return f"{remedy}; or say --correct, if {what} that the system was right"

    def voted(self) -> tuple[str, ...]:
        """Return in words what is missing where the systems judge each other: nothing counts as wrong."""
        said = [f"{counted(self.counts.items, 'item')}, {counted(len(self.systems), 'system')}"]
        absent = sum(self.counts.missing.values())
        where = " among the items with truth" if self.has_truth else ""
        said += [f"{counted(absent, 'answer')} missing{where}, unknown"] if absent else []
        return (f"{'; '.join(said)}.",)

    def listed(self) -> tuple[str, ...]:
        """Return in words what is missing where lists are cut."""
        said = f"{counted(self.counts.items, 'document')} of all queries, {counted(len(self.systems), 'system')}"
        return (f"{said}; what a system does not list it does not retrieve.",)
