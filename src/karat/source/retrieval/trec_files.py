"""TREC files: the grade (qrels) or the score (runs) of each query and document.

Regular lines are taken apart in NumPy, many at once (0.10 s CPU for 200,000 lines), others by Python's `str.split`,
many in one call (0.13 s), and files with a fault line by line. DuckDB scans a run of a million lines in a fifth of the
time, but not when all of it is counted: white space, repeated documents, several runs in a file and the join with the
judgements took a prototype 1.75 s and 220 MiB, and Spark and irregular files would need all of this once more.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.lines import BOM, lines
from karat.source.paths import is_folder, pattern_inside
from karat.source.retrieval.regular_lines import RegularLines, regular_lines
from karat.source.unpacking import HELD, opened

SIZE = 1 << 18
"""How many bytes are taken apart at once."""
END_OF_LINE = "\0"
MANY = 1 << 22
"""From how many pairs on repeated ones are looked for while the file is read: of a bomb of equal lines all are."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a line holds: how many cells, which is the value, which the name of a run, and all of it in words."""

    width: int
    value: int
    run_name: int | None
    words: str


QUERY, DOCUMENT = 0, 2
"""The cells of the query and of the document, in qrels and in runs."""
QRELS = Form(4, 3, None, "a line of qrels is QUERY 0 DOCUMENT GRADE")
RUN = Form(6, 4, 5, "a line of a run is QUERY Q0 DOCUMENT RANK SCORE NAME")


@dataclass(frozen=True, slots=True)
class PairValues:
    """The value that a file gives to each pair of a query and a document: a grade or a score."""

    place: str
    """The place of the pairs, for messages: the file, and the run where the file holds several."""
    query: npt.NDArray[Any]
    names: Sequence[str]
    """Query and document with a blank between them; neither holds one, so different pairs have different names."""
    value: npt.NDArray[np.float64]

    def where(self, is_kept: npt.NDArray[np.bool_]) -> "PairValues":
        """Return some of the pairs."""
        names = list(compress(self.names, is_kept))
        return PairValues(self.place, self.query[is_kept], names, self.value[is_kept])


class IrregularFileError(Exception):
    """A line is not like the others: the file must be read line by line."""


def qrels(path: Path, faults: Faults) -> PairValues:
    """Return the grades in a file."""
    (grades,) = _read(path, QRELS, faults).values()
    return grades


def runs(paths: Mapping[str, Path], faults: Faults) -> tuple[dict[str, PairValues], list[str]]:
    """Return the scores of each run by its name, and the notes on them.

    A file in which a query has lines of several names (in the last column) holds several runs, which take these names.
    """
    by_name: dict[str, PairValues] = {}
    notes = []
    for name, path in paths.items():
        inside = _read(path, RUN, faults)
        if len(inside) == 1:
            (by_name[name],) = inside.values()
            continue
        notes.append(f"{path} holds {len(inside)} runs, by the names in its last column")
        others = {*by_name, *paths} - {
            name
        }  # no run bears the name of this file, unless one in it does
        taken = others & set(inside)
        if taken:
            raise InputError(
                f"{path}: a run in it is called {min(taken)!r}, as another is; keep each run in a file"
            )
        by_name |= inside
    return by_name, notes


def _read(path: Path, form: Form, faults: Faults) -> dict[str, PairValues]:
    """Return the runs of a file by name: many lines at once if all are regular, else line by line."""
    if is_folder(path):
        raise InputError(
            f"{path} is a folder; name its files, for example '{pattern_inside(path)}'"
        )
    try:
        return {"": _read_at_once(path, form)}
    except IrregularFileError:
        return _read_by_line(path, form, faults)


def _read_at_once(path: Path, form: Form) -> PairValues:
    names: list[str] = []
    queries: list[npt.NDArray[np.object_]] = []
    values: list[npt.NDArray[np.float64]] = []
    run_names: set[str] = set()
    next_check = MANY
    for data in _whole_lines(path):
        found = _lines_at_once(data, form)
        queries.append(found.query)
        names += found.names
        values.append(found.value)
        run_names.add(found.run_name)
        if len(names) > next_check:
            _check_distinct(names, np.concatenate(queries))
            next_check = 2 * len(names)
    if not names or len(run_names) > 1:
        raise IrregularFileError
    value = np.concatenate(values)
    if not np.isfinite(value).all():
        raise IrregularFileError
    query = np.concatenate(queries)
    _check_distinct(names, query)
    return PairValues(str(path), query, names, value)


def _lines_at_once(data: bytes, form: Form) -> RegularLines:
    """Return the pairs of some lines; those with several spaces between cells, or with other letters, by splitting."""
    found = regular_lines(
        data, width=form.width, document=DOCUMENT, value=form.value, run_name=form.run_name
    )
    if found is not None:
        return found
    try:
        columns = _columns(data.decode(), form.width)
        value = np.fromiter(map(float, columns[form.value]), float)
    except ValueError:  # no UTF-8, or no number
        raise IrregularFileError from None
    query = columns[QUERY]
    same_query: dict[str, str] = {}  # one object for each query, not one for each line
    queries = np.array(list(map(same_query.setdefault, query, query)), object)
    names = list(map(" ".join, zip(query, columns[DOCUMENT], strict=True)))
    run_names = set() if form.run_name is None else set(columns[form.run_name])
    if len(run_names) > 1:
        raise IrregularFileError
    return RegularLines(queries, names, value, "".join(run_names))


def _check_distinct(names: Sequence[str], query: npt.NDArray[Any]) -> None:
    """Check that no query has a document twice.

    Where the lines of each query stand together, as in most files, this takes many small sets in place of a large one,
    which fit into the processor's cache: a quarter of the time.
    """
    stretches = stretches_of(query)
    if len({query[start] for start, _ in stretches}) < len(stretches):
        stretches = [(0, len(names))]
    for start, end in stretches:
        if len(set(names[start:end])) < end - start:
            raise IrregularFileError


def stretches_of(query: npt.NDArray[Any]) -> list[tuple[int, int]]:
    """Return the first line and the end of each stretch of lines of one query."""
    changes = np.flatnonzero(query[1:] != query[:-1]) + 1
    return list(pairwise([0, *changes.tolist(), len(query)]))


def _whole_lines(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, some whole lines at a time."""
    try:
        with opened(path) as file:
            data = _some_lines(file).removeprefix(BOM)
            while data:
                yield data
                data = _some_lines(file)
    except InputError:
        raise IrregularFileError from None  # which line it is will be seen line by line


def _some_lines(file: BinaryIO) -> bytes:
    data = file.read(SIZE)
    if data and not data.endswith(b"\n"):
        data += file.readline(HELD)
    return data


def _columns(text: str, width: int) -> list[list[str]]:
    """Return the columns of lines that all have so many cells; an error if one has more or fewer."""
    # All lines are split in one call, with a mark in place of each end of line. As the text held no such mark before,
    # marks at every place where a line of this width ends, and nowhere else, mean that every line is that wide.
    if END_OF_LINE in text:
        raise IrregularFileError
    if not text.endswith("\n"):
        text += "\n"
    cells = text.replace("\n", f" {END_OF_LINE} ").split()
    step = width + 1
    ends = cells[width::step]
    if len(cells) != step * len(ends) or set(ends) != {END_OF_LINE}:
        raise IrregularFileError
    return [cells[column::step] for column in range(width)]


def _read_by_line(path: Path, form: Form, faults: Faults) -> dict[str, PairValues]:
    """Return the runs of a file by the name in the last column; one run if no query has lines of two names."""
    by_run: dict[str, dict[str, float]] = {}
    for number, line in lines(path, faults):
        cells = line.split()
        if not cells:
            continue
        place = f"{path}, line {number}"
        value = _value(cells, form)
        if value is None:
            faults.add(place, f"{line[:60]!r} cannot be read; {form.words}")
            continue
        query = cells[QUERY]
        document = cells[DOCUMENT]
        name = f"{query} {document}"
        run_name = "" if form.run_name is None else cells[form.run_name]
        pairs = by_run.setdefault(run_name, {})
        if name in pairs:
            faults.add(place, f"query {query!r} has the document {document!r} twice")
        else:
            pairs[name] = value
    if not by_run:
        raise InputError(f"{path} has no lines; {form.words}")
    if not _shares_queries(by_run.values()):
        by_run = {"": _merged(by_run.values())}
    by_name = {}
    for run_name, pairs in by_run.items():
        place = f"{path}, run {run_name!r}" if run_name else str(path)
        by_name[run_name] = _pair_values(place, pairs)
    return by_name


def _value(cells: Sequence[str], form: Form) -> float | None:
    """Return the grade or the score of a line; None if the line cannot be read."""
    if len(cells) != form.width:
        return None
    try:
        value = float(cells[form.value])
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _shares_queries(runs: Iterable[Mapping[str, float]]) -> bool:
    """Return whether a query has lines in two of the runs."""
    seen: set[str] = set()
    for pairs in runs:
        queries = set(map(_query, pairs))
        if not seen.isdisjoint(queries):
            return True
        seen |= queries
    return False


def _merged(runs: Iterable[Mapping[str, float]]) -> dict[str, float]:
    merged: dict[str, float] = {}
    for pairs in runs:
        merged.update(pairs)
    return merged


def _query(name: str) -> str:
    return name.partition(" ")[0]


def _pair_values(place: str, pairs: Mapping[str, float]) -> PairValues:
    queries = np.array(list(map(_query, pairs)), object)
    return PairValues(place, queries, list(pairs), np.array(list(pairs.values()), float))


def run_tag(path: Path) -> str | None:
    """Return the name that a run gives itself in its first line, if it is one."""
    for _, line in lines(path, Faults(lenient=True)):
        cells = line.split()
        if cells:
            return cells[-1] if len(cells) == RUN.width else None
    return None
