"""Files as Python opens them, compressed or not: one door, with a limit on what is unpacked and words for damage.

A few kilobytes can unpack to gigabytes, whoever wrote them. What real files unpack to is far less: of 29 compressed
tables that karat was tried with, one has 49 times its size when it is unpacked, the others up to 14 times.
"""

import gzip
import io
import lzma
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Protocol

from karat.errors import InputError, NoFileError

HELD = 1 << 28
"""How many bytes of a file are held at once: of one line, one page, one JSON value. 256 MiB."""
TIMES = 100
"""How many times its size a compressed file may unpack to, once it is beyond what may be held at once."""


def _of_zstandard() -> type[Exception]:
    """Return what Python raises where Zstandard is damaged; before 3.14, and where it was left out, it knows none."""
    if sys.version_info >= (3, 14):
        with suppress(ImportError):
            from compression.zstd import ZstdError  # noqa: PLC0415

            return ZstdError
    return zlib.error


DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, _of_zstandard())
"""What Python raises where compressed bytes are damaged."""
COPY = "copy it again, or compress it again"
UNPACK = "if it is what it should be, unpack it first"
BUFFER = 1 << 17


class Readable(Protocol):
    """Anything that bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes; none at the end."""


def most_unpacked(packed: int) -> int:
    """Return how many bytes a file of so many compressed ones may unpack to."""
    return max(HELD, TIMES * packed)


def in_words(size: int) -> str:
    """Return a size in words.

    >>> in_words(268_435_456), in_words(1000)
    ('256 MiB', '1,000 bytes')
    """
    return f"{size >> 20:,} MiB" if size >> 20 else f"{size:,} bytes"


def too_long(place: str, what: str) -> InputError:
    """Return the error for a line, a page or a value that is too long to be in memory at once."""
    return InputError(
        f"{place}: {what} is longer than {in_words(HELD)}, the most that karat holds at once; divide it"
    )


@contextmanager
def opened(path: str | Path, *, place: Callable[[], str] | None = None) -> Iterator[BinaryIO]:
    """Open a file to read its bytes, unpacked if its name ends with .gz; what cannot be read is an error in words.

    `place` says how far the reading has got, for the message; else it is the file.
    """
    where = place or (lambda: str(path))
    try:
        with Path(path).open("rb") as file:
            if not str(path).endswith(".gz"):
                yield file
                return
            most = most_unpacked(Path(path).stat().st_size)
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield bounded(unpacked, most, where)
    except FileNotFoundError:
        raise NoFileError(path) from None
    except OSError as error:
        raise InputError(f"{where()} cannot be read: {error.strerror or error}") from None


def bounded(
    file: Readable, most: int, place: Callable[[], str], *, copy: str = COPY, unpack: str = UNPACK
) -> io.BufferedReader:
    """Return a file that is unpacked as it is read, up to so many bytes.

    `copy` is what to do where it is damaged, `unpack` what to do where it is too much.
    """
    return io.BufferedReader(_Bounded(file, most, place, copy, unpack), BUFFER)


class _Bounded(io.RawIOBase):
    """Turns whatever damaged bytes make Python raise into words, and stops where too much comes out of them."""

    def __init__(
        self, file: Readable, most: int, place: Callable[[], str], copy: str, unpack: str
    ) -> None:
        super().__init__()
        self._file = file
        self._most = most
        self._left = most
        self._place = place
        self._copy = copy
        self._unpack = unpack

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._file.read(len(buffer))
        except DAMAGE as error:
            raise InputError(f"{self._place()} cannot be read: {error}; {self._copy}") from None
        self._left -= len(data)
        if self._left < 0:
            raise InputError(
                f"{self._place()} unpacks to more than {in_words(self._most)}, the most that karat takes from "
                f"a file of its size; {self._unpack}"
            )
        buffer[: len(data)] = data
        return len(data)
