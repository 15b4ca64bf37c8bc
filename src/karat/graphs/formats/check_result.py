"""What is wrong with the files of label graphs, as rows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os.path import commonpath
from pathlib import Path
from typing import Any

from karat.graphs.formats.label_graph import Fault
from karat.result import Result
from karat.result.base import Row
from karat.words import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(Result):
    """Every fault of every file."""

    files: int
    faults: tuple[Fault, ...]
    unread: tuple[str, ...] = ()
    """What the folders hold that was not read, in words."""
    about: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> Sequence[Row]:
        """Return a row per fault."""
        return [fault._asdict() for fault in self.faults]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the faults as a person reads them, with the place in one column."""
        if not self.faults:
            return {}
        names = [
            f"{fault.file}:{fault.line}" if fault.line else fault.file for fault in self.faults
        ]
        folders = [str(Path(fault.file).parent) for fault in self.faults]
        common = commonpath(folders) if folders else ""
        places = [name[len(common) :].lstrip("/") for name in names]
        return {
            common: [{"where": place, "fault": one.kind, "what": one.what}
                     for place, one in zip(places, self.faults, strict=True)]
        }  # fmt: skip

    def beside(self) -> Mapping[str, Any]:
        """Return how many files there are, and how many faults of each kind."""
        return {
            **self.about,
            "files": self.files,
            "kinds": dict(self._kinds()),
            "unread": list(self.unread),
        }

    def _kinds(self) -> Counter[str]:
        return Counter(fault.kind for fault in self.faults)

    def notes(self) -> Sequence[str]:
        """Return the sum."""
        files, unread = (
            counted(self.files, "file"),
            tuple(f"warning: {what}" for what in self.unread),
        )
        if not self.faults:
            return (f"{files}, nothing wrong.", *unread)
        kinds = ", ".join(f"{kind} {number:,}" for kind, number in self._kinds().most_common())
        bad = len({fault.file for fault in self.faults})
        return (
            f"{files}, {counted(len(self.faults), 'fault')} in {bad:,} of them: {kinds}.",
            *unread,
        )
