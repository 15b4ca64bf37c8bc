"""Which key stands for which label."""

from collections.abc import Sequence

RESERVED = frozenset("uosn")
"""Keys of the page itself: undecidable, other, show answers, note."""
NUMBERS = "1234567890"


def label_keys(labels: Sequence[str]) -> list[str] | None:
    """Return a key for each label: its own character where all have one, else numbers; None where they are too many.

    >>> label_keys(["0", "1", "8"]), label_keys(["A", "B"]), label_keys(["cat", "dog"])
    (['0', '1', '8'], ['a', 'b'], ['1', '2'])
    >>> label_keys(["n", "y"])  # n is the key of notes
    ['1', '2']
    """
    own = [label.lower() for label in labels]
    are_keys = all(len(key) == 1 and key.isascii() and key.isalnum() for key in own)
    if are_keys and len(set(own)) == len(own) and not RESERVED & set(own):
        return own
    if len(labels) <= len(NUMBERS):
        return list(NUMBERS[: len(labels)])
    return None
