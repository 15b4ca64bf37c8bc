"""Columns of numbers that are no table of answers: a balance over time, weights, scores from the field."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from karat.engine import Engine, Relation
from karat.errors import InputError, UnknownNameError


def series(
    engine: Engine, opened: Relation, names: Sequence[str]
) -> dict[str, npt.NDArray[np.float64]]:
    """Return columns by name, or a sentence about the first cell that is no number."""
    places = places_of(opened, names)
    found = engine.query(f"select {', '.join(f'c{place}' for place in places)} from {opened.name}")
    return {
        name: _numbers(found[f"c{place}"], name, opened.origin)
        for name, place in zip(names, places, strict=True)
    }


def places_of(opened: Relation, names: Sequence[str]) -> list[int]:
    """Return where columns stand, or a sentence about the first that is not there."""
    if unknown := [name for name in names if name not in opened.columns]:
        raise UnknownNameError(f"column of {opened.origin}", unknown[0], opened.columns)
    return [opened.columns.index(name) for name in names]


def no_number(origin: str, row: int, name: str, text: str | None) -> InputError:
    """Return what is said of a cell that is no number."""
    what = "no value" if text is None else repr(text)
    return InputError(
        f"{origin}, row {row}: {name} has {what} where a number should stand; mend the cell"
    )


def _numbers(cells: npt.NDArray[np.generic], name: str, origin: str) -> npt.NDArray[np.float64]:
    gone = np.ma.getmaskarray(cells)
    values = np.ma.getdata(cells)
    try:
        numbers = np.where(gone, 0, values).astype(np.float64)
    except ValueError:
        numbers = np.array([_number(cell) for cell in values])
    if (bad := np.flatnonzero(gone | ~np.isfinite(numbers))).size:
        place = int(bad[0])
        raise no_number(origin, place + 1, name, None if gone[place] else str(values[place]))
    return numbers


def _number(cell: object) -> float:
    try:
        return float(str(cell))
    except ValueError:
        return np.nan
