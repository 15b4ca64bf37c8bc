"""No command writes over what it reads, or begins what it could not write."""

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

from karat.cli.output_paths import check_outputs
from karat.errors import OptionError
from karat.source.paths import exists, matching


def refusing_to_overwrite(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that first of all refuses to write what cannot be written.

    That is a file or folder that another of its arguments names, and a place where nothing can be written.
    """

    @wraps(command)
    def checked(**values: Any) -> None:
        output = values.get("output") or values.get("destination")
        if output and exists(output):
            _check_not_read(output, values)
        check_outputs(values)
        command(**values)

    return checked


def _check_not_read(output: str, values: Mapping[str, Any]) -> None:
    for path in _paths(values):
        if _is_same(output, path):
            raise OptionError(
                f"{output} is among what is read, and would be lost; name another file with -o"
            )


def _paths(values: Mapping[str, Any]) -> list[str]:
    """Return what may be a path: an argument, or its part in NAME=PATH and PATH:COLUMN."""
    texts: list[str] = []
    for name, value in values.items():
        if name in {"output", "destination"}:
            continue
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, list):
            texts += value
    paths = []
    for text in texts:
        paths += [text, text.partition("=")[2], text.rpartition(":")[0]]
    return [path for path in paths if path]


def _is_same(output: str, path: str) -> bool:
    """Return whether a path, or one of the files of a glob, is the output."""
    files = [path, *matching(path)]
    return any(exists(file) and Path(output).samefile(file) for file in files)
