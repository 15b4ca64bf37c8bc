"""Which character (or word) of an answer corresponds to which one of the truth: least edits, by RapidFuzz."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from karat.errors import InputError
from karat.source.counted_rows import Row
from karat.words import NOTHING


def library() -> Any:
    """Return RapidFuzz's Levenshtein, which text needs and nothing else does."""
    try:
        from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 (optional)
    except ImportError:
        raise InputError("aligning text needs RapidFuzz: pip install rapidfuzz") from None
    return Levenshtein


@dataclass(frozen=True, slots=True)
class Aligned:
    """An answer against the truth: what it has at each place of the truth, and what it inserts before which."""

    at: Sequence[str | None]
    inserted: Mapping[int, Sequence[str]]


def aligned(truth: Sequence[str], answer: Sequence[str]) -> Aligned:
    """Return what an answer has for each character of the truth: the same, another or nothing; and its insertions.

    The number of substitutions, losses and insertions together is the least there is.

    >>> aligned("cat", "chats")
    Aligned(at=['c', 'a', 't'], inserted={1: 'h', 3: 's'})
    """
    at: list[str | None] = []
    inserted: dict[int, Sequence[str]] = {}
    for edit, start, end, first, last in library().opcodes(truth, answer).as_list():
        if edit == "insert":
            inserted[start] = answer[first:last]
        elif edit == "delete":
            at += [NOTHING] * (end - start)
        else:
            at += answer[first:last]
    return Aligned(at, inserted)


@dataclass(frozen=True, slots=True)
class Alignment:
    """Several answers against the truth, as rows of the truth and each answer."""

    rows: list[Row]
    """A row for each character of the truth."""
    insertions: list[Row]
    insertion_places: list[str]


def against(truth: Sequence[str], answers: Sequence[Sequence[str] | None]) -> Alignment:
    """Return a row for each character of the truth and a row for each insertion.

    An answer of None, where there is no text, is a missing one. What several systems insert at one place stands in one
    row as far as it is the first, second, ... insertion there.
    """
    columns: list[Sequence[str | None]] = []
    inserted: list[Mapping[int, Sequence[str]]] = []
    for answer in answers:
        if answer is None:
            columns.append([None] * len(truth))
            inserted.append({})
        else:
            alignment = aligned(truth, answer)
            columns.append(alignment.at)
            inserted.append(alignment.inserted)
    rows: list[Row] = list(zip(truth, *columns, strict=True))
    insertions: list[Row] = []
    places: list[str] = []
    for place in sorted(set().union(*inserted)):
        at_place = [by_place.get(place, "") for by_place in inserted]
        for turn, characters in enumerate(_turns(at_place), 1):
            insertions.append((NOTHING, *characters))
            places.append(f"{place}+{turn}")
    return Alignment(rows, insertions, places)


def _turns(inserted: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Yield the first, second, ... insertion of each system, nothing where it has none."""
    for turn in range(max(map(len, inserted))):
        yield [text[turn] if turn < len(text) else NOTHING for text in inserted]
