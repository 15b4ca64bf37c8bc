"""Where the data is counted: an engine opens sources, runs SQL there and hands back NumPy arrays.

The SQL it is given names only canonical columns and must mean the same on every engine. Nothing outside this
room knows which engine it is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from karat.index import Index
from karat.source.origin import Source

if TYPE_CHECKING:  # the index is read by --help, which loads no NumPy
    import numpy as np
    import numpy.typing as npt

ENGINES = Index("engine", "engine", "engines", duckdb="duckdb", spark="spark")

Watch = Callable[[Callable[[], float | None]], AbstractContextManager[None]]
"""Shows the progress of a query; gets a function that returns the share done."""
Arrays: TypeAlias = "dict[str, np.ndarray[Any, Any]]"
Stored = Literal["text", "whole", "fraction", "boolean", "nested"]


def unwatched(progress: Callable[[], float | None]) -> AbstractContextManager[None]:
    """Show nothing."""
    del progress
    return nullcontext()


def share_of(done: int, things: Iterable[Any]) -> float | None:
    """Return which share of some things is done; nothing where their number is not known."""
    return done / len(things) if isinstance(things, Sized) else None


@dataclass(frozen=True, slots=True)
class OpenedSource:
    """An opened source: the table `name` with the columns c0, c1, ... in SQL."""

    name: str
    origin: str
    columns: tuple[str, ...]
    stored: tuple[Stored, ...]
    columnar: bool
    """Whether a column can be read again at no cost; text formats are parsed once and kept."""


class Engine(Protocol):
    """What a table and a tally need from the place where the data is."""

    name: str
    row: str
    """SQL for the position of a row in its source."""
    hash: str
    """The SQL function that turns a value into a whole number of 64 bits, equal values into equal ones."""
    ordered: bool
    """Whether rows are kept in the order of their source: on a cluster that would be a sort of all of them."""
    lock: AbstractContextManager[Any]
    """Held while one thing is counted: threads share a table, and what was put beside it."""

    def open(self, source: Source) -> OpenedSource:
        """Open a source under a canonical name."""
        ...

    def view(self, name: str, sql: str) -> None:
        """Give a query a name; it runs whenever the name is read."""
        ...

    def keep(self, name: str, sql: str) -> None:
        """Run a query once and keep its rows under a name."""
        ...

    def put(self, name: str, columns: "Mapping[str, np.ndarray[Any, Any]]") -> None:
        """Lay a few small columns beside the data, so that names reach a query as values."""
        ...

    def query(self, sql: str) -> Arrays:
        """Run a query and return its columns; a masked array where values are missing."""
        ...

    def frequencies(self, sql: str, size: int) -> "npt.NDArray[np.int64]":
        """Run a query whose one column is `code`, an integer from 0 to below `size`, and count how often each occurs.

        All sizes are kept in memory: for up to some millions.
        """
        ...

    def cells(self, rows: str, columns: Sequence[str], *, beside: Sequence[str] = ()) -> str:
        """Return SQL for a row a cell: `k` is the place of its column, `v` what stands there, others stand beside.

        Columns of one type turn into rows, so that one scan counts all of them.
        """
        ...

    def each(self, function: Callable[[Any], Any], things: Iterable[Any]) -> Iterator[Any]:
        """Call a function for each of several things, where the engine works, and yield the results in order.

        It is for files that no query reads: images, pages of text, label graphs.
        """
        ...

    def progress(self) -> float | None:
        """The progress of the running query, from 0 to 1, where that is known."""
        ...

    def rejected(self) -> tuple[str, ...]:
        """What lenient reading left out, each with its place."""
        ...
