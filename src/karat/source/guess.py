"""Which format files have, where their names and first lines show it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from karat.errors import InputError
from karat.source.database_name import database_and_table
from karat.source.files.delimited import first_line, header
from karat.source.lines import BOM
from karat.source.paths import exists, matching
from karat.source.truth_and_systems import NONE, matches_files
from karat.source.unpacking import opened

ENDINGS = {
    ".conll": "conll",
    ".iob": "conll",
    ".iob2": "conll",
    ".bio": "conll",
    ".bioes": "conll",
    ".ann": "spans",
    ".db": "sqlite",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".eval": "inspect",
    ".qrels": "trec",
    ".run": "trec",
    ".trec": "trec",
    ".png": "pixels",
    ".tif": "pixels",
    ".tiff": "pixels",
    ".gif": "pixels",
    ".bmp": "pixels",
    ".pgm": "pixels",
    ".pbm": "pixels",
    ".ppm": "pixels",
    ".pnm": "pixels",
    ".npy": "pixels",
}
IMAGES = tuple(ending for ending, name in ENDINGS.items() if name == "pixels")
LOGS = (".eval", ".json", ".jsonl")
"""How logs of language models end; tables may end so too."""
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
RIGHT = {"correct", "is_correct", "passed"}
SAMPLES = {"task_id", "passed"}
"""What HumanEval's own evaluation writes of each sample; a file is one model's."""
ANSWERS = {"answer", "label", "score", "prediction", "truth", "gold", "target"}
"""Columns of tables that hold answers or truth, so that `correct` is just one more column."""
START = 4096
"""How many bytes show whether JSON is a list."""


def guess(paths: Sequence[str]) -> str | None:
    """Return the source for these paths, or None where the endings of plain tables decide."""
    existing = [path for path in map(_path, paths) if path is not None]
    if not existing:
        return None
    last = existing[-1]
    if last.is_dir():
        return _by_folders(existing)
    ending = _ending(last)
    if ending in ENDINGS or last.name.startswith("qrels"):
        return ENDINGS.get(ending, "trec")
    try:
        if all("=" in word and not exists(word) for word in paths):
            return _logs(last, ending) or "files-per-system"
        return _by_content(last, ending, several=len(paths) > 1, without_truth=NONE in paths)
    except InputError:
        return None


def _ending(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).suffix.lower()


def _by_folders(paths: Sequence[Path]) -> str | None:
    """Return the format of the last folder that shows it."""
    for path in reversed(paths):
        if path.is_dir() and (name := _folder(path)):
            return name
    return None


def _path(word: str) -> Path | None:
    """Return the path of TRUTH, SYSTEM, NAME=SYSTEM or DATABASE:TABLE, or the first image or log of a pattern."""
    database, _ = database_and_table(word)
    for text in (word, word.partition("=")[2], database):
        if text and exists(text):
            return Path(text)
        if matches_files(text):
            first = matching(text)[0]
            if first.lower().removesuffix(".gz").endswith((*IMAGES, *LOGS)):
                return Path(first)
    return None


def _folder(path: Path) -> str | None:
    if next(path.rglob("*.lg"), None):
        raise InputError(
            f"{path} holds label graphs (.lg): use --graphs TRUTH SYSTEM..., or karat graph TRUTH SYSTEM..."
        )
    if _has_mostly_images(path):
        return "pixels"
    for pattern, name in {
        "**/samples_*.jsonl*": "lm-eval",
        "**/*.eval": "inspect",
        "**/*.ann": "spans",
        "*.[tT][xX][tT]": "text",
        "**/results_*.json": "lm-eval",
        "*.json": "inspect",
    }.items():
        if next(path.glob(pattern), None):
            return name
    return "text" if next(path.rglob("*.[tT][xX][tT]"), None) else None


def _has_mostly_images(path: Path) -> bool:
    """Return whether more files are images than anything else: a README beside masks does not make texts of them.

    Scanned pages beside their texts are as many as these, and are not what is read.
    """
    files = [file.name.lower() for file in path.rglob("*") if not file.name.startswith(".")]
    names = [name.removesuffix(".gz") for name in files]
    images = sum(name.endswith(IMAGES) for name in names)
    texts = sum(name.endswith((".txt", ".json", ".jsonl", ".eval")) for name in names)
    return images > texts


def _logs(path: Path, ending: str) -> str | None:
    """Return the source of a log of language models, if the file is one: these may be named, as tables may."""
    if ending == ".json":
        return _json(path)
    if ending == ".jsonl" and (keys := _keys(path)) >= HARNESS:
        return "lm-eval"
    if ending == ".jsonl" and keys >= SAMPLES:
        return "correct"
    return None


def _by_content(path: Path, ending: str, *, several: bool, without_truth: bool) -> str | None:
    if several and ending not in TABLES:
        from karat.source.line_formats import format_of_lines  # noqa: PLC0415 (loads the readers)

        format_name = format_of_lines(path)
        if format_name:
            return format_name
    if ending == ".txt":
        return "text" if without_truth else None  # else it may be a table
    if ending == ".json":
        return _json(path)
    if ending == ".jsonl":
        return _json_lines(_keys(path), several=several)
    if ending in {".csv", ".tsv"} and (line := first_line(str(path))):
        return _right_or_wrong(set(header(line, origin=str(path)).names))
    return None


def _json(path: Path) -> str | None:
    if path.name.startswith("results_"):
        return "lm-eval"
    with opened(path) as file:
        start = file.read(START)  # not the first line, which may be all of it
    return None if start.removeprefix(BOM).lstrip().startswith(b"[") else "inspect"


def _json_lines(keys: set[str], *, several: bool) -> str | None:
    if keys >= HARNESS:
        return "lm-eval"
    if several and keys & SPANS:
        return "spans"
    return _right_or_wrong(keys)


def _keys(path: Path) -> set[str]:
    try:
        value: Any = json.loads(first_line(str(path)) or "{}")
    except (ValueError, RecursionError):
        return set()
    return set(value) if isinstance(value, dict) else set()


def _right_or_wrong(names: set[str]) -> str | None:
    """Return the source of tables that hold whether an answer was right, if this is one."""
    lower = {name.lower() for name in names}
    if lower >= SAMPLES or (lower & RIGHT and lower & WHOSE and not lower & ANSWERS):
        return "correct"
    return None
