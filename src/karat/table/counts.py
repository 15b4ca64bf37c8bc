"""How many items, truths and answers a table has."""

from karat.engine import Engine
from karat.errors import InputError
from karat.table import layout
from karat.table.layout import Place
from karat.table.prepare import PreparedTable
from karat.table.table import Counts
from karat.table.truth_file import TruthFile


def count_rows(
    engine: Engine,
    prepared: PreparedTable,
    systems: tuple[str, ...],
    truth_file: TruthFile | None,
    *,
    has_truth: bool,
    has_count: bool,
) -> Counts:
    """Return how many items there are, how many have no truth, and how many each system did not answer."""
    number = "n" if has_count else "1"
    sums = [f"sum({number}) as items"]
    if has_truth:
        sums.append(_total("t is not null", number, "truths"))
    else:
        sums.append("0 as truths")
    for k in range(len(systems)):
        if has_truth:
            sums.append(_total(f"t is not null and s{k} is null", number, f"m{k}"))
        elif has_count:
            sums.append(_total(f"true and s{k} is null", number, f"m{k}"))
        else:
            sums.append(f"count(*) - count(s{k}) as m{k}")
    row = engine.query(f"select {', '.join(sums)} from answers")
    items = int(row["items"][0])
    truths = int(row["truths"][0])
    if has_truth and not truths:
        raise _no_truth(engine, prepared, truth_file)
    missing = {name: int(row[f"m{k}"][0]) for k, name in enumerate(systems)}
    return Counts(items, items - truths, missing, _unanswered(engine, prepared, truth_file))


def _total(condition: str, number: str, name: str) -> str:
    return f"sum(case when {condition} then {number} else 0 end) as {name}"


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
