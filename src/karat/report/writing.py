"""Files that are there whole, or not at all."""

import os
from pathlib import Path

from karat.errors import OptionError
from karat.scratch import unfinished_file


def write(path: str | Path, data: str | bytes) -> None:
    """Write a file under a temporary name and rename it; what was there before stays until the new one is whole.

    A link stays a link. What is no file, such as a pipe or /dev/null, is written to and stays what it is.
    """
    content = data.encode() if isinstance(data, str) else data
    try:
        target = Path(path).resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            _replace(target, content)
    except OSError as error:
        raise OptionError(
            f"{path} cannot be written: {error.strerror}; name another file with -o"
        ) from None


def write_durably(path: str | Path, data: str) -> None:
    """Write a file as `write` does; when this returns, it is on disk, and power may fail."""
    _replace(Path(path).resolve(), data.encode(), synchronised=True)


def _replace(target: Path, content: bytes, *, synchronised: bool = False) -> None:
    with unfinished_file(target.parent) as unfinished:
        unfinished.write_bytes(content)
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
