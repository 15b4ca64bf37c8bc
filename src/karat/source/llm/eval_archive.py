"""Inspect's packed logs (.eval): a zip of JSON, compressed by deflate or, from 2026 on, by Zstandard."""

import io
import struct
import sys
import weakref
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

from karat.errors import InputError
from karat.source.unpacking import DAMAGE, bounded, most_unpacked

ZSTANDARD = 93
"""The number of the method in zip files; Python's own module knows it from 3.14 on."""
LOCAL_HEADER, NAME_AND_EXTRA = 30, slice(26, 30)
"""The size of what comes before a member, and where the lengths of its name and of what follows are."""
REMEDY = "copy it again, or write it as JSON: inspect log convert --to json --output-dir DIR"
NEEDS = "is compressed by Zstandard, which needs a package: pip install zstandard"


BROKEN = (*DAMAGE, ValueError, LookupError, RuntimeError, struct.error)
"""What Python raises where an archive is damaged, or made in a way that it does not know."""


class Packed:
    """The members of a packed log, each of them read when it is needed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._zip = zipfile.ZipFile(path)
            self._size = path.stat().st_size
        except BROKEN as error:
            raise InputError(
                f"{path} is not a log of Inspect, or it is cut off: {error}; {REMEDY}"
            ) from None

    def names(self) -> list[str]:
        """Return the members in the order in which they were written; of two of one name the last counts."""
        return list(dict.fromkeys(self._zip.namelist()))

    @contextmanager
    def opened(self, name: str) -> Iterator[io.BufferedReader]:
        """Open a member to read its bytes."""
        info = self._zip.getinfo(name)
        try:
            member = self._member(info)
        except BROKEN as error:
            raise InputError(f"{self._path}: {name} cannot be read, {error}; {REMEDY}") from None
        # The sizes that the archive states may be wrong, but no member is larger than the file.
        most = most_unpacked(min(info.compress_size, self._size))
        with closing(member):
            yield bounded(member, most, lambda: f"{self._path}: {name}", copy=REMEDY, unpack=REMEDY)

    def close(self) -> None:
        """Close the file."""
        self._zip.close()

    def _member(self, info: zipfile.ZipInfo) -> "IO[bytes] | _Unpacked":
        if info.compress_type == ZSTANDARD and sys.version_info < (3, 14):
            return _Unpacked(_Piece(self._path, info), info.CRC, _zstandard(self._path))
        return self._zip.open(info)


class _Piece:
    """The compressed bytes of a member."""

    def __init__(self, path: Path, info: zipfile.ZipInfo) -> None:
        self._file = path.open("rb")
        weakref.finalize(self, self._file.close)
        self._file.seek(info.header_offset)
        lengths = self._file.read(LOCAL_HEADER)[NAME_AND_EXTRA]
        self._file.seek(sum(struct.unpack("<HH", lengths)), io.SEEK_CUR)
        self._left = info.compress_size

    def read(self, size: int) -> bytes:
        data = self._file.read(min(size, self._left))
        self._left -= len(data)
        return data

    def close(self) -> None:
        self._file.close()


class _Unpacked:
    """A member as it was before it was compressed; whether it is so is known at its end."""

    def __init__(self, piece: _Piece, checksum: int, library: Any) -> None:
        self._piece = piece
        self._reader = library.ZstdDecompressor().stream_reader(piece, read_across_frames=True)
        self._error = library.ZstdError
        self._due = checksum
        self._sum = 0

    def read(self, size: int = -1) -> bytes:
        try:
            data: bytes = self._reader.read(size)
        except self._error as error:
            raise zipfile.BadZipFile(str(error)) from None
        self._sum = zlib.crc32(data, self._sum)
        if not data and size and self._sum != self._due:
            raise zipfile.BadZipFile("its checksum is another")
        return data

    def close(self) -> None:
        self._piece.close()


def _zstandard(path: Path) -> Any:
    try:
        import zstandard  # noqa: PLC0415 (optional)
    except ImportError:
        raise InputError(f"{path} {NEEDS}") from None
    return zstandard
