"""Lists of labels that were looked up, read back from files: a CSV with one label in each row."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from karat.errors import InputError
from karat.words import listing

NEEDED = ("draw", "item", "right", "q", "list")
SEPARATORS = ",;\t"
"""What may stand between cells: spreadsheets save either."""


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """One row of a list, as it came back."""

    where: str
    draw: int
    item: str
    given: str
    """Empty on a blind list."""
    right: str
    """Empty where the label was not looked up yet."""
    chance: float
    list_hash: str


def is_checked_list(path: str | Path) -> bool:
    """Return whether a file begins as a list of karat audit does."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            header = file.readline()
    except (OSError, UnicodeDecodeError):
        return False
    separator = max(SEPARATORS, key=header.count)
    try:
        names = next(csv.reader([header], delimiter=separator), [])
    except csv.Error:
        return False
    found = {name.strip() for name in names}
    return found.issuperset(NEEDED)


def read_lists(paths: Sequence[str | Path]) -> list[CheckedRow]:
    """Return the rows of several lists."""
    rows: list[CheckedRow] = []
    for path in paths:
        rows += _read(Path(path))
    return rows


def _read(path: Path) -> list[CheckedRow]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(
            f"{path} is not text in UTF-8; save the list as CSV (UTF-8), not as a spreadsheet"
        ) from None
    header = text.partition("\n")[0]
    if not header.strip():
        raise InputError(f"{path} is empty; a list has at least its header")
    separator = max(SEPARATORS, key=header.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        return _rows(reader, path)
    except csv.Error as error:
        raise InputError(
            f"{path}, line {reader.line_num}: {error}; is a quote not closed?"
        ) from None


def _rows(reader: "csv.DictReader[str]", path: Path) -> list[CheckedRow]:
    missing = [name for name in NEEDED if name not in (reader.fieldnames or ())]
    if missing:
        raise InputError(
            f"{path} lacks the columns {listing(missing)}; it is not a list of karat audit. It has "
            f"{listing(reader.fieldnames or ())}"
        )
    rows = []
    for cells in reader:
        where = f"{path}, line {reader.line_num}"
        beyond: Any = cells.pop(None, [])
        if any(beyond):
            raise InputError(
                f"{where}: {beyond[-1]!r} stands beyond the last column; is a comma not in quotes?"
            )
        if any(cells.values()):
            rows.append(_row(where, {name: value or "" for name, value in cells.items()}))
    return rows


def _row(where: str, cells: dict[str, str]) -> CheckedRow:
    draw = cells["draw"].strip()
    if not draw.isascii() or not draw.isdigit():
        raise InputError(f"{where}: draw is {draw!r}; it is a whole number. Is the row whole?")
    try:
        # A spreadsheet of some countries writes 0,25.
        chance = float(cells["q"].strip().replace(",", "."))
    except ValueError:
        raise InputError(
            f"{where}: q is {cells['q']!r}; it is a number, and not to be changed"
        ) from None
    return CheckedRow(
        where=where,
        draw=int(draw),
        item=cells["item"],
        given=cells.get("given", "").strip(),
        right=cells["right"].strip(),
        chance=chance,
        list_hash=cells["list"].strip(),
    )
