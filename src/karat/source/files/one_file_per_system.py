"""A file of answers for each system: NAME=FILE NAME=FILE..."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.files.correct import ITEM, rows
from karat.source.files.memory import arrays
from karat.source.origin import Source, files, shown
from karat.source.truth_and_systems import named
from karat.words import listing

TRUTH = ("truth", "gold", "y_true", "target", "ground_truth", "gt", "answer_key", "gold_label")
ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson")
ANSWER = ("answer", "prediction", "predicted", "pred", "y_pred", "output", "label", "score")


@dataclass(slots=True)
class _Answers:
    """The rows of all systems' files, one below the other: who answered what to which item, and its truth there."""

    systems: list[str] = field(default_factory=list)
    items: list[Any] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    truths: list[Any] = field(default_factory=list)
    item_column: str = "item"

    def add(self, system: str, item: Any, answer: Any, truth: Any) -> None:
        """Add a row."""
        self.systems.append(system)
        self.items.append(item)
        self.answers.append(answer)
        self.truths.append(truth)

    @property
    def has_truth(self) -> bool:
        """Whether any row has a truth."""
        return any(truth is not None for truth in self.truths)

    def take_truth(self, of_items: Mapping[str, Any]) -> None:
        """Give every row the truth of its item; an item that nobody answered is an item still, in a row of its own."""
        self.items = [None if item is None else str(item) for item in self.items]
        answered = set(self.items)
        for item in of_items:
            if item not in answered:
                self.add(self.systems[0], item, None, None)
        self.truths = [of_items.get(item) for item in self.items]


def files_per_system(
    paths: Sequence[str],
    *,
    answer: str = "",
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Files NAME=FILE with an item and an answer, one for each system; the truth is a column of them, or in truth=FILE.

    `answer` is the column of answers, where it has no usual name and is not the only one left.
    """
    faults = Faults(lenient=lenient)
    systems = _systems(paths)
    truth_file = _without_truth(systems)
    answers = _Answers()
    for name, path in systems.items():
        _read(name, path, answers, wanted_answer=answer, asked=asked, faults=faults)
    if not answers.systems:
        raise InputError(f"{shown(list(paths))} hold no answers; karat needs at least one")
    notes = []
    if truth_file:
        notes.append(f"truth = {str(truth_file)!r}, by its name")
        if answers.has_truth:
            notes.append(f"the truth is that of {truth_file}, not that beside the answers")
        answers.take_truth(_truth_of_items(truth_file, answer, asked, faults))
    origin = shown([str(path) for path in systems.values()])
    return replace(_long_table(answers), origin=origin, notes=(*notes, *faults.notes()))


def _read(
    system: str,
    path: Path,
    answers: _Answers,
    *,
    wanted_answer: str,
    asked: frozenset[str],
    faults: Faults,
) -> None:
    """Add the rows of a system's file."""
    wanted = [wanted_answer] if wanted_answer else [*ANSWER, system.lower()]
    columns: AnswerColumns | None = None
    for place, row in rows(str(path), faults):
        columns = columns or _columns(list(row), wanted, asked, path)
        nested = _nested(row, columns)
        if nested:
            faults.add(place, nested)
            continue
        answers.add(
            system, _cell(row, columns.item), _cell(row, columns.answer), _cell(row, columns.truth)
        )
    if columns and columns.item in asked:
        answers.item_column = columns.item


def _long_table(answers: _Answers) -> Source:
    """Return the rows as a long table, which knows its roles."""
    key = answers.item_column
    data = {"system": answers.systems, key: answers.items, "answer": answers.answers}
    roles: dict[str, Any] = {"long": (key, "system", "answer"), "item": key}
    if answers.has_truth:
        data["truth"] = answers.truths
        roles["truth"] = "truth"
    return replace(arrays(data), roles=roles)


def _truth_of_items(
    path: Path, answer: str, asked: frozenset[str], faults: Faults
) -> dict[str, Any]:
    """Return the truth of each item: the column of a usual name, else that of the answer or the only one."""
    wanted = [answer] if answer else [*ANSWER, *TRUTH]
    columns: AnswerColumns | None = None
    truths: dict[str, Any] = {}
    for place, row in rows(str(path), faults):
        columns = columns or _truth_columns(list(row), wanted, asked, path)
        nested = _nested(row, columns)
        item = _cell(row, columns.item)
        if nested or item is None:
            faults.add(place, nested or "the item has no name")
        elif str(item) in truths:
            faults.add(place, f"the item {item!r} has a truth before; it needs one")
        else:
            truths[str(item)] = _cell(row, columns.answer)
    return truths


def _truth_columns(
    columns: Sequence[str], wanted: Sequence[str], asked: frozenset[str], path: Path
) -> "AnswerColumns":
    """Return the columns of a file of truths, where a column called truth goes before all others."""
    for name in columns:
        if name.lower() in TRUTH:
            item = _columns([*columns, "answer"], ["answer"], asked, path).item
            return AnswerColumns(item, name, None)
    return _columns(columns, wanted, asked, path)


def _systems(words: Sequence[str]) -> dict[str, Path]:
    """Return the file of each system by its name."""
    systems: dict[str, Path] = {}
    for word in words:
        name, path = named(word)
        if name in systems:
            raise InputError(
                f"{path}: the name {name!r} is also that of {systems[name]}; give it another one as NAME=FILE"
            )
        systems[name] = _table(path)
    return systems


def _without_truth(systems: dict[str, Path]) -> Path | None:
    """Take the file that is called truth from the systems, and return it, if there is one."""
    called_truth = [name for name in systems if name.lower() in TRUTH]
    if len(called_truth) > 1:
        raise InputError(
            f"{listing(called_truth)} would each be the truth; give all but one a system's name, as NAME=FILE"
        )
    if len(called_truth) == len(systems):
        raise InputError(
            f"{listing(called_truth)} is the truth, and no file is a system's; add one, as NAME=FILE"
        )
    return systems.pop(called_truth[0]) if called_truth else None


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
            return f"{name!r} holds a {type(value).__name__}; karat needs one value an item"
    return None


def _first_named(columns: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the column with the first of some names in lower case that occurs; of several such the first."""
    for name in names:
        for column in columns:
            if column.lower() == name:
                return column
    return None


def _columns(
    columns: Sequence[str], answers: Sequence[str], asked: frozenset[str], path: Path
) -> AnswerColumns:
    """Return which columns hold the item, the answer and the truth, by the usual names or those that are given."""
    requested = [name for name in columns if name in asked]
    item = requested[0] if requested else _first_named(columns, ITEM)
    truth = _first_named(columns, TRUTH)
    others = [name for name in columns if name not in {item, truth}]
    answer = _first_named(others, [name.lower() for name in answers])
    is_default = len(answers) > 1
    if answer is None and is_default and len(others) == 1:
        answer = others[0]
    unknown = f"{path}: no column of {listing(columns)} is known as the"
    if item is None:
        raise InputError(f"{unknown} item; name it with --item COL")
    if answer is None:
        raise InputError(f"{unknown} answer; name it with --using answer=COL")
    return AnswerColumns(item, answer, truth)
