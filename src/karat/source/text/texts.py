"""The texts of each page: what every source of texts hands on."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from karat.source.faults import Faults
from karat.source.lines import whole


@dataclass(frozen=True, slots=True)
class Texts:
    """One page: its true text, if there is one, and each system's, None where it has no such page."""

    name: str
    truth: str | None
    answers: tuple[str | None, ...]
    beside: tuple[str | None, ...] = ()
    """The values of the columns beside the texts."""

    def read(self, faults: Faults) -> "Texts":
        """Return the page, which is read already."""
        del faults
        return self


@dataclass(frozen=True, slots=True)
class PageFiles:
    """One page whose texts are files of their own; whoever makes rows of it reads them."""

    name: str
    truth: Path | None
    answers: tuple[Path | None, ...]

    def read(self, faults: Faults) -> Texts | None:
        """Return the texts; nothing if the true one cannot be read."""
        truth = None
        if self.truth:
            truth = whole(self.truth, faults)
            if truth is None:
                return None
        answers = [whole(path, faults) if path else None for path in self.answers]
        return Texts(self.name, truth, tuple(answers))


@dataclass(frozen=True, slots=True)
class TextPages:
    """The texts of all pages, read one page at a time."""

    origin: str
    systems: tuple[str, ...]
    truth: str | None
    """The name of the truth's column."""
    pages: Iterator[Texts] | Iterator[PageFiles]
    beside: tuple[str, ...] = ()
    """The columns beside the texts that were requested: clusters or groups of pages, or their names."""
    notes: tuple[str, ...] = ()
