"""Labels as votes: each thing that somebody said at a place is a row of its own, with yes or no of everybody."""

from collections.abc import Iterable, Sequence

from karat.source.counted_rows import Row
from karat.words import NOTHING

YES, NO = "1", "0"


def as_votes(rows: Sequence[Row], places: Iterable[str]) -> tuple[list[Row], list[str]]:
    """Return each reading of a place as a row: yes of whoever reads so, and of the truth if it is a column.

    So a place has as many rows as it has readings, and what nobody said is no row.

    >>> as_votes([("cat", "bat", "∅"), ("sat", "sat", None)], ["1", "2"])
    ([('1', '0', '0'), ('0', '1', '0'), ('1', '1', None)], ['1/1', '1/2', '2/1'])
    """
    found: list[Row] = []
    names: list[str] = []
    for row, place in zip(rows, places, strict=True):
        for turn, sign in enumerate(
            dict.fromkeys(one for one in row if one not in {None, NOTHING}), 1
        ):
            found.append(tuple(None if one is None else YES if one == sign else NO for one in row))
            names.append(f"{place}/{turn}")
    return found, names
