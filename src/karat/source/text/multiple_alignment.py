"""Several texts aligned to each other, none of them the truth: a row holds what each has at one position."""

from collections import Counter
from collections.abc import Sequence

from karat.source.text.alignment import library
from karat.words import NOTHING

Column = list[str]


def multiple_alignment(texts: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return what each text has at each position, nothing where it has none.

    Progressive: the text that is closest to all others is the first column; the others join it from the nearest to
    the farthest, each by the least edits against the commonest character of every column so far. No chance is
    involved, and the order of the texts settles ties only.
    Reference: Thompson, Higgins & Gibson, Nucleic Acids Research 22, 1994, for the idea of joining the nearest first.

    >>> multiple_alignment(["cat", "chat", "at"])
    [('c', 'c', '∅'), ('∅', 'h', '∅'), ('a', 'a', 'a'), ('t', 't', 't')]
    """
    order = _nearest_first(texts)
    first, *others = order
    columns: list[Column] = [[character] for character in texts[first]]
    for number_joined, text in enumerate(others, 1):
        columns = _joined(columns, texts[text], number_joined)
    place_of_text = [order.index(text) for text in range(len(texts))]
    return [tuple(column[place] for place in place_of_text) for column in columns]


def _nearest_first(texts: Sequence[Sequence[str]]) -> list[int]:
    """Return the text that is closest to all others, then these from the nearest to the farthest."""
    distance = library().distance
    numbers = range(len(texts))
    distances = [[distance(one, other) for other in texts] for one in texts]
    centre = min(numbers, key=lambda text: (sum(distances[text]), text))
    return sorted(numbers, key=lambda text: (text != centre, distances[centre][text], text))


def _joined(columns: Sequence[Column], text: Sequence[str], number_joined: int) -> list[Column]:
    """Return the columns with one more text in them; characters that only it has are new columns."""
    consensus = [_commonest(column) for column in columns]
    joined: list[Column] = []
    for edit, start, end, first, last in library().opcodes(consensus, text).as_list():
        if edit == "insert":
            others = [NOTHING] * number_joined
            joined += [[*others, character] for character in text[first:last]]
        elif edit == "delete":
            joined += [[*column, NOTHING] for column in columns[start:end]]
        else:
            pairs = zip(columns[start:end], text[first:last], strict=True)
            joined += [[*column, character] for column, character in pairs]
    return joined


def _commonest(column: Column) -> str:
    """Return the character that most texts have; the first of them if several are as common."""
    numbers = Counter(character for character in column if character != NOTHING)
    return max(numbers, key=numbers.__getitem__)
