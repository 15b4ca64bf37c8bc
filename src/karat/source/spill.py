"""What is read once and needed later: in memory while it is little, on disk when it is much."""

import csv
import pickle
import shutil
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from karat.source.origin import Source

Thing = TypeVar("Thing")
FEW = 20_000
"""How many things are held in memory before they are laid aside."""


class _Folder:
    """A folder that is gone when nobody holds it any more."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="karat-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class Aside(Generic[Thing]):
    """A list that can be added to and gone through; all but the last of many things lie on disk."""

    def __init__(self, few: int | None = None) -> None:
        self._few = few or FEW
        self._held: list[Thing] = []
        self._folder: _Folder | None = None

    def add(self, thing: Thing) -> None:
        """Put one more at the end."""
        self._held.append(thing)
        if len(self._held) >= self._few:
            self._folder = self._folder or _Folder()
            with (self._folder.path / "things").open("ab") as file:
                pickle.dump(self._held, file, pickle.HIGHEST_PROTOCOL)
            self._held = []

    def __iter__(self) -> Iterator[Thing]:
        """Yield all from the first to the last."""
        if self._folder is not None:
            with (self._folder.path / "things").open("rb") as file:
                while file.peek(1):
                    yield from pickle.load(file)  # noqa: S301 (written here)
        yield from self._held


class Sheet:
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
        begun = self.is_begun
        self._folder = self._folder or _Folder()
        with self._path.open("a", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writerows([] if begun else [self._columns])
            writer.writerows(rows)

    @property
    def _path(self) -> Path:
        assert self._folder is not None  # noqa: S101 (only asked for where there is one)
        return self._folder.path / "rows.csv"

    def source(self, origin: str, roles: Mapping[str, Any]) -> Source:
        """Return what an engine can open; it holds the file as long as it lives."""
        return Source(origin, "csv", (str(self._path),), roles=roles, hold=self._folder)


class Twice:
    """How many of a million names came before; 16 bytes of each are kept."""

    def __init__(self) -> None:
        self._hashes = array("q")

    def add(self, name: str) -> None:
        """Take note of one more name."""
        # Two hashes of 64 bits that know nothing of each other: of 1e9 names two are alike with probability 1e-21.
        self._hashes.extend((hash(name), hash(f"{name}\0")))

    def number(self) -> int:
        """Return how many names are copies of an earlier one.

        >>> seen = Twice()
        >>> for name in ("a", "b", "a", "a"):
        ...     seen.add(name)
        >>> seen.number()
        2
        """
        first, second = (
            np.frombuffer(self._hashes, np.int64).reshape(-1, 2).T
            if self._hashes
            else np.empty((2, 0))
        )
        if len(np.unique(first)) == len(first):
            return 0
        order = np.lexsort((second, first))
        return int(((np.diff(first[order]) == 0) & (np.diff(second[order]) == 0)).sum())
