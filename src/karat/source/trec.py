"""Retrieval: TREC relevance judgements (qrels) and runs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, OptionError
from karat.source.faults import Faults
from karat.source.lines import BOM, content, lines
from karat.source.origin import Source
from karat.source.systems import parted
from karat.words import counted, listing

QUERY, ITEM, TRUTH = "query", "item", "truth"
RELEVANT, OTHER = "1", "0"
QRELS = "a line of qrels is QUERY 0 DOCUMENT GRADE"
SAID = {
    "irrelevant": "taken as irrelevant (--using unjudged=unknown leaves them out)",
    "unknown": "left out (--using unjudged=irrelevant counts them)",
}
RUN = "a line of a run is QUERY Q0 DOCUMENT RANK SCORE NAME"


@dataclass(frozen=True)
class Listed:
    """What a file says of each query and document: a grade or a score."""

    query: Sequence[str]
    document: Sequence[str]
    value: npt.NDArray[np.float64]

    @cached_property
    def names(self) -> list[str]:
        """A name for each pair of query and document; neither has a space in it, so no two pairs have one name."""
        return [f"{query} {document}" for query, document in zip(self.query, self.document, strict=True)]


def trec(
    paths: Sequence[str],
    *,
    relevant: str = "1",
    unjudged: str = "irrelevant",
    depth: str = "",
    pool: str = "",
    lenient: bool = False,
) -> Source:
    """TREC qrels and runs, QRELS RUN...: pairs of query and document are items, queries groups, runs systems.

    `relevant` is the grade from which on a document is relevant; `unjudged` documents are irrelevant, or unknown (left
    out); `depth` makes the first so many documents of a run a yes and all others a no, instead of scores; with `pool`
    only documents among the first so many of some run count as judged.
    """
    if unjudged not in {"irrelevant", "unknown"}:
        raise OptionError(f"--using unjudged is {unjudged!r}; it takes irrelevant or unknown")
    faults, parts = Faults(lenient=lenient), parted(paths, taken=(QUERY, ITEM))
    cut, pooled, grade = _whole(depth, "depth"), _whole(pool, "pool"), _number(relevant)
    judged = _listed(parts.truth, 4, 3, QRELS, faults) if parts.truth else None
    runs = {name: _listed(path, 6, 4, RUN, faults) for name, path in parts.systems.items()}
    if judged:
        runs = {name: _known(run, judged, parts.systems[name], parts.truth, faults) for name, run in runs.items()}
    columns, notes = _columns(judged, runs, grade, cut, pooled, unjudged)
    how = [f"relevant={relevant}", f"unjudged={unjudged}"] * bool(judged)
    how += [f"{name}={value}" for name, value in {"depth": cut, "pool": pooled}.items() if value]
    roles: dict[str, Any] = {**parts.roles(), "item": ITEM, "group": QUERY, "source": f"trec({', '.join(how)})"}
    roles |= {"kinds": {"": "yesno" if cut else "score"}, "duplicate_check": False}
    return Source(parts.origin, "frame", data=columns, roles=roles, notes=(*notes, *faults.notes()))


def _whole(text: str, name: str) -> int:
    if text == "":
        return 0
    if not str(text).isdigit() or not int(text):
        raise OptionError(f"--using {name} is {text!r}; it is a number of documents, 1 or more")
    return int(text)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise OptionError(f"--using relevant is {text!r}; it is the least grade that counts as relevant") from None


def _listed(path: Path, width: int, place: int, form: str, faults: Faults) -> Listed:
    """Return the columns of a file; at once where every line is as it should be, else line by line."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; qrels and runs are files")
    try:
        data = content(path).removeprefix(BOM)
        cells = data.decode().split()
        rows = len(cells) // width
        value = np.fromiter(map(float, cells[place::width]), float)
        even = len(cells) == rows * width and len(set(cells[1::width])) == 1 and bool(np.isfinite(value).all())
    except ValueError:
        even = False
    if even:
        found = Listed(cells[0::width], cells[2::width], value)
        if rows and rows == len(set(found.names)) and data.count(b"\n") + (not data.endswith(b"\n")) == rows:
            return found
    return _by_line(path, width, place, form, faults)


def _by_line(path: Path, width: int, place: int, form: str, faults: Faults) -> Listed:
    found: dict[tuple[str, str], float] = {}
    for number, line in lines(path, faults):
        cells = line.split()
        if not cells:
            continue
        where = f"{path}, line {number}"
        try:
            value = float(cells[place]) if len(cells) == width else None
        except ValueError:
            value = None
        if value is None or not np.isfinite(value):
            faults.add(where, f"{line[:60]!r} cannot be read; {form}")
        elif (cells[0], cells[2]) in found:
            faults.add(where, f"query {cells[0]!r} has the document {cells[2]!r} twice")
        else:
            found[cells[0], cells[2]] = value
    if not found:
        raise InputError(f"{path} has no lines; {form}")
    queries, documents = zip(*found, strict=True)
    return Listed(queries, documents, np.array(list(found.values()), float))


def _known(run: Listed, judged: Listed, path: Path, qrels: Path | None, faults: Faults) -> Listed:
    """Return the run without queries that were never judged."""
    queries = set(judged.query)
    if unknown := list(dict.fromkeys(query for query in run.query if query not in queries)):
        number = next(number for number, line in lines(path, faults) if line.split()[:1] == unknown[:1])
        faults.add(f"{path}, line {number}", f"the query {listing(unknown, most=3)} is not in {qrels}")
    else:
        return run
    kept = [query in queries for query in run.query]
    sides = [[text for text, keep in zip(side, kept, strict=True) if keep] for side in (run.query, run.document)]
    return Listed(sides[0], sides[1], run.value[kept])


def _columns(
    judged: Listed | None, runs: Mapping[str, Listed], grade: float, depth: int, pool: int, unjudged: str
) -> tuple[dict[str, npt.NDArray[Any]], list[str]]:
    if pool and judged:
        judged = _within(judged, set(chain.from_iterable(_first(run, pool) for run in runs.values())))
    if depth:
        runs = {name: _within(run, set(_first(run, depth))) for name, run in runs.items()}
    names, at = _rows([*([judged] if judged else []), *runs.values()])
    columns: dict[str, npt.NDArray[Any]] = {ITEM: np.array(names, object), QUERY: np.empty(len(names), object)}
    notes = []
    if judged:
        columns[QUERY][at[0]] = judged.query
        columns[TRUTH] = np.full(len(names), OTHER if unjudged == "irrelevant" else None, object)
        columns[TRUTH][at[0]] = np.where(judged.value >= grade, RELEVANT, OTHER)
        if without := len(names) - len(judged.names):
            notes.append(f"{counted(without, 'retrieved document')} without judgement: {SAID[unjudged]}")
    for (name, run), rows in zip(runs.items(), at[1:] if judged else at, strict=True):
        columns[QUERY][rows] = run.query
        columns[name] = np.zeros(len(names), np.int8) if depth else np.full(len(names), np.nan)
        columns[name][rows] = 1 if depth else run.value
    return columns, notes


def _rows(told: Sequence[Listed]) -> tuple[list[str], list[npt.NDArray[np.int64]]]:
    """Return the pairs that any file has, and the rows of each file among them; the longest file's come first."""
    longest = max(told, key=lambda one: len(one.names))
    others = dict.fromkeys(chain.from_iterable(one.names for one in told if one is not longest))
    place = {name: row for row, name in enumerate(longest.names) if name in others}
    extra = [name for name in others if name not in place]
    place |= zip(extra, count(len(longest.names)), strict=False)
    rows = [range(len(one.names)) if one is longest else map(place.__getitem__, one.names) for one in told]
    return [*longest.names, *extra], [np.fromiter(part, np.int64) for part in rows]


def _within(judged: Listed, keys: set[str]) -> Listed:
    kept = [name in keys for name in judged.names]
    sides = [[text for text, keep in zip(side, kept, strict=True) if keep] for side in (judged.query, judged.document)]
    return Listed(sides[0], sides[1], judged.value[kept])


def _first(run: Listed, number: int) -> Iterable[str]:
    """Yield the first documents of every query: by score, of equal ones the later name, as trec_eval has it."""
    by_query: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for query, document, value in zip(run.query, run.document, run.value.tolist(), strict=True):
        by_query[query].append((value, document))
    for query, found in by_query.items():
        yield from (f"{query} {document}" for _, document in nlargest(number, found))
