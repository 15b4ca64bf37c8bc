"""Labels as votes: each reading of a place is a row of its own, with yes or no of every system."""

from collections.abc import Iterable, Sequence

from karat.source.counted_rows import Row
from karat.words import NOTHING

YES, NO = "1", "0"


def as_votes(rows: Sequence[Row], places: Iterable[str]) -> tuple[list[Row], list[str]]:
    """Return each reading of a place as a row: yes for every system that reads so, and for the truth if it is a column.

    So a place has as many rows as it has readings, and what nobody reads is not a row.

    >>> as_votes([("cat", "bat", "∅"), ("sat", "sat", None)], ["1", "2"])
    ([('1', '0', '0'), ('0', '1', '0'), ('1', '1', None)], ['1/1', '1/2', '2/1'])
    """
    votes: list[Row] = []
    names: list[str] = []
    for row, place in zip(rows, places, strict=True):
        readings = dict.fromkeys(label for label in row if label is not None and label != NOTHING)
        for number, reading in enumerate(readings, 1):
            votes.append(_votes(row, reading))
            names.append(f"{place}/{number}")
    return votes, names


def _votes(row: Row, reading: str) -> Row:
    """Return who reads so: yes or no of each, None of those with no answer."""
    votes: list[str | None] = []
    for label in row:
        if label is None:
            votes.append(None)
        else:
            votes.append(YES if label == reading else NO)
    return tuple(votes)
