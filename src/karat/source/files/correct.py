"""Plain tables of who was right: item, model, correct."""

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
from karat.words import listing

ITEM = ("item", "id", "item_id", "sample_id", "question_id", "doc_id", "example_id", "question")
MODEL = ("model", "system")
CORRECT = ("correct", "is_correct")
TASK = ("task", "group", "subject", "benchmark", "dataset")


def correct(paths: Sequence[str], *, lenient: bool = False) -> Source:
    """Tables with the columns item, model and correct (and task): a row says whether an answer was right."""
    faults = Faults(lenient=lenient)
    names = files(paths)
    found = (
        one
        for path in names
        for place, row in rows(path, faults)
        if (one := _answer(row, place, faults))
    )
    return answers(found, faults, origin=shown(names), how="correct")


def rows(path: str, faults: Faults) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the place and the cells of each row of a delimited file or of JSON lines."""
    if path.removesuffix(".gz").endswith((".jsonl", ".ndjson")):
        yield from ((f"{path}, line {number}", row) for number, row in objects(path, faults))
        return
    csv.field_size_limit(1 << 30)  # a page may be longer than what csv expects of a cell
    found = lines(path, faults)
    number, first = next(found, (1, ""))
    if number > 1:
        raise InputError(
            f"{path}, line 1: the header cannot be read; mend it, as nothing says what the columns are"
        )
    head = header(first, origin=path)

    def numbered() -> Iterator[str]:
        nonlocal number
        for number, line in chain([(1, first)], found):  # noqa: B007 (said of a row that ends here)
            yield f"{line}\n"

    reader = csv.reader(numbered(), delimiter=head.delimiter, strict=True)
    try:
        next(reader)
        for cells in reader:
            if len(cells) == len(head.names):
                yield f"{path}, line {number}", dict(zip(head.names, cells, strict=True))
            elif cells:
                faults.add(
                    f"{path}, line {number}",
                    f"{len(cells)} values where the header has {len(head.names)} names",
                )
    except csv.Error as error:
        raise InputError(
            f"{path}, line {number}: {error}; close the quote, or mend the line"
        ) from None


def _answer(row: Mapping[str, Any], place: str, faults: Faults) -> Answer | None:
    lower = {str(name).lower(): value for name, value in row.items()}
    roles = (ITEM, MODEL, TASK, CORRECT)
    item, model, task, right = (
        next((lower[name] for name in names if name in lower), None) for names in roles
    )
    if _is_empty(item) or _is_empty(model) or not lower.keys() & set(CORRECT):
        there = [name for name, value in row.items() if not _is_empty(value)]
        faults.add(place, f"it has {listing(there)}, but needs an item, a model and correct")
        return None
    said = verdict(right)
    if said is None and not _is_empty(right):
        faults.add(place, f"correct is {right!r}, neither right (1, true) nor wrong (0, false)")
        return None
    group = "" if task is None else str(task)
    return Answer(
        f"{group}/{item}" if group else str(item), group or "all", str(model), said, RIGHT
    )


def _is_empty(value: Any) -> bool:
    return value is None or value == ""
