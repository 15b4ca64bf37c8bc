"""A row per answer, gathered in Python: item, group, system, answer, and the truth."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from karat.errors import InputError
from karat.source.memory import arrays
from karat.source.origin import Source
from karat.words import counted

RIGHT, WRONG = "1", "0"
WORDS = {"1": RIGHT, "1.0": RIGHT, "true": RIGHT, "yes": RIGHT, "c": RIGHT, "correct": RIGHT}
WORDS |= {"0": WRONG, "0.0": WRONG, "false": WRONG, "no": WRONG, "i": WRONG, "n": WRONG, "incorrect": WRONG}
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


def answers(found: Sequence[Answer], *, origin: str, how: str, notes: tuple[str, ...] = ()) -> Source:
    """Return logged answers as a table with a row per answer; repeated ones stay repeated answers of one item."""
    if not found:
        raise InputError(f"{origin} holds no answers; karat needs at least one")
    columns = dict(zip(Answer._fields, zip(*found, strict=True), strict=True))
    roles: dict[str, Any] = {
        "long": ("item", "model", "answer"),
        "item": "item",
        "group": "task",
        "source": how,
    }
    if {one.truth for one in found} <= {RIGHT}:
        del columns["truth"]
        roles |= {"correct": True, "kinds": {"": "yesno"}}
    else:
        roles |= {"truth": "truth", "kinds": {"": "label"}}
    repeated = len(found) - len({(one.item, one.model) for one in found})
    if repeated:
        roles["repeats"] = "keep"
        notes += (f"{counted(repeated, 'answer')} repeated, of an item by the same model; intervals go over items",)
    return replace(
        arrays({name: list(values) for name, values in columns.items()}), origin=origin, roles=roles, notes=notes
    )
