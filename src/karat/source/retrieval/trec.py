"""Retrieval: TREC relevance judgements (qrels) and runs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.source.faults import Faults
from karat.source.origin import Source
from karat.source.paths import is_a_file
from karat.source.retrieval.judged_queries import of_judged_queries
from karat.source.retrieval.query_table import query_columns
from karat.source.retrieval.trec_files import (
    PairValues,
    qrels,
    run_tag,
    runs,
    stretches_of,
)
from karat.source.truth_and_systems import TRUTH, expanded, truth_and_systems
from karat.words import counted

QUERY, ITEM, GRADE = "query", "item", "grade"
RELEVANT, OTHER = "1", "0"
UNJUDGED = {
    "irrelevant": "taken as irrelevant (--using unjudged=unknown leaves them out)",
    "unknown": "left out (--using unjudged=irrelevant counts them)",
}
PUBLISHED = "input."
Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class TrecOptions:
    """The options of reading, checked; a depth or a pool of 0 means none."""

    relevant: float
    unjudged: str
    depth: int
    pool: int


def trec(
    paths: Sequence[str],
    *,
    relevant: str = "1",
    unjudged: str = "irrelevant",
    depth: str = "",
    pool: str = "",
    queries: str = "",
    lenient: bool = False,
) -> Source:
    """TREC qrels and runs, QRELS RUN...: pairs of query and document are items, queries groups, runs systems.

    `relevant` is the lowest grade at which a document counts as relevant; `unjudged` documents are irrelevant, or
    unknown (left out); `depth` turns the first so many documents of a run into a yes and all others into a no, instead
    of scores; with `pool` only documents among the first so many of some run count as judged; `queries` is a table with
    a row a query, whose columns --cluster and --weight may name.
    """
    if unjudged not in UNJUDGED:
        raise OptionError(f"--using unjudged is {unjudged!r}; it takes irrelevant or unknown")
    faults = Faults(lenient=lenient)
    parts = truth_and_systems(_named_by_tag(paths), taken=(QUERY, ITEM, GRADE))
    options = TrecOptions(
        _grade(relevant), unjudged, _documents(depth, "depth"), _documents(pool, "pool")
    )
    if not parts.truth:
        _check_without_qrels(options)
    judged = qrels(parts.truth, faults) if parts.truth else None
    systems, notes = runs(parts.systems, faults)
    if judged:
        systems = {name: of_judged_queries(run, judged, notes) for name, run in systems.items()}
        judged = _pooled(judged, systems, options.pool)
    columns = _columns(judged, systems, options)
    if queries:
        columns |= query_columns(queries, columns[QUERY], taken=columns, faults=faults)
    if judged and (without := len(columns[ITEM]) - len(judged.names)):
        documents = counted(without, "retrieved document")
        notes.append(f"{documents} without judgement: {UNJUDGED[unjudged]}")
    roles: dict[str, Any] = {
        **parts.roles(),
        "systems": tuple(systems),
        "item": ITEM,
        "group": QUERY,
        "source": _described(relevant, options, has_judgements=judged is not None),
        "kinds": {"": "yesno" if options.depth else "score"},
        "duplicate_check": False,
    }
    if GRADE in columns:
        roles["grade"] = GRADE
    return Source(parts.origin, "frame", data=columns, roles=roles, notes=(*notes, *faults.notes()))


def _named_by_tag(paths: Sequence[str]) -> list[str]:
    """Return the paths, with their own names for runs that are called input.RUN, as TREC publishes them."""
    words = []
    for word in expanded(paths):
        path = Path(word)
        tag = None
        if path.name.startswith(PUBLISHED) and is_a_file(path):
            tag = run_tag(path)
        words.append(f"{tag}={word}" if tag else word)
    return words


def _check_without_qrels(options: TrecOptions) -> None:
    """Refuse options that mean nothing where there are no judgements."""
    idle = None
    if options.relevant != 1:
        idle = "relevant"
    elif options.unjudged != "irrelevant":
        idle = "unjudged"
    elif options.pool:
        idle = "pool"
    if idle:
        raise OptionError(
            f"--using {idle} is about judgements, and - in place of the qrels means that there are none"
        )


def _documents(text: str, name: str) -> int:
    """Return a number of documents; 0 if none is given."""
    if text == "":
        return 0
    if not str(text).isdigit() or not int(text):
        raise OptionError(f"--using {name} is {text!r}; it is a number of documents, 1 or more")
    return int(text)


def _grade(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise OptionError(
            f"--using relevant is {text!r}; it is the least grade that counts as relevant"
        ) from None


def _described(relevant: str, options: TrecOptions, *, has_judgements: bool) -> str:
    """Return the source with its options, as a signature shows it."""
    shown = []
    if has_judgements:
        shown += [f"relevant={relevant}", f"unjudged={options.unjudged}"]
    if options.depth:
        shown.append(f"depth={options.depth}")
    if options.pool:
        shown.append(f"pool={options.pool}")
    return f"trec({', '.join(shown)})"


def _columns(
    judged: PairValues | None, systems: Mapping[str, PairValues], options: TrecOptions
) -> dict[str, Column]:
    """Return the table: one row for each pair of query and document that any file holds."""
    if options.depth:
        systems = {name: _first_documents(run, options.depth) for name, run in systems.items()}
    files = [*systems.values()]
    if judged:
        files.insert(0, judged)
    names, rows_of_files = _rows(files)
    query = np.empty(len(names), object)
    for file, rows in zip(files, rows_of_files, strict=True):
        query[rows] = file.query
    columns = {ITEM: np.array(names, object), QUERY: query}
    if judged:
        rows = rows_of_files.pop(0)
        columns[TRUTH] = _truth(judged, rows, len(names), options)
        if not options.depth:
            columns[GRADE] = np.full(len(names), np.nan)
            columns[GRADE][rows] = judged.value
    for (name, run), rows in zip(systems.items(), rows_of_files, strict=True):
        if options.depth:
            columns[name] = np.zeros(len(names), np.int8)
            columns[name][rows] = 1
        else:
            columns[name] = np.full(len(names), np.nan)
            columns[name][rows] = run.value
    return columns


def _truth(
    judged: PairValues, rows: npt.NDArray[np.int64], items: int, options: TrecOptions
) -> Column:
    """Return whether each pair is relevant; None where unjudged pairs are unknown."""
    is_relevant = judged.value >= options.relevant
    if options.unjudged == "irrelevant":
        truth: Column = np.zeros(items, np.int8)
        truth[rows] = is_relevant
    else:
        truth = np.full(items, None, object)
        truth[rows] = np.where(is_relevant, RELEVANT, OTHER)
    return truth


class _Stretch(NamedTuple):
    """Adjacent lines of one query in a file."""

    file: int
    start: int
    end: int


def _rows(files: Sequence[PairValues]) -> tuple[list[str], list[npt.NDArray[np.int64]]]:
    """Return the pairs that any file holds, query by query, and the rows of each file among them.

    The pairs of one query are few enough to be looked up quickly; those of all of them are not.
    """
    names: list[str] = []
    rows_of_files = [np.empty(len(file.names), np.int64) for file in files]
    for stretches in _stretches_by_query(files).values():
        row_of: dict[str, int] = {}
        for file, start, end in stretches:
            own = files[file].names[start:end]
            new = [name for name in own if name not in row_of]
            row_of.update(zip(new, range(len(names), len(names) + len(new)), strict=True))
            names += new
            rows_of_files[file][start:end] = [row_of[name] for name in own]
    return names, rows_of_files


def _stretches_by_query(files: Sequence[PairValues]) -> dict[str, list[_Stretch]]:
    by_query: dict[str, list[_Stretch]] = {}
    for number, file in enumerate(files):
        for start, end in stretches_of(file.query):
            stretch = _Stretch(number, start, end)
            by_query.setdefault(file.query[start], []).append(stretch)
    return by_query


def _pooled(judged: PairValues, systems: Mapping[str, PairValues], pool: int) -> PairValues:
    """Return the judgements of documents that some run has among its first; all of them without a pool."""
    if not pool:
        return judged
    in_pool: set[str] = set()
    for run in systems.values():
        in_pool.update(_first_names(run, pool))
    return judged.where(np.array([name in in_pool for name in judged.names], bool))


def _first_documents(run: PairValues, depth: int) -> PairValues:
    first = set(_first_names(run, depth))
    return run.where(np.array([name in first for name in run.names], bool))


def _first_names(run: PairValues, number: int) -> Iterator[str]:
    """Yield the first documents of every query: by score, of equal ones the later name, as trec_eval has it."""
    by_query: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for query, name, value in zip(run.query.tolist(), run.names, run.value.tolist(), strict=True):
        by_query[query].append((value, name))
    for documents in by_query.values():
        for _, name in nlargest(number, documents):
            yield name
