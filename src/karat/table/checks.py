"""What can be wrong with the rows; each check is one query that names the first offender."""

import re
import sys
from collections.abc import Iterable, Sequence

import numpy as np

from karat.engine import Engine, Relation
from karat.errors import InputError, RoleError
from karat.table.kinds import Profile, as_number
from karat.table.layout import SHORT
from karat.words import counted, listing

DISGUISES = {
    r"[+-]?\d*,\d+": (",", ".", "numbers with a decimal comma", "write them with a point: 0.5"),
    r"[+-]?\d+(\.\d+)?\s*%": (
        "%",
        "",
        "numbers with a per cent sign",
        "write them without it: 0.5 or 50",
    ),
}
"""How scores look that are read as labels: the form of one, its sign and what stands for it, what it is, what to do."""
EMPTY = "leave the cell empty where there is none"
REMEDY_ITEMS = "an item must occur once: remove the copies, name another --item, or say --run COL if these are runs"
REMEDY_FILES = "; if each file is one system's, name them NAME=FILE"


def check_filled(engine: Engine, relation: Relation) -> None:
    """Refuse a table without rows, or with two columns of one name."""
    if twice := [
        name for name in dict.fromkeys(relation.columns) if relation.columns.count(name) > 1
    ]:
        raise InputError(
            f"{relation.origin} has {listing(twice)} more than once; rename one of them"
        )
    if not int(engine.query(f"select count(*) as n from {relation.name}")["n"][0]):
        raise InputError(
            f"{relation.origin} has a header but no rows; karat needs at least one item"
        )


def check_items(
    engine: Engine, relation: Relation, item: str, *, remedy: str, within: str | None = None
) -> None:
    """Refuse an item that occurs twice (within a run, if there are runs)."""
    cells = [f"c{relation.columns.index(name)}" for name in (item, within) if name]
    keys = ", ".join(cells)
    found = engine.query(
        f"select {cells[0]} as item, count(*) as n from {relation.name} where {cells[0]} is not null "
        f"group by {keys} having count(*) > 1 order by {keys} limit 4"
    )
    if len(found["n"]):
        first, times = found["item"][0], int(found["n"][0])
        rows = _rows(engine, relation, cells[0], first)
        more = "; other items too" if len(found["n"]) > 1 else ""
        raise InputError(
            f"{relation.origin}: item {str(first)!r} occurs {times:,} times ({rows}{more}); {remedy}"
        )
    check_named(engine, relation, item)


def check_named(engine: Engine, relation: Relation, item: str) -> None:
    """Refuse a row that does not say which item it is about."""
    cell = f"c{relation.columns.index(item)}"
    unnamed = engine.query(f"select count(*) - count({cell}) as n from {relation.name}")
    if int(unnamed["n"][0]):
        raise InputError(
            f"{relation.origin}: {int(unnamed['n'][0]):,} rows have no {item!r}; every row needs its item"
        )


def _rows(engine: Engine, relation: Relation, cell: str, value: object) -> str:
    """Return where in the file a value stands; the value travels beside the SQL, not in it."""
    import numpy as np  # noqa: PLC0415 (only on the way to an error)

    engine.put("wanted", {"value": np.array([str(value)], dtype=object)})
    found = engine.query(
        f"select row from (select {engine.row} as row, {cell} as cell from {relation.name}) as numbered "
        "join wanted on cast(cell as string) = wanted.value order by row limit 2"
    )
    return "rows " + " and ".join(f"{int(row):,}" for row in found["row"])


def check_votes(engine: Engine, systems: tuple[str, ...], origin: str, *, run: bool) -> None:
    """Refuse two answers of one system for one item, unless the user said what they are."""
    keys = "item, k, r" if run else "item, k"
    found = engine.query(
        f"select item, k, count(*) as n from votes where k is not null group by {keys} having count(*) > 1 "
        "order by item, k limit 1"
    )
    if len(found["n"]):
        item, system, times = found["item"][0], systems[int(found["k"][0])], int(found["n"][0])
        raise InputError(
            f"{origin}: {system!r} answered item {str(item)!r} {times:,} times; say what that means with "
            "--repeats first, majority or keep (or --run COL if these are runs)"
        )


def check_shares(engine: Engine, systems: tuple[str, ...], origin: str) -> None:
    """Refuse two confidences of one system in one label of one item."""
    found = engine.query(
        "select item, k, cast(answer as string) as label, count(*) as n from all_votes where k is not null "
        "group by item, k, cast(answer as string) having count(*) > 1 order by item, k limit 1"
    )
    if len(found["n"]):
        item, system, label = (
            str(found["item"][0]),
            systems[int(found["k"][0])],
            str(found["label"][0]),
        )
        raise InputError(
            f"{origin}: {system!r} gave item {item!r} and label {label!r} {int(found['n'][0]):,} probabilities; remove "
            "all but one"
        )


def check_one_per_item(engine: Engine, roles: Iterable[str], origin: str, *, run: bool) -> None:
    """Refuse an item of a long table that has two truths, or (in one run) two groups, weights or the like."""
    for role in roles:
        short = SHORT[role]
        keys = "item, r" if run and role != "truth" else "item"
        found = engine.query(
            f"select item, min({short}) as one, max({short}) as other from votes group by {keys} "
            f"having min({short}) <> max({short}) order by {keys} limit 1"
        )
        if len(found["item"]):
            several = " (or several right labels with --truth-sep)" * (role == "truth")
            raise InputError(
                f"{origin}: item {str(found['item'][0])!r} has two {role.replace('_', ' ')}s, "
                f"{str(found['one'][0])!r} and {str(found['other'][0])!r}; an item has one{several}"
            )


def check_in_every_row(relation: Relation, profile: Profile, *, role: str) -> None:
    """Refuse a cluster or run that some rows do not have: rows without one do not hang together."""
    if empty := profile.rows - profile.filled:
        raise InputError(
            f"{relation.origin}: {profile.name!r} is empty in {counted(empty, 'row')}; every row needs its {role}, "
            "also one that stands alone"
        )


def check_numbers(engine: Engine, relation: Relation, profile: Profile, *, what: str) -> None:
    """Refuse a score, weight or count that is no number."""
    if profile.numeric < profile.filled:
        raise _bad_number(engine, relation, profile, what, "is no number", numeric=False)
    if profile.nan:
        raise _bad_number(engine, relation, profile, what, "is not a number (NaN)", numeric=True)


def _bad_number(
    engine: Engine, relation: Relation, profile: Profile, what: str, problem: str, *, numeric: bool
) -> InputError:
    cell = f"c{relation.columns.index(profile.name)}"
    number = as_number(cell, profile.stored)
    bad = f"isnan({number})" if numeric else f"{cell} is not null and {number} is null"
    row, value = first_where(engine, relation, cell, bad)
    remedy = _instead(relation, profile) if what == "score" and not profile.numeric else EMPTY
    return InputError(
        f"{relation.origin}, row {row:,}: the {what} {value!r} in {profile.name!r} {problem}; {remedy}"
    )


def _instead(relation: Relation, profile: Profile) -> str:
    """Return where scores may be had, if a column holds none at all."""
    own = [
        name
        for name in relation.columns
        if name.startswith((f"{profile.name}.p.", f"{profile.name}.score"))
    ]
    example = f", such as {listing(own, most=3)}" if own else ""
    return f"the column holds labels; name columns of scores with --systems{example}"


def check_no_scores(
    engine: Engine, relation: Relation, profiles: Sequence[Profile], pair: tuple[str, str]
) -> None:
    """Refuse labels that are scores in disguise where the truth is yes or no: decimal commas, per cent, 0 to 100.

    A glance at the first rows tells which columns to look at.
    """
    cells = {
        known.name: f"c{relation.columns.index(known.name)}" for known in profiles if known.filled
    }
    first = (
        engine.query(f"select {', '.join(cells.values())} from {relation.name} limit 20")
        if cells
        else {}
    )
    for known in (known for known in profiles if known.filled and known.stored == "text"):
        seen = [str(value) for value in np.ma.getdata(first[cells[known.name]])]
        for form, (sign, instead, what, remedy) in DISGUISES.items():
            if any(re.fullmatch(form, value) for value in seen):
                number = as_number(f"replace({cells[known.name]}, '{sign}', '{instead}')", "text")
                _check_disguise(engine, relation, known, f"{number} is not null", what, remedy)
    if all(known.whole for known in profiles):
        for known in (known for known in profiles if known.filled):
            fits = f"cast({cells[known.name]} as double) not in (0, 1)"
            what = f"whole numbers but neither 0 nor 1, while the truth is {pair[0]} or {pair[1]}"
            _check_disguise(
                engine, relation, known, fits, what, "if they are scores, say --kind score"
            )


def _check_disguise(
    engine: Engine, relation: Relation, known: Profile, fits: str, what: str, remedy: str
) -> None:
    """Refuse a column all of whose cells fit."""
    cell = f"c{relation.columns.index(known.name)}"
    found = engine.query(
        f"select min(cast({cell} as string)) as one, sum(case when {fits} then 1 else 0 end) as n from {relation.name}"
    )
    if int(found["n"][0]) == known.filled:
        raise InputError(
            f"{relation.origin}: {known.name!r} holds {what}, such as {str(found['one'][0])!r}; {remedy}"
        )


def first_where(engine: Engine, relation: Relation, cell: str, bad: str) -> tuple[int, str | None]:
    """Return the first row where something is wrong, and what stands there."""
    found = engine.query(
        f"select row, cell from (select {engine.row} as row, cast({cell} as string) as cell, "
        f"case when {bad} then 1 else 0 end as bad from {relation.name}) as numbered where bad = 1 order by row limit 1"
    )
    value = found["cell"][0]
    return int(found["row"][0]), None if value is None or np.ma.is_masked(value) else str(value)


def check_chances(engine: Engine, relation: Relation, profile: Profile, truth: str | None) -> None:
    """Refuse a probability of a wrong truth that is none, or missing where its relation has a truth."""
    check_numbers(engine, relation, profile, what="error")
    cell = f"cast(c{relation.columns.index(profile.name)} as double)"
    told = "true" if truth is None else f"c{relation.columns.index(truth)} is not null"
    wrong = f"{cell} < 0 or {cell} > 1 or ({cell} is null and {told})"
    bad = int(
        engine.query(f"select sum(case when {wrong} then 1 else 0 end) as n from {relation.name}")[
            "n"
        ][0]
    )
    if bad:
        row, value = first_where(
            engine, relation, f"c{relation.columns.index(profile.name)}", wrong
        )
        problem = (
            "is empty, where there is a truth; write 0 where it is sure"
            if value is None
            else f"is {value}, no probability from 0 to 1"
        )
        others = f"; {counted(bad - 1, 'more row')} cannot be used either" * (bad > 1)
        raise InputError(
            f"{relation.origin}, row {row:,}: the error in {profile.name!r} {problem}{others}"
        )


def check_weights(engine: Engine, relation: Relation, profile: Profile, *, role: str) -> None:
    """Refuse a weight or count that is missing, negative, infinite or, for a count, not whole."""
    check_numbers(engine, relation, profile, what=role)
    cell = f"cast(c{relation.columns.index(profile.name)} as double)"
    wrong = {"negative": f"{cell} < 0", "infinite": f"{cell} > {sys.float_info.max!r}"}
    sums = ", ".join(
        f"sum(case when {bad} then 1 else 0 end) as {name}" for name, bad in wrong.items()
    )
    counts = engine.query(f"select {sums} from {relation.name}")
    faults = {name: int(counts[name][0]) for name in wrong} | {
        "empty": profile.rows - profile.filled
    }
    if found := next(
        (counted(number, f"{name} {role}") for name, number in faults.items() if number), None
    ):
        raise InputError(
            f"{relation.origin}: {profile.name!r} has {found}; every row needs one of 0 or more"
        )
    if role == "count" and profile.fractional:
        raise RoleError(
            f"{relation.origin}: {profile.name!r} has {profile.fractional:,} fractions; --count holds frequencies, "
            "--weight holds importance"
        )
