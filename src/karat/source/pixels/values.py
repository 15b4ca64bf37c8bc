"""What grey values mean: marks in a mask, numbers of annotators, scores."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.pixels.decoding import Band

Mask = npt.NDArray[np.bool_]
TOPS = (1, 255, 65535)
"""What marked pixels hold: 1, or the largest value of 8 or 16 bits."""


class MarkedValues:
    """Reads the marks of one image, band by band; refuses grey values, unless a threshold was given."""

    def __init__(self, path: Path, threshold: float | None, option: str) -> None:
        self._path = path
        self._threshold = threshold
        self._option = option
        self._mark = 0

    def of(self, band: Band, top: int) -> Mask:
        """Return which pixels of a band are marked; `top` is its first row."""
        if self._threshold is not None:
            return np.asarray(band >= self._threshold)
        marked = np.asarray(band != 0)
        highest = band.max()
        if highest:
            self._check(band, marked, highest, top)
            self._mark = int(highest)
        return marked

    def _check(self, band: Band, marked: Mask, highest: Any, top: int) -> None:
        is_grey = marked & (band != highest)
        if is_grey.any():
            self._refuse(band, is_grey, top)
        if self._mark not in {0, highest} or highest not in TOPS:
            self._refuse(band, marked, top)

    def _refuse(self, band: Band, where: Mask, top: int) -> None:
        row, column = np.argwhere(where)[0]
        value = band[row, column]
        raise InputError(
            f"{self._path} is not a mask: it has grey value {value:g} in row {top + row}, column {column} (from 0). "
            "A mask holds 0 and one of 1, 255 and 65535. If greater values mean yes, give the smallest of them with "
            f"--using {self._option}=128; if values are classes, make a mask for each"
        )


def marks_of_annotators(path: Path, band: Band, most: int, top: int) -> npt.NDArray[np.int64]:
    """Return how many annotators marked each pixel, where the values of an image are such numbers."""
    number = band.astype(np.int64)
    wrong = (number != band) | (number < 0) | (number > most)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InputError(
            f"{path}: row {top + row}, column {column} (from 0) has the value {band[row, column]:g}, where the number "
            f"of annotators who marked the pixel should stand, 0 to {most} by --using annotators={most}"
        )
    return number


def check_finite(path: Path, band: Band, top: int) -> None:
    """Refuse scores that are not numbers."""
    if band.dtype.kind != "f":
        return
    wrong = ~np.isfinite(band)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InputError(
            f"{path}: row {top + row}, column {column} (from 0) has the score {band[row, column]}; give every pixel a "
            "number, or name pixels that do not count with --using ignore=FOLDER"
        )


@dataclass(frozen=True, slots=True)
class Depth:
    """How a system's scores are stored, and the file that showed it first."""

    dtype: np.dtype[Any]
    path: Path

    def check(self, dtype: np.dtype[Any], path: Path) -> None:
        """Refuse scores that are stored in another way: 200 of 255 is not 200 of 65,535."""
        if dtype != self.dtype:
            raise InputError(
                f"{path} holds {in_words(dtype)}, {self.path} {in_words(self.dtype)}: the same score would be another "
                "number; save all score maps of a system in one format"
            )


def in_words(dtype: np.dtype[Any]) -> str:
    """Return a type of numbers in words.

    >>> in_words(np.dtype(np.uint16)), in_words(np.dtype(np.float32))
    ('whole numbers of 16 bits', 'fractions of 32 bits')
    """
    what = "fractions" if dtype.kind == "f" else "whole numbers"
    return f"{what} of {8 * dtype.itemsize} bits"
