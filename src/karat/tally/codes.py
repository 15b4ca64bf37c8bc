"""Numbers for labels, and equal rows gathered into one."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, OptionError, TallyError
from karat.table.labels import Codes, Labels, factorise, ordered
from karat.table.layout import UNASKED as NOT_ASKED
from karat.table.table import Table

MISSING = -1
UNASKED = -2
MOST_CLASSES = 20_000
BLOCK = "substr(md5(cast({what} as string)), 1, 2)"
"""Two hexadecimal digits, the same on every engine: 256 blocks."""
NO_GROUP = "(no group)"
"""The group of items that have none."""


def encode(
    columns: Sequence[npt.NDArray[Any]], meanings: Sequence[Sequence[str] | None], labels: Labels
) -> tuple[list[Codes], tuple[str, ...]]:
    """Return codes into one common list of labels for several columns of stored values.

    -1 is a missing value, -2 that of a system that was not asked.

    A column's meaning lists the labels that its values are numbers of; None reads the values themselves.
    """
    parts = [factorise(column) for column in columns]
    texts = [
        [_text(value, meaning, labels) for value in values]
        for (_, values), meaning in zip(parts, meanings, strict=True)
    ]
    common = ordered(
        text for part in texts for text in part if text is not None and text != NOT_ASKED
    )
    place: dict[str | None, int] = {text: code for code, text in enumerate(common)}
    place |= {None: MISSING, NOT_ASKED: UNASKED}
    coded = zip(parts, texts, strict=True)
    return [
        np.array([*(place[text] for text in part), MISSING], np.int64)[codes]
        for (codes, _), part in coded
    ], common


def _text(value: Any, meaning: Sequence[str] | None, labels: Labels) -> str | None:
    if value is None or value == NOT_ASKED:
        return None if value is None else NOT_ASKED
    return meaning[int(value)] if meaning else labels.label(value)


def moved(codes: npt.NDArray[Any], old: tuple[str, ...], new: tuple[str, ...]) -> Codes:
    """Return codes into one list of labels as codes into another that holds them all."""
    place = {text: number for number, text in enumerate(new)}
    table: Codes = np.array([*(place[text] for text in old), UNASKED, MISSING], np.int64)
    return np.asarray(table[codes])


def filled(
    truth: Codes, answers: npt.NDArray[Any], labels: tuple[str, ...], meaning: Labels
) -> tuple[Codes, Codes, tuple[str, ...]]:
    """Return truth, answers and labels with the label that stands for a missing answer, if one does, in its place."""
    if not meaning.missing.startswith("as:"):
        return truth, answers, labels
    instead = meaning.label(meaning.missing.removeprefix("as:"))
    common = ordered({*labels, instead})
    truth, answers = (moved(side, labels, common) for side in (truth, answers))
    return truth, np.where(answers == MISSING, common.index(instead), answers), common


def gather(
    columns: Sequence[npt.NDArray[Any]], number: npt.NDArray[np.int64]
) -> tuple[list[npt.NDArray[Any]], npt.NDArray[np.int64]]:
    """Return the distinct rows of several columns, sorted, with the sum of their numbers."""
    if not len(number):
        return [column[:0] for column in columns], number
    packed = _packed(columns)
    order = (
        np.lexsort(tuple(reversed(columns)))
        if packed is None
        else np.argsort(packed, kind="stable")
    )
    arranged = [column[order] for column in columns] if packed is None else [packed[order]]
    new = np.ones(len(order), bool)
    new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in arranged])
    starts = np.flatnonzero(new)
    return [column[order[starts]] for column in columns], np.add.reduceat(number[order], starts)


def _packed(columns: Sequence[npt.NDArray[Any]]) -> npt.NDArray[np.int64] | None:
    """Return columns of codes as one number a row, in the same order, if they fit into one."""
    if any(column.dtype.kind not in "iu" for column in columns):
        return None
    sizes = [int(column.max()) + 3 for column in columns]
    if prod(sizes) >= 2**62 or any(int(column.min()) < UNASKED for column in columns):
        return None
    packed = np.zeros(len(columns[0]), np.int64)
    for column, size in zip(columns, sizes, strict=True):
        packed = packed * size + (column + 2)
    return packed


def check_classes(labels: Sequence[str], origin: str) -> None:
    """Refuse more classes than can be meant."""
    if len(labels) > MOST_CLASSES:
        raise InputError(
            f"{origin}: {len(labels):,} classes, such as {labels[0]!r} and {labels[-1]!r}; over {MOST_CLASSES:,} are "
            "no classes. Name the right columns with --systems, or call them scores with --kind score"
        )


def digest(parts: Iterable[bytes | str | npt.NDArray[Any]]) -> str:
    """Return a short hash of a tally's parts, the same on every engine."""
    sha = hashlib.sha256()
    for part in parts:
        data = (
            part
            if isinstance(part, bytes)
            else part.encode()
            if isinstance(part, str)
            else _bytes(part)
        )
        sha.update(len(data).to_bytes(8, "little") + data)
    return sha.hexdigest()[:12]


def _bytes(array: npt.NDArray[Any]) -> bytes:
    if array.dtype == object:
        return "\x00".join(map(str, array)).encode()
    return np.ascontiguousarray(array).tobytes()


def used(columns: Sequence[Codes], labels: tuple[str, ...]) -> tuple[list[Codes], tuple[str, ...]]:
    """Return codes into only those labels that occur."""
    occur = [int(code) for code in np.unique(np.concatenate(columns)) if code >= 0]
    new = np.array([MISSING] * len(labels) + [UNASKED, MISSING])
    new[occur] = np.arange(len(occur))
    return [new[column] for column in columns], tuple(labels[code] for code in occur)


def key_columns(table: Table, keys: str) -> str:
    """Return SQL for the keys among the wanted ones that the table has, each followed by a comma."""
    return "".join(f"{key}, " for key in _keys(table, keys))


def key_values(
    table: Table, keys: str, counted: Mapping[str, npt.NDArray[Any]]
) -> dict[str, npt.NDArray[Any]]:
    """Return the counted keys: weights as numbers, all others as text, so that they are the same from any file."""
    return {
        key: counted[key].astype(object)
        if key in {"w", "e"}
        else _texts(counted[key], absent=NO_GROUP if key == "g" else "")
        for key in _keys(table, keys)
    }


def _keys(table: Table, keys: str) -> list[str]:
    return [key for key in keys if key in table.keys and key != "n"]  # the count is what is summed


def _texts(values: npt.NDArray[Any], *, absent: str) -> npt.NDArray[Any]:
    codes, distinct = factorise(values)
    whole = Labels(whole=True)
    return np.array([*(whole.label(value) for value in distinct), absent], dtype=object)[codes]


def frequency(table: Table) -> str:
    """Return SQL for how many items a row stands for."""
    return "sum(n)" if "n" in table.keys else "count(*)"


def block_sql(table: Table) -> str:
    """Return SQL for the block of an item, or of a cluster of items.

    A block is those whose names begin with the same two digits when hashed, so that nothing but chance decides what is
    in a block together.
    """
    if "c" not in table.keys and not any(use.role == "item" for use in table.uses):
        raise TallyError("blocks of items need the items' names; name their column with --item")
    return BLOCK.format(what="c" if "c" in table.keys else "item")


def answer_sql(table: Table, system: int) -> str:
    """Return SQL for a system's answer: the stored value, or yes and no from a score on."""
    if table.threshold is None:
        return f"s{system}"
    return f"case when s{system} >= {table.threshold!r} then 1 when s{system} < {table.threshold!r} then 0 end"


def judged_labels(table: Table) -> Labels:
    """Return what yes and no stand for where scores are judged as one or the other."""
    # Without a truth there is no other word for what the scores speak for.
    positive = table.labels.positive or (None if table.has_truth else "yes")
    if positive is None:
        raise OptionError("a high score speaks for one label; say for which with --positive")
    return replace(table.labels, pair=table.labels.pair or (positive, f"not {positive}"))
