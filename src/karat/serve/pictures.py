"""Pictures of items: files in one folder that the user named, recognised by their first bytes, read and never run."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from karat.errors import OptionError

LARGEST = 64 * 2**20
"""The largest picture that is shown, in bytes."""
FIRST = 4096
"""How many bytes tell what a file is."""
SVG = "image/svg+xml"
SIGNATURES = (
    ("image/png", 0, b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", 0, b"\xff\xd8\xff"),
    ("image/gif", 0, b"GIF87a"),
    ("image/gif", 0, b"GIF89a"),
    ("image/webp", 8, b"WEBPVP8"),
    ("image/bmp", 0, b"BM"),
    ("image/avif", 4, b"ftypavif"),
)
"""What pictures begin with, and where. No browser takes one for a page: its type is said, and not guessed again."""
ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".avif", ".svg", ".tif", ".tiff")
"""What looks like the name of a picture."""


@dataclass(frozen=True, slots=True)
class ServedPicture:
    """A picture's bytes and their type."""

    content: bytes
    type: str


class NoPictureError(Exception):
    """Why a field is shown as text."""


class PictureFolder:
    """A folder of pictures; nothing outside of it is ever read."""

    def __init__(self, path: str | Path) -> None:
        """Take a folder that is there."""
        try:
            self._folder = Path(path).resolve(strict=True)
        except OSError as error:
            raise OptionError(f"--fields: {path} cannot be opened: {error.strerror}") from None
        if not self._folder.is_dir():
            raise OptionError(f"--fields: {path} is not a folder of pictures")

    def read(self, name: str) -> ServedPicture:
        """Return the picture of this name, or say why there is none."""
        content = _content(self._inside(name))
        found = type_of(content)
        if found is None:
            raise NoPictureError("it is not a picture that a browser shows")
        return ServedPicture(content, found)

    def problem(self, name: str) -> str | None:
        """Return why a name is no picture; None where it is one. Only its first bytes are read."""
        try:
            beginning = _content(self._inside(name), FIRST)
        except NoPictureError as error:
            return str(error)
        if type_of(beginning) is None:
            return "it is not a picture that a browser shows"
        return None

    def _inside(self, name: str) -> Path:
        if not name or "\0" in name:
            raise NoPictureError("it is not a file")
        try:
            path = (self._folder / name).resolve(strict=True)
        except (OSError, ValueError, RuntimeError):
            raise NoPictureError("there is no such file in the folder") from None
        if not path.is_relative_to(self._folder):
            raise NoPictureError("it lies outside of the folder")
        return path


def looks_like_a_picture(name: str) -> bool:
    """Return whether a text has a picture's ending.

    >>> looks_like_a_picture("pages/017.PNG"), looks_like_a_picture("a cat.")
    (True, False)
    """
    return name.lower().endswith(ENDINGS)


def type_of(content: bytes) -> str | None:
    """Return the type of a picture by its first bytes; None where it is none.

    >>> type_of(b"GIF89a..."), type_of(b"<html>")
    ('image/gif', None)
    """
    for kind, place, begins in SIGNATURES:
        if content[place:].startswith(begins):
            return kind
    return SVG if _is_svg(content) else None


def _is_svg(content: bytes) -> bool:
    beginning = content[:FIRST].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return beginning.startswith(b"<svg") or (
        beginning.startswith(b"<?xml") and b"<svg" in beginning
    )


def _content(path: Path, most: int = LARGEST) -> bytes:
    """Return a file's bytes; a pipe is not waited for, and a link that was put there since is refused."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except OSError:
        raise NoPictureError("it cannot be read") from None
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise NoPictureError("it is not a file")
        if found.st_size > LARGEST:
            raise NoPictureError(f"it is larger than {LARGEST // 2**20} MB")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(handle)
