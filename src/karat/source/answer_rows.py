"""A row per answer, gathered in Python: item, group, system, answer, and the truth."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.files.memory import arrays
from karat.source.origin import Source
from karat.source.spill import FEW, RepeatCounter, SpilledRows
from karat.words import counted

RIGHT, WRONG = "1", "0"
RIGHT_OR_WRONG = "yesno"
"""The kind of answers that are themselves right or wrong: there is no other truth."""
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
    """What one system answered for one item, and the truth."""

    item: str
    task: str
    model: str
    answer: str | None
    truth: str | None


def verdict(value: Any) -> str | None:
    """Return whether a logged value means right or wrong; None where it means neither.

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
    fields: tuple[str, ...] = Answer._fields
    if kind == RIGHT_OR_WRONG:
        fields = fields[:-1]  # the truth is that each answer should be right
    rows: list[Sequence[str | None]] = []
    spilled = SpilledRows(fields)
    repeats = RepeatCounter()
    for answer in found:
        repeats.add(f"{answer.model}\0{answer.item}")
        rows.append(answer[: len(fields)])
        if len(rows) >= FEW:
            spilled.write(rows)
            rows.clear()
    if not rows and not spilled.is_begun:
        raise InputError(f"{origin} holds no answers; karat needs at least one")
    roles: dict[str, Any] = {
        "long": ("item", "model", "answer"),
        "item": "item",
        "group": "task",
        "source": how,
        "kinds": {"": kind},
    }
    if kind == RIGHT_OR_WRONG:
        roles["correct"] = True
    else:
        roles["truth"] = "truth"
    repeated = repeats.number()
    if repeated:
        roles["repeats"] = "keep"
        what = f"{counted(repeated, 'answer')} repeated, of an item by the same model"
        notes = (*notes, f"{what}; intervals go over items")
    source = _opened(fields, rows, spilled)
    return replace(source, origin=origin, roles=roles, notes=(*notes, *faults.notes()))


def _opened(
    fields: Sequence[str], rows: Sequence[Sequence[str | None]], spilled: SpilledRows
) -> Source:
    if spilled.is_begun:
        spilled.write(rows)
        return spilled.source("", {})
    columns = zip(*rows, strict=True)
    return arrays({name: list(column) for name, column in zip(fields, columns, strict=True)})
