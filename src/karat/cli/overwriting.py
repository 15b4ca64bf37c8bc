"""No command writes over what it reads."""

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from glob import glob
from pathlib import Path
from typing import Any

from karat.errors import OptionError


def sparing(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that refuses to write over a file or folder that another of its arguments names."""

    @wraps(command)
    def spared(**given: Any) -> None:
        output = given.get("output")
        if output and any(_same(output, path) for path in _paths(given)):
            raise OptionError(
                f"{output} is among what is read, and would be lost; name another file with -o"
            )
        command(**given)

    return spared


def _paths(given: Mapping[str, Any]) -> Iterator[str]:
    """Return what may be a path: an argument, or its part in NAME=PATH and PATH:COLUMN."""
    for name, value in given.items():
        if name != "output":
            for text in (
                [value] if isinstance(value, str) else value if isinstance(value, list) else []
            ):
                yield from (text, text.partition("=")[2], text.rpartition(":")[0])


def _same(output: str, path: str) -> bool:
    there = Path(output)
    if not path or not there.exists():
        return False
    return any(Path(one).exists() and there.samefile(one) for one in (path, *glob(path)))  # noqa: PTH207 (it may begin anywhere)
