"""Several texts aligned to each other, none of them the truth: what each says at one position stands in one row."""

from collections import Counter
from collections.abc import Sequence

from karat.source.text.alignment import library
from karat.words import NOTHING

Column = list[str]


def multiple_alignment(texts: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return what each text has at each position, nothing where it has none.

    Progressive: the text that is closest to all others is the first column; the others join it from the nearest to
    the farthest, each by the least edits against the commonest sign of every column so far. No chance is involved, and
    the order of the texts settles ties only.
    Reference: Thompson, Higgins & Gibson, Nucleic Acids Research 22, 1994, for the idea of joining the nearest first.

    >>> multiple_alignment(["cat", "chat", "at"])
    [('c', 'c', '∅'), ('∅', 'h', '∅'), ('a', 'a', 'a'), ('t', 't', 't')]
    """
    order = _nearest_first(texts)
    columns: list[Column] = [[sign] for sign in texts[order[0]]]
    for joined, place in enumerate(order[1:], 1):
        columns = _joined(columns, texts[place], joined)
    back = [order.index(place) for place in range(len(texts))]
    return [tuple(column[place] for place in back) for column in columns]


def _nearest_first(texts: Sequence[Sequence[str]]) -> list[int]:
    distance = library().distance
    apart = [[distance(one, other) for other in texts] for one in texts]
    centre = min(range(len(texts)), key=lambda place: (sum(apart[place]), place))
    return sorted(
        range(len(texts)), key=lambda place: (place != centre, apart[centre][place], place)
    )


def _joined(columns: Sequence[Column], text: Sequence[str], depth: int) -> list[Column]:
    """Return the columns with one more text in them; signs that only it has are new columns."""
    found: list[Column] = []
    for edit, start, end, first, last in (
        library().opcodes([_commonest(column) for column in columns], text).as_list()
    ):
        if edit == "insert":
            found += [[*[NOTHING] * depth, sign] for sign in text[first:last]]
        elif edit == "delete":
            found += [[*column, NOTHING] for column in columns[start:end]]
        else:
            found += [
                [*column, sign]
                for column, sign in zip(columns[start:end], text[first:last], strict=True)
            ]
    return found


def _commonest(column: Column) -> str:
    """Return the sign that most texts have; the first of them if several are as common."""
    return max(
        Counter(sign for sign in column if sign != NOTHING).items(), key=lambda pair: pair[1]
    )[0]
