"""A .zip in the place of what it holds: one file, or a folder of them."""

import shutil
import zipfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from karat.errors import InputError
from karat.scratch import scratch_folder
from karat.source.guess import guess
from karat.source.origin import file_and_column
from karat.source.paths import is_a_file
from karat.source.unpacking import DAMAGE, bounded, most_unpacked

ENDING = ".zip"
MOST_MEMBERS = 100_000
BROKEN = (*DAMAGE, ValueError, LookupError, RuntimeError)
"""What Python raises where an archive is damaged, encrypted, or made in a way that it does not know."""
OF_SYSTEMS = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
"""What operating systems put into archives."""


def without_archives(paths: Sequence[str]) -> list[str]:
    """Return paths with what archives hold in place of each .zip, NAME=FILE.zip and FILE.zip:PART."""
    words: list[str] = []
    for word in paths:
        name, path, part = _parts(word)
        if path is None:
            words.append(word)
        else:
            words += [f"{name}{found}{part}" for found in _held(path, scratch_folder())]
    return words


def _parts(word: str) -> tuple[str, Path | None, str]:
    """Return NAME=, the archive, and :PART of a word; no archive if it names none."""
    start, equals, rest = word.partition("=")
    candidates = [("", word)]
    if equals:
        candidates.append((f"{start}=", rest))
    for name, text in candidates:
        file, column = file_and_column(text)
        part = "" if column is None else f":{column}"
        if file.lower().endswith(ENDING) and is_a_file(file):
            return name, Path(file), part
    return "", None, ""


def _held(path: Path, folder: Path) -> list[str]:
    """Unpack an archive into a folder; return its one file, its folder if a format is read so, or its files."""
    _unpack(path, folder / path.stem)
    whole = folder / path.stem
    inside = sorted(whole.iterdir())
    while len(inside) == 1 and inside[0].is_dir():
        whole = inside[0]
        inside = sorted(whole.iterdir())
    if len(inside) == 1:
        return [str(inside[0])]
    if guess([str(whole)]):
        return [str(whole)]
    return [str(file) for file in sorted(whole.rglob("*")) if file.is_file()]


def _unpack(path: Path, folder: Path) -> None:
    """Write the files of an archive into a folder: no more than may be unpacked, and none beside it."""
    most = most_unpacked(path.stat().st_size)
    written = 0
    try:
        with zipfile.ZipFile(path) as archive:
            members = _members(archive, path)
            for info in members:
                target = folder.joinpath(*PurePosixPath(info.filename).parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                place = partial(str, f"{path}: {info.filename}")
                with archive.open(info) as packed, target.open("wb") as file:
                    shutil.copyfileobj(bounded(packed, most - written, place), file)
                written += target.stat().st_size
    except InputError:
        raise
    except BROKEN as error:
        raise InputError(f"{path} cannot be unpacked: {error}; unpack it yourself") from None


def _members(archive: zipfile.ZipFile, path: Path) -> list[zipfile.ZipInfo]:
    """Return the files of an archive; refuse names that lead out of its folder."""
    members = []
    for info in archive.infolist():
        parts = PurePosixPath(info.filename.replace("\\", "/")).parts
        if info.is_dir() or set(parts) & set(OF_SYSTEMS):
            continue
        leads_out = ".." in parts or info.filename.startswith(("/", "\\")) or ":" in info.filename
        if leads_out:
            raise InputError(
                f"{path} holds {info.filename!r}, which leads out of its folder; unpack it yourself"
            )
        members.append(info)
    if not members:
        raise InputError(f"{path} holds no files; name what is to be read")
    if len(members) > MOST_MEMBERS:
        raise InputError(
            f"{path} holds {len(members):,} files, more than {MOST_MEMBERS:,}; unpack it yourself"
        )
    return members
