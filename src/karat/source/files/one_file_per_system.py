"""A file of answers for each system: NAME=FILE NAME=FILE..."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.files.correct import ITEM, rows
from karat.source.files.memory import arrays
from karat.source.origin import Source, files, shown
from karat.source.truth_and_systems import named
from karat.words import listing

TRUTH = ("truth", "gold", "y_true", "target", "ground_truth")
ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson")
ANSWER = ("answer", "prediction", "predicted", "pred", "y_pred", "output", "label", "score")


def apart(
    paths: Sequence[str],
    *,
    answer: str = "",
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Files NAME=FILE with an item and an answer, one for each system; a truth may stand beside them.

    `answer` is the column of answers, where it has no usual name and is not the only one left.
    """
    faults = Faults(lenient=lenient)
    systems = _systems(paths)
    key = "item"
    names: list[str] = []
    items: list[Any] = []
    answers: list[Any] = []
    truths: list[Any] = []
    for name, path in systems.items():
        wanted = [answer] if answer else [*ANSWER, name.lower()]
        columns: AnswerColumns | None = None
        for place, row in rows(str(path), faults):
            columns = columns or _columns(list(row), wanted, asked, path)
            nested = _nested(row, columns)
            if nested:
                faults.add(place, nested)
                continue
            names.append(name)
            items.append(_cell(row, columns.item))
            answers.append(_cell(row, columns.answer))
            truths.append(_cell(row, columns.truth))
        if columns and columns.item in asked:
            key = columns.item
    if not names:
        raise InputError(f"{shown(list(paths))} hold no answers; karat needs at least one")
    data = {"system": names, key: items, "answer": answers}
    roles: dict[str, Any] = {"long": (key, "system", "answer"), "item": key}
    if any(truth is not None for truth in truths):
        data["truth"] = truths
        roles["truth"] = "truth"
    origin = shown([str(path) for path in systems.values()])
    return replace(arrays(data), origin=origin, roles=roles, notes=faults.notes())


def _systems(words: Sequence[str]) -> dict[str, Path]:
    """Return the file of each system by its name."""
    systems: dict[str, Path] = {}
    for word in words:
        name, path = named(word)
        if name in systems:
            raise InputError(
                f"{path}: the name {name!r} is also that of {systems[name]}; give it another as NAME=FILE"
            )
        systems[name] = _table(path)
    return systems


def _cell(row: Mapping[str, Any], column: str | None) -> Any:
    """Return a cell; None if it is empty, or if there is no such column."""
    value = None if column is None else row.get(column)
    return None if value == "" else value


def _table(path: Path) -> Path:
    """Return the path of a file that is read row by row."""
    files(path)
    ending = Path(path.name.removesuffix(".gz")).suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"{path}: a file for each system is CSV, TSV or JSON lines; join others into one table"
        )
    return path


@dataclass(frozen=True, slots=True)
class AnswerColumns:
    """The columns of the item, the answer and, if it is there, the truth."""

    item: str
    answer: str
    truth: str | None


def _nested(row: Mapping[str, Any], columns: AnswerColumns) -> str | None:
    """Return in words which of the columns that count holds a list or an object."""
    for name in (columns.item, columns.answer, columns.truth):
        value = row.get(name) if name else None
        if isinstance(value, list | dict):
            return f"{name!r} holds a {type(value).__name__}; karat wants one value an item"
    return None


def _columns(
    columns: Sequence[str], answers: Sequence[str], asked: frozenset[str], path: Path
) -> AnswerColumns:
    by_lower_case = {name.lower(): name for name in reversed(columns)}

    def first_named(names: Sequence[str]) -> str | None:
        return next((by_lower_case[name] for name in names if name in by_lower_case), None)

    item = next((name for name in columns if name in asked), None) or first_named(ITEM)
    truth = first_named(TRUTH)
    others = [name for name in columns if name not in {item, truth}]
    answer = None
    for name in answers:
        column = by_lower_case.get(name.lower())
        if column in others:
            answer = column
            break
    is_default = len(answers) > 1
    if answer is None and is_default and len(others) == 1:
        answer = others[0]
    unknown = f"{path}: no column of {listing(columns)} is known as the"
    if item is None:
        raise InputError(f"{unknown} item; name it with --item COL")
    if answer is None:
        raise InputError(f"{unknown} answer; name it with --using answer=COL")
    return AnswerColumns(item, answer, truth)
