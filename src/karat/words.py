"""Numbers and names as a reader wants them."""

import re
from collections.abc import Iterable

EMPTY_TEXT = "(empty text)"
"""A text that is there and holds nothing, in a table whose empty cells are missing."""
NOTHING = "∅"
"""The label of what is not there: the truth of an insertion, the answer of a loss."""

OBEYED = re.compile(
    r"[\x00-\x1f\x7f-\x9f"  # controls: escape, return, tab, bell, ...
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # the direction of text
    r"\u2028\u2029"  # ends of lines and paragraphs
    r"\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # not seen; joiners are, by what they join
    r"\ud800-\udfff"  # half a character, or a byte of a file's name that is no text
    r"\U000e0000-\U000e007f]"  # tags: letters that are not seen
)
"""What is obeyed rather than seen."""

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


def printable(text: str, *, kept: str = "") -> str:
    r"""Return a text in which every character that would be obeyed rather than seen is written out.

    A terminal obeys control characters; a reader of text is misled by those that turn its direction, break its line
    or are not seen at all. Letters of every script stay as they are, and so do the joiners between them, and what is
    to be kept, such as line ends where a text has several lines.

    >>> print(printable("\x1b[2Ja\u202eb\n"))
    \x1b[2Ja\u202eb\n
    """

    def written_out(found: re.Match[str]) -> str:
        letter = found[0]
        return letter if letter in kept else repr(letter)[1:-1]

    return OBEYED.sub(written_out, text)
