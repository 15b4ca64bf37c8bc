"""A result is rows; every form in which it is shown is made from them."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar

Row = Mapping[str, Any]


class Result:
    """Rows of plain values, and the entries that belong to no single row."""

    __slots__ = ()
    section: ClassVar[str | None] = None
    """The column whose values head the parts of a long table."""
    read_again: ClassVar[bool] = False
    """Whether the rows are a table that karat reads: as CSV they have the names of the data as they are."""

    @abstractmethod
    def rows(self) -> Sequence[Row]:
        """Return the result, one mapping a row; None is undefined or unknown."""

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the rows as a person reads them: one table under each heading, without the column of the headings."""
        if not self.section:
            return {"": self.rows()}
        parts: dict[str, list[Row]] = {}
        for row in self.rows():
            heading = str(row[self.section])
            rest = {name: value for name, value in row.items() if name != self.section}
            parts.setdefault(heading, []).append(rest)
        return parts

    def beside(self) -> Mapping[str, Any]:
        """Return what belongs to the result but to no single row."""
        return {}

    def notes(self) -> Sequence[str]:
        """Return what a reader must know to understand the rows."""
        return ()

    def to_json(self) -> str:
        """Return one JSON object."""
        return _written("plain", "json", self)

    def to_csv(self, *, guard_formulas: bool = False) -> str:
        """Return comma-separated values, an empty cell where there is none.

        With `guard_formulas` no text is one that a spreadsheet runs as a formula: it gets a ' in front.
        """
        return _written("plain", "csv", self, guard_formulas=guard_formulas)

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        return _written("plain", "markdown", self)

    def to_latex(self) -> str:
        """Return a LaTeX table for a paper (needs the package booktabs)."""
        return _written("latex", "latex", self)

    def to_frame(self) -> Any:
        """Return a pandas data frame, or a Polars one where pandas is not installed."""
        try:
            return import_module("pandas").DataFrame(list(self.rows()))
        except ImportError:
            return import_module("polars").DataFrame(list(self.rows()))

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.rows())

    def __iter__(self) -> Iterator[Row]:
        """Go through the rows."""
        return iter(self.rows())

    def __getitem__(self, place: int) -> Row:
        """Return the row at a place, from 0."""
        return self.rows()[place]

    def __bool__(self) -> bool:
        """Return true: a result without rows is a result, too."""
        return True

    def __str__(self) -> str:
        """Return what a terminal shows."""
        return _written("terminal", "text", self)

    def __repr__(self) -> str:
        """Return the table, as an interactive session shows it."""
        return str(self)

    def _repr_html_(self) -> str:
        return _written("html", "html", self)

    def __rich__(self) -> Any:
        return import_module("karat.result.terminal").terminal(self)


def _written(module: str, function: str, result: Result, **options: bool) -> str:
    write = getattr(import_module(f"karat.result.{module}"), function)
    text: str = write(result, **options)
    return text
