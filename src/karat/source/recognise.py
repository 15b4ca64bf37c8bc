"""Which source reads the data that the user names."""

import inspect
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from karat.errors import InputError, OptionError
from karat.scratch import scratch_folder, without_scratch
from karat.source import SOURCES
from karat.source.files.memory import dataset, is_dataset
from karat.source.guess import START, TABLES, guess
from karat.source.lines import BOM
from karat.source.origin import Source, files
from karat.source.paths import is_a_file
from karat.source.truth_and_systems import NONE
from karat.source.zip_archive import without_archives
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
    "xlsx": "xlsx",
}
LOSSY = "this is compressed with loss, which changes pixels; masks and score maps are PNG, TIFF, GIF, PNM or .npy"
SHEET = "karat reads no such spreadsheets; save the sheet as CSV or .xlsx"
OTHERS = {
    "xls": SHEET,
    "ods": SHEET,
    "jpg": LOSSY,
    "jpeg": LOSSY,
    "webp": LOSSY,
    "jp2": LOSSY,
    "json": "one JSON array is not a table; write one object a line, for example with jq -c '.[]', into a .jsonl file",
}
"""Files that people have, and what to do with them."""
COMPRESSED = {".gz", ".zst"}
WINDOWS = re.compile(r"[A-Za-z]:\\|\\\\")
"""How a path of Windows begins: with a drive, or the name of a server."""


CONTEXT = ("lenient", "asked", "truth", "systems", "origin", "each")
"""What a source gets beside its own options: the columns that the user requested, who works for it, and the like."""

TRUTH_FIRST = {"text", "words", "bag", "conll", "tokens", "spans", "trec", "pixels"}
"""Sources whose paths are the truth's and then the systems'."""
IN_MEMORY = {"arrays", "frame", "predictions"}


def recognise(
    data: Any,
    *,
    format: str | None = None,  # noqa: A002 (the option's name)
    using: Mapping[str, Any] | None = None,
    context: Mapping[str, Any] | None = None,
) -> Source:
    """Return the source behind a path, a glob, several of them, a frame or a mapping of columns.

    `using` holds the source's own options, `context` the context: options of reading that a source may need too.
    """
    if isinstance(data, Source):
        return data
    if _is_paths(data):
        paths = [str(data)] if isinstance(data, str | Path) else [str(path) for path in data]
        if paths == [NONE]:
            return _standard_input(format, using or {}, context or {})
        paths = without_archives(paths)
        name = format or guess(paths) or _format(files(paths))
        return _opened(name, paths, using or {}, context or {})
    if using:
        raise OptionError(
            f"--using {next(iter(using))} is for files; this is a {type(data).__name__}"
        )
    return _in_memory(data)


def _in_memory(data: Any) -> Source:
    """Return the source of a frame, of columns by name, or of a data set."""
    source: Callable[[Any], Source] | None = None
    if isinstance(data, Mapping):
        source = SOURCES["arrays"]
    elif is_dataset(data):
        source = dataset
    elif _is_frame(data):
        source = SOURCES["frame"]
    if source is None:
        raise InputError(
            f"karat cannot read a {type(data).__name__}; give it a path, a data frame or a dict of columns"
        )
    return source(data)


def _is_frame(data: Any) -> bool:
    if hasattr(type(data), "columns"):  # a lazy frame warns when its own are asked for
        return True
    return hasattr(data, "__arrow_c_stream__") or type(data).__module__.startswith("pyarrow")


def has_truth_first(paths: Sequence[str], format: str | None) -> bool:  # noqa: A002 (the option's name)
    """Return whether paths are those of a truth and of systems, so that --truth PATH may come before them."""
    paths = without_archives(paths)
    name = format or guess(paths)
    return name in TRUTH_FIRST and not all(Path(path).suffix in TABLES for path in paths[1:])


def _standard_input(
    format: str | None,  # noqa: A002 (the option's name)
    using: Mapping[str, Any],
    context: Mapping[str, Any],
) -> Source:
    """Return the source of what is piped in: CSV or TSV, or JSON lines where it begins with a brace."""
    path = scratch_folder() / "standard_input"
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    with path.open("rb") as file:
        start = file.read(START).removeprefix(BOM).lstrip()
    if not start:
        raise InputError("standard input is empty; pipe a table into karat, or name its file")
    is_json = start.startswith(b"{")
    name = format or ("jsonl" if is_json else "csv")
    source = _opened(name, [str(path)], using, context)
    return replace(source, origin="standard input")


def _opened(
    name: str, paths: Sequence[str], using: Mapping[str, Any], context: Mapping[str, Any]
) -> Source:
    """Call a source with its own options, and with as much of the context as it takes."""
    function = SOURCES[name]
    if name in IN_MEMORY:
        raise OptionError(
            f"--format {name} is for data in memory, in Python; name a format of files"
        )
    own = options_of(function)
    for option in using:
        if option not in own:
            takes = listing(own) if own else "none"
            raise OptionError(f"--using {option} is not an option of {name}; it takes {takes}")
    wanted = set(parameters(function)) & set(CONTEXT)
    own_context = {key: value for key, value in context.items() if key in wanted}
    source: Source = function(paths, **using, **own_context)
    notes = tuple(map(without_scratch, source.notes))
    return replace(source, origin=without_scratch(source.origin), notes=notes)


def options_of(function: Callable[..., Source]) -> dict[str, Any]:
    """Return the options of a source and their defaults."""
    return {name: default for name, default in parameters(function).items() if name not in CONTEXT}


def parameters(function: Callable[..., Source]) -> dict[str, Any]:
    """Return the named parameters of a source with their defaults."""
    named = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            named[parameter.name] = parameter.default
    return named


def is_file(text: str) -> bool:
    """Return whether a text names a file rather than a column."""
    if is_a_file(text) or "/" in text or WINDOWS.match(text):
        return True
    return any(f".{ending}" in text.lower() for ending in (*ENDINGS, "zip"))


def _is_paths(data: Any) -> bool:
    if isinstance(data, str | Path):
        return True
    if not isinstance(data, Sequence) or not data:
        return False
    return all(isinstance(part, str | Path) for part in data)


def _format(paths: tuple[str, ...]) -> str:
    formats = {_ending(path) for path in paths}
    if len(formats) > 1:
        raise InputError(
            f"the files are of several formats, {listing(sorted(formats))}; read one format at a time"
        )
    return formats.pop()


def _ending(path: str) -> str:
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    ending = suffixes[-1][1:] if suffixes else ""
    if ending in OTHERS:
        raise InputError(f"{path}: {OTHERS[ending]}")
    if ending not in ENDINGS:
        formats = "|".join(dict.fromkeys(ENDINGS.values()))
        raise InputError(
            f"the format of {path} is unclear from its name; choose it with --format {formats}"
        )
    return ENDINGS[ending]
