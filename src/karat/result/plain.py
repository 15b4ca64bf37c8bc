"""Rows as JSON, CSV and Markdown."""

import csv as writer
import io
import json as encoder
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from karat.result.base import Result
from karat.result.layout import Grid, grids
from karat.words import NUMBER, OBEYED, printable

FORMULA = re.compile(r"[-=+@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""What a formula of a spreadsheet begins with; the last four are =, +, - and @ in full width."""
QUOTED = "\n\r\t"
"""What CSV can hold inside a cell, and whoever reads it again gets back."""
SIGNED_NUMBER = re.compile(rf"[-+]{NUMBER}(?:[eE][-+]?\d+)?")


def json(result: Result) -> str:
    """Return one object: what belongs to the whole result, and the rows with all their digits."""
    return "".join(json_parts(result))


def json_parts(result: Result) -> Iterator[str]:
    """Give that object piece by piece: of a hundred thousand pairs the text alone would fill memory."""
    whole = dict(result.beside())
    warnings = [note for note in result.notes() if note.startswith("warning: ")]
    if warnings:
        whole["warnings"] = warnings
    whole["rows"] = []
    beginning = json_text(whole).removesuffix("]\n}")
    between = "\n  "
    yield beginning
    for row in result:
        yield between + json_text(dict(row)).replace("\n", "\n  ")
        between = ",\n  "
    has_rows = between != "\n  "
    yield "\n ]\n}" if has_rows else "]\n}"


def json_text(value: Any) -> str:
    r"""Return a value as JSON, in which what a reader would obey rather than see is escaped as JSON escapes.

    >>> print(json_text(["\x1b", "\u202e", "é"]))
    [
     "\u001b",
     "\u202e",
     "é"
    ]
    """
    text = encoder.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
    if not OBEYED.search(text.replace("\n", "")):
        return text
    lines = text.split("\n")  # JSON's own: inside of strings they are escaped already
    return "\n".join(OBEYED.sub(lambda found: json_escape(found[0]), line) for line in lines)


def json_escape(letter: str) -> str:
    r"""Return a character as JSON can always write it.

    >>> print(json_escape("\x7f"), json_escape("∅"), json_escape("😀"))
    \u007f \u2205 \ud83d\ude00
    """
    if letter <= "\x7f":
        return f"\\u{ord(letter):04x}"
    return encoder.dumps(letter)[1:-1]


def csv(result: Result, *, guard_formulas: bool = False) -> str:
    """Return a header and the rows with all their digits.

    What would be obeyed rather than seen is written out, but for the line ends and tabs that a quoted cell can hold.
    Rows that karat is to read again have the names of the data as they are. With `guard_formulas` a text that a
    spreadsheet would run as a formula gets a ' in front.
    """

    def cell(value: object) -> object:
        if isinstance(value, list | tuple):
            value = "; ".join(map(str, value))
        if not isinstance(value, str):
            return value
        text = value if result.read_again else printable(value, kept=QUOTED)
        return guarded(text) if guard_formulas else text

    rows = result.rows()
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [_line([cell(name) for name in names])]
    for row in rows:
        values = [cell(row.get(name)) for name in names]
        lines.append(_line(values))
    return "".join(lines)


def guarded(text: str) -> str:
    """Return a text that a spreadsheet shows and does not run; numbers stay numbers.

    >>> guarded("=1+1"), guarded("-0.5"), guarded("a=b")
    ("'=1+1", '-0.5', 'a=b')
    """
    is_formula = FORMULA.match(text) and not SIGNED_NUMBER.fullmatch(text)
    return f"'{text}" if is_formula else text


def _line(cells: Sequence[object]) -> str:
    """Return one line; a return inside a cell is quoted only by a writer that ends its lines with one."""
    out = io.StringIO(newline="")
    writer.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def markdown(result: Result) -> str:
    """Return a table for each part, with its caption, and the notes."""
    tables = markdown_tables(grids(result))
    notes = [escaped(note) for note in result.notes()]
    return "\n\n".join([*tables, *notes]) + "\n"


def markdown_tables(parts: Mapping[str, Grid]) -> list[str]:
    """Return a table under each heading."""
    tables = []
    for head, grid in parts.items():
        rule = ["---:" if name in grid.numeric else "---" for name in grid.headings]
        lines = [_row(cells) for cells in (grid.headings, rule, *grid.cells)]
        if head:
            lines = [f"**{escaped(head)}**", "", *lines]
        if grid.caption:
            lines += ["", f"*{escaped(grid.caption)}*"]
        tables.append("\n".join(lines))
    return tables


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(escaped(cell) for cell in cells)} |"


def escaped(text: str) -> str:
    """Return text that Markdown shows as it is."""
    line = printable(text).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"[\\|*`]|(?<!\w)_|_(?!\w)", r"\\\g<0>", line)
