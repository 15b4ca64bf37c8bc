"""The texts of each page: what every source of texts hands on."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Texts:
    """One page: its true text, if there is one, and each system's, None where it has no such page."""

    name: str
    truth: str | None
    answers: tuple[str | None, ...]
    beside: tuple[str | None, ...] = ()
    """The values of the columns beside the texts."""


@dataclass(frozen=True, slots=True)
class Book:
    """All pages, read one at a time."""

    origin: str
    systems: tuple[str, ...]
    truth: str | None
    """The name of the truth's column."""
    pages: Iterator[Texts]
    beside: tuple[str, ...] = ()
    """The columns beside the texts that were requested: clusters or groups of pages, or their names."""
    notes: tuple[str, ...] = ()
