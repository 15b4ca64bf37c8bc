"""Retrieval: TREC relevance judgements (qrels) and runs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import chain, compress, count
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.source.faults import Faults
from karat.source.origin import Source
from karat.source.retrieval.trec_files import Listed, known, qrels, runs
from karat.source.truth_and_systems import TRUTH, parted
from karat.words import counted

QUERY, ITEM = "query", "item"
RELEVANT, OTHER = "1", "0"
SAID = {
    "irrelevant": "taken as irrelevant (--using unjudged=unknown leaves them out)",
    "unknown": "left out (--using unjudged=irrelevant counts them)",
}


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
    if not parts.truth:
        _check_without_qrels(
            {"relevant": grade != 1, "unjudged": unjudged != "irrelevant", "pool": pooled}
        )
    judged = qrels(parts.truth, faults) if parts.truth else None
    found, notes = runs(parts.systems, faults)
    if judged:
        found = {name: known(run, judged, faults) for name, run in found.items()}
    columns, without = _columns(judged, found, grade, cut, pooled, unjudged)
    how = [f"relevant={relevant}", f"unjudged={unjudged}"] * bool(judged)
    how += [f"{name}={value}" for name, value in {"depth": cut, "pool": pooled}.items() if value]
    roles: dict[str, Any] = {**parts.roles(), "systems": tuple(found), "item": ITEM, "group": QUERY}
    roles |= {
        "source": f"trec({', '.join(how)})",
        "kinds": {"": "yesno" if cut else "score"},
        "duplicate_check": False,
    }
    return Source(
        parts.origin, "frame", data=columns, roles=roles, notes=(*notes, *without, *faults.notes())
    )


def _check_without_qrels(said: Mapping[str, object]) -> None:
    """Refuse what means nothing where there are no judgements."""
    if idle := next((name for name, is_said in said.items() if is_said), None):
        raise OptionError(
            f"--using {idle} is about judgements, and - in place of the qrels means that there are none"
        )


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
        raise OptionError(
            f"--using relevant is {text!r}; it is the least grade that counts as relevant"
        ) from None


def _columns(
    judged: Listed | None,
    runs: Mapping[str, Listed],
    grade: float,
    depth: int,
    pool: int,
    unjudged: str,
) -> tuple[dict[str, npt.NDArray[Any]], list[str]]:
    if pool and judged:
        judged = _within(
            judged, set(chain.from_iterable(_first(run, pool) for run in runs.values()))
        )
    if depth:
        runs = {name: _within(run, set(_first(run, depth))) for name, run in runs.items()}
    names, at = _rows([*([judged] if judged else []), *runs.values()])
    columns: dict[str, npt.NDArray[Any]] = {
        ITEM: np.array(names, object),
        QUERY: np.empty(len(names), object),
    }
    notes = []
    if judged:
        columns[QUERY][at[0]] = judged.query
        grades = judged.value >= grade
        if unjudged == "irrelevant":
            columns[TRUTH] = np.zeros(len(names), np.int8)
            columns[TRUTH][at[0]] = grades
        else:
            columns[TRUTH] = np.full(len(names), None, object)
            columns[TRUTH][at[0]] = np.where(grades, RELEVANT, OTHER)
        if without := len(names) - len(judged.names):
            notes.append(
                f"{counted(without, 'retrieved document')} without judgement: {SAID[unjudged]}"
            )
    for (name, run), rows in zip(runs.items(), at[1:] if judged else at, strict=True):
        columns[QUERY][rows] = run.query
        columns[name] = np.zeros(len(names), np.int8) if depth else np.full(len(names), np.nan)
        columns[name][rows] = 1 if depth else run.value
    return columns, notes


def _rows(told: Sequence[Listed]) -> tuple[list[str], list[npt.NDArray[np.int64]]]:
    """Return the pairs that any file has, and the rows of each file among them; the longest file's come first."""
    longest = max(told, key=lambda one: len(one.names))
    at = [np.arange(len(one.names)) if one is longest else _found(one, longest) for one in told]
    others = (compress(one.names, rows < 0) for one, rows in zip(told, at, strict=True))
    extra = dict(
        zip(dict.fromkeys(chain.from_iterable(others)), count(len(longest.names)), strict=False)
    )
    for one, rows in zip(told, at, strict=True):
        rows[rows < 0] = [extra[name] for name in compress(one.names, rows < 0)]
    return [*longest.names, *extra], at


def _found(one: Listed, longest: Listed) -> npt.NDArray[np.int64]:
    """Return the rows of one file's pairs in the longest file, -1 where they are not there."""
    keys = longest.key[longest.order]
    place = np.minimum(np.searchsorted(keys, one.key), len(keys) - 1)
    rows = np.where(keys[place] == one.key, longest.order[place], -1)
    if all(
        row < 0 or longest.names[row] == name
        for row, name in zip(rows.tolist(), one.names, strict=True)
    ):
        return rows
    known = dict(zip(longest.names, count(), strict=False))  # two names have one key
    return np.fromiter((known.get(name, -1) for name in one.names), np.int64, len(one.names))


def _within(found: Listed, keys: set[str]) -> Listed:
    return found.where(np.array([name in keys for name in found.names], bool))


def _first(run: Listed, number: int) -> Iterable[str]:
    """Yield the first documents of every query: by score, of equal ones the later name, as trec_eval has it."""
    by_query: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for query, name, value in zip(run.query.tolist(), run.names, run.value.tolist(), strict=True):
        by_query[query].append((value, name))
    for found in by_query.values():
        yield from (name for _, name in nlargest(number, found))
