"""A wide or a long file as one relation with a column per system, and what is known of its columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat.engine import Engine, OpenedSource, Stored
from karat.errors import InputError, RoleError
from karat.table import checks, layout, number_checks
from karat.table.distinct_rows import Rows, distinct_rows
from karat.table.kinds import Profile, profile, score
from karat.table.options import TableOptions
from karat.table.roles import UNUSED, LongRoles, Roles, long_roles, wide_roles
from karat.table.table import Use
from karat.table.usual_names import looks_like_cluster
from karat.words import counted

OWN = "\x00"
"""Begins the names of columns that are not systems in a pivoted table; no file has such a name."""

FRACTION: Stored = "fraction"
MOST_SHARES = 2_000
"""Up to how many columns of system x label a long table of distributions is spread over."""


@dataclass(frozen=True, slots=True)
class PreparedTable:
    """A relation with a column per system."""

    source: OpenedSource
    """The file as it was read, with cells empty where their text means that there is no answer."""
    relation: OpenedSource
    roles: Roles
    profiles: Mapping[str, Profile]
    rows: Rows
    """Where the columns that are used can be counted, without the items' names."""
    uses: tuple[Use, ...] = ()
    """What the columns of a long file are used for; those of a wide one are known from its roles."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A relation with a column for each system's confidence in each label, and which column that is."""

    relation: OpenedSource
    shares: Mapping[str, Mapping[str, str]]


def parsed_once(engine: Engine, relation: OpenedSource, name: str) -> OpenedSource:
    """Return the relation with its text parsed once and kept under a name, if it is text."""
    if relation.columnar:
        return relation
    engine.keep(name, f"select * from {relation.name}")
    return replace(relation, name=name)


def prepare_wide(
    engine: Engine, relation: OpenedSource, options: TableOptions, elsewhere: tuple[str, ...]
) -> PreparedTable:
    """Return a file that has a column per system, as it is."""
    roles = wide_roles(relation.columns, options, origin=relation.origin, elsewhere=elsewhere)
    unused = {*roles.left_out, roles.named.get("item")}
    used = [number for number, name in enumerate(relation.columns) if name not in unused]
    relation = _without_no_answers(engine, relation, roles.rest, options)
    rows = distinct_rows(engine, relation, used)
    profiles = profile(engine, relation, used, rows)
    absent = _absent_scores(profiles, roles.rest, options)
    if absent:
        relation = _without_absent(engine, relation, absent)
        rows = distinct_rows(engine, relation, used)
        profiles = profile(engine, relation, used, rows)
        roles = replace(roles, notes=(*roles.notes, *_notes_on_absent(absent)))
    checks.check_filled(relation, profiles)
    profiles = {**profiles, **_profiles_of_clusters(engine, relation, roles.left_out)}
    if options.duplicate_check and "item" in roles.named:
        remedy = checks.REMEDY_ITEMS
        several_files = relation.origin.endswith(" more")
        if several_files:
            remedy += checks.REMEDY_FILES
        if options.item is None and looks_like_cluster(roles.named["item"]):
            remedy += checks.REMEDY_CLUSTER.format(roles.named["item"])
        run = roles.named.get("run")
        checks.check_items(engine, relation, roles.named["item"], remedy=remedy, within=run)
    return PreparedTable(relation, relation, roles, profiles, rows)


def _profiles_of_clusters(
    engine: Engine, relation: OpenedSource, left_out: Mapping[str, str]
) -> Mapping[str, Profile]:
    """Return what is known of columns that play no part, but are called as clusters of items are."""
    columns = []
    for number, name in enumerate(relation.columns):
        if name in left_out and looks_like_cluster(name):
            columns.append(number)
    if not columns:
        return {}
    return profile(engine, relation, columns)


def _absent_scores(
    profiles: Mapping[str, Profile], columns: Sequence[str], options: TableOptions
) -> list[Profile]:
    """Return what is known of columns of scores in which some texts mean that there is no score."""
    absent = []
    for name in columns:
        known = profiles.get(name)
        if known and known.has_absent_scores(options.kind_of(name)):
            absent.append(known)
    return absent


def _without_absent(
    engine: Engine, relation: OpenedSource, absent: Sequence[Profile]
) -> OpenedSource:
    names = [known.name for known in absent]
    engine.keep("scored", layout.without_absent(relation, names))
    return replace(relation, name="scored")


def _notes_on_absent(absent: Sequence[Profile]) -> list[str]:
    notes = []
    for known in absent:
        cells = counted(known.absent, "cell")
        notes.append(f"{known.name!r}: {cells} such as n/a among scores read as no answer")
    return notes


def _without_no_answers(
    engine: Engine, relation: OpenedSource, columns: Sequence[str], options: TableOptions
) -> OpenedSource:
    """Return the relation with answers that mean none left empty."""
    if not options.no_answer:
        return relation
    number = len(options.no_answer)
    values = np.array(options.no_answer, dtype=object)
    engine.put("no_answer", {"value": values, "k": np.arange(number)})
    engine.keep("answered", layout.answered(relation, columns, number))
    return replace(relation, name="answered")


def prepare_long(
    engine: Engine, relation: OpenedSource, options: TableOptions, elsewhere: tuple[str, ...]
) -> PreparedTable:
    """Return a file that has a row per answer, pivoted; a pair of item and system that is absent has no answer."""
    roles = long_roles(relation.columns, options, origin=relation.origin, elsewhere=elsewhere)
    relation = _without_no_answers(engine, relation, [roles.answer], options)
    rows, profiles = _profiles_of_long(engine, relation, roles)
    absent = _absent_scores(profiles, [roles.answer], options)
    if absent:
        relation = _without_absent(engine, relation, absent)
        rows, profiles = _profiles_of_long(engine, relation, roles)
        roles = replace(roles, notes=(*roles.notes, *_notes_on_absent(absent)))
    checks.check_filled(relation, profiles)
    profiles = {**profiles, **_profiles_of_clusters(engine, relation, roles.left_out)}
    _check_long(engine, relation, roles, profiles, options)
    systems = _systems(engine, relation, rows, roles, options)
    has_runs = "run" in roles.named
    spread = Spread(_pivot(engine, relation, roles, systems, options), {})
    if roles.share and not has_runs:
        spread = _spread(engine, spread.relation, systems)

    # In the pivoted table the columns that are not systems get other names.
    columns = {"item": roles.item, **roles.named}
    named = {role: OWN + role for role in columns}
    known = {OWN + role: profiles[column] for role, column in columns.items()}
    answer = replace(profiles[roles.answer], stored=spread.relation.stored[1])
    if has_runs or options.repeats == "keep":
        # Some systems were not given every item, and no number can mean that: the answers stay text.
        answer = replace(answer, integers=0)
    for name in systems:
        known[name] = replace(answer, name=name)
    pivoted_roles = Roles(named, systems, shares=spread.shares, notes=roles.notes)
    uses = _uses(roles, profiles, len(systems), options.kind_of(""))
    return PreparedTable(
        relation, spread.relation, pivoted_roles, known, Rows(spread.relation.name), uses
    )


def _profiles_of_long(
    engine: Engine, relation: OpenedSource, roles: LongRoles
) -> tuple[Rows, Mapping[str, Profile]]:
    """Return the distinct rows without the items' names, and what is known of the columns that are used."""
    columns = relation.columns
    item = columns.index(roles.item)
    others = []
    for number, name in enumerate(columns):
        if number != item and name not in roles.left_out:
            others.append(number)
    rows = distinct_rows(engine, relation, others)
    return rows, profile(engine, relation, [item]) | profile(engine, relation, others, rows)


def _check_long(
    engine: Engine,
    relation: OpenedSource,
    roles: LongRoles,
    profiles: Mapping[str, Profile],
    options: TableOptions,
) -> None:
    """Check the columns of a long file before it is pivoted, where a message can still name the row."""
    checks.check_named(engine, relation, roles.item)
    answer = profiles[roles.answer]
    if score in {answer.kind, options.kind_of("")}:
        number_checks.check_numbers(engine, relation, answer, what="score")
    if roles.share:
        number_checks.check_numbers(engine, relation, profiles[roles.share], what="probability")
    for role, name in roles.named.items():
        if role in {"weight", "count"}:
            number_checks.check_weights(engine, relation, profiles[name], role=role)
        elif role == "error":
            number_checks.check_chances(engine, relation, profiles[name], roles.named.get("truth"))
        elif role in {"cluster", "run"}:
            checks.check_in_every_row(relation, profiles[name], role=role)


def _systems(
    engine: Engine, relation: OpenedSource, rows: Rows, roles: LongRoles, options: TableOptions
) -> tuple[str, ...]:
    """Return the systems that are named in the rows, or those of them that are requested."""
    cell = f"cast(c{relation.columns.index(roles.system)} as string)"
    named = engine.query(
        f"select name from (select {cell} as name from {rows.name}) as named "
        "where name is not null group by name order by name"
    )
    names = tuple(str(name) for name in named["name"])
    if not names:
        raise InputError(
            f"{relation.origin}: the column {roles.system!r} is empty, so there are no answers"
        )
    if options.systems is None:
        return names
    for name in options.systems:
        if name not in names:
            raise RoleError(f"{relation.origin} has no answers of {name!r}, which --systems names")
    return tuple(options.systems)


def _pivot(
    engine: Engine,
    relation: OpenedSource,
    roles: LongRoles,
    systems: tuple[str, ...],
    options: TableOptions,
) -> OpenedSource:
    """Return the answers with a row per item and a column per system."""
    numbers = np.arange(len(systems))
    engine.put("systems", {"name": np.array(systems, dtype=object), "k": numbers})
    has_runs = "run" in roles.named
    repeats = "likeliest" if roles.share else options.repeats
    votes = layout.votes(engine.row, relation, roles)
    if repeats == "refuse":
        engine.keep("votes", votes)
        checks.check_votes(engine, systems, relation.origin, run=has_runs)
    else:
        engine.keep("all_votes", votes)
        keys = "item, k, r" if has_runs else "item, k"
        engine.keep("votes", layout.SETTLED[repeats].format(keys=keys))
    checks.check_one_per_item(engine, set(roles.named) - {"run"}, relation.origin, run=has_runs)
    if has_runs:
        engine.keep("systems_of_runs", layout.systems_of_runs(len(systems)))
    keep = repeats == "keep"
    pivot = layout.pivot(len(systems), tuple(roles.named), keep=keep, ordered=engine.ordered)
    engine.keep("pivoted", pivot)

    stored = dict(zip(relation.columns, relation.stored, strict=True))
    columns = {OWN + "item": stored[roles.item]}
    for name in systems:
        columns[name] = "text" if keep or has_runs else stored[roles.answer]
    for role, name in roles.named.items():
        columns[OWN + role] = stored[name]
    return OpenedSource(
        "pivoted", relation.origin, tuple(columns), tuple(columns.values()), columnar=True
    )


def _spread(engine: Engine, pivoted: OpenedSource, systems: tuple[str, ...]) -> Spread:
    """Return the pivoted table with a column for each system's confidence in each label, unless they are too many."""
    rows = engine.query(
        "select cast(answer as string) as label from all_votes where k is not null and answer is not null "
        "group by cast(answer as string) order by label"
    )
    labels = [str(text) for text in rows["label"]]
    if len(labels) * len(systems) > MOST_SHARES:
        return Spread(pivoted, {})
    numbers = np.arange(len(labels))
    engine.put("share_labels", {"label": np.array(labels, dtype=object), "j": numbers})
    checks.check_shares(engine, systems, pivoted.origin)
    columns: dict[tuple[int, int], str] = {}
    shares: dict[str, dict[str, str]] = {}
    for k, name in enumerate(systems):
        shares[name] = {}
        for j, text in enumerate(labels):
            columns[k, j] = f"{OWN}{k}.{j}"
            shares[name][text] = columns[k, j]
    engine.keep("spread", layout.spread(tuple(columns)))
    added = []
    for number, (k, j) in enumerate(columns, len(pivoted.columns)):
        added.append(f"b.q{k}_{j} as c{number}")
    taken = ", ".join(["a.*", *added])
    join = " left join spread as b on a.c0 = b.item"
    engine.keep("with_shares", layout.joined(taken, pivoted.name, join, engine))
    relation = replace(
        pivoted,
        name="with_shares",
        columns=(*pivoted.columns, *columns.values()),
        stored=(*pivoted.stored, *(FRACTION for _ in columns)),
    )
    return Spread(relation, shares)


def _uses(
    roles: LongRoles, profiles: Mapping[str, Profile], systems: int, kind: str | None
) -> tuple[Use, ...]:
    """Return what the columns of a long file are used for."""

    def use(column: str, role: str, why: str) -> Use:
        known = profiles[column]
        return Use(column, role, "", known.filled, known.distinct, why)

    answer = use(roles.answer, "answer", "what was answered")
    uses = [
        use(roles.item, "item", "names the item"),
        replace(use(roles.system, "system", "says who answered"), distinct=systems),
        replace(answer, kind=kind or profiles[roles.answer].kind),
    ]
    if roles.share:
        uses.append(use(roles.share, "confidence", "beside the answer"))
    if roles.beside:
        uses.append(use(roles.beside, "confidence", f"beside the answer, {UNUSED}"))
    uses += [use(column, role, "") for role, column in roles.named.items()]
    for column, why in roles.left_out.items():
        known = profiles.get(column)
        distinct = None if known is None else known.distinct
        uses.append(Use(column, "left out", "", None, distinct, why))
    return tuple(uses)
