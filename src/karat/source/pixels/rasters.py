"""Images whose rows can be read again and again: small ones in memory, large ones unpacked into a file.

Decoding goes from the top down and only so. An image that is needed beside others, band by band, is decoded once; if it
is large its grey values are in a temporary file, so that memory holds a band of each image and not the images.
"""

import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tokenize import TokenError

import numpy as np

from karat.errors import InputError
from karat.scratch import scratch_folder
from karat.source.pixels.decoding import ARRAYS, PACKED, Band, ImageHeader, check_size, decoded
from karat.source.unpacking import opened

HELD = 32 * 2**20
"""Up to this many bytes the grey values of an image are kept in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Raster:
    """An image: its header, and its grey values in memory or in a file of nothing else."""

    header: ImageHeader
    values: Band | None = None
    file: Path | None = None
    offset: int = 0

    @property
    def path(self) -> Path:
        """The file as the user knows it."""
        return self.header.path

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.header.height, self.header.width

    def rows(self, top: int, bottom: int) -> Band:
        """Return some rows."""
        if self.values is not None:
            return self.values[top:bottom]
        dtype = np.dtype(self.header.dtype)
        width = self.header.width
        with self.file.open("rb") as file:  # type: ignore[union-attr]
            file.seek(self.offset + top * width * dtype.itemsize)
            values = np.fromfile(file, dtype, (bottom - top) * width)
        if len(values) < (bottom - top) * width:
            raise InputError(f"{self.path} ends before row {bottom}; save it again")
        return values.reshape(bottom - top, width)

    def whole(self) -> Band:
        """Return all rows."""
        return self.rows(0, self.header.height)


@contextmanager
def rasters() -> Iterator["Rasters"]:
    """Give what opens images; what it unpacked is deleted afterwards."""
    opener = Rasters()
    try:
        yield opener
    finally:
        opener.close()


class Rasters:
    """Opens images."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._number = 0

    def open(self, path: Path, *, most_pixels: int) -> Raster:
        """Return the grey values of a file."""
        if path.suffix.lower() == ARRAYS:
            return _array(path, most_pixels)
        file = self._without_gzip(path) if path.suffix.lower() == PACKED else path
        with decoded(path, most_pixels=most_pixels, file=file) as (header, bands):
            if header.bytes <= HELD:
                return Raster(header, values=np.concatenate(list(bands)))
            return Raster(header, file=self._unpacked(bands))

    def _without_gzip(self, path: Path) -> Path:
        unpacked = self._new()
        with opened(path) as packed, unpacked.open("wb") as file:
            shutil.copyfileobj(packed, file)
        return unpacked

    def _new(self) -> Path:
        if self._folder is None:
            self._folder = scratch_folder()
        self._number += 1
        return self._folder / str(self._number)

    def _unpacked(self, bands: Iterator[Band]) -> Path:
        path = self._new()
        with path.open("wb") as file:
            for band in bands:
                np.ascontiguousarray(band).tofile(file)
        return path

    def close(self) -> None:
        """Delete what was unpacked."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


def _array(path: Path, most_pixels: int) -> Raster:
    """Return an array that NumPy saved; it is not packed, so its rows are read where they are."""
    damaged = f"{path} is not an array of numbers that NumPy can read; save it with numpy.save"
    try:
        with path.open("rb") as file, warnings.catch_warnings(action="ignore"):
            # NumPy warns of headers that Python 2 wrote, and reads them.
            version = np.lib.format.read_magic(file)
            if version == (1, 0):
                shape, by_columns, dtype = np.lib.format.read_array_header_1_0(file)
            else:
                shape, by_columns, dtype = np.lib.format.read_array_header_2_0(file)
            offset = file.tell()
    except (OSError, ValueError, SyntaxError, TokenError):
        raise InputError(damaged) from None
    if dtype.kind not in "biuf":
        raise InputError(f"{path} holds {dtype}; a mask or score map holds numbers")
    if len(shape) != 2:
        raise InputError(
            f"{path} has {len(shape)} dimensions, {' x '.join(map(str, shape))}; an image has two: rows and columns"
        )
    height, width = shape
    check_size(path, width, height, most_pixels)
    header = ImageHeader(path, height, width, np.uint8 if dtype.kind == "b" else dtype)
    if by_columns:
        values = np.load(path, allow_pickle=False)
        return Raster(header, values=np.ascontiguousarray(values).astype(header.dtype))
    if path.stat().st_size - offset < header.bytes:
        raise InputError(f"{path} is cut off: it should hold {height} x {width} values")
    return Raster(header, file=path, offset=offset)
