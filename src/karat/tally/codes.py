"""Whole numbers in the place of labels, and equal rows gathered into one."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.table.labels import Codes, Labels, factorise, ordered
from karat.table.layout import UNASKED as NOT_ASKED

Texts = dict[tuple[type, Any], str]
"""The label of each value of each type."""
MISSING = -1
"""The code of a missing truth or answer."""
UNASKED = -2
"""The code of an answer that the system was not asked for."""


def encode(
    columns: Sequence[npt.NDArray[Any]], meanings: Sequence[Sequence[str] | None], labels: Labels
) -> tuple[list[Codes], tuple[str, ...]]:
    """Return several columns of stored values as codes into one common list of labels.

    A column's meaning lists the labels that its values are numbers of; None reads the values themselves.
    """
    codes_by_column: list[Codes] = []
    texts_by_column: list[list[str | None]] = []
    texts_so_far: Texts = {}
    for column, meaning in zip(columns, meanings, strict=True):
        codes, values = factorise(column)
        codes_by_column.append(codes)
        texts_by_column.append(_texts(values, meaning, labels, texts_so_far))
    known: set[str] = set()
    for texts in texts_by_column:
        known.update(text for text in texts if text is not None and text != NOT_ASKED)
    common = ordered(known)
    code_of: dict[str | None, int] = {text: code for code, text in enumerate(common)}
    code_of |= {None: MISSING, NOT_ASKED: UNASKED}
    encoded = []
    for codes, texts in zip(codes_by_column, texts_by_column, strict=True):
        # A missing value has the code -1 in its column, and so finds the last of the new codes.
        new = np.array([*(code_of[text] for text in texts), MISSING], np.int64)
        encoded.append(new[codes])
    return encoded, common


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
    """Return truth, answers and labels with missing answers replaced, if a label stands for them."""
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
    packed = _packed(columns)
    if packed is None:
        order = np.lexsort(tuple(reversed(columns)))
        arranged = [column[order] for column in columns]
    else:
        order = np.argsort(packed, kind="stable")
        arranged = [packed[order]]
    differs = np.ones(len(order), bool)
    differs[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in arranged])
    starts = np.flatnonzero(differs)
    distinct = [column[order[starts]] for column in columns]
    return distinct, np.add.reduceat(number[order], starts)


def _packed(columns: Sequence[npt.NDArray[Any]]) -> npt.NDArray[np.int64] | None:
    """Return columns of codes as one number a row, in the same order, if they fit into 62 bits."""
    if any(column.dtype.kind not in "iu" for column in columns):
        return None
    if any(int(column.min()) < UNASKED for column in columns):
        return None
    sizes = [int(column.max()) + 3 for column in columns]
    if prod(sizes) >= 2**62:
        return None
    packed = np.zeros(len(columns[0]), np.int64)
    for column, size in zip(columns, sizes, strict=True):
        packed = packed * size + (column + 2)
    return packed


def used(columns: Sequence[Codes], labels: tuple[str, ...]) -> tuple[list[Codes], tuple[str, ...]]:
    """Return codes into only those labels that occur, and these labels."""
    occurring = [int(code) for code in np.unique(np.concatenate(columns)) if code >= 0]
    new_codes = np.array([MISSING] * len(labels) + [UNASKED, MISSING])
    new_codes[occurring] = np.arange(len(occurring))
    return [new_codes[column] for column in columns], tuple(labels[code] for code in occurring)
