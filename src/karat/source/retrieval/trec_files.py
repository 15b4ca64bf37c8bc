"""TREC files: what each line of qrels and of runs says of a query and a document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.lines import lines
from karat.source.retrieval.tokenise import UnevenError, blocks, key_of
from karat.words import listing


@dataclass(frozen=True, slots=True)
class Form:
    """How many cells a line has, which of them is the value, and how that reads in words."""

    width: int
    value: int
    words: str


QRELS = Form(4, 3, "a line of qrels is QUERY 0 DOCUMENT GRADE")
RUN = Form(6, 4, "a line of a run is QUERY Q0 DOCUMENT RANK SCORE NAME")


@dataclass(frozen=True, slots=True)
class Listed:
    """What a file says of each query and document: a grade or a score."""

    path: Path
    query: npt.NDArray[Any]
    names: Sequence[str]
    """The query and the document of each line; neither has a space in it, so no two pairs have one name."""
    value: npt.NDArray[np.float64]
    key: npt.NDArray[np.uint64]
    """A number for each name, by which it is found; two names of one number are possible, and must be looked at."""
    order: npt.NDArray[np.int64]
    """The rows from the least key to the greatest."""

    def where(self, kept: npt.NDArray[np.bool_]) -> "Listed":
        """Return some of the lines."""
        names, key = list(compress(self.names, kept)), self.key[kept]
        return Listed(self.path, self.query[kept], names, self.value[kept], key, np.argsort(key))


def qrels(path: Path, faults: Faults) -> Listed:
    """Return the grades of a file."""
    (found,) = _listed(path, QRELS, faults).values()
    return found


def runs(paths: Mapping[str, Path], faults: Faults) -> tuple[dict[str, Listed], list[str]]:
    """Return the scores of each run by its name, and what is to be said of them.

    A file in which a query has lines of several names (in its last column) holds several runs, called so.
    """
    found: dict[str, Listed] = {}
    notes = []
    for name, path in paths.items():
        inside = _listed(path, RUN, faults)
        several = len(inside) > 1
        if several:
            notes.append(f"{path} holds {len(inside)} runs, by the names in its last column")
        if taken := sorted({*found, *paths} & set(inside)) if several else []:
            raise InputError(
                f"{path}: a run in it is called {taken[0]!r}, as another is; keep each run in a file"
            )
        found |= inside if several else {name: next(iter(inside.values()))}
    return found, notes


def _listed(path: Path, form: Form, faults: Faults) -> dict[str, Listed]:
    """Return what a file says: at once where every line is as it should be, else line by line."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; qrels and runs are files")
    try:
        return {"": _at_once(path, form)}
    except UnevenError:
        return _by_line(path, form, faults)


def _at_once(path: Path, form: Form) -> Listed:
    names: list[str] = []
    queries, values, keys, tags = [], [], [], set[str]()
    for block in blocks(path, form.width):
        names += block.pairs(0, 2)
        queries.append(block.runs(0))
        values.append(block.numbers(form.value))
        keys.append(block.keys(0, 2))
        if form is RUN:
            tags |= set(block.runs(-1))
    if not names or len(tags) > 1:
        raise UnevenError
    key = np.concatenate(keys)
    order = np.argsort(key)
    if not np.diff(key[order]).all():
        raise UnevenError  # a document that is there twice, most likely
    return Listed(path, np.concatenate(queries), names, np.concatenate(values), key, order)


def _by_line(path: Path, form: Form, faults: Faults) -> dict[str, Listed]:
    """Return what a file says by the name in the last column; all together if no query has lines of two names."""
    found: dict[str, dict[tuple[str, str], float]] = {}
    for number, line in lines(path, faults):
        cells = line.split()
        if not cells:
            continue
        where = f"{path}, line {number}"
        try:
            value = float(cells[form.value]) if len(cells) == form.width else np.nan
        except ValueError:
            value = np.nan
        own = found.setdefault(cells[-1] if form is RUN else "", {}) if np.isfinite(value) else {}
        if not np.isfinite(value):
            faults.add(where, f"{line[:60]!r} cannot be read; {form.words}")
        elif (cells[0], cells[2]) in own:
            faults.add(where, f"query {cells[0]!r} has the document {cells[2]!r} twice")
        else:
            own[cells[0], cells[2]] = value
    if not found:
        raise InputError(f"{path} has no lines; {form.words}")
    queries = [{query for query, _ in one} for one in found.values()]
    if sum(map(len, queries)) == len(set().union(*queries)):
        found = {"": {pair: value for one in found.values() for pair, value in one.items()}}
    return {tag: _gathered(path, one) for tag, one in found.items()}


def _gathered(path: Path, found: Mapping[tuple[str, str], float]) -> Listed:
    queries = np.array([query for query, _ in found], object)
    names, values = [" ".join(pair) for pair in found], np.array(list(found.values()), float)
    key = np.array([key_of(*pair) for pair in found], np.uint64)
    return Listed(path, queries, names, values, key, np.argsort(key))


def known(run: Listed, judged: Listed, faults: Faults) -> Listed:
    """Return the run without queries that were never judged."""
    queries = set(judged.query)
    unknown = [query for query in dict.fromkeys(run.query) if query not in queries]
    if not unknown:
        return run
    number = next(
        number for number, line in lines(run.path, faults) if line.split()[:1] == unknown[:1]
    )
    faults.add(
        f"{run.path}, line {number}",
        f"the query {listing(unknown, most=3)} is not in {judged.path}",
    )
    return run.where(np.array([query in queries for query in run.query]))
