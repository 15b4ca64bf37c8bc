"""Which sign of an answer stands for which sign of the truth: least edits, by RapidFuzz."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from karat.errors import InputError
from karat.source.counted_rows import Row
from karat.words import NOTHING

Sign = TypeVar("Sign", bound=Hashable)


def library() -> Any:
    """Return RapidFuzz's Levenshtein, which text needs and nothing else does."""
    try:
        from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 (optional)
    except ImportError:
        raise InputError("aligning text needs RapidFuzz: pip install rapidfuzz") from None
    return Levenshtein


@dataclass(frozen=True, slots=True)
class Aligned:
    """An answer against the truth: what stands at each place of it, and what was inserted before which."""

    at: Sequence[str | None]
    inserted: Mapping[int, Sequence[str]]


def aligned(truth: Sequence[str], answer: Sequence[str]) -> Aligned:
    """Return an answer sign by sign of the truth: the same, another, or nothing; insertions apart.

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


def against(
    truth: Sequence[str], answers: Sequence[Sequence[str] | None]
) -> tuple[list[Row], list[Row], list[str]]:
    """Return a row per sign of the truth, a row per insertion, and the places of the latter.

    A row is the truth and each answer; an answer of None, where there is no text, is a missing one. What several
    systems insert at one place stands in one row as far as it is the first, second, ... insertion there.
    """
    parts = [aligned(truth, [] if answer is None else answer) for answer in answers]
    columns = [
        [None] * len(truth) if answer is None else part.at
        for part, answer in zip(parts, answers, strict=True)
    ]
    rows: list[Row] = list(zip(truth, *columns, strict=True))
    places: list[str] = []
    extra: list[Row] = []
    for place in sorted({place for part in parts for place in part.inserted}):
        for turn, signs in enumerate(_slots([part.inserted.get(place, "") for part in parts]), 1):
            extra.append((NOTHING, *signs))
            places.append(f"{place}+{turn}")
    return rows, extra, places


def _slots(inserted: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Yield the first, second, ... insertion of each system, nothing where it has none."""
    for turn in range(max(map(len, inserted))):
        yield [signs[turn] if turn < len(signs) else NOTHING for signs in inserted]
