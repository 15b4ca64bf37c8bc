"""What a source is, and the files behind a path, a glob or several of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from glob import has_magic
from pathlib import Path
from typing import Any

from karat.errors import InputError, NoFileError
from karat.source.paths import exists, is_a_file, is_folder, matching, pattern_inside


@dataclass(frozen=True, slots=True)
class Source:
    """Something an engine can open: files of one format, or data in memory."""

    origin: str
    """How a message names it."""
    reader: str
    """What an engine does to open it: csv, json, parquet or frame."""
    paths: tuple[str, ...] = ()
    data: Any = None
    options: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, Any] = field(default_factory=dict)
    """What the source knows of its columns, as options of reading; those that the user gives come first."""
    notes: tuple[str, ...] = ()
    """Notes on what was left out or assumed."""
    images: Any = None
    """The files of single images, if it was read from images: a page shows a few."""
    hold: Any = None
    """What must not be deleted as long as the source lives: a folder of its own."""


def files(patterns: str | Path | Sequence[str | Path]) -> tuple[str, ...]:
    """Return the files behind paths and globs, in order, each of them there and readable."""
    several = [patterns] if isinstance(patterns, str | Path) else patterns
    names: list[str] = []
    for pattern in several:
        names += _matches(str(pattern))
    return tuple(dict.fromkeys(names))


def file_and_column(text: str) -> tuple[str, str | None]:
    r"""Return the file and the column that FILE or FILE:COL names; the colon of a Windows drive is part of the file.

    >>> file_and_column("t.csv:gold"), file_and_column("t.csv")
    (('t.csv', 'gold'), ('t.csv', None))
    >>> print(*file_and_column(r"C:\x\t.csv:gold"), file_and_column("C:/x/t.csv"))
    C:\x\t.csv gold ('C:/x/t.csv', None)
    """
    file, colon, column = text.rpartition(":")
    is_drive = len(file) == 1 and file.isalpha() and column.startswith(("\\", "/"))
    if not colon or is_drive or is_a_file(text):
        return text, None
    return file, column


def refuse_address(text: str) -> None:
    """Refuse an address of the web or of a store; its slashes may be one by now."""
    if re.match(r"(https?|ftp|s3|gs|hf):/", text):
        raise InputError(
            f"{text} is an address; karat reads files and opens no connections: download it first"
        )


def _matches(pattern: str) -> list[str]:
    refuse_address(pattern)
    if has_magic(pattern) and not exists(pattern):
        names = matching(pattern, recursive=True)
        if not names:
            raise InputError(
                f"no file matches {pattern!r}; check the pattern and the folder you are in"
            )
        return names
    _check_readable(Path(pattern))
    return [pattern]


def _check_readable(path: Path) -> None:
    if is_folder(path):
        raise InputError(
            f"{path} is a folder; name its files, for example '{pattern_inside(path)}'"
        )
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except FileNotFoundError:
        raise NoFileError(path) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise InputError(f"there is no file {str(path)!r}: no name has a null in it") from None
    if empty:
        raise InputError(f"{path} is empty; karat needs a header line and at least one row")


def shown(paths: Sequence[str]) -> str:
    """Return how messages name several files."""
    return paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
