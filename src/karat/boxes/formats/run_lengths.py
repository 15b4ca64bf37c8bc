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
AT_ONCE = 100_000
"""How many letters are read at once: as many as stay in the cache."""
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
    has_numbers = numbers > 0
    starts = (numbers.cumsum() - numbers)[has_numbers]
    place = np.arange(len(values)) - np.repeat(starts, numbers[has_numbers])
    # The first number stands alone; the others are sums along every second one.
    is_odd = (place & 1).astype(bool)
    lengths = np.where(
        is_odd,
        _sums_from(starts, np.where(is_odd, values, 0)),
        _sums_from(starts, np.where(is_odd | (place == 0), 0, values)),
    )
    lengths[starts] = values[starts]
    of_text = np.repeat(np.arange(len(numbers)), numbers)
    bad[of_text[lengths < 0]] = True
    lengths[bad[of_text]] = -1
    return lengths, numbers


def _sums_from(starts: IntArray, values: IntArray) -> IntArray:
    """Return the sum of the values before each one, and of itself, from the last start on; at a start stands a 0."""
    total = values.cumsum()
    return np.asarray(total - np.repeat(total[starts], np.diff(starts, append=len(values))))


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
    kept = (place & 1 == 1) & (lengths > 0)
    of_mask = np.repeat(np.arange(len(numbers)), numbers)
    return begin[kept], end[kept], np.bincount(of_mask[kept], minlength=len(numbers))
