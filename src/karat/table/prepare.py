"""A wide or a long file as one relation with a column per system, and what is known of its columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat.engine import Engine, Relation, Stored
from karat.errors import InputError, RoleError
from karat.table import checks, layout
from karat.table.kinds import Profile, profile, score
from karat.table.options import TableOptions
from karat.table.roles import UNUSED, LongRoles, Roles, long_roles, wide_roles
from karat.table.table import Use

OWN = "\x00"
"""Begins the names of columns that are not systems in a pivoted table; no file has such a name."""

FRACTION: Stored = "fraction"
MOST_SHARES = 2_000
"""Up to how many columns of system x label a long table of distributions is spread over."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A relation with a column per system."""

    relation: Relation
    roles: Roles
    profiles: Mapping[str, Profile]
    uses: tuple[Use, ...] = ()
    """What the columns of a long file are used for; a wide one speaks for itself."""


def prepare_wide(
    engine: Engine, relation: Relation, reading: TableOptions, elsewhere: tuple[str, ...]
) -> Prepared:
    """Return a file that has a column per system, as it is."""
    roles = wide_roles(relation.columns, reading, origin=relation.origin, elsewhere=elsewhere)
    idle = {*roles.left_out, roles.named.get("item")}
    useful = [number for number, name in enumerate(relation.columns) if name not in idle]
    relation = _answered(engine, relation, roles.rest, reading)
    profiles = profile(engine, relation, useful)
    if reading.duplicate_check and "item" in roles.named:
        within = roles.named.get("run")
        remedy = checks.REMEDY_ITEMS + checks.REMEDY_FILES * relation.origin.endswith(" more")
        checks.check_items(engine, relation, roles.named["item"], remedy=remedy, within=within)
    return Prepared(relation, roles, profiles)


def _answered(
    engine: Engine, relation: Relation, columns: Sequence[str], reading: TableOptions
) -> Relation:
    """Return the relation with answers that mean none left out."""
    if not reading.no_answer:
        return relation
    engine.put(
        "no_answer",
        {
            "value": np.array(reading.no_answer, dtype=object),
            "k": np.arange(len(reading.no_answer)),
        },
    )
    engine.keep("answered", layout.answered(relation, columns, len(reading.no_answer)))
    return replace(relation, name="answered")


def prepare_long(
    engine: Engine, relation: Relation, reading: TableOptions, elsewhere: tuple[str, ...]
) -> Prepared:
    """Return a file that has a row per answer, pivoted; a pair of item and system that is absent has no answer."""
    roles = long_roles(relation.columns, reading, origin=relation.origin, elsewhere=elsewhere)
    useful = [number for number, name in enumerate(relation.columns) if name not in roles.left_out]
    relation = _answered(engine, relation, [roles.answer], reading)
    profiles = profile(engine, relation, useful)
    checks.check_named(engine, relation, roles.item)
    if score in {profiles[roles.answer].kind, reading.kind_of("")}:
        checks.check_numbers(engine, relation, profiles[roles.answer], what="score")
    if roles.share:
        checks.check_numbers(engine, relation, profiles[roles.share], what="probability")
    for role, name in roles.named.items():
        if role in {"weight", "count"}:
            checks.check_weights(engine, relation, profiles[name], role=role)
        elif role == "error":
            checks.check_chances(engine, relation, profiles[name], roles.named.get("truth"))
        elif role in {"cluster", "run"}:
            checks.check_told(relation, profiles[name], role=role)
    systems = _systems(engine, relation, roles, reading)
    pivoted = _pivot(engine, relation, roles, systems, reading)
    pivoted, shares = (
        _spread(engine, pivoted, systems)
        if roles.share and "run" not in roles.named
        else (pivoted, {})
    )
    unasked = reading.repeats == "keep" or "run" in roles.named
    named = {role: OWN + role for role in ("item", *roles.named)}
    known = {
        OWN + role: profiles[name] for role, name in {"item": roles.item, **roles.named}.items()
    }
    # Where some were not asked, the answers stay text: no number stands for that.
    answer = replace(profiles[roles.answer], stored=pivoted.stored[1])
    answer = replace(answer, integers=0) if unasked else answer
    known |= {name: replace(answer, name=name) for name in systems}
    uses = _uses(roles, profiles, len(systems), reading.kind_of(""))
    return Prepared(pivoted, Roles(named, systems, shares=shares, notes=roles.notes), known, uses)


def _systems(
    engine: Engine, relation: Relation, roles: LongRoles, reading: TableOptions
) -> tuple[str, ...]:
    cell = f"cast(c{relation.columns.index(roles.system)} as string)"
    found = engine.query(
        f"select name from (select {cell} as name from {relation.name}) as named "
        "where name is not null group by name order by name"
    )
    names = tuple(str(name) for name in found["name"])
    if not names:
        raise InputError(
            f"{relation.origin}: the column {roles.system!r} is empty; nobody answered"
        )
    if reading.systems is None:
        return names
    if unknown := [name for name in reading.systems if name not in names]:
        raise RoleError(
            f"{relation.origin} has no answers of {unknown[0]!r}, which --systems names"
        )
    return tuple(reading.systems)


def _pivot(
    engine: Engine,
    relation: Relation,
    roles: LongRoles,
    systems: tuple[str, ...],
    reading: TableOptions,
) -> Relation:
    engine.put("systems", {"name": np.array(systems, dtype=object), "k": np.arange(len(systems))})
    repeats = "likeliest" if roles.share else reading.repeats
    engine.keep(
        "votes" if repeats == "refuse" else "all_votes", layout.votes(engine.row, relation, roles)
    )
    if repeats == "refuse":
        checks.check_votes(engine, systems, relation.origin, run="run" in roles.named)
    else:
        keys = "item, k, r" if "run" in roles.named else "item, k"
        engine.keep("votes", layout.SETTLED[repeats].format(keys=keys))
    checks.check_alike(
        engine, set(roles.named) - {"run"}, relation.origin, run="run" in roles.named
    )
    if "run" in roles.named:
        engine.keep("took", layout.took(len(systems)))
    engine.keep(
        "pivoted",
        layout.pivot(
            len(systems), tuple(roles.named), keep=repeats == "keep", ordered=engine.ordered
        ),
    )
    stored = dict(zip(relation.columns, relation.stored, strict=True))
    extra = {OWN + role: stored[name] for role, name in roles.named.items()}
    answer = "text" if repeats == "keep" or "run" in roles.named else stored[roles.answer]
    columns = {OWN + "item": stored[roles.item], **dict.fromkeys(systems, answer), **extra}
    return Relation(
        "pivoted", relation.origin, tuple(columns), tuple(columns.values()), columnar=True
    )


def _spread(
    engine: Engine, pivoted: Relation, systems: tuple[str, ...]
) -> tuple[Relation, dict[str, dict[str, str]]]:
    """Return the pivoted table with a column for each system's confidence in each label, unless they are too many."""
    found = engine.query(
        "select cast(answer as string) as label from all_votes where k is not null and answer is not null "
        "group by cast(answer as string) order by label"
    )
    labels = [str(text) for text in found["label"]]
    if len(labels) * len(systems) > MOST_SHARES:
        return pivoted, {}
    engine.put(
        "share_labels", {"label": np.array(labels, dtype=object), "j": np.arange(len(labels))}
    )
    checks.check_shares(engine, systems, pivoted.origin)
    columns = {(k, j): f"{OWN}{k}.{j}" for k in range(len(systems)) for j in range(len(labels))}
    engine.keep("spread", layout.spread(tuple(columns)))
    first = len(pivoted.columns)
    taken = ", ".join(f"b.q{k}_{j} as c{first + place}" for place, (k, j) in enumerate(columns))
    join = " left join spread as b on a.c0 = b.item"
    engine.keep("with_shares", layout.joined(f"a.*, {taken}", pivoted.name, join, engine))
    names, stored = (
        (*pivoted.columns, *columns.values()),
        (*pivoted.stored, *[FRACTION] * len(columns)),
    )
    shares = {
        name: {text: columns[k, j] for j, text in enumerate(labels)}
        for k, name in enumerate(systems)
    }
    return replace(pivoted, name="with_shares", columns=names, stored=stored), shares


def _uses(
    roles: LongRoles, profiles: Mapping[str, Profile], systems: int, kind: str | None
) -> tuple[Use, ...]:
    def use(name: str, role: str, why: str) -> Use:
        known = profiles[name]
        return Use(
            name,
            role,
            (kind or known.kind) if role == "answer" else "",
            known.filled,
            known.distinct,
            why,
        )

    parts = [
        use(roles.item, "item", "names the item"),
        use(roles.answer, "answer", "what was answered"),
    ]
    parts.insert(1, replace(use(roles.system, "system", "says who answered"), distinct=systems))
    parts += [use(roles.share, "confidence", "beside the answer")] if roles.share else []
    parts += (
        [use(roles.beside, "confidence", f"beside the answer, {UNUSED}")] if roles.beside else []
    )
    parts += [use(name, role, "") for role, name in roles.named.items()]
    return (
        *parts,
        *(Use(name, "left out", "", None, None, why) for name, why in roles.left_out.items()),
    )
