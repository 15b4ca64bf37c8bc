"""Files that are there whole, or not at all."""

import os
import tempfile
from pathlib import Path

from karat.errors import OptionError


def write(path: str | Path, data: str | bytes) -> None:
    """Write a file under a temporary name and rename it; what was there before stays until the new one is whole."""
    target = Path(path)
    content = data.encode() if isinstance(data, str) else data
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise OptionError(
            f"{target} cannot be written: {error.strerror}; name another file with -o"
        ) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(target)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise OptionError(
            f"{target} cannot be written: {error.strerror}; name another file with -o"
        ) from None
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def folder(path: str | Path) -> Path:
    """Return a folder that is there, made if it was not."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(
            f"the folder {path} cannot be made: {error.strerror}; name another one"
        ) from None
    return Path(path)
