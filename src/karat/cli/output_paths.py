"""What a command writes can be written: looked at before anything is read, since counting may take hours."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from karat.errors import OptionError

FILES = {"output": "-o", "corrected": "--corrected"}
FOLDERS = {"into": "-o", "metrics": "--metrics", "draw": "--draw", "examples": "--files"}
EITHER = {"destination": "-o"}
"""The parameters of commands that name what is written, and their options. Folders are made where there are none."""


def check_outputs(values: Mapping[str, Any]) -> None:
    """Refuse files and folders that cannot be written."""
    for name, option in FILES.items():
        if values.get(name):
            check_file(values[name], option)
    for name, option in FOLDERS.items():
        if values.get(name):
            check_folder(values[name], option)
    for name, option in EITHER.items():
        path = values.get(name)
        if path and is_folder_name(path):
            check_folder(path, option)
        elif path:
            check_file(path, option)


def is_folder_name(path: str) -> bool:
    """Return whether a name means a folder where both are possible: one that is there, or a name without an ending."""
    return Path(path).is_dir() or not Path(path).suffix


def check_file(path: str, option: str) -> None:
    """Refuse a file that cannot be written; an older one may be written over."""
    try:
        reason = _why_no_file(Path(path))
    except OSError as error:
        reason = error.strerror
    if reason:
        raise OptionError(f"{path} cannot be written: {reason}; name another file with {option}")


def check_folder(path: str, option: str) -> None:
    """Refuse a folder that is not there and cannot be made, or that nothing can be written into."""
    try:
        reason = _why_no_folder(Path(path))
    except OSError as error:
        reason = error.strerror
    if reason:
        done = "written into" if Path(path).is_dir() else "made"
        raise OptionError(
            f"the folder {path} cannot be {done}: {reason}; name another with {option}"
        )


def _why_no_file(path: Path) -> str | None:
    if path.is_dir():
        return "it is a folder"
    target = path.resolve()
    if target.exists() and not os.access(target, os.W_OK):
        return "it is write-protected"
    if target.exists() and not target.is_file():  # such as a pipe: it is written to, not replaced
        return None
    if not target.parent.exists():
        return f"there is no folder {path.parent}"
    return _why_not_into(target.parent)


def _why_no_folder(path: Path) -> str | None:
    there = path.absolute()
    while not there.exists():
        there = there.parent
    return _why_not_into(there)


def _why_not_into(folder: Path) -> str | None:
    if not folder.is_dir():
        return f"{folder} is no folder"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"the folder {folder} is write-protected"
    return None
