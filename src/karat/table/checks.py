"""What can be wrong with the rows; each check is one query that names the first offender."""

from collections.abc import Iterable, Mapping

import numpy as np

from karat.engine import Engine, OpenedSource
from karat.errors import InputError
from karat.table.kinds import Profile
from karat.table.layout import SHORT
from karat.table.unique_items import Names, count_names, may_repeat
from karat.table.usual_names import is_blank
from karat.words import counted, listing

REMEDY_ITEMS = "an item must occur once: remove the copies, name another --item, or use --run COL if these are runs"
REMEDY_CLUSTER = "; if several items come from one {0}, use --cluster {0}"
REMEDY_FILES = "; if each file is one system's, name them NAME=FILE"


def check_names(relation: OpenedSource) -> None:
    """Refuse a table with two columns of one name."""
    twice = [name for name in dict.fromkeys(relation.columns) if relation.columns.count(name) > 1]
    if twice:
        raise InputError(
            f"{relation.origin} has {listing(twice)} more than once; rename one of them"
        )


def check_blanks(engine: Engine, relation: OpenedSource) -> None:
    """Refuse values in a column at the end of a file that has no name; spreadsheets write such columns empty."""
    blanks = [name for name in relation.columns if is_blank(name)]
    if not blanks:
        return
    sums = [f"count({cell_of(relation, name)}) as n{k}" for k, name in enumerate(blanks)]
    found = engine.query(f"select {', '.join(sums)} from {relation.name}")
    for k, name in enumerate(blanks):
        if int(found[f"n{k}"][0]):
            column = name.strip("()")
            raise InputError(
                f"{relation.origin}, line 1: {column} has values but no name; give it one, or remove it"
            )


def check_filled(relation: OpenedSource, profiles: Mapping[str, Profile]) -> None:
    """Refuse a table without rows."""
    if any(known.rows == 0 for known in profiles.values()):
        raise InputError(
            f"{relation.origin} has a header but no rows; karat needs at least one item"
        )


def check_items(
    engine: Engine, relation: OpenedSource, item: str, *, remedy: str, within: str | None = None
) -> None:
    """Refuse an item that occurs twice (within a run, if there are runs)."""
    names = check_named(engine, relation, item)
    if within is None and not may_repeat(engine, relation, names):
        return
    cell = cell_of(relation, item)
    keys = f"{cell}, {cell_of(relation, within)}" if within else cell
    repeated = engine.query(
        f"select {cell} as item, count(*) as n from {relation.name} where {cell} is not null "
        f"group by {keys} having count(*) > 1 order by {keys} limit 4"
    )
    if len(repeated["n"]):
        first = repeated["item"][0]
        times = int(repeated["n"][0])
        where = _rows(engine, relation, cell, first)
        if len(repeated["n"]) > 1:
            where += "; other items too"
        raise InputError(
            f"{relation.origin}: item {str(first)!r} occurs {times:,} times ({where}); {remedy}"
        )


def cell_of(relation: OpenedSource, column: str) -> str:
    """Return SQL for a column."""
    return f"c{relation.columns.index(column)}"


def check_named(engine: Engine, relation: OpenedSource, item: str) -> Names:
    """Return how many items are named, and refuse a row without an item."""
    names = count_names(engine, relation, relation.columns.index(item))
    unnamed = names.rows - names.named
    if unnamed:
        have = "has" if unnamed == 1 else "have"
        raise InputError(
            f"{relation.origin}: {counted(unnamed, 'row')} {have} no {item!r}; every row needs an item, "
            "so remove rows that are empty"
        )
    return names


def _rows(engine: Engine, relation: OpenedSource, cell: str, value: object) -> str:
    """Return the rows of the file that hold a value; it is passed to the SQL as a parameter, not written into it."""
    engine.put("wanted", {"value": np.array([str(value)], dtype=object)})
    places = engine.query(
        f"select row from (select {engine.row} as row, {cell} as cell from {relation.name}) as numbered "
        "join wanted on cast(cell as string) = wanted.value order by row limit 2"
    )
    return "rows " + " and ".join(f"{int(row):,}" for row in places["row"])


def check_votes(engine: Engine, systems: tuple[str, ...], origin: str, *, run: bool) -> None:
    """Refuse two answers of one system for one item, which only `--repeats` can explain."""
    keys = "item, k, r" if run else "item, k"
    repeated = engine.query(
        f"select item, k, count(*) as n from votes where k is not null group by {keys} having count(*) > 1 "
        "order by item, k limit 1"
    )
    if len(repeated["n"]):
        item = str(repeated["item"][0])
        system = systems[int(repeated["k"][0])]
        times = int(repeated["n"][0])
        raise InputError(
            f"{origin}: {system!r} answered item {item!r} {times:,} times; choose which counts with "
            "--repeats first, majority or keep (or --run COL if these are runs)"
        )


def check_shares(engine: Engine, systems: tuple[str, ...], origin: str) -> None:
    """Refuse two confidences of one system in one label of one item."""
    repeated = engine.query(
        "select item, k, cast(answer as string) as label, count(*) as n from all_votes where k is not null "
        "group by item, k, cast(answer as string) having count(*) > 1 order by item, k limit 1"
    )
    if len(repeated["n"]):
        item = str(repeated["item"][0])
        system = systems[int(repeated["k"][0])]
        label = str(repeated["label"][0])
        times = int(repeated["n"][0])
        raise InputError(
            f"{origin}: {system!r} gave item {item!r} and label {label!r} {times:,} probabilities; remove all but one"
        )


def check_one_per_item(engine: Engine, roles: Iterable[str], origin: str, *, run: bool) -> None:
    """Refuse an item of a long table that has two truths, or (in one run) two groups, weights or the like."""
    for role in roles:
        short = SHORT[role]
        keys = "item, r" if run and role != "truth" else "item"
        different = engine.query(
            f"select item, min({short}) as one, max({short}) as other from votes group by {keys} "
            f"having min({short}) <> max({short}) order by {keys} limit 1"
        )
        if len(different["item"]):
            item = str(different["item"][0])
            one = str(different["one"][0])
            other = str(different["other"][0])
            remedy = "an item has one"
            if role == "truth":
                remedy += " (or several right labels with --truth-sep)"
            raise InputError(
                f"{origin}: item {item!r} has two {role.replace('_', ' ')}s, {one!r} and {other!r}; {remedy}"
            )


def check_in_every_row(relation: OpenedSource, profile: Profile, *, role: str) -> None:
    """Refuse a column of clusters or runs that is empty in some rows: these would belong to none."""
    empty = profile.rows - profile.filled
    if empty:
        raise InputError(
            f"{relation.origin}: {profile.name!r} is empty in {counted(empty, 'row')}; every row needs a {role}, "
            "even an item that is alone in its own"
        )


def first_where(
    engine: Engine, relation: OpenedSource, cell: str, bad: str
) -> tuple[int, str | None]:
    """Return the first row where something is wrong, and the value there."""
    rows = engine.query(
        f"select row, cell from (select {engine.row} as row, cast({cell} as string) as cell, "
        f"case when {bad} then 1 else 0 end as bad from {relation.name}) as numbered where bad = 1 order by row limit 1"
    )
    row = int(rows["row"][0])
    value = rows["cell"][0]
    if value is None or np.ma.is_masked(value):
        return row, None
    return row, str(value)
