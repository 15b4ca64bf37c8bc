"""Texts in the cells of a table: a row a page or an utterance, a column for the truth and one for each system."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from karat.errors import InputError
from karat.source.counted_rows import PAGE
from karat.source.faults import Faults
from karat.source.files.correct import MODEL, rows
from karat.source.text.texts import TextPages, Texts
from karat.words import listing

TABLES = (".csv", ".tsv", ".jsonl", ".ndjson")
NAMES = (
    "page",
    "item",
    "id",
    "item_id",
    "doc_id",
    "utterance",
    "utterance_id",
    "utt",
    "utt_id",
    "uttid",
    "sample_id",
    "segment_id",
    "sentence_id",
    "line_id",
    "clip_id",
    "page_id",
    "audio_id",
    "file_id",
    "file",
    "filename",
    "file_name",
    "path",
    "audio",
    "wav",
    "image",
)
"""How the column with the name of a text may be called."""
TRUTHS = (
    "truth",
    "gold",
    "ground_truth",
    "reference",
    "references",
    "ref",
    "truth_text",
    "target",
    "transcript",
    "transcription",
)
SAMPLE = 1000
"""How many rows show which columns hold texts."""
CHOSEN = "add it, as null where there is none, or name the columns that count with --systems"


@dataclass(frozen=True, slots=True)
class _TextColumns:
    """Which columns of a table hold the name of a page, its true text, each system's, and what else was requested."""

    page: str | None
    truth: str | None
    systems: Sequence[str]
    beside: Sequence[str]
    known: Collection[str] | None
    """All columns of the first row; None if the user chose the systems, so that others do not matter."""
    keeps_empty_truth: bool


def is_table(path: str) -> bool:
    """Return whether a file is a table whose cells may be texts."""
    return path.lower().removesuffix(".gz").endswith(TABLES)


def table_of_texts(
    paths: Sequence[str],
    faults: Faults,
    *,
    origin: str,
    truth: str | None,
    systems: Sequence[str] | None,
    asked: Collection[str],
    keeps_empty_truth: bool,
) -> TextPages:
    """Return the rows of tables; `asked` are columns that the user named beside the texts, such as that of speakers."""
    sample = [row for _, row in islice(rows(paths[0], Faults(lenient=True)), SAMPLE)]
    if not sample:
        raise InputError(f"{origin} has a header but no rows; karat needs at least one page")
    first_row = sample[0]
    page = _first_named(first_row, NAMES)
    truth = truth or _first_named(first_row, TRUTHS)
    beside = [column for column in first_row if column in asked and column != PAGE]
    left_out: list[str] = []
    known = None if systems is not None else first_row
    if systems is None:
        free = [column for column in first_row if column not in {page, truth, *beside}]
        _check_wide(free, origin)
        left_out = _no_texts(free, truth, sample)
        systems = [column for column in free if column not in left_out]
    _check_columns(systems, truth, first_row, origin)
    columns = _TextColumns(page, truth, systems, beside, known, keeps_empty_truth)
    notes = (f"left out, as they hold no texts: {listing(left_out)}",) if left_out else ()
    pages = _texts(paths, faults, columns)
    return TextPages(origin, tuple(systems), truth, pages, tuple(beside), notes)


def _check_columns(
    systems: Sequence[str], truth: str | None, first_row: Mapping[str, object], origin: str
) -> None:
    for column in [*systems, truth] if truth else systems:
        if column not in first_row:
            raise InputError(f"{origin} has no column {column!r}; it has {listing(first_row)}")
    if not systems:
        raise InputError(
            f"{origin} has no column of a system's texts; it has {listing(first_row)}. Name them with --systems a,b"
        )


def _first_named(columns: Iterable[str], names: Collection[str]) -> str | None:
    """Return the first column that has one of these names, in upper or lower case."""
    return next((column for column in columns if column.lower() in names), None)


def _check_wide(columns: Sequence[str], origin: str) -> None:
    """Refuse a table with a row for each system's text, in which every column would be read as a system."""
    whose = _first_named(columns, MODEL)
    if whose:
        raise InputError(
            f"{origin}: {whose!r} seems to name whose text a row holds; confirm it with --long ITEM,{whose},TEXT, "
            "or name the columns with texts with --systems a,b"
        )


def _no_texts(
    columns: Sequence[str], truth: str | None, sample: Sequence[Mapping[str, object]]
) -> list[str]:
    """Return the columns that hold only numbers, or single words where the truth holds more: a speaker, a length.

    An empty column stays, as a system may have read nothing.
    """
    truths = [] if truth is None else _filled(truth, sample)
    has_words = any(len(text.split()) > 1 for text in truths)
    has_numbers = all(map(_is_number, truths))
    no_texts = []
    for column in columns:
        cells = _filled(column, sample)
        if not cells:
            continue
        only_words = has_words and all(len(text.split()) <= 1 for text in cells)
        only_numbers = not has_numbers and all(map(_is_number, cells))
        if column.lower() in NAMES or only_words or only_numbers:
            no_texts.append(column)
    return no_texts


def _filled(column: str, sample: Sequence[Mapping[str, object]]) -> list[str]:
    cells = [row.get(column) for row in sample]
    return [str(cell) for cell in cells if cell is not None and str(cell).strip()]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _TextCells:
    """A row, and its place in the file."""

    row: Mapping[str, object]
    place: str
    faults: Faults

    def text(self, column: str) -> str | None:
        """Return a cell as text; one that holds a list or an object is a fault."""
        value = self.row.get(column)
        if isinstance(value, list | dict):
            kind = type(value).__name__
            self.faults.add(self.place, f"{column!r} holds a {kind}, not a text")
            return None
        return None if value is None else str(value)


def _texts(paths: Sequence[str], faults: Faults, columns: _TextColumns) -> Iterator[Texts]:
    """Yield the pages of tables; a column that the first row lacks is a fault."""
    for path in paths:
        for number, (place, row) in enumerate(rows(path, faults), 1):
            if columns.known is not None:
                _check_known(row, columns.known, place, faults)
            cells = _TextCells(row, place, faults)
            answers = [cells.text(column) for column in columns.systems]
            truth = None
            if columns.truth:
                truth = cells.text(columns.truth)
                is_empty = truth is None or (truth == "" and not columns.keeps_empty_truth)
                if is_empty:
                    faults.add(place, f"the truth in {columns.truth!r} is empty")
                    continue
            page = number
            if columns.page:
                page = row.get(columns.page, number)
            beside = [cells.text(column) for column in columns.beside]
            yield Texts(str(page), truth, tuple(answers), tuple(beside))


def _check_known(
    row: Mapping[str, object], known: Collection[str], place: str, faults: Faults
) -> None:
    new = next((column for column in row if column not in known), None)
    if new is not None:
        faults.add(place, f"{new!r} is not in the first row, whose columns count", remedy=CHOSEN)
