"""A result, and how it was asked for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from karat.report.signature_parts import with_question
from karat.result import Result
from karat.result.base import Row


@dataclass(frozen=True, slots=True, repr=False)
class AskedResult(Result):
    """A result that says in its signature how it was asked for."""

    result: Result
    question: str

    def rows(self) -> Sequence[Row]:
        """Return the rows of the result."""
        return self.result.rows()

    def __iter__(self) -> Iterator[Row]:
        """Give one row after the other."""
        return iter(self.result)

    def beside(self) -> Mapping[str, Any]:
        """Return what stands beside them, the question in the signature."""
        beside = dict(self.result.beside())
        if "signature" in beside and self.question:
            beside["signature"] = with_question(beside["signature"], self.question)
        return beside

    def notes(self) -> Sequence[str]:
        """Return the notes of the result."""
        return self.result.notes()
