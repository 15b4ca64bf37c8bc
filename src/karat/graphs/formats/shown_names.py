"""Paths as results show them: never the place on the machine where a result was made."""

import os
from pathlib import Path


def shown_name(path: str | Path, given: str | Path | None = None) -> str:
    """Return a path as it was given; of an absolute one only its name, or what follows the parent of a `given` folder.

    >>> shown_name("runs/a"), shown_name("/home/me/runs/a/")
    ('runs/a', 'a')
    >>> shown_name("/home/me/runs/a/inner/f.lg", "/home/me/runs/a")
    'a/inner/f.lg'
    """
    text = os.path.normpath(path)
    if not os.path.isabs(text):  # noqa: PTH117 (thousands of files)
        return text
    if given is not None:
        base = Path(os.path.normpath(given)).parent
        if Path(text).is_relative_to(base):
            return Path(text).relative_to(base).as_posix()
    return Path(text).name


def with_shown_name(text: str, path: str | Path, given: str | Path) -> str:
    """Return a message about a file that names it as results do."""
    return text.replace(str(path), shown_name(path, given))
