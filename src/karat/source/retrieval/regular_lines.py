"""Lines of qrels and runs as most tools write them, ASCII with single spaces or tabs: taken apart many at once."""

import warnings
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

SPACE, TAB, NEWLINE = 32, 9, 10
Places = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class RegularLines:
    """The pairs of some lines: the query of each, query and document as one name, and the value."""

    query: npt.NDArray[np.object_]
    names: list[str]
    value: npt.NDArray[np.float64]
    run_name: str
    """The value of the column of the run's name in every line; empty where there is no such column."""


def regular_lines(
    data: bytes, *, width: int, document: int, value: int, run_name: int | None
) -> RegularLines | None:
    """Return the pairs of some whole lines; None where a line is not regular, which others must look at.

    The query stands first. The ends of all cells are found at once, so that only those that are wanted become text.
    """
    cells = _cells(data, width)
    if cells is None:
        return None
    starts, ends = cells
    text = data.decode("ascii")
    buffer = np.frombuffer(data, np.uint8)
    tag = ""
    if run_name is not None:
        if len(_changes(buffer, starts[:, run_name], ends[:, run_name])):
            return None
        tag = text[starts[0, run_name] : ends[0, run_name]]
    numbers = _numbers(buffer, starts[:, value], ends[:, value])
    if numbers is None:
        return None
    first_lines = np.append(0, _changes(buffer, starts[:, 0], ends[:, 0]))
    last_lines = np.append(first_lines[1:], len(starts))
    names: list[str] = []
    queries: list[str] = []
    for first, last in _pairs(first_lines, last_lines):
        query = text[starts[first, 0] : ends[first, 0]]
        queries.append(query)
        begun = f"{query} "
        places = _pairs(starts[first:last, document], ends[first:last, document])
        names += [begun + text[a:b] for a, b in places]
    repeated = np.repeat(np.array(queries, object), last_lines - first_lines)
    return RegularLines(repeated, names, numbers, tag)


def _cells(data: bytes, width: int) -> tuple[Places, Places] | None:
    """Return where the cells of each line start and end; None unless all lines have so many, one sign between them."""
    if not data.isascii():
        return None
    if not data.endswith(b"\n"):
        return None
    buffer = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(buffer <= SPACE)
    if len(ends) % width:
        return None
    starts = np.append(0, ends[:-1] + 1)
    signs = buffer[ends].reshape(-1, width)
    within = signs[:, :-1]
    is_regular = (
        (signs[:, -1] == NEWLINE).all()
        and ((within == SPACE) | (within == TAB)).all()
        and (ends > starts).all()
    )
    if not is_regular:
        return None
    return starts.reshape(-1, width), ends.reshape(-1, width)


def _changes(buffer: Bytes, starts: Places, ends: Places) -> Places:
    """Return the lines in which a cell is another than in the line before."""
    lengths = ends - starts
    differs = lengths[1:] != lengths[:-1]
    for place in range(int(lengths.max())):
        inside = np.minimum(starts + place, ends)
        signs = buffer[inside]
        differs |= signs[1:] != signs[:-1]
    return np.flatnonzero(differs) + 1


def _numbers(buffer: Bytes, starts: Places, ends: Places) -> npt.NDArray[np.float64] | None:
    """Return the cells of a column as numbers; None if one is not a number.

    The cells are laid side by side, each with the blank behind it, so that they are read as one text.
    """
    lengths = ends - starts + 1
    before = np.append(0, lengths.cumsum()[:-1])
    places = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
    text = buffer[places].tobytes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            numbers = np.fromstring(text, sep=" ")
        except (DeprecationWarning, ValueError):
            return None
    return numbers if len(numbers) == len(starts) else None


def _pairs(first: Places, second: Places) -> "zip[tuple[int, int]]":
    return zip(first.tolist(), second.tolist(), strict=True)
