"""Whether the paths of a command hold boxes: known from their format, or from their first bytes."""

from collections.abc import Sequence
from pathlib import Path

from karat.boxes.options import BOX_FORMATS
from karat.source.paths import exists, is_folder

LOOKED_AT = (
    ".json",
    ".csv",
    ".tsv",
    ".jsonl",
    ".ndjson",
    ".xml",
    ".hocr",
    ".html",
    ".xhtml",
    ".htm",
)


def hold_boxes(paths: Sequence[str], truth: object, format: str | None) -> bool:  # noqa: A002 (the option's name)
    """Return whether a truth and results of boxes are named: by --truth PATH, or as TRUTH SYSTEM..."""
    if format is not None:
        return format in BOX_FORMATS
    words = [*paths] if truth is None else [str(truth), *paths]
    # Cheap looks first: no table of answers pays for the readers of boxes.
    looked_at = [path for path in map(_path, words) if path is not None]
    if not looked_at:
        return False
    from karat.boxes.formats.recognise import is_result, shape  # noqa: PLC0415 (only where it may be boxes)

    if any(is_result(path) for path in looked_at):
        return True
    first = _path(words[0])
    if first is None:
        return False
    return shape(first) is not None if len(words) > 1 else shape(first) == "coco"


def _path(word: str) -> Path | None:
    """Return the path of a word, FILE or NAME=FILE, that may hold boxes; None for any other."""
    for text in (word, word.partition("=")[2]):
        path = Path(text)
        if text and exists(path):
            return path if is_folder(path) or _ending(path) in LOOKED_AT else None
    return None


def _ending(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix
