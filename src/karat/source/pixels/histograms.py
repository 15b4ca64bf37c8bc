"""How many pixels of an image have each truth and each score: counted band by band, a system at a time, or together.

A histogram for each system is all that curves need, whatever the number of pixels. Which pixels two systems marked
together is counted for masks only, whose combinations are few.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.pixels.decoding import Band

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
DIRECT = 2**22
"""Up to how many different combinations are counted in a table of all of them."""
MOST_VALUES = 4_000_000
"""Different scores of one system in one image; more do not fit beside each other."""
FEW_BITS = 16
MOST_MASKS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """The different scores, rising, and how many pixels have each."""

    value: Floats
    number: Ints

    @property
    def total(self) -> int:
        """How many pixels there are."""
        return int(self.number.sum())


EMPTY = Histogram(np.zeros(0), np.zeros(0, np.int64))


class SystemCount:
    """Counts the pixels of one system in one image, by level of the truth and value."""

    def __init__(self, levels: int, dtype: npt.DTypeLike, name: str, step: float | None) -> None:
        self._dtype = np.dtype(dtype)
        self._levels = levels
        self._name = name
        self._step = step
        self._is_direct = self._dtype.kind == "u" and 8 * self._dtype.itemsize <= FEW_BITS
        self._size = 2 ** (8 * self._dtype.itemsize) if self._is_direct else 0
        self._number: Ints = np.zeros(levels * self._size, np.int64)
        self._parts: list[list[Histogram]] = [[] for _ in range(levels)]

    def add(self, levels: Band, values: Band) -> None:
        """Count some pixels: the level of the truth, from 0 up, and the value of each."""
        if self._is_direct:
            self._add_keys(levels, values)
            return
        for level in range(self._levels):
            numbers = values[levels == level].astype(np.float64)
            self._merge(level, _histogram(stepped(numbers, self._step)))

    def _add_keys(self, levels: Band, values: Band) -> None:
        bits = 8 * self._dtype.itemsize
        wide: Any = np.uint32 if self._levels * self._size > 2**16 else np.uint16
        key = levels.astype(wide)
        np.left_shift(key, wide(bits), out=key)
        np.bitwise_or(key, values, out=key)
        self._number += np.bincount(key, minlength=len(self._number))

    def _merge(self, level: int, part: Histogram) -> None:
        parts = self._parts[level]
        parts.append(part)
        if sum(len(one.value) for one in parts) <= MOST_VALUES:
            return
        parts[:] = [merged(parts)]
        if len(parts[0].value) > MOST_VALUES // 2:
            raise InputError(
                f"{self._name} has more than {MOST_VALUES // 2:,} different scores in one image; count them in steps, "
                "as --using step=0.0001, or save them with 16 bits"
            )

    def histograms(self) -> list[Histogram]:
        """Return the pixels of each level."""
        if not self._is_direct:
            return [merged(parts) for parts in self._parts]
        found = []
        for number in self._number.reshape(self._levels, self._size):
            value = np.flatnonzero(number)
            one = Histogram(value.astype(np.float64), number[value])
            if self._step is not None:
                one = merged([Histogram(stepped(one.value, self._step), one.number)])
            found.append(one)
        return found


def stepped(values: npt.NDArray[Any], step: float | None) -> npt.NDArray[Any]:
    """Return values rounded down to multiples of a step, if there is one."""
    if step is None:
        return values
    return np.asarray(np.floor(values.astype(np.float64) / step) * step)


def _histogram(values: Floats) -> Histogram:
    value, number = np.unique(values, return_counts=True)
    return Histogram(value + 0.0, number)


def merged(parts: Sequence[Histogram]) -> Histogram:
    """Return the sum of histograms, which need not be in order."""
    if not parts:
        return EMPTY
    value, place = np.unique(np.concatenate([one.value for one in parts]), return_inverse=True)
    number = np.concatenate([one.number for one in parts])
    return Histogram(value, np.bincount(place, number, len(value)).astype(np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class PixelRows:
    """Rows of a table: the level of the truth, the value of each system (a column each), and how many pixels."""

    level: Ints
    values: Floats
    number: Ints


def side_by_side(by_system: Sequence[Sequence[Histogram]]) -> PixelRows:
    """Return rows in which each system has its own histogram at every level of the truth.

    The systems were counted one by one, so that a row does not hold the scores of the same pixel: the highest score
    of one is beside the highest of the other, and so on down. So there are few rows, and all that is counted for a
    system by itself is as it was.

    >>> a = Histogram(np.array([1.0, 2.0]), np.array([3, 1]))
    >>> b = Histogram(np.array([7.0, 9.0]), np.array([2, 2]))
    >>> rows = side_by_side([[a], [b]])
    >>> rows.values.tolist(), rows.number.tolist()
    ([[1.0, 7.0], [1.0, 9.0], [2.0, 9.0]], [2, 1, 1])
    """
    levels, values, numbers = [], [], []
    for level, own in enumerate(zip(*by_system, strict=True)):
        ends = [one.number.cumsum() for one in own]
        edges = np.unique(np.concatenate(ends))
        columns = []
        for one, end in zip(own, ends, strict=True):
            columns.append(one.value[np.searchsorted(end, edges)])
        values.append(np.stack(columns, axis=1))
        numbers.append(np.diff(edges, prepend=0))
        levels.append(np.full(len(edges), level))
    return PixelRows(np.concatenate(levels), np.concatenate(values), np.concatenate(numbers))


class MaskCount:
    """Counts which masks of one image are marked together, by level of the truth."""

    def __init__(self, levels: int, systems: int) -> None:
        if systems > MOST_MASKS:
            raise InputError(
                f"masks of up to {MOST_MASKS} systems are counted together, and here are {systems}; "
                "name fewer with --systems"
            )
        self._systems = systems
        self._is_direct = levels * 2**systems <= DIRECT
        size = levels * 2**systems if self._is_direct else 0
        self._number: Ints = np.zeros(size, np.int64)
        self._parts: list[Histogram] = []

    def add(self, levels: Band, marks: Sequence[npt.NDArray[np.bool_]]) -> None:
        """Count some pixels."""
        wide: Any = np.min_scalar_type(len(self._number)).type if self._is_direct else np.int64
        key = levels.astype(wide)
        for mark in marks:
            np.left_shift(key, wide(1), out=key)
            np.bitwise_or(key, mark, out=key)
        if self._is_direct:
            self._number += np.bincount(key, minlength=len(self._number))
        else:
            self._parts = [merged([*self._parts, _histogram(key.astype(np.float64))])]

    def rows(self) -> PixelRows:
        """Return the rows: 1 where a mask is marked, 0 where it is not."""
        if self._is_direct:
            key = np.flatnonzero(self._number)
            number = self._number[key]
        else:
            whole = merged(self._parts)
            key, number = whole.value.astype(np.int64), whole.number
        places = np.arange(self._systems)[::-1]
        values = (key[:, None] >> places) & 1
        return PixelRows(key >> self._systems, values.astype(np.float64), number)
