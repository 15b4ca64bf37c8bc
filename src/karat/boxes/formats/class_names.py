"""The classes' names of YOLO: a line each, or under `names` in the YAML of a data set."""

import re
from pathlib import Path

from karat.boxes.formats.text_file import read_text
from karat.errors import InputError

HEAD = re.compile(r"names\s*:\s*(.*)")
ENTRY = re.compile(r"\s*(?:-|(\d{1,18})\s*:)\s*(.+)")
YAML = (".yaml", ".yml")


def class_names(path: str | Path) -> dict[int, str]:
    """Return the name of each class by its number."""
    lines = read_text(path).splitlines()
    if Path(path).suffix.lower() not in YAML:
        return dict(enumerate(line.strip() for line in lines if line.strip()))
    names = _of_yaml([_without_comment(line) for line in lines])
    if not names:
        raise InputError(f"{path} has no names; write names: [a, b], or names: with 0: a in a line")
    return names


def _of_yaml(lines: list[str]) -> dict[int, str]:
    """Return the names of a YAML file: a list or pairs, in one line or a line each.

    >>> _of_yaml(["nc: 2", "names: ['cat', 'dog']"]), _of_yaml(["names:", "  0: cat", "  1: dog", "nc: 2"])
    ({0: 'cat', 1: 'dog'}, {0: 'cat', 1: 'dog'})
    """
    for place, line in enumerate(lines):
        head = HEAD.fullmatch(line.rstrip())
        if head is None:
            continue
        inline = head[1].strip()
        if inline:
            parts = inline.strip("[]{} ").split(",")
            return _numbered([part if ":" in part else f"- {part}" for part in parts])
        return _numbered(lines[place + 1 :])
    return {}


def _numbered(lines: list[str]) -> dict[int, str]:
    names: dict[int, str] = {}
    for line in lines:
        if not line.strip():
            continue
        entry = ENTRY.fullmatch(line.rstrip())
        if entry is None:
            break
        number = len(names) if entry[1] is None else int(entry[1])
        names[number] = entry[2].strip().strip("'\"")
    return names


def _without_comment(line: str) -> str:
    return re.sub(r"(^|\s)#.*", "", line)
