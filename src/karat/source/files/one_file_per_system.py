"""A file of answers for each system: NAME=FILE NAME=FILE..."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.files.correct import ITEM, rows
from karat.source.files.memory import arrays
from karat.source.origin import Source, files, shown
from karat.source.truth_and_systems import named
from karat.words import listing

TRUTH = ("truth", "gold", "y_true", "target", "ground_truth")
ANSWER = ("answer", "prediction", "predicted", "pred", "y_pred", "output", "label", "score")


def apart(
    paths: Sequence[str],
    *,
    answer: str = "",
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Files NAME=FILE with an item and an answer, one for each system; a truth may stand beside them.

    `answer` is the column of answers, where its name or its being the only one does not say so.
    """
    faults, found = Faults(lenient=lenient), []
    systems: dict[str, Path] = {}
    key = "item"
    for word in paths:
        name, path = named(word)
        if name in systems:
            raise InputError(
                f"{path}: the name {name!r} is also that of {systems[name]}; give it another as NAME=FILE"
            )
        systems[name] = _table(path)
        roles: tuple[str, str, str | None] | None = None
        for _, row in rows(str(path), faults):
            roles = roles or _roles(
                list(row), [answer] if answer else [*ANSWER, name.lower()], asked, path
            )
            key = roles[0] if roles[0] in asked else key
            cells = [
                None if column is None or row.get(column) == "" else row.get(column)
                for column in roles
            ]
            found.append((name, *cells))
    if not found:
        raise InputError(f"{shown(list(paths))} hold no answers; karat needs at least one")
    columns = dict(
        zip(("system", key, "answer", "truth"), map(list, zip(*found, strict=True)), strict=True)
    )
    known = {"truth": "truth"} if any(one is not None for one in columns["truth"]) else {}
    data = {name: cells for name, cells in columns.items() if name != "truth" or known}
    said = {"long": (key, "system", "answer"), "item": key, **known}
    return replace(
        arrays(data),
        origin=shown([str(path) for path in systems.values()]),
        roles=said,
        notes=faults.notes(),
    )


def _table(path: Path) -> Path:
    """Return the path of a file that is read row by row."""
    files(path)
    if Path(path.name.removesuffix(".gz")).suffix.lower() not in {
        ".csv",
        ".tsv",
        ".tab",
        ".txt",
        ".jsonl",
        ".ndjson",
    }:
        raise InputError(
            f"{path}: a file for each system is CSV, TSV or JSON lines; join others into one table"
        )
    return path


def _roles(
    columns: Sequence[str], answers: Sequence[str], asked: frozenset[str], path: Path
) -> tuple[str, str, str | None]:
    """Return the columns of the item, the answer and, if it is there, the truth."""
    lower = {name.lower(): name for name in reversed(columns)}
    item = next(
        (name for name in columns if name in asked),
        next((lower[name] for name in ITEM if name in lower), None),
    )
    truth = next((lower[name] for name in TRUTH if name in lower), None)
    rest = [name for name in columns if name not in {item, truth}]
    answer = next(
        (lower[name.lower()] for name in answers if lower.get(name.lower()) in rest), None
    )
    answer = answer or (rest[0] if len(rest) == 1 and len(answers) > 1 else None)
    if item is None or answer is None:
        lacking = (
            "item; name it with --item COL"
            if item is None
            else "answer; name it with --using answer=COL"
        )
        raise InputError(f"{path}: no column of {listing(columns)} is known as the {lacking}")
    return item, answer, truth
