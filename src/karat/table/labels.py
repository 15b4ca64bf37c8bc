"""How a stored value becomes a label: one text for one thing, None where there is no value."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.table.kinds import PAIRS
from karat.words import NOTHING

Codes = npt.NDArray[np.int64]
YES = {yes for yes, _ in PAIRS}
MOST_SPREAD = 1_000_000
WORDS = {word for pair in PAIRS for word in pair}


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The meaning of a table's values, the same for the truth and for every system."""

    pair: tuple[str, str] | None = None
    """The words for yes and no in a yes/no table; or the positive label and a word for all others."""
    whole: bool = False
    """Whether all values are whole numbers, so that 3 and 3.0 are one label."""
    positive: str | None = None
    nothing: str = NOTHING
    truth_sep: str | None = None
    missing: str = "wrong"

    def label(self, value: Any) -> str:
        """Return the label of one stored value.

        >>> Labels(pair=("yes", "no")).label("True"), Labels(whole=True).label(3.0)
        ('yes', '3')
        """
        text = plain(value)
        if self.pair is None:
            return (self.whole and _whole(text)) or text
        yes, no = self.pair
        if self.pair not in PAIRS:  # one label, and a word for all others
            return yes if text == yes else no
        word = (_whole(text) or text).lower()
        if word not in WORDS:
            return text
        return yes if word in YES else no

    def members(self, truth: str) -> tuple[str, ...]:
        """Return the right labels that a truth names: one, unless a separator makes it a set."""
        if self.truth_sep is None:
            return (truth,)
        parts = [part for part in truth.split(self.truth_sep) if part]
        labels = dict.fromkeys(self.label(part) for part in parts)
        return tuple(labels) or (truth,)


def plain(value: Any) -> str:
    """Return the text of a stored value: a truth value reads as it does in a file of text.

    >>> plain(True), plain("True"), plain(3.0)
    ('true', 'True', '3.0')
    """
    is_truth_value = isinstance(value, bool | np.bool_)
    return str(value).lower() if is_truth_value else str(value)


def _whole(text: str) -> str | None:
    """Return a whole number without its point and zeros; None if the text is not a whole number."""
    head, point, tail = text.partition(".")
    if tail.strip("0"):
        return None
    if head == "-0":
        return "0"
    is_number = point and head.lstrip("-").isdigit()
    return head if is_number else None


def factorise(values: npt.NDArray[Any]) -> tuple[Codes, list[Any]]:
    """Return a code per value, -1 where it is missing, and the value of each code."""
    mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    plain = np.ma.getdata(values)
    if plain.dtype == object:
        return _factorise_objects(plain, mask)
    present = ~mask if mask is not None else np.ones(len(plain), bool)
    if plain.dtype.kind == "f":
        present &= ~np.isnan(plain)
    codes = np.full(len(plain), -1, np.int64)
    distinct, codes[present] = _distinct(plain[present])
    return codes, distinct.tolist()


def _distinct(values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Codes]:
    """Return the sorted distinct values and the place of each value among them."""
    if values.dtype.kind != "i" or not len(values):
        return np.unique(values, return_inverse=True)
    if int(values.max()) - int(values.min()) > MOST_SPREAD:
        return np.unique(values, return_inverse=True)
    # Whole numbers in a narrow range need no sorting; in 8 bits, 127 - -128 would not fit.
    values = values.astype(np.int64)
    shifted = values - values.min()
    there = np.bincount(shifted) > 0
    return np.flatnonzero(there) + values.min(), (np.cumsum(there) - 1)[shifted]


def _factorise_objects(
    values: npt.NDArray[Any], mask: npt.NDArray[np.bool_] | None
) -> tuple[Codes, list[Any]]:
    place: defaultdict[Any, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(place.__getitem__, values), np.int64, len(values))
    distinct = list(place)
    absent = [code for value, code in place.items() if value is None]
    missing = np.isin(codes, absent) if absent else np.zeros(len(values), bool)
    codes[missing if mask is None else missing | mask] = -1
    return codes, distinct


def ordered(labels: Iterable[str]) -> tuple[str, ...]:
    """Return labels in the order a person expects: numbers by size, then words.

    >>> ordered(["10", "9", "cat"])
    ('9', '10', 'cat')
    """
    distinct = set(labels)
    numbers = {text for text in distinct if _is_number(text)}
    by_size = sorted(numbers, key=lambda text: (float(text), text))
    return (*by_size, *sorted(distinct - numbers))


def _is_number(text: str) -> bool:
    return text.isascii() and text.removeprefix("-").isdigit()
