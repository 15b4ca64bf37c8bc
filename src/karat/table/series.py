"""Columns of numbers that are not a table of answers: a prevalence over time, weights, scores from deployment."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from karat.engine import Engine, OpenedSource
from karat.errors import InputError, UnknownNameError


def series(
    engine: Engine, opened: OpenedSource, names: Sequence[str]
) -> dict[str, npt.NDArray[np.float64]]:
    """Return columns by name; the first cell that is not a number is refused."""
    cells = [f"c{place}" for place in places_of(opened, names)]
    rows = engine.query(f"select {', '.join(cells)} from {opened.name}")
    columns = {}
    for name, cell in zip(names, cells, strict=True):
        columns[name] = _numbers(rows[cell], name, opened.origin)
    return columns


def texts(engine: Engine, opened: OpenedSource, name: str) -> npt.NDArray[np.str_] | None:
    """Return a column as texts, none of them missing; None if there is no such column."""
    if name not in opened.columns:
        return None
    (place,) = places_of(opened, [name])
    cells = engine.query(f"select c{place} as name from {opened.name}")["name"]
    gone = np.flatnonzero(np.ma.getmaskarray(cells))
    if gone.size:
        raise InputError(
            f"{opened.origin}, row {gone[0] + 1}: {name} has no value; write one, or remove the column"
        )
    return np.ma.getdata(cells).astype(str)


def places_of(opened: OpenedSource, names: Sequence[str]) -> list[int]:
    """Return the places of columns by name; the first that does not exist is refused."""
    for name in names:
        if name not in opened.columns:
            raise UnknownNameError(f"column of {opened.origin}", name, opened.columns)
    return [opened.columns.index(name) for name in names]


def no_number(origin: str, row: int, name: str, text: str | None) -> InputError:
    """Return the error for a cell that is not a number."""
    what = "no value" if text is None else repr(text)
    return InputError(
        f"{origin}, row {row}: {name} has {what} where a number belongs; correct the cell"
    )


def _numbers(cells: npt.NDArray[np.generic], name: str, origin: str) -> npt.NDArray[np.float64]:
    gone = np.ma.getmaskarray(cells)  # cells without a value
    values = np.ma.getdata(cells)
    try:
        numbers = np.where(gone, 0, values).astype(np.float64)
    except ValueError:
        numbers = np.array([_number(cell) for cell in values])
    bad = np.flatnonzero(gone | ~np.isfinite(numbers))
    if bad.size:
        place = int(bad[0])
        text = None if gone[place] else str(values[place])
        raise no_number(origin, place + 1, name, text)
    return numbers


def _number(cell: object) -> float:
    try:
        return float(str(cell))
    except ValueError:
        return np.nan
