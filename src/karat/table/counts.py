"""How many items, truths and answers a table has."""

from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Engine
from karat.errors import InputError
from karat.table import layout
from karat.table.distinct_rows import Rows
from karat.table.layout import Place
from karat.table.prepare import PreparedTable
from karat.table.table import Counts
from karat.table.truth_file import TruthFile


def count_rows(
    engine: Engine,
    prepared: PreparedTable,
    systems: tuple[str, ...],
    truth_file: TruthFile | None,
    rows: Rows,
    *,
    has_truth: bool,
) -> Counts:
    """Return how many items there are, how many have no truth, and how many each system did not answer."""
    # Answers count where there is a truth, or where there is none at all.
    judged = "case when t is not null then 1 else 0 end" if has_truth else "1"
    sums = [f"{rows.filled(f's{k}')} as answered{k}" for k in range(len(systems))]
    sums.append(f"{rows.total} as items")
    found = engine.query(
        f"select judged, {', '.join(sums)} from (select *, {judged} as judged from {rows.name}) as rows "
        "group by judged order by judged"
    )
    items = _numbers(found["items"])
    is_judged = _numbers(found["judged"]) == 1
    if not is_judged.any():
        raise _no_truth(engine, prepared, truth_file)
    missing = {}
    for k, name in enumerate(systems):
        unanswered = items - _numbers(found[f"answered{k}"])
        missing[name] = int(unanswered[is_judged].sum())
    truths = int(items[is_judged].sum()) if has_truth else 0
    total = int(items.sum())
    return Counts(total, total - truths, missing, _unanswered(engine, prepared, truth_file))


def counts_of_profiles(
    prepared: PreparedTable, systems: tuple[str, ...], *, has_truth: bool
) -> Counts | None:
    """Return the counts where every row has a truth, or none has, so that they are known without looking again."""
    rows = prepared.profiles[systems[0]].rows
    without_truth = 0 if has_truth else rows
    if has_truth:
        truth = prepared.profiles.get(prepared.roles.named.get("truth", ""))
        if truth is None or truth.filled < rows:
            return None
    if not rows:
        return None
    missing = {name: rows - prepared.profiles[name].filled for name in systems}
    return Counts(rows, without_truth, missing, 0)


def _numbers(column: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    return np.ma.getdata(column).astype(np.int64)


def _unanswered(engine: Engine, prepared: PreparedTable, truth_file: TruthFile | None) -> int:
    """Return how many items of the truth file the table does not have."""
    if truth_file is None:
        return 0
    item = Place("a", prepared.relation, prepared.roles.named["item"])
    item_of_truth = Place("b", truth_file.relation, truth_file.named["item"])
    join = layout.join(item_of_truth, item)
    row = engine.query(
        f"select sum(case when {layout.cell(item)} is null then 1 else 0 end) as n "
        f"from {truth_file.relation.name} as b{join}"
    )
    return int(row["n"][0])


def _no_truth(engine: Engine, prepared: PreparedTable, truth_file: TruthFile | None) -> InputError:
    """Return why no item has a truth."""
    relation = prepared.relation
    item = prepared.roles.named.get("item")
    if truth_file is None or item is None:
        return InputError(
            f"{relation.origin}: the truth column is empty; name another with --truth"
        )
    mine = _first(engine, Place("a", relation, item))
    theirs = _first(engine, Place("a", truth_file.relation, truth_file.named["item"]))
    return InputError(
        f"{truth_file.relation.origin} has no truth for any item of {relation.origin}: its items are like "
        f"{theirs!r}, the table's like {mine!r}; check --item and which files belong together"
    )


def _first(engine: Engine, place: Place) -> str:
    row = engine.query(f"select min({layout.cell(place)}) as first from {place.relation.name} as a")
    return str(row["first"][0])
