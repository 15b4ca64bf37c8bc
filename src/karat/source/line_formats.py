"""The format of a file of lines, from its first lines: a run of retrieval, or tokens with tags."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from karat.source.entities.conll_lines import DOCUMENT_START, is_comment, is_header
from karat.source.entities.tags import split
from karat.source.faults import Faults
from karat.source.lines import lines
from karat.source.retrieval.trec_files import RUN

PREVIEW = 50
"""How many lines are looked at."""


def format_of_lines(path: Path) -> str | None:
    """Return the source whose lines these are: a document of a run, or a token and its tag."""
    rows: list[list[str]] = []
    for _, line in islice(lines(path, Faults(lenient=True)), PREVIEW):
        cells = line.split()
        if not cells or cells[0] == DOCUMENT_START or is_comment(line, cells):
            continue
        if rows or not is_header(cells):
            rows.append(cells)
    if rows and all(_is_of_run(cells) for cells in rows):
        return "trec"
    return "conll" if _are_tagged(rows) else None


def _is_of_run(cells: Sequence[str]) -> bool:
    """Return whether a line is a document of a run: QUERY Q0 DOCUMENT RANK SCORE NAME."""
    return len(cells) == RUN.width and cells[1].upper() == "Q0"


def _are_tagged(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether every line ends in a tag, and at least one of them in the tag of an entity with a type."""
    has_type = False
    for cells in rows:
        tag = split(cells[-1]) if len(cells) > 1 else None
        if tag is None:
            return False
        _, kind = tag
        has_type = has_type or kind not in {"", "_"}
    return has_type
