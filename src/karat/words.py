"""Numbers and names as a reader wants them."""

import unicodedata
from collections.abc import Iterable

NOTHING = "∅"
"""The label of what is not there: the truth of an insertion, the answer of a loss."""


NUMBER = r"(?:\d+\.?\d*|\.\d+)"
"""A number of 0 or more as people write it, for patterns; what matches is one."""


def listing(names: Iterable[str], *, most: int = 12) -> str:
    """Return names quoted, and cut where there are too many.

    >>> listing(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    quoted = [repr(name) for name in names]
    rest = len(quoted) - most
    return ", ".join(quoted[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def any_of(names: Iterable[str]) -> str:
    """Return names as a choice.

    >>> any_of(["first", "majority", "keep"]), any_of(["exact"])
    ('first, majority or keep', 'exact')
    """
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def counted(number: int, noun: str) -> str:
    """Return a number of things.

    >>> counted(1, "item"), counted(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{number:,} {noun}" + ("s" if number != 1 else "")


def printable(text: str) -> str:
    r"""Return a text in which control characters, which a terminal would obey, are written out; lines stay lines.

    >>> printable("\x1b[2Ja")
    '\\x1b[2Ja'
    """
    obeyed = (letter != "\n" and unicodedata.category(letter) == "Cc" for letter in text)
    return "".join(
        repr(letter)[1:-1] if bad else letter for letter, bad in zip(text, obeyed, strict=True)
    )
