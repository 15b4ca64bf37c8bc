"""What is read once and needed later: in memory while it is little, spilled to disk when it is much."""

import csv
import pickle
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from karat.scratch import remove_with, scratch_folder
from karat.source.origin import Source

Thing = TypeVar("Thing")
FEW = 20_000
"""How many things are kept in memory before they are spilled to disk."""


class _Folder:
    """A folder that is deleted when nothing refers to it any more."""

    def __init__(self) -> None:
        self.path = scratch_folder()
        remove_with(self, self.path)


class SpilledList(Generic[Thing]):
    """A list that can only be added to and iterated over; all but the last of many things are on disk."""

    def __init__(self, few: int | None = None) -> None:
        self._few = few or FEW
        self._held: list[Thing] = []
        self._size = 0
        self._folder: _Folder | None = None

    def add(self, thing: Thing, size: int = 1) -> None:
        """Put one more at the end; it may be as large as several."""
        self._held.append(thing)
        self._size += size
        if self._size >= self._few:
            self._folder = self._folder or _Folder()
            with (self._folder.path / "things").open("ab") as file:
                pickle.dump(self._held, file, pickle.HIGHEST_PROTOCOL)
            self._held = []
            self._size = 0

    def __iter__(self) -> Iterator[Thing]:
        """Yield all from the first to the last."""
        if self._folder is not None:
            with (self._folder.path / "things").open("rb") as file:
                while file.peek(1):
                    yield from pickle.load(file)  # noqa: S301 (written here)
        yield from self._held


class SpilledRows:
    """Rows in a file that an engine opens, under the names of their columns."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._folder: _Folder | None = None

    @property
    def is_begun(self) -> bool:
        """Whether any row was written."""
        return self._folder is not None

    def write(self, rows: Iterable[Sequence[Any]]) -> None:
        """Add rows; None is an empty cell."""
        is_new = not self.is_begun
        self._folder = self._folder or _Folder()
        with self._path.open("a", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
            if is_new:
                writer.writerow(self._columns)
            writer.writerows(rows)

    @property
    def _path(self) -> Path:
        assert self._folder is not None  # noqa: S101 (only asked for where there is one)
        return self._folder.path / "rows.csv"

    def source(self, origin: str, roles: Mapping[str, Any]) -> Source:
        """Return what an engine can open; it holds the file as long as it lives."""
        return Source(origin, "csv", (str(self._path),), roles=roles, hold=self._folder)


class RepeatCounter:
    """How many names came more than once; 16 bytes of each name are kept."""

    def __init__(self) -> None:
        self._hashes = array("q")

    def add(self, name: str) -> None:
        """Take note of one more name."""
        # Two independent hashes of 64 bits: among 1e9 names, two share both with probability 1e-21.
        self._hashes.extend((hash(name), hash(f"{name}\0")))

    def number(self) -> int:
        """Return how many names are copies of an earlier one.

        >>> seen = RepeatCounter()
        >>> for name in ("a", "b", "a", "a"):
        ...     seen.add(name)
        >>> seen.number()
        2
        """
        if not self._hashes:
            return 0
        first, second = np.frombuffer(self._hashes, np.int64).reshape(-1, 2).T
        if len(np.unique(first)) == len(first):
            return 0
        order = np.lexsort((second, first))
        same_first = np.diff(first[order]) == 0
        same_second = np.diff(second[order]) == 0
        return int((same_first & same_second).sum())
