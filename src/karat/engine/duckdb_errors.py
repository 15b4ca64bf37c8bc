"""DuckDB's errors as messages for the user: what, where, and what to do."""

import re

import duckdb as library

from karat.errors import InputError
from karat.source.files.jsonlines import first_bad_line

NOT_UTF8 = "not UTF-8 text; save the file as UTF-8 (iconv -f latin1 -t utf-8)"
LONG = (
    "a line is longer than the 2 MB that a line of a table may have; look whether the ends of lines are lost, or "
    "leave it out with --lenient"
)
CUT = "the file ends too early, or is not compressed as its name says; get it anew"
MEANINGS = {
    "unterminated quote": "a quote is opened and never closed; close it, or leave the line out with --lenient",
    "Invalid unicode": NOT_UTF8,
    "not utf-8": NOT_UTF8,
    "Maximum line size": LONG,
    "does not support a full read": LONG,
    "GZIP": CUT,
    "ZSTD": CUT,
}
"""Words in the engine's report, and what they mean."""


def explained(error: library.Error, origin: str) -> InputError:
    """Return the engine's report as an error that names the place, what is there and what to do."""
    text = str(error)
    place = _place(text, origin)
    numbers = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if numbers:
        return InputError(
            f"{place}: {numbers[2]} values where the header has {numbers[1]} names; "
            "fix the line, quote values that hold the delimiter, or leave such lines out with --lenient"
        )
    for words, meaning in MEANINGS.items():
        if words in text:
            return InputError(f"{place}: {meaning}")
    file = re.search(r'in file "([^"]+)"', text)
    if file and "Malformed JSON" in text:
        fault = first_bad_line(file[1])
        return InputError(fault or f"{file[1]}: not JSON lines; one object a line is needed")
    if "arquet" in text or "magic bytes" in text:
        return InputError(
            f"{place} is no readable Parquet file; check the file, or name its format with --format"
        )
    first_line = text.partition("\n")[0]
    return InputError(f"{place}: {first_line.removeprefix('Invalid Input Error: ')}")


def _place(text: str, origin: str) -> str:
    """Return the file that a report names, and its line if that is there."""
    file = re.search(r"^\s*file = (.+)$|stream: (.+\.(?:gz|zst))$", text, re.MULTILINE)
    line = re.search(r"CSV Error on Line: (\d+)", text)
    place = (file[1] or file[2]).strip() if file else origin
    return f"{place}, line {line[1]}" if line else place
