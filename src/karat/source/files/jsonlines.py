"""JSON lines, plain or compressed."""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from karat.scratch import scratch_folder
from karat.source.lines import BOM, raw_lines
from karat.source.origin import Source, files, shown
from karat.source.unpacking import opened


def jsonl(patterns: str | Path | Sequence[str | Path]) -> Source:
    """One JSON object a line; its keys are the columns."""
    paths = files(patterns)
    unmarked = tuple(map(_without_mark, paths))
    return Source(origin=shown(paths), reader="json", paths=unmarked)


def _without_mark(path: str) -> str:
    """Return a file that does not begin with a byte order mark, as Windows programs write it: a copy where it does."""
    if path.endswith((".gz", ".zst")):
        return path
    with opened(path) as file:
        if file.read(len(BOM)) != BOM:
            return path
        copy = scratch_folder() / Path(path).name
        with copy.open("wb") as target:
            shutil.copyfileobj(file, target)
    return str(copy)


def first_bad_line(path: str) -> str | None:
    """Return the place and the fault of the first line that is not a JSON object, where plain Python can read it."""
    fault = next(bad_lines(path), None)
    return fault and f"{fault}; fix the line, or leave it out with --lenient"


def bad_lines(path: str) -> Iterator[str]:
    """Return the place and the fault of every line that is not a JSON object, where plain Python can read them."""
    if path.endswith(".zst"):
        return
    for number, line in raw_lines(path):
        if fault := _fault(line.strip()):
            yield f"{path}, line {number}: {fault}"


def _fault(line: bytes) -> str | None:
    try:
        value = json.loads(line.decode()) if line else {}
    except UnicodeDecodeError:
        return "not UTF-8 text"
    except json.JSONDecodeError as error:
        return f"not valid JSON, {error.msg} at character {error.colno}"
    except (ValueError, RecursionError):
        return "not readable as JSON: nested too deeply, or with too long a number"
    return None if isinstance(value, dict) else "not a JSON object; karat needs {name: value, ...}"
