"""Lines of cells between white space, cut many at a time: for files of millions of lines that are all alike."""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from karat.source.lines import BOM

SIZE = 1 << 20
"""How many bytes are cut at once: as many as a processor's cache holds."""
PAD = 1 << 10
"""The longest cell that is cut here."""
WHITE = (b" ", b"\t", b"\r")
UNUSUAL = [chr(code) for code in range(0x80, 0x3001) if chr(code).isspace()]
"""White space beyond ASCII, at which Python cuts too."""
Whole = npt.NDArray[np.int64]


class UnevenError(Exception):
    """A line is not like the others, or cannot be cut here: somebody must look at every line."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines of a file, and where each of their cells begins and ends."""

    data: npt.NDArray[np.uint8]
    """The lines between zeros, so many that a window over a cell never leaves them."""
    starts: Whole
    ends: Whole

    def signs(self, column: int, *, right: bool = False) -> npt.NDArray[np.uint8]:
        """Return one column, a row of signs for each line, with zeros behind the last, or before the first."""
        starts, lengths = self.starts[:, column], self.ends[:, column] - self.starts[:, column]
        longest = int(lengths.max())
        if longest * len(starts) > 8 * SIZE or longest > PAD:
            raise UnevenError
        shift = (longest - lengths)[:, None] if right else np.zeros((1, 1), np.int64)
        found: npt.NDArray[np.uint8] = sliding_window_view(self.data, longest)[
            starts + PAD - shift.ravel()
        ]
        places = np.arange(longest) - shift
        found[(places < 0) | (places >= lengths[:, None])] = 0
        return found

    def cells(self, column: int) -> npt.NDArray[np.bytes_]:
        """Return one column as bytes."""
        signs = self.signs(column)
        cells: npt.NDArray[np.bytes_] = signs.view(f"S{signs.shape[1]}").ravel()
        return cells

    def keys(self, *columns: int) -> npt.NDArray[np.uint64]:
        """Return a number for what several columns say together, equal where they are and hardly ever elsewhere."""
        found = np.zeros(len(self.starts), np.uint64)
        for column in columns:
            signs = self.signs(column)
            wide = np.zeros((len(signs), -(-signs.shape[1] // 8) * 8), np.uint8)
            wide[:, : signs.shape[1]] = signs
            for word in wide.view("<u8").T:
                found = np.where(word == 0, found, _mixed(found ^ word))
            found = _mixed(found)
        return found

    def numbers(self, column: int) -> npt.NDArray[np.float64]:
        """Return one column as numbers, all of them finite."""
        found = _decimals(self.signs(column, right=True))
        try:
            found = self.cells(column).astype(np.float64) if found is None else found
        except ValueError:
            raise UnevenError from None
        if not np.isfinite(found).all():
            raise UnevenError
        return found

    def runs(self, column: int) -> npt.NDArray[Any]:
        """Return one column as texts; those of neighbouring lines that are equal are one object."""
        cells = self.cells(column)
        first = np.flatnonzero(np.concatenate([[True], cells[1:] != cells[:-1]]))
        texts = np.array([cell.decode() for cell in cells[first].tolist()], object)
        return np.repeat(texts, np.diff(first, append=len(cells)))

    def pairs(self, one: int, other: int) -> list[str]:
        """Return two columns, one before the other, with a space between them."""
        text = self.data[PAD:-PAD].copy()
        mark = np.zeros(len(text) + 1, np.int8)
        for column, sign in ((one, b" "), (other, b"\n")):
            mark[self.starts[:, column]] = 1
            mark[self.ends[:, column] + 1] = -1
            text[self.ends[:, column]] = ord(sign)
        kept = np.cumsum(mark[:-1], dtype=np.int8).view(np.bool_)
        return text[kept].tobytes().decode().split("\n")[:-1]


FACTOR, HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    product = (numbers + FACTOR) * FACTOR
    return product ^ (product >> HALF)


def key_of(*cells: str) -> int:
    """Return the key of cells, as a block has it."""
    found = np.zeros(1, np.uint64)
    for cell in cells:
        data = cell.encode()
        words = np.frombuffer(data + bytes(-len(data) % 8), "<u8")
        for word in words[words != 0]:
            found = _mixed(found ^ word)
        found = _mixed(found)
    return int(found[0])


def blocks(path: Path, width: int) -> Iterator[Block]:
    """Yield the lines of a file, each of which has so many cells; an error where one has not."""
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            rest = file.read(len(BOM)).removeprefix(BOM)
            while data := file.read(SIZE):
                lines, newline, rest = (rest + data).rpartition(b"\n")
                if len(rest) > 8 * SIZE:
                    raise UnevenError
                if lines:
                    yield _cut(lines + newline, width)
            if rest:
                yield _cut(rest + b"\n", width)
    except (OSError, EOFError, zlib.error):
        raise UnevenError from None


def _cut(data: bytes, width: int) -> Block:
    if not data.isascii():
        _check_unusual(data)
    padded = np.frombuffer(bytes(PAD) + data + bytes(PAD), np.uint8)
    signs = padded[PAD:-PAD]
    white = signs <= ord(" ")
    edges = np.flatnonzero(white[1:] != white[:-1]) + 1
    if not white[0]:
        edges = np.concatenate([[0], edges])
    newlines = np.flatnonzero(signs == ord("\n"))
    if len(edges) != 2 * width * len(newlines) or white.sum() != len(newlines) + sum(
        map(data.count, WHITE)
    ):
        raise UnevenError
    cells = edges.reshape(-1, width, 2)
    starts, ends = cells[:, :, 0], cells[:, :, 1]
    if (newlines < ends[:, -1]).any() or (newlines[:-1] > starts[1:, 0]).any():
        raise UnevenError
    return Block(padded, starts, ends)


def _decimals(signs: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64] | None:
    """Return numbers of up to 15 digits that all have their point at one place or none; None if one is otherwise.

    So many digits are a whole number that a float holds exactly, as it does 10 to the power of 15; and the quotient of
    two such numbers is rounded once, to what the text says.
    """
    width = signs.shape[1]
    points = signs == ord(".")
    behind = width - 1 - int(points[0].argmax()) if points[0].any() else 0
    digits = signs - np.uint8(ord("0"))
    fits = (digits < 10) | (signs == 0)
    if behind:
        fits[:, width - 1 - behind] = points[:, width - 1 - behind]
    if width - bool(behind) > 15 or not fits.all() or not (digits < 10).any(axis=1).all():
        return None
    digits[digits >= 10] = 0
    places = np.delete(digits, width - 1 - behind, axis=1) if behind else digits
    return places @ 10.0 ** np.arange(places.shape[1] - 1, -1, -1) / 10.0**behind


def _check_unusual(data: bytes) -> None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise UnevenError from None
    if any(sign in text for sign in UNUSUAL):
        raise UnevenError
