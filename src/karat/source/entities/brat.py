"""Entities as brat writes them: a file of annotations a document, `.ann`, whose lines with T are spans."""

import re
from collections.abc import Iterator
from pathlib import Path

from karat.errors import InputError
from karat.source.entities.tags import Span
from karat.source.faults import Faults
from karat.source.lines import lines
from karat.source.paths import composed, is_folder
from karat.words import NOTHING

ENDING = ".ann"
SPAN = re.compile(r"T\S*\t(\S+) (\d{1,18}) (\d{1,18})(?:\t.*)?")
FORM = "a line of brat's entities is T1, a tab, TYPE START END, a tab, and the text"


def holds_brat(path: Path) -> bool:
    """Return whether a path is a file of annotations, or a folder of them."""
    return is_folder(path) or path.suffix.lower() == ENDING


def annotation_files(path: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and the file of each document; a single file may be called as it likes."""
    if not is_folder(path):
        yield "1", path
        return
    found = sorted(path.rglob(f"*{ENDING}"))
    if not found:
        raise InputError(
            f"{path} holds no {ENDING}; a folder of brat's annotations has one for each document"
        )
    for file in found:
        yield composed(file.relative_to(path).with_suffix("").as_posix()), file


def annotated_spans(path: Path, faults: Faults) -> list[Span]:
    """Return the spans of a document; relations, events and notes are not entities."""
    spans = []
    for number, line in lines(path, faults):
        if not line.startswith("T"):
            continue
        place = f"{path}, line {number}"
        match = SPAN.fullmatch(line)
        if match is None and ";" in line.partition("\t")[2].partition("\t")[0]:
            faults.add(place, "its entity is in several pieces; karat compares entities in one")
        elif match is None or int(match[2]) >= int(match[3]) or match[1] == NOTHING:
            faults.add(place, f"{line[:60]!r} cannot be read; {FORM}")
        else:
            spans.append(Span(int(match[2]), int(match[3]), match[1]))
    return spans
