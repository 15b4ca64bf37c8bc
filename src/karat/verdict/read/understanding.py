"""How karat understands a file, before anything is computed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.result import Result
from karat.result.base import Row
from karat.table.table import Use


@dataclass(frozen=True, slots=True, repr=False)
class TableDescription(Result):
    """The part each column plays, and what is in it."""

    uses: tuple[Use, ...]
    first: tuple[Row, ...] = ()
    """The first rows, as they will be counted."""
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per column."""
        rows = []
        for use in self.uses:
            row = {
                "column": use.column,
                "role": use.role,
                "kind": use.kind,
                "filled": use.filled,
                "distinct": use.distinct,
                "why": use.why,
            }
            rows.append(row)
        return rows

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the columns, and the first rows."""
        parts: dict[str, Sequence[Row]] = {"": self.rows()}
        if self.first:
            parts["the first rows"] = self.first
        return parts

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        first = [dict(row) for row in self.first]
        return {**self.about, "first": first}

    def notes(self) -> Sequence[str]:
        """Return what was inferred and what is missing."""
        return self.remarks
