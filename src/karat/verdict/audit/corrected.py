"""The table with the right labels in place of the given ones, where they were looked up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from karat.errors import OptionError
from karat.result import Result
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.setup import AuditSetup
from karat.words import counted


@dataclass(frozen=True, slots=True, repr=False)
class CorrectedTable(Result):
    """A table of answers: item, truth, and a column for each system."""

    read_again: ClassVar[bool] = True
    entries: tuple[Mapping[str, Any], ...]
    corrected: int
    undecidable: int

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row an item."""
        return self.entries

    def notes(self) -> Sequence[str]:
        """Return what the table is not good for."""
        labels = counted(self.corrected, "label")
        warning = (
            f"warning: {labels} corrected; only items that these systems dispute were looked at, so that other "
            "systems, and what all of these have wrong together, are judged by the old labels."
        )
        notes = [warning]
        if self.undecidable:
            notes.append(
                f"{counted(self.undecidable, 'label')} that cannot be decided stayed as given."
            )
        return notes


def corrected_table(setup: AuditSetup, labels: Mapping[int, RightLabel]) -> CorrectedTable:
    """Return the table with corrected labels, in the order of the items' names."""
    items = setup.items
    if setup.reader.judged:
        raise OptionError(
            "this table says only which answers were right, so that there is no label to correct"
        )
    entries = []
    corrected = 0
    undecidable = 0
    for place, name in enumerate(items.names):
        truth = setup.reader.given(place).text
        right = labels.get(place)
        if right is not None and right.undecidable:
            undecidable += 1
        elif right is not None and right.text != truth:
            truth = right.text
            corrected += 1
        entry: dict[str, Any] = {"item": name, "truth": truth}
        for system, code in zip(items.systems, items.answers[place].tolist(), strict=True):
            entry[system] = "" if code < 0 else items.labels[code]
        if items.weights:
            entry["weight"] = items.weights[place]
        entries.append(entry)
    return CorrectedTable(tuple(entries), corrected, undecidable)
