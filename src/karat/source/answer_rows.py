"""A row per answer, gathered in Python: item, group, system, answer, and the truth."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.files.memory import arrays
from karat.source.origin import Source
from karat.source.spill import FEW, Sheet, Twice
from karat.words import counted

RIGHT, WRONG = "1", "0"
RIGHT_OR_WRONG = "yesno"
"""The kind of answers that say themselves whether they are right: there is no other truth."""
WORDS = {"1": RIGHT, "1.0": RIGHT, "true": RIGHT, "yes": RIGHT, "c": RIGHT, "correct": RIGHT}
WORDS |= {
    "0": WRONG,
    "0.0": WRONG,
    "false": WRONG,
    "no": WRONG,
    "i": WRONG,
    "n": WRONG,
    "incorrect": WRONG,
}
"""What logs write for right and wrong; Inspect's C, I (incorrect) and N (no answer) are among them."""


class Answer(NamedTuple):
    """What one system said of one item, and what is true."""

    item: str
    task: str
    model: str
    answer: str | None
    truth: str | None


def verdict(value: Any) -> str | None:
    """Return whether a logged value says right or wrong; None where it says neither.

    >>> verdict(1.0), verdict("I"), verdict(True), verdict(0.5)
    ('1', '0', '1', None)
    """
    return WORDS.get(str(value).strip().lower())


def answers(
    found: Iterable[Answer],
    faults: Faults,
    *,
    origin: str,
    how: str,
    kind: str = RIGHT_OR_WRONG,
    notes: tuple[str, ...] = (),
) -> Source:
    """Return logged answers as a table with a row per answer; repeated ones stay repeated answers of one item."""
    fields = Answer._fields[: -1 if kind == RIGHT_OR_WRONG else None]
    rows, sheet, seen = list[Sequence[str | None]](), Sheet(fields), Twice()
    for one in found:
        seen.add(f"{one.model}\0{one.item}")
        rows.append(one[: len(fields)])
        if len(rows) >= FEW:
            sheet.write(rows)
            rows.clear()
    if not rows and not sheet.is_begun:
        raise InputError(f"{origin} holds no answers; karat needs at least one")
    roles: dict[str, Any] = {
        "long": ("item", "model", "answer"),
        "item": "item",
        "group": "task",
        "source": how,
    }
    roles |= {"kinds": {"": kind}} | (
        {"correct": True} if kind == RIGHT_OR_WRONG else {"truth": "truth"}
    )
    if repeated := seen.number():
        roles["repeats"] = "keep"
        notes += (
            f"{counted(repeated, 'answer')} repeated, of an item by the same model; intervals go over items",
        )
    return replace(
        _opened(fields, rows, sheet), origin=origin, roles=roles, notes=(*notes, *faults.notes())
    )


def _opened(fields: Sequence[str], rows: Sequence[Sequence[str | None]], sheet: Sheet) -> Source:
    if sheet.is_begun:
        sheet.write(rows)
        return sheet.source("", {})
    return arrays(
        {name: list(values) for name, values in zip(fields, zip(*rows, strict=True), strict=True)}
    )
