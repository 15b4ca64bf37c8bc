"""What kind of files these are, where a glance at their names and first lines tells it."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from karat.errors import InputError
from karat.source.entities.conll import DOCUMENT_START
from karat.source.entities.tags import split
from karat.source.faults import Faults
from karat.source.files.delimited import first_line, header
from karat.source.lines import lines
from karat.source.retrieval.trec_files import RUN
from karat.source.truth_and_systems import NONE

ENDINGS = {
    ".conll": "conll",
    ".iob": "conll",
    ".iob2": "conll",
    ".bio": "conll",
    ".bioes": "conll",
    ".eval": "inspect",
    ".qrels": "trec",
    ".run": "trec",
    ".trec": "trec",
}
SPANS = {"spans", "entities"}
HARNESS = {"doc_id", "filtered_resps"}
WHOSE = {"system", "model"}
TABLES = {
    ".csv",
    ".jsonl",
    ".ndjson",
    ".json",
    ".parquet",
    ".pq",
    ".arrow",
    ".ipc",
    ".feather",
    ".zst",
}
GLANCE = 50
"""How many lines are looked at."""
RIGHT = {"correct", "is_correct"}
ANSWERS = {"answer", "label", "score", "prediction", "truth", "gold", "target"}
"""Names of columns in tables that say themselves what is right."""


def guess(paths: Sequence[str]) -> str | None:
    """Return the source for these paths, or None where the endings of plain tables decide."""
    found = [path for path in map(_path, paths) if path is not None]
    if not found:
        return None
    last = found[-1]
    if all("=" in word and not Path(word).exists() for word in paths) and last.is_file():
        return "apart"
    if last.is_dir():
        return next(filter(None, map(_folder, filter(Path.is_dir, reversed(found)))), None)
    ending = Path(last.name.removesuffix(".gz")).suffix.lower()
    if ending in ENDINGS or last.name.startswith("qrels"):
        return ENDINGS.get(ending, "trec")
    try:
        return _by_content(last, ending, several=len(paths) > 1, untold=NONE in paths)
    except InputError:
        return None


def _path(word: str) -> Path | None:
    """Return the path of TRUTH, SYSTEM or NAME=SYSTEM, if there is one."""
    for text in (word, word.partition("=")[2]):
        if text and Path(text).exists():
            return Path(text)
    return None


def _folder(path: Path) -> str | None:
    for pattern, name in {
        "**/samples_*.jsonl*": "lm-eval",
        "**/*.eval": "inspect",
        "*.[tT][xX][tT]": "text",
        "**/results_*.json": "lm-eval",
        "*.json": "inspect",
    }.items():
        if next(path.glob(pattern), None):
            return name
    return "text" if next(path.rglob("*.[tT][xX][tT]"), None) else None


def _by_content(path: Path, ending: str, *, several: bool, untold: bool) -> str | None:
    if several and ending not in TABLES and (name := _by_lines(path)):
        return name
    if ending == ".txt":
        return "text" if untold else None  # else it may be a table
    if ending == ".json":
        return _json(path)
    if ending == ".jsonl":
        keys = _keys(path)
        return (
            "lm-eval" if keys >= HARNESS else "spans" if keys & SPANS and several else _judged(keys)
        )
    if ending in {".csv", ".tsv"} and (line := first_line(str(path))):
        return _judged(set(header(line, origin=str(path)).names))
    return None


def _json(path: Path) -> str | None:
    if path.name.startswith("results_"):
        return "lm-eval"
    return None if (first_line(str(path)) or "").lstrip().startswith("[") else "inspect"


def _by_lines(path: Path) -> str | None:
    """Return the source whose lines these are: a document of a run, or a token and its tag."""
    found = [line.split() for _, line in islice(lines(path, Faults(lenient=True)), GLANCE)]
    cells = [one for one in found if one and one[0] != DOCUMENT_START]
    if cells and all(len(one) == RUN.width and one[1].upper() == "Q0" for one in cells):
        return "trec"
    tags = [split(one[-1]) for one in cells if len(one) > 1]
    is_tagged = (
        len(tags) == len(cells)
        and None not in tags
        and any(tag and tag[1] not in {"", "_"} for tag in tags)
    )
    return "conll" if is_tagged else None


def _keys(path: Path) -> set[str]:
    try:
        value: Any = json.loads(first_line(str(path)) or "{}")
    except json.JSONDecodeError:
        return set()
    return set(value) if isinstance(value, dict) else set()


def _judged(names: set[str]) -> str | None:
    """Return the source of tables that say whether an answer was right, if this is one."""
    lower = {name.lower() for name in names}
    return "correct" if lower & RIGHT and lower & WHOSE and not lower & ANSWERS else None
