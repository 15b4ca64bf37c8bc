"""A result, and the command that it was computed by."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from karat.report.signature_parts import with_command
from karat.result import Result
from karat.result.base import Row


@dataclass(frozen=True, slots=True, repr=False)
class ResultWithCommand(Result):
    """A result whose signature holds the command as it was typed."""

    result: Result
    command: str

    def rows(self) -> Sequence[Row]:
        """Return the rows of the result."""
        return self.result.rows()

    def __iter__(self) -> Iterator[Row]:
        """Give one row after the other."""
        return iter(self.result)

    def beside(self) -> Mapping[str, Any]:
        """Return what belongs to no single row, with the command in the signature."""
        beside = dict(self.result.beside())
        if "signature" in beside and self.command:
            beside["signature"] = with_command(beside["signature"], self.command)
        return beside

    def notes(self) -> Sequence[str]:
        """Return the notes of the result."""
        return self.result.notes()
