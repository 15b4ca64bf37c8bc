"""Tokens and tags in CoNLL columns, sentence by sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import normalize

from karat.errors import InputError, OptionError
from karat.source.entities.tags import Span, spans, split
from karat.source.faults import Faults
from karat.source.lines import lines
from karat.words import listing

DOCUMENT_START = "-DOCSTART-"
HEADERS = {"token", "tokens", "word", "words", "form"}
"""What the first column is called where a file begins with the names of its columns."""
OUTSIDE = ("O", "")


@dataclass(slots=True)
class Sentence:
    """Tokens and tags, and the line of each."""

    tokens: list[str] = field(default_factory=list)
    tags: list[tuple[str, str]] = field(default_factory=list)
    written: list[str | None] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    document: int | None = None
    """Which document it is of, where -DOCSTART- lines begin them."""

    def add(self, token: str, tag: tuple[str, str], written: str | None, line: int) -> None:
        """Add a token; é is the same token whether it is written as one character or as e and an accent."""
        self.tokens.append(normalize("NFC", token))
        self.tags.append(tag)
        self.written.append(written)
        self.lines.append(line)

    def spans(self) -> list[Span]:
        """Return the entities."""
        return spans(self.tags)


@dataclass(frozen=True, slots=True)
class TagColumn:
    """The column of the tag: a number, or a name of the header; maybe some columns before it."""

    text: str
    before: int = 0
    ignores_case: bool = False

    def place(self, header: Sequence[str], path: Path) -> int:
        """Return the number of the column."""
        try:
            return int(self.text) - self.before
        except ValueError:
            pass
        if self.text in header:
            return list(header).index(self.text) - self.before
        if header:
            raise InputError(
                f"{path} has no column {self.text!r}, which --using column names; it has {listing(header)}"
            )
        raise OptionError(
            f"--using column is {self.text!r}; it is a number, 0 for the first column and -1 for the last, "
            "or a name where files begin with a line of names (TOKEN ...)"
        )


def sentences(path: Path, column: TagColumn, faults: Faults) -> Iterator[Sentence]:
    """Yield the sentences of a file."""
    sentence = Sentence()
    document: int | None = None
    place: int | None = None
    for number, line in lines(path, faults):
        cells = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or cells[0] == DOCUMENT_START:
            if sentence.tokens:
                yield sentence
            if cells and cells[0] == DOCUMENT_START:
                document = 1 if document is None else document + 1
            sentence = Sentence(document=document)
            continue
        if place is None and is_header(cells):
            place = column.place([cell.strip() for cell in cells], path)
            continue
        if is_comment(line, cells):
            continue
        if place is None:
            place = column.place((), path)
        _add(sentence, cells, place, column, f"{path}, line {number}", number, faults)
    if sentence.tokens:
        yield sentence


def is_header(cells: Sequence[str]) -> bool:
    """Return whether a line names the columns: the first has such a name, and the last is not a tag."""
    return (
        cells[0].strip().lower() in HEADERS and len(cells) > 1 and split(cells[-1].strip()) is None
    )


def is_comment(line: str, cells: Sequence[str]) -> bool:
    """Return whether a line is a comment: it begins with # and does not end in a tag, or gives a value to a name."""
    if not line.startswith("#"):
        return False
    if line.startswith("# ") and " = " in line:
        return True
    return "\t" not in line and (len(cells) == 1 or split(cells[-1]) is None)


def _add(
    sentence: Sentence,
    cells: Sequence[str],
    place: int,
    column: TagColumn,
    where: str,
    line: int,
    faults: Faults,
) -> None:
    """Add a token; one whose tag cannot be read is outside of every entity."""
    has_column = -len(cells) <= place < len(cells)
    written = cells[place].strip() if has_column else ""
    tag = split(written) if len(cells) > 1 else None
    if tag is None:
        if len(cells) == 1:
            what = f"a token alone, {cells[0]!r}, without a tag"
        elif has_column:
            what = f"{written!r} is not a tag"
        else:
            what = f"{len(cells)} columns, and column {place} is not among them (0 is the first)"
        faults.add(where, f"{what}; a tag is O or like B-PER, I-PER, E-PER, S-PER")
        tag = OUTSIDE
        written = "O"
    if column.ignores_case:
        letter, kind = tag
        tag = (letter, kind.upper())
        written = written.upper()
    sentence.add(cells[0], tag, written, line)
