"""Who reads pages, here or on a cluster's workers: some of them at a time, as texts or as rows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Protocol, TypeVar

from karat.source.counted_rows import PLACE, Page, Row
from karat.source.each import Each
from karat.source.faults import Faults
from karat.source.text.normalise import normaliser
from karat.source.text.page_rows import (
    NamedRows,
    aligned_rows,
    characters,
    classless,
    counted_words,
    words,
)
from karat.source.text.texts import PageFiles, Texts
from karat.source.vote_rows import as_votes

AT_ONCE = 32
"""How many pages are read in one go: enough that a cluster has work, few enough that their rows fit in memory."""
AT_ONCE_WITH_PLACES = 4
"""So many where every row of a page is kept by itself."""
Made = TypeVar("Made")
SomePages = Sequence[Texts | PageFiles]


@dataclass(frozen=True, slots=True)
class Readings(Generic[Made]):
    """What was made of some pages, and what was wrong with them."""

    made: list[Made]
    faults: Faults


class PageReader(Protocol[Made]):
    """Makes something of some pages."""

    @property
    def at_once(self) -> int:
        """How many pages it is given in one go."""
        ...

    def __call__(self, pages: SomePages) -> "Readings[Made]":
        """Read the pages."""
        ...


def read_pages(
    reader: PageReader[Made], pages: Iterable[Texts | PageFiles], faults: Faults, each: Each
) -> Iterator[Made]:
    """Yield what a reader makes of all pages, in their order."""
    for readings in each(reader, _parts(iter(pages), reader.at_once)):
        faults.include(readings.faults)
        yield from readings.made


def _parts(pages: Iterator[Texts | PageFiles], at_once: int) -> Iterator[list[Texts | PageFiles]]:
    while part := list(islice(pages, at_once)):
        yield part


@dataclass(frozen=True, slots=True)
class TextReader:
    """Reads pages as normalised texts."""

    normalise: str
    lenient: bool
    at_once: int = AT_ONCE

    def __call__(self, pages: SomePages) -> Readings[Texts]:
        """Return the texts of the pages."""
        normalise, _ = normaliser(self.normalise)
        faults = Faults(lenient=self.lenient)
        made = []
        for page in pages:
            texts = page.read(faults)
            if texts is None:
                continue
            truth = None if texts.truth is None else normalise(texts.truth)
            answers = [None if one is None else normalise(one) for one in texts.answers]
            made.append(Texts(texts.name, truth, tuple(answers), texts.beside))
        return Readings(made, faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowReader:
    """Reads pages as rows: of characters or words, aligned to each other, or of words without their order."""

    unit: str
    normalise: str
    has_labels: bool
    is_classless: bool
    keeps: frozenset[str]
    """Which of page and place distinguish rows; where neither does, equal rows are counted together."""
    lenient: bool

    @property
    def at_once(self) -> int:
        """How many pages are read in one go."""
        return AT_ONCE_WITH_PLACES if PLACE in self.keeps else AT_ONCE

    def __call__(self, pages: SomePages) -> Readings[Page]:
        """Return the rows of each page, or the number of each row of all of them."""
        readings = TextReader(self.normalise, lenient=self.lenient)(pages)
        if self.keeps:
            return Readings([self._page(texts) for texts in readings.made], readings.faults)
        number: Counter[Row] = Counter()
        for texts in readings.made:
            number.update(self._page(texts).rows)
        return Readings([Page("", number)], readings.faults)

    def _page(self, texts: Texts) -> Page:
        split = characters if self.unit == "text" else words
        truth = None if texts.truth is None else split(texts.truth)
        answers = [None if one is None else split(one) for one in texts.answers]
        found = self._rows(truth, answers)
        if not self.has_labels:
            return Page(texts.name, *as_votes(found.rows, found.places))
        rows = map(classless, found.rows) if self.is_classless else found.rows
        places = list(found.places) if PLACE in self.keeps else None
        return Page(texts.name, list(rows), places)

    def _rows(self, truth: Sequence[str] | None, answers: list[Sequence[str] | None]) -> NamedRows:
        make = counted_words if self.unit == "bag" else aligned_rows
        return make(truth, answers)
