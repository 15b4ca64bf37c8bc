"""A sheet of an Excel workbook; openpyxl reads it."""

import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import date, datetime, time
from itertools import islice
from pathlib import Path
from typing import Any

from karat.errors import InputError
from karat.source.origin import Source, files
from karat.source.spill import FEW, SpilledRows
from karat.source.unpacking import DAMAGE, UNPACK, in_words, most_unpacked
from karat.words import listing

BROKEN = (*DAMAGE, ValueError, LookupError, TypeError, AttributeError, SyntaxError)
"""What openpyxl raises where a workbook is damaged, or none; errors of XML are errors of syntax."""


def xlsx(paths: Sequence[str], *, sheet: str = "") -> Source:
    """A sheet of an Excel workbook (.xlsx): names in its first row, a row an item.

    `sheet` names it, where the workbook has several.
    """
    try:
        import openpyxl  # noqa: PLC0415 (optional)
    except ImportError:
        raise InputError(
            f"{paths[0]}: workbooks need openpyxl: pip install openpyxl; or save the sheet as CSV"
        ) from None
    path, *others = files(paths)
    if others:
        raise InputError(f"{path} and {others[0]} cannot be read together; name one workbook")
    try:
        _check_size(path)
        # openpyxl warns of what it passes over, such as styles; a file that it cannot read it would leave open.
        with (
            warnings.catch_warnings(action="ignore"),
            Path(path).open("rb") as file,
            closing(openpyxl.load_workbook(file, read_only=True, data_only=True)) as values,
            closing(openpyxl.load_workbook(file, read_only=True)) as formulas,
        ):
            name = _chosen(values.sheetnames, sheet, path)
            rows = _rows(values[name], formulas[name], f"{path}, sheet {name!r}")
            return _spilled(rows, f"{path}:{name}")
    except BROKEN as error:
        raise InputError(f"{path} cannot be read as a workbook: {error}; save it as CSV") from None


def _check_size(path: str) -> None:
    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    most = most_unpacked(Path(path).stat().st_size)
    if size > most:
        raise InputError(
            f"{path} unpacks to more than {in_words(most)}; {UNPACK}, and save it as CSV"
        )


def _chosen(names: Sequence[str], wanted: str, path: str) -> str:
    if wanted and wanted not in names:
        raise InputError(f"{path} has no sheet {wanted!r}; it has {listing(names)}")
    if not wanted and len(names) > 1:
        raise InputError(
            f"{path} has the sheets {listing(names)}; choose one with --using sheet=NAME"
        )
    return wanted or names[0]


def _rows(values: Any, formulas: Any, origin: str) -> Iterator[list[str | None]]:
    """Yield the rows that are not empty, as text; a formula counts with the value that was saved beside it."""
    both = zip(
        values.iter_rows(values_only=True), formulas.iter_rows(values_only=True), strict=True
    )
    for number, (row, written) in enumerate(both, 1):
        for value, formula in zip(row, written, strict=True):
            if value is None and formula is not None:
                raise InputError(
                    f"{origin}, row {number:,}: the formula {str(formula)[:40]!r} has no value saved beside it; "
                    "open the workbook and save it again"
                )
        cells = [_text(value) for value in row]
        if any(cell is not None for cell in cells):
            yield cells


def _text(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    return str(value)


def _of_width(row: list[str | None], width: int, origin: str) -> list[str | None]:
    """Return a row with a cell for each name, empty cells added; refuse values beyond the names."""
    if any(cell is not None for cell in row[width:]):
        raise InputError(f"{origin}: a row has a value where the first row has no name")
    absent = [None] * (width - len(row))
    return [*row[:width], *absent]


def _spilled(rows: Iterator[list[str | None]], origin: str) -> Source:
    names = next(rows, None)
    if names is None:
        raise InputError(f"{origin} is empty; karat needs a row of names and at least one more")
    while names and names[-1] is None:
        names.pop()
    spilled = SpilledRows([name or "" for name in names])
    width = len(names)
    while some := list(islice(rows, FEW)):
        spilled.write([_of_width(row, width, origin) for row in some])
    if not spilled.is_begun:
        raise InputError(f"{origin} has names but no rows; karat needs at least one")
    return spilled.source(origin, {})
