"""Plain tables of which answers were right: item, model, correct; the model may be that of the whole file."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from karat.errors import InputError
from karat.source.answer_rows import RIGHT, Answer, answers, verdict
from karat.source.faults import Faults
from karat.source.files.delimited import header
from karat.source.lines import lines, objects
from karat.source.origin import Source, files, shown
from karat.source.paths import exists
from karat.source.truth_and_systems import named
from karat.words import listing

ITEM = (
    "item",
    "id",
    "item_id",
    "task_id",
    "problem",
    "problem_id",
    "sample_id",
    "question_id",
    "doc_id",
    "example_id",
    "question",
)
MODEL = ("model", "system")
CORRECT = ("correct", "is_correct", "passed")
TASK = ("task", "group", "subject", "benchmark", "dataset")


def correct(paths: Sequence[str], *, lenient: bool = False) -> Source:
    """Tables with the columns item, model and correct (and task): a row says whether an answer was right.

    Without a column of models a file is one model's, called as the file or as in NAME=FILE.
    """
    faults = Faults(lenient=lenient)
    models = _models(paths)
    return answers(_answers(models, faults), faults, origin=shown(list(models)), how="correct")


def _models(words: Sequence[str]) -> dict[str, str]:
    """Return the model of each file, for files without a column of models."""
    models = {}
    for word in words:
        if "=" in word and not exists(word):
            name, path = named(word)
            models[str(path)] = name
        else:
            models |= {path: named(path)[0] for path in files(word)}
    return models


def _answers(models: Mapping[str, str], faults: Faults) -> Iterator[Answer]:
    for path, model in models.items():
        for place, row in rows(path, faults):
            answer = _answer(row, model, place, faults)
            if answer:
                yield answer


def rows(path: str, faults: Faults) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the place and the cells of each row of a delimited file or of JSON lines."""
    if path.removesuffix(".gz").endswith((".jsonl", ".ndjson")):
        for number, row in objects(path, faults):
            yield f"{path}, line {number}", row
    else:
        yield from _delimited_rows(path, faults)


def _delimited_rows(path: str, faults: Faults) -> Iterator[tuple[str, Mapping[str, Any]]]:
    csv.field_size_limit(1 << 30)  # a page may be longer than what csv expects of a cell
    rest = lines(path, faults)
    number, first = next(rest, (1, ""))
    if number > 1:
        raise InputError(
            f"{path}, line 1: the header cannot be read; correct it, as karat needs the names of the columns"
        )
    if "\r" in first:
        raise InputError(
            f"{path}, line 1: a carriage return alone ends the line, as on old Macs; save it with line feeds"
        )
    head = header(first, origin=path)

    def numbered() -> Iterator[str]:
        nonlocal number
        for number, line in chain([(1, first)], rest):  # noqa: B007 (the place of a row that ends here)
            yield f"{line}\n"

    reader = csv.reader(numbered(), delimiter=head.delimiter, strict=True)
    try:
        next(reader)
        for cells in reader:
            place = f"{path}, line {number}"
            if len(cells) == len(head.names):
                yield place, dict(zip(head.names, cells, strict=True))
            elif cells:
                what = f"{len(cells)} values where the header has {len(head.names)} names"
                faults.add(place, what)
    except csv.Error as error:
        raise InputError(
            f"{path}, line {number}: {error}; close the quote, or fix the line"
        ) from None


def _answer(row: Mapping[str, Any], model: str, place: str, faults: Faults) -> Answer | None:
    """Return the answer of a row; a row without an item, a model or a verdict is a fault."""
    cells = {str(name).lower(): value for name, value in row.items()}
    item = _first(cells, ITEM)
    task = _first(cells, TASK)
    if _has_any(cells, MODEL):
        model = _first(cells, MODEL)
    if _is_empty(item) or _is_empty(model) or not _has_any(cells, CORRECT):
        filled = [name for name, value in row.items() if not _is_empty(value)]
        faults.add(place, f"it has {listing(filled)}, but needs an item, a model and correct")
        return None
    given = _first(cells, CORRECT)
    is_right = verdict(given)
    if is_right is None and not _is_empty(given):
        faults.add(place, f"correct is {given!r}, neither right (1, true) nor wrong (0, false)")
        return None
    if _is_empty(task):
        return Answer(str(item), "all", str(model), is_right, RIGHT)
    return Answer(f"{task}/{item}", str(task), str(model), is_right, RIGHT)


def _has_any(cells: Mapping[str, Any], names: Sequence[str]) -> bool:
    return any(name in cells for name in names)


def _first(cells: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the cell of the first of several names that a row has."""
    return next((cells[name] for name in names if name in cells), None)


def _is_empty(value: Any) -> bool:
    return value is None or value == ""
