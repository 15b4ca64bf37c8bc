"""Tags of tokens as spans: BIO, BIOES and BILOU, read as the field's scorers read them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

TAG = re.compile(r"[Oo]|([BIESLUM])(?:-(.+))?")
UNSPECIFIED = "_"
"""What CoNLL columns hold where there is no value."""
SAME = {"L": "E", "U": "S", "M": "I"}
"""The letters of BILOU, and the M of others, as those of BIOES."""


class Span(NamedTuple):
    """Where it starts, where it ends (exclusive), and its type."""

    start: int
    end: int
    label: str


def split(tag: str) -> tuple[str, str] | None:
    """Return the letter and the type of a tag; None if it is not a tag.

    >>> split("B-PER"), split("O"), split("U-LOC"), split("PER")
    (('B', 'PER'), ('O', ''), ('S', 'LOC'), None)
    """
    if tag == UNSPECIFIED:
        return "O", ""
    parts = TAG.fullmatch(tag)
    if not parts:
        return None
    letter, kind = parts.groups()
    if not letter:
        return "O", ""
    return SAME.get(letter, letter), kind or "_"


def spans(tags: Sequence[tuple[str, str]]) -> list[Span]:
    """Return the spans of a sentence's tags, each given as letter and type.

    An I or E that continues nothing, or something of another type, begins a span, as conlleval has it.

    >>> spans([("B", "PER"), ("I", "PER"), ("O", ""), ("I", "LOC")])
    [Span(start=0, end=2, label='PER'), Span(start=3, end=4, label='LOC')]
    """
    found: list[Span] = []
    start = 0
    open_type = ""
    last = "O"
    for place, (letter, kind) in enumerate([*tags, ("O", "")]):
        goes_on = letter in "IE" and last in "BI" and kind == open_type
        if last != "O" and not goes_on:
            found.append(Span(start, place, open_type))
        if not goes_on:
            start = place
        last = letter
        open_type = kind
    return found
