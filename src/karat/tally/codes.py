"""Whole numbers in the place of labels, and equal rows gathered into one."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.table.labels import Codes, Labels, factorise, ordered
from karat.table.layout import UNASKED as NOT_ASKED

Texts = dict[tuple[type, Any], str]
"""The label of each value of each type."""
NarrowCodes = npt.NDArray[np.int32]

MISSING = -1
"""The code of a missing truth or answer."""
UNASKED = -2
"""The code of an answer to an item that the system was not given."""


def encode(
    columns: Iterable[npt.NDArray[Any]], meanings: Sequence[Sequence[str] | None], labels: Labels
) -> tuple[list[Codes], tuple[str, ...]]:
    """Return several columns of stored values as codes into one common list of labels.

    A column's meaning lists the labels that its values are numbers of; None reads the values themselves.
    """
    narrow, common = narrow_codes(columns, meanings, labels)
    return [codes.astype(np.int64) for codes in narrow], common


def narrow_codes(
    columns: Iterable[npt.NDArray[Any]], meanings: Sequence[Sequence[str] | None], labels: Labels
) -> tuple[list[NarrowCodes], tuple[str, ...]]:
    """Return the same in half the memory; of columns that come one by one only the codes are held."""
    codes_by_column: list[NarrowCodes] = []
    texts_by_column: list[list[str | None]] = []
    texts_so_far: Texts = {}
    for column, meaning in zip(columns, meanings, strict=True):
        codes, values = factorise(column)
        codes_by_column.append(codes.astype(np.int32))
        texts_by_column.append(_texts(values, meaning, labels, texts_so_far))
    known: set[str] = set()
    for texts in texts_by_column:
        known.update(text for text in texts if text is not None and text != NOT_ASKED)
    common = ordered(known)
    code_of: dict[str | None, int] = {text: code for code, text in enumerate(common)}
    code_of |= {None: MISSING, NOT_ASKED: UNASKED}
    for place, texts in enumerate(texts_by_column):
        # A missing value has the code -1 in its column, and so finds the last of the new codes.
        new = np.array([*(code_of[text] for text in texts), MISSING], np.int32)
        codes_by_column[place] = new[codes_by_column[place]]
    return codes_by_column, common


def _texts(
    values: Sequence[Any], meaning: Sequence[str] | None, labels: Labels, so_far: Texts
) -> list[str | None]:
    """Return the labels of a column's distinct values, remembering those that other columns may have, too."""
    texts: list[str | None] = []
    texts_are_labels = labels.pair is None and not labels.whole
    for value in values:
        # True, 1 and 1.0 are equal, and need not be one label.
        key = (type(value), value)
        if value is None or value == NOT_ASKED:
            texts.append(value)
        elif meaning:
            texts.append(meaning[int(value)])
        elif texts_are_labels and type(value) is str:
            texts.append(value)  # there may be as many as there are rows
        else:
            if key not in so_far:
                so_far[key] = labels.label(value)
            texts.append(so_far[key])
    return texts


def moved(codes: npt.NDArray[Any], old: tuple[str, ...], new: tuple[str, ...]) -> Codes:
    """Return codes into one list of labels as codes into another that holds them all."""
    code_of = {text: code for code, text in enumerate(new)}
    # -2 and -1 find the last two of the new codes, and so stay what they are.
    new_codes = np.array([*(code_of[text] for text in old), UNASKED, MISSING], np.int64)
    return np.asarray(new_codes[codes])


def filled(
    truth: Codes, answers: npt.NDArray[Any], labels: tuple[str, ...], meaning: Labels
) -> tuple[Codes, Codes, tuple[str, ...]]:
    """Return truth, answers and labels with missing answers replaced, if they count as a label."""
    if not meaning.missing.startswith("as:"):
        return truth, answers, labels
    substitute = meaning.label(meaning.missing.removeprefix("as:"))
    common = ordered({*labels, substitute})
    truth = moved(truth, labels, common)
    answers = moved(answers, labels, common)
    answers = np.where(answers == MISSING, common.index(substitute), answers)
    return truth, answers, common


def gather(
    columns: Sequence[npt.NDArray[Any]], number: npt.NDArray[np.int64]
) -> tuple[list[npt.NDArray[Any]], npt.NDArray[np.int64]]:
    """Return the distinct rows of several columns, sorted, with the sum of their numbers."""
    if not len(number):
        return [column[:0] for column in columns], number
    order, starts = _runs(columns)
    first = order[starts]
    distinct = [column[first] for column in columns]
    return distinct, np.add.reduceat(number[order], starts)


def distinct_places(columns: Sequence[npt.NDArray[Any]]) -> tuple[Codes, Codes]:
    """Return the first row of each kind, sorted, and for every row of several columns which of them is equal to it."""
    order, starts = _runs(columns)
    sizes = np.diff(np.append(starts, len(order)))
    places = np.empty(len(order), np.int64)
    places[order] = np.repeat(np.arange(len(starts)), sizes)
    return np.minimum.reduceat(order, starts) if len(starts) else order, places


def _runs(columns: Sequence[npt.NDArray[Any]]) -> tuple[Codes, Codes]:
    """Return an order that sorts rows, and where equal rows begin in it; the order among equal rows is arbitrary."""
    words = _packed(columns)
    order = np.argsort(words[0]) if len(words) == 1 else np.lexsort(tuple(reversed(words)))
    differs = np.zeros(len(order), bool)
    differs[:1] = True
    for word in words:
        arranged = word[order]
        differs[1:] |= arranged[1:] != arranged[:-1]
    return order, np.flatnonzero(differs)


def _packed(columns: Sequence[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """Return columns that sort and differ as these do: those of codes as many to a number as fit into 62 bits."""
    words: list[npt.NDArray[Any]] = []
    room = 0
    for column in columns:
        if column.dtype.kind not in "iu" or int(column.min(initial=0)) < UNASKED:
            words.append(column)
            room = 0
            continue
        size = int(column.max(initial=0)) + 3
        shifted = column.astype(np.int64) + 2
        if size < room:
            words[-1] *= size
            words[-1] += shifted
            room //= size
        else:
            words.append(shifted)
            room = 2**62 // size
    return words


def used(
    columns: Sequence[npt.NDArray[Any]], labels: tuple[str, ...]
) -> tuple[list[npt.NDArray[Any]], tuple[str, ...]]:
    """Return codes into only those labels that occur, and these labels."""
    there = np.zeros(len(labels), bool)
    for column in columns:
        there |= np.bincount(column[column >= 0], minlength=len(labels)) > 0
    if there.all():
        return [column.astype(columns[0].dtype, copy=False) for column in columns], labels
    occurring = np.flatnonzero(there).tolist()
    new_codes = np.array([MISSING] * len(labels) + [UNASKED, MISSING], columns[0].dtype)
    new_codes[occurring] = np.arange(len(occurring))
    return [new_codes[column] for column in columns], tuple(labels[code] for code in occurring)
