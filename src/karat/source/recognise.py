"""Which source fits what the user named."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from karat.errors import InputError
from karat.source import SOURCES
from karat.source.origin import Source, files
from karat.words import listing

ENDINGS = {
    "csv": "csv",
    "tsv": "tsv",
    "tab": "tsv",
    "txt": "csv",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "parquet": "parquet",
    "pq": "parquet",
    "arrow": "arrow",
    "ipc": "arrow",
    "feather": "arrow",
}
COMPRESSED = {".gz", ".zst"}


def recognise(data: Any, *, format: str | None = None) -> Source:  # noqa: A002 (the option's name)
    """Return the source behind a path, a glob, several of them, a frame or a mapping of columns."""
    if _is_paths(data):
        paths = files(data)
        source: Source = SOURCES[format or _format(paths)](paths)
        return source
    if isinstance(data, Mapping):
        return SOURCES["arrays"](data)  # type: ignore[no-any-return]
    if hasattr(type(data), "columns"):  # a lazy frame warns when its own are asked for
        return SOURCES["frame"](data)  # type: ignore[no-any-return]
    if hasattr(data, "__arrow_c_stream__") or type(data).__module__.startswith("pyarrow"):
        return SOURCES["frame"](data)  # type: ignore[no-any-return]
    raise InputError(f"karat cannot read a {type(data).__name__}; give it a path, a data frame or a dict of columns")


def is_file(text: str) -> bool:
    """Return whether a text names a file rather than a column."""
    return Path(text).is_file() or "/" in text or any(f".{ending}" in text.lower() for ending in ENDINGS)


def _is_paths(data: Any) -> bool:
    if isinstance(data, str | Path):
        return True
    return isinstance(data, Sequence) and bool(data) and all(isinstance(part, str | Path) for part in data)


def _format(paths: tuple[str, ...]) -> str:
    formats = {_ending(path) for path in paths}
    if len(formats) > 1:
        raise InputError(f"the files are of several formats, {listing(sorted(formats))}; read one format at a time")
    return formats.pop()


def _ending(path: str) -> str:
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    ending = suffixes[-1][1:] if suffixes else ""
    if ending not in ENDINGS:
        raise InputError(
            f"the format of {path} is unclear from its name; say --format {'|'.join(dict.fromkeys(ENDINGS.values()))}"
        )
    return ENDINGS[ending]
