"""DuckDB's errors as messages for the user: what, where, and what to do."""

import re

import duckdb as library

from karat.errors import InputError, KaratError, NotEnoughMemoryError
from karat.source.files.jsonlines import first_bad_line

REPORTED = (library.Error, RuntimeError)
"""What the engine raises when it opens a file; the second where the name of a column is not text."""
NOT_UTF8 = "not UTF-8 text; save the file as UTF-8 (iconv -f latin1 -t utf-8)"
LONG = (
    "a line is longer than the 2 MB that a line of a table may have; check whether its line ends are lost, or "
    "leave it out with --lenient"
)
LONG_OBJECT = "a line is longer than the 16 MB that a JSON object may have; shorten it"
CUT = "the file ends too early, or is not compressed as its name says; download or copy it again"
MEANINGS = {
    "unterminated quote": "a quote is opened and never closed; close it, or leave the line out with --lenient",
    "Invalid unicode": NOT_UTF8,
    "Invalid string encoding": "a value is not UTF-8 text; write the file again with its texts in UTF-8",
    "not utf-8": NOT_UTF8,
    "conversion error!": "the name of a column is not UTF-8 text; write the file again with its names in UTF-8",
    "Maximum line size": LONG,
    "does not support a full read": LONG,
    "maximum_object_size": LONG_OBJECT,
    "GZIP": CUT,
    "ZSTD": CUT,
}
"""Words in the engine's report, and what they mean."""
OUT_OF_MEMORY = (
    "out of memory",
    "bad_alloc",
    "cannot allocate memory",
    "failed to allocate",
    "could not allocate",
)
"""Words in a report, whatever kind of error it is, that show what was lacking."""
FILE_NAMES = (
    re.compile(r"^\s*file = (.+)$", re.MULTILINE),
    re.compile(r"stream: (.+\.(?:gz|zst))$", re.MULTILINE),
    re.compile(r"""[Ff]ile ["']([^"'\n]+)["']"""),
)
"""How the engine names a file; the last one could also be in a line that it quotes."""


def _number_of_values(values: int, *, names: int) -> str:
    """Return what is wrong with a line that has not as many values as the header has names, and what to do."""
    if names == 1:
        return (
            "several values where the first line has one name; if that line is a title, remove all lines before the "
            "header"
        )
    return (
        f"{values} values where the header has {names} names; fix the line, quote values that hold the delimiter, or "
        "leave such lines out with --lenient"
    )


def explained(error: Exception, origin: str) -> KaratError:
    """Return the engine's report as an error that names the place, what is there and what to do."""
    text = str(error)
    is_full = isinstance(error, library.OutOfMemoryException)
    if is_full or any(words in text.lower() for words in OUT_OF_MEMORY):
        return NotEnoughMemoryError(f"count {origin}")
    place = _place(text, origin)
    numbers = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if numbers:
        return InputError(f"{place}: {_number_of_values(int(numbers[2]), names=int(numbers[1]))}")
    for words, meaning in MEANINGS.items():
        if words in text:
            return InputError(f"{place}: {meaning}")
    file = re.search(r'in file "([^"]+)"', text)
    if file and "Malformed JSON" in text:
        fault = first_bad_line(file[1])
        return InputError(fault or f"{file[1]}: not JSON lines; one object a line is needed")
    is_parquet = place.endswith((".parquet", ".pq"))
    if is_parquet or "arquet" in text or "magic bytes" in text:
        return InputError(
            f"{place} is not a readable Parquet file; check the file, or name its format with --format"
        )
    first_line = text.partition("\n")[0]
    return InputError(f"{place}: {first_line.removeprefix('Invalid Input Error: ')}")


def _place(text: str, origin: str) -> str:
    """Return the file that a report names, and its line if it names one."""
    line = re.search(r"CSV Error on Line: (\d+)", text)
    place = origin
    for named in FILE_NAMES:
        file = named.search(text)
        if file:
            place = file[1].strip()
            break
    return f"{place}, line {line[1]}" if line else place
