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
from karat.words import counted, listing


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FileCheck(Result):
    """Every fault of every file."""

    files: int
    faults: tuple[Fault, ...]
    unread: tuple[str, ...] = ()
    """What the folders hold that was not read, in words."""
    levels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Files that have several levels of structure, by what these are called."""
    about: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> Sequence[Row]:
        """Return a row per fault."""
        return [fault._asdict() for fault in self.faults]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the faults as a person reads them, with the place in one column."""
        if not self.faults:
            return {}
        folder = commonpath([str(Path(fault.file).parent) for fault in self.faults])
        rows = []
        for fault in self.faults:
            place = str(Path(fault.file).relative_to(folder))
            if fault.line:
                place += f":{fault.line}"
            rows.append({"where": place, "fault": fault.kind, "what": fault.what})
        return {folder: rows}

    def beside(self) -> Mapping[str, Any]:
        """Return how many files there are, and how many faults of each kind."""
        return {
            **self.about,
            "files": self.files,
            "kinds": dict(self._kinds()),
            "unread": list(self.unread),
            "levels": {name: list(files) for name, files in self.levels.items()},
        }

    def _kinds(self) -> Counter[str]:
        return Counter(fault.kind for fault in self.faults)

    def notes(self) -> Sequence[str]:
        """Return how many files and faults there are, and what was not read."""
        notes = [self._summary(), *(f"warning: {what}" for what in self.unread)]
        for name, files in self.levels.items():
            names = listing([Path(file).name for file in files], most=3)
            notes.append(
                f"Several levels of structure over the same primitives ({name}) in {counted(len(files), 'file')}: "
                f"{names}; `karat graph` counts those of matrices each by itself, others by --level."
            )
        return notes

    def _summary(self) -> str:
        files = counted(self.files, "file")
        if not self.faults:
            return f"{files}, nothing wrong."
        faults = counted(len(self.faults), "fault")
        bad_files = len({fault.file for fault in self.faults})
        kinds = [f"{kind} {number:,}" for kind, number in self._kinds().most_common()]
        return f"{files}, {faults} in {bad_files:,} of them: {', '.join(kinds)}."
