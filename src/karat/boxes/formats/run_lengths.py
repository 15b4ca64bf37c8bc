"""COCO's run lengths: how many pixels are not of an object, then how many are, and so on; as numbers or as text.

In text a number is digits of five bits, the lowest first, each a letter from "0" on; a sixth bit says that more follow,
and the highest bit of the last digit is the sign. From the fourth number on it is the difference to the last but one.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import BoolArray, IntArray
from karat.numeric.ragged import portions

ZERO = ord("0")
MORE = 0x20
SIGN = 0x10
BITS = 5
AT_ONCE = 4_000_000
"""How many letters are read at once."""
LARGEST = 63
"""The last digit, counted from `ZERO`."""


def lengths_of_texts(texts: Sequence[bytes]) -> tuple[IntArray, IntArray]:
    """Return the run lengths in texts, one text after the other, and how many each has; -1 where it is none.

    >>> lengths_of_texts([b"52", b"04"])
    (array([5, 2, 0, 4]), array([2, 2]))
    """
    lengths = []
    numbers = []
    letters = np.array([len(text) for text in texts], np.int64)
    for part in portions(letters, most=AT_ONCE):
        found, number = _read(b"".join(texts[part]), letters[part])
        lengths.append(found)
        numbers.append(number)
    if not lengths:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.concatenate(lengths), np.concatenate(numbers)


def _read(text: bytes, letters: IntArray) -> tuple[IntArray, IntArray]:
    digits = np.frombuffer(text, np.uint8).astype(np.int64) - ZERO
    of_text = np.repeat(np.arange(len(letters)), letters)
    bad = np.zeros(len(letters), bool)
    bad[of_text[(digits < 0) | (digits > LARGEST)]] = True
    last = digits & MORE == 0
    # A text that ends in the middle of a number would run into the next one.
    ends = letters.cumsum() - 1
    has_letters = letters > 0
    bad[has_letters] |= ~last[ends[has_letters]]
    last[ends[has_letters]] = True
    numbers = np.bincount(of_text[last], minlength=len(letters))
    return _lengths(_values(digits, last), numbers, bad)


def _values(digits: IntArray, last: BoolArray) -> IntArray:
    """Return the numbers that digits write."""
    if not len(digits):
        return np.zeros(0, np.int64)
    starts = np.flatnonzero(np.concatenate([[True], last[:-1]]))
    lengths = np.diff(starts, append=len(digits))
    place = np.arange(len(digits)) - np.repeat(starts, lengths)
    # What is too long for a number is none, and refused by its sum.
    shift = np.minimum(BITS * place, 60)
    values = np.add.reduceat((digits & (MORE - 1)) << shift, starts)
    negative = digits[last] & SIGN > 0
    values[negative] -= 1 << np.minimum(BITS * lengths[negative], 60)
    return values


def _lengths(values: IntArray, numbers: IntArray, bad: BoolArray) -> tuple[IntArray, IntArray]:
    """Return lengths from numbers that are differences to the last but one."""
    starts = numbers.cumsum() - numbers
    of_text = np.repeat(np.arange(len(numbers)), numbers)
    place = np.arange(len(values)) - np.repeat(starts, numbers)
    # The first number stands alone; the others are sums along every second one.
    chain = np.where(place == 0, 0, 1 + place % 2)
    order = np.argsort(3 * of_text + chain, kind="stable")
    total = values[order].cumsum()
    key = (3 * of_text + chain)[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    before = np.concatenate([[0], total])[first]
    lengths = np.empty(len(values), np.int64)
    lengths[order] = total - np.repeat(before, np.diff(first, append=len(values)))
    bad[of_text[lengths < 0]] = True
    lengths[bad[of_text]] = -1
    return lengths, numbers


def runs_of_lengths(
    lengths: npt.NDArray[np.int64], numbers: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the first pixel of each run of an object, the first after it, and how many runs each mask has."""
    starts = numbers.cumsum() - numbers
    place = np.arange(len(lengths)) - np.repeat(starts, numbers)
    total = lengths.cumsum()
    before = np.concatenate([[0], total])[starts]
    end = total - np.repeat(before, numbers)
    begin = end - lengths
    kept = (place % 2 == 1) & (lengths > 0)
    of_mask = np.repeat(np.arange(len(numbers)), numbers)
    return begin[kept], end[kept], np.bincount(of_mask[kept], minlength=len(numbers))
