"""JSON lines, plain or compressed."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

from karat.source.origin import Source, files, shown


def jsonl(patterns: str | Path | Sequence[str | Path]) -> Source:
    """One JSON object a line; its keys are the columns."""
    paths = files(patterns)
    return Source(origin=shown(paths), reader="json", paths=paths)


def first_bad_line(path: str) -> str | None:
    """Return the place and the fault of the first line that is no JSON object."""
    opened = gzip.open(path, "rt") if path.endswith(".gz") else Path(path).open()  # noqa: SIM115
    with opened as lines:
        try:
            for number, line in enumerate(lines, 1):
                if fault := _fault(line):
                    return f"{path}, line {number}: {fault}; mend the line, or leave it out with --lenient"
        except UnicodeDecodeError:
            return None
    return None


def _fault(line: str) -> str | None:
    try:
        value = json.loads(line) if line.strip() else {}
    except json.JSONDecodeError as error:
        return f"no JSON, {error.msg} at character {error.colno}"
    return None if isinstance(value, dict) else "no JSON object, karat needs {name: value, ...}"
