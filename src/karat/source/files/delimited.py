"""CSV and TSV, plain or compressed with gzip or zstd."""

import csv as reader
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from karat.errors import InputError
from karat.source.origin import Source, files, shown
from karat.source.unpacking import HELD, opened, too_long
from karat.words import listing

DELIMITERS = ",\t;|"
BLANK = "(column {})"
"""What a column without a name at the end of the header is called; it has to be empty."""
LONGEST = 16_000_000
"""How many bytes the last line may have; the engine refuses other lines of more than 2,000,000."""


@dataclass(frozen=True, slots=True)
class Header:
    """The names in a file's first line, and what separates them."""

    names: tuple[str, ...]
    delimiter: str


def csv(patterns: str | Path | Sequence[str | Path]) -> Source:
    """Values separated by commas, semicolons, bars or tabs: whatever of these comes first in the header."""
    paths = _texts(patterns)
    return Source(origin=shown(paths), reader="csv", paths=paths)


def tsv(patterns: str | Path | Sequence[str | Path]) -> Source:
    """Values separated by tabs."""
    paths = _texts(patterns)
    return Source(origin=shown(paths), reader="csv", paths=paths, options={"delimiter": "\t"})


def _texts(patterns: str | Path | Sequence[str | Path]) -> tuple[str, ...]:
    """Return the files, none of which begins as only binary ones do."""
    paths = files(patterns)
    for path in paths:
        with Path(path).open("rb") as file:
            if not path.endswith((".gz", ".zst")) and b"\x00" in file.read(4096):
                raise InputError(
                    f"{path} is not text, or is UTF-16; save it as UTF-8, or name its format with --format"
                )
            _check_last_line(file, path)
    return paths


def _check_last_line(file: BinaryIO, path: str) -> None:
    """Refuse a last line of more than 16 MB: DuckDB refuses such lines elsewhere, but drops the last from 32 MB on."""
    size = file.seek(0, io.SEEK_END)
    if size <= LONGEST:
        return
    file.seek(size - LONGEST)
    if not re.search(rb"[\r\n]", file.read().rstrip(b"\r\n")):
        raise InputError(
            f"{path}: its last line is longer than {LONGEST:,} bytes; check whether its line ends are lost"
        )


def first_line(path: str) -> str | None:
    """Return the first line of a file as text; None if it is compressed in a way that only engines read."""
    if path.endswith(".zst"):
        return None
    with opened(path) as file:
        data = file.readline(HELD + 1)
    if len(data) > HELD:
        raise too_long(f"{path}, line 1", "the line")
    try:
        line = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            f"{path}, line 1: not UTF-8 text; save the file as UTF-8 (iconv -f latin1 -t utf-8)"
        ) from None
    return re.split(r"[\r\n]", line, maxsplit=1)[0] if line.strip() else ""


def header(line: str, *, origin: str, delimiter: str | None = None) -> Header:
    """Return the column names of a file's first line.

    >>> header("item;truth;a", origin="runs.csv")
    Header(names=('item', 'truth', 'a'), delimiter=';')
    """
    line = line.lstrip("\N{ZERO WIDTH NO-BREAK SPACE}")
    if re.fullmatch(r"sep=.", line.strip(), re.IGNORECASE):
        raise InputError(
            f"{origin}, line 1: {line.strip()!r} is a note for Excel, not a header; remove the line"
        )
    separator = delimiter or _separator(line)
    try:
        cells = next(reader.reader([line], delimiter=separator, strict=True))
    except (reader.Error, StopIteration):
        raise InputError(f"{origin}, line 1: no readable header; it begins {line[:60]!r}") from None
    names = tuple(cell.strip() for cell in cells)
    if not any(names):
        raise InputError(f"{origin}, line 1: the header has no names; name the columns there")
    _check_names(names, origin)
    return Header(_with_blanks(names), separator)


def _with_blanks(names: Sequence[str]) -> tuple[str, ...]:
    """Return names with one for each blank at the end, which spreadsheets write where columns were once used.

    >>> _with_blanks(["item", "truth", "", ""])
    ('item', 'truth', '(column 3)', '(column 4)')
    """
    filled = len(names)
    while not names[filled - 1]:
        filled -= 1
    blanks = [BLANK.format(number + 1) for number in range(filled, len(names))]
    return (*names[:filled], *blanks)


def _separator(line: str) -> str:
    """Return what separates the names: the first delimiter outside of quotes, as later names may hold others.

    >>> _separator('"a,b";c|d')
    ';'
    """
    unquoted = re.sub('"[^"]*"', "", line)
    first = re.search(f"[{DELIMITERS}]", unquoted)
    return first[0] if first else ","


def _check_names(names: tuple[str, ...], origin: str) -> None:
    repeated = [name for name, times in Counter(names).items() if times > 1 and name]
    if repeated:
        remedy = "rename one of them"
        if any(re.fullmatch(r"[+-]?\d+(\.\d+)?", name) for name in names):
            remedy = "if it is the first row and not a header, put a header before it, such as item,truth,a"
        raise InputError(
            f"{origin}, line 1: the header has {listing(repeated)} more than once; {remedy}"
        )
    filled = [number for number, name in enumerate(names) if name]
    if "" in names[1 : filled[-1]]:
        column = names.index("", 1) + 1
        raise InputError(
            f"{origin}, line 1: column {column} has no name; give it one, or remove it"
        )


def check_same(headers: dict[str, Header]) -> Header:
    """Return the one header that several files share."""
    (first, head), *others = headers.items()
    for path, other in others:
        if other != head:
            reason = "the order or the delimiter differs"
            odd = set(head.names) ^ set(other.names)
            if odd:
                reason = f"they differ in {listing(sorted(odd))}"
            hint = ""
            if path.removesuffix(".gz").endswith(".txt"):
                hint = ", or use --format text if they are not tables"
            raise InputError(
                f"{path} does not have the columns of {first}: {reason}; read them one at a time{hint}"
            )
    return head
