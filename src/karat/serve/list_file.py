"""The list that a page writes and `--apply` takes: its labels so far, each in the order of its draw."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from karat.ask.checked_lists import CheckedRow, read_lists
from karat.report.writing import write_durably
from karat.serve.journal import SavedLabel
from karat.verdict.audit.lists import AuditList, labels_of_rows
from karat.verdict.audit.setup import AuditSetup


@dataclass(frozen=True, slots=True, eq=False)
class ListFile:
    """A list on disk: whole, or not at all."""

    path: Path
    setup: AuditSetup

    def rows(self) -> list[CheckedRow]:
        """Return what is in it; a file that is no list of this audit is refused, and stays as it is."""
        if not self.path.exists() or not self.path.stat().st_size:
            return []
        rows = read_lists([self.path])
        labels_of_rows(self.setup, rows, {})
        return rows

    def write(self, labels: Sequence[SavedLabel], *, blind: bool) -> None:
        """Write all labels; when this returns, they are on disk."""
        rows = []
        for label in labels:
            given = "" if blind else self._given(label.item)
            rows.append(self._row(label, given))
        write_durably(self.path, AuditList(tuple(rows)).to_csv())

    def _given(self, item: str) -> str:
        place = bisect_left(self.setup.items.names, item)  # items are in the order of their names
        return self.setup.reader.given(place).text

    def _row(self, label: SavedLabel, given: str) -> dict[str, Any]:
        return {
            "draw": label.draw,
            "item": label.item,
            "given": given,
            "right": label.right,
            "q": label.q,
            "list": self.setup.list_hash,
            "note": label.note,
            "answers_seen": "yes" if label.answers_seen else "no",
        }
