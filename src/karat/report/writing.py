"""Files that are there whole, or not at all."""

import os
from collections.abc import Iterable
from pathlib import Path

from karat.errors import OptionError
from karat.scratch import unfinished_file


def write(path: str | Path, data: str | bytes) -> None:
    """Write a file under a temporary name and rename it; what was there before stays until the new one is whole.

    A link stays a link. What is no file, such as a pipe or /dev/null, is written to and stays what it is.
    """
    write_parts(path, [data])


def write_parts(path: str | Path, parts: Iterable[str | bytes]) -> None:
    """Write a file as `write` does, piece by piece."""
    contents = (part.encode() if isinstance(part, str) else part for part in parts)
    try:
        target = Path(path).resolve()
        if target.exists() and not target.is_file():
            _fill(target, contents)
        else:
            _replace(target, contents)
    except OSError as error:
        raise OptionError(
            f"{path} cannot be written: {error.strerror}; name another file with -o"
        ) from None


def write_durably(path: str | Path, data: str) -> None:
    """Write a file as `write` does; when this returns, it is on disk, and power may fail."""
    _replace(Path(path).resolve(), [data.encode()], synchronised=True)


def _fill(target: Path, contents: Iterable[bytes]) -> None:
    with target.open("wb") as file:
        for content in contents:
            file.write(content)


def _replace(target: Path, contents: Iterable[bytes], *, synchronised: bool = False) -> None:
    with unfinished_file(target.parent) as unfinished:
        _fill(unfinished, contents)
        if synchronised:
            with unfinished.open("rb+") as file:
                os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        unfinished.chmod(0o666 & ~mask)
        unfinished.replace(target)


def folder(path: str | Path) -> Path:
    """Return a folder that is there, made if it was not."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(
            f"the folder {path} cannot be made: {error.strerror}; name another one"
        ) from None
    return Path(path)
