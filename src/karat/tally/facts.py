"""What is known of the rows that are counted: where they come from, what they hold, and what is missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from karat.table.kinds import score, yesno
from karat.table.labels import Labels
from karat.table.roles import OTHER_TRUTH
from karat.table.table import Counts, Use
from karat.table.usual_names import RIGHT
from karat.words import counted, listing

QUERY = {"query", "query_id", "qid", "topic"}
"""Names of groups within which scores rank documents."""


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
    images: Any = None
    """The folders of single images, if the rows were counted from images."""

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

    @property
    def holds_rankings(self) -> bool:
        """Whether scores rank the documents of queries: those of two queries are not to be compared."""
        if self.kind != score:
            return False
        groups = [use.column.lower() for use in self.uses if use.role == "group"]
        return any(name in QUERY for name in groups)

    def remarks(self) -> tuple[str, ...]:
        """Return in words how much there is and what is missing; nothing is left out in silence."""
        counts = self.counts
        parts = [self._size(self._row_noun())]
        if self.has_truth and counts.without_truth:
            parts.append(f"{counted(counts.without_truth, 'item')} without truth left out")
        if counts.unanswered is None:
            parts.append("some items of the truth may be in none of these tallies")
        elif counts.unanswered:
            items = counted(counts.unanswered, "item")
            parts.append(f"{items} of the truth not in the table, left out")
        missing = sum(counts.missing.values())
        if missing:
            answers = f"{counted(missing, 'answer')}{self._of_whom()}"
            parts.append(f"{answers} missing, {self._missing_rule()}")
        return (f"{'; '.join(parts)}.",)

    def _of_whom(self) -> str:
        """Return which systems lack answers, where others do not: their numbers suffer from it alone."""
        lacking = [name for name in self.systems if self.counts.missing.get(name)]
        if self.kind == score or len(lacking) == len(self.systems):
            return ""
        return f" of {listing(lacking, most=3)}"

    def _row_noun(self) -> str:
        """Return what a row is: an item, unless an item has several rows."""
        if "r" in self.keys or self.options.get("repeats") == "keep":
            return "row"
        return "item"

    def _size(self, noun: str) -> str:
        items = counted(self.counts.items, noun)
        return f"{items}, {counted(len(self.systems), 'system')}"

    def _missing_rule(self) -> str:
        """Return what becomes of missing answers."""
        if self.kind == score:
            return "below every score"
        rule = self.meaning.missing
        if rule == "wrong":
            return "counted as wrong and as not retrieved"
        if rule == "skip":
            return "left out"
        return f"counted as {rule.removeprefix('as:')!r}"

    def truth_remedy(self) -> str:
        """Return what to do about a table without truth."""
        remedy = "name it with --truth COL, FILE or FILE:COL"
        others = [use.column for use in self.uses if use.why == OTHER_TRUTH]
        if others:
            return f"name the one that counts with --truth COL: {listing(others)}"
        column = self._column_of_right_answers()
        if column is not None:
            return f"{remedy}; or use --correct, if {column!r} says that the system was right"
        if self.kind == yesno:
            yes = (self.meaning.pair or "1")[0]
            return f"{remedy}; or use --correct, if {yes} means that the system was right"
        return remedy

    def _column_of_right_answers(self) -> str | None:
        """Return a column that was left out and whose name means that a system was right."""
        for use in self.uses:
            if use.role == "left out" and use.column.lower() in RIGHT:
                return use.column
        return None

    def voted(self) -> tuple[str, ...]:
        """Return in words what is missing where the systems judge each other: nothing counts as wrong."""
        size = self._size("item")
        missing = sum(self.counts.missing.values())
        if not missing:
            return (f"{size}.",)
        where = " among the items with truth" if self.has_truth else ""
        return (f"{size}; {counted(missing, 'answer')} missing{where}, unknown.",)

    def listed(self) -> tuple[str, ...]:
        """Return in words what is missing where ranked lists are cut."""
        documents = counted(self.counts.items, "document")
        systems = counted(len(self.systems), "system")
        return (
            f"{documents} of all queries, {systems}; documents that a system does not list count as not retrieved.",
        )
