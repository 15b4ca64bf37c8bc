"""From opened sources to the table of answers: roles, kinds, checks, and the rows that will be counted."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from karat.engine import Engine, Relation
from karat.errors import InputError, OptionError, RoleError
from karat.table import checks, layout
from karat.table.choose import systems_of
from karat.table.kinds import Profile, distribution, label, profile, score, yesno
from karat.table.labels import Labels, ordered
from karat.table.options import CORRECT_OR_TRUTH, TableOptions
from karat.table.prepare import Prepared, prepare_long, prepare_wide
from karat.table.roles import NOT_ASKED, UNUSED, is_long, truth_roles
from karat.table.table import Counts, Table, Use
from karat.words import counted, listing

YES = Profile("", "whole", 1, 1, 1, 1, 0, 0, 1, 1, (1, 0, 0, 0))
"""What the truth holds where every answer says whether it was right."""


@dataclass(frozen=True, slots=True)
class TruthFile:
    """A second relation that holds the truth, joined by item."""

    relation: Relation
    named: Mapping[str, str]
    profiles: Mapping[str, Profile]


def build(
    engine: Engine,
    opened: Relation,
    reading: TableOptions,
    *,
    truth: tuple[Relation, str | None] | None = None,
    scores: Relation | None = None,
) -> Table:
    """Return the table of answers behind an opened source and, maybe, a truth file and a file of confidences."""
    if truth and reading.correct:
        raise OptionError(CORRECT_OR_TRUTH)
    relation = _kept(engine, opened, "kept")
    checks.check_filled(engine, relation)
    other = _truth_file(engine, truth, reading) if truth else None
    long = is_long(relation.columns, reading)
    elsewhere = other.relation.columns if other else ()
    prepared = (prepare_long if long else prepare_wide)(engine, relation, reading, elsewhere)
    known = _truth_profile(engine, prepared, other, reading)
    _check_labels(engine, prepared, known, reading)
    believed = replace(reading, systems=prepared.roles.rest) if long else reading
    systems, kind, others = systems_of(
        prepared.roles.rest, prepared.profiles, _truth_kind(known), believed, origin=relation.origin
    )
    shares = _coded(prepared, systems)
    coded = shares if kind == distribution else None
    parts = _parts(engine, prepared, other, reading)
    parts |= {
        f"s{k}": _answer(engine, prepared, name, kind, coded) for k, name in enumerate(systems)
    }
    parts |= _shares(prepared, systems, shares or ())
    joins = _confidences(engine, prepared, systems, scores, parts)
    _lay_out(engine, prepared, other, parts, reading, joins)
    kind = label if kind == distribution else kind
    answers = [
        prepared.profiles[name] for name in systems if name in prepared.profiles and coded is None
    ]
    return Table(
        engine=engine,
        relation=replace(relation, name="answered") if reading.no_answer else relation,
        origin=relation.origin,
        systems=systems,
        kind=kind,
        labels=_labels(
            kind, [*answers, *([known] if known and not reading.correct else [])], reading
        ),
        keys=tuple(key for key in "gcwnreu" if key in parts),
        has_truth=known is not None,
        counts=_counts(engine, prepared, systems, other, parts),
        uses=(
            *(prepared.uses or _uses(prepared, systems, others, reading)),
            *_uses_of_truth(other),
        ),
        notes=(
            *prepared.roles.notes,
            *_left_out(prepared, others),
            *([f"{scores.origin}: confidences, checked, but {UNUSED}"] if scores else []),
            *_unreadable(engine),
        ),
        reading=reading,
        coded=coded,
        shares=shares,
    )


def _kept(engine: Engine, relation: Relation, name: str) -> Relation:
    """Return the relation with its text parsed once, if it is text."""
    if relation.columnar:
        return relation
    engine.keep(name, f"select * from {relation.name}")
    return replace(relation, name=name)


def _truth_file(
    engine: Engine, truth: tuple[Relation, str | None], reading: TableOptions
) -> TruthFile:
    relation = _kept(engine, truth[0], "kept_truth")
    named = truth_roles(relation.columns, reading, column=truth[1], origin=relation.origin)
    checks.check_filled(engine, relation)
    if reading.duplicate_check:
        checks.check_items(
            engine, relation, named["item"], remedy="an item has one truth; remove the copies"
        )
    columns = [relation.columns.index(name) for name in dict.fromkeys(named.values())]
    return TruthFile(relation, named, profile(engine, relation, columns))


def _truth_profile(
    engine: Engine, prepared: Prepared, other: TruthFile | None, reading: TableOptions
) -> Profile | None:
    """Return what the truth holds, apart from values that mean none."""
    relation, profiles = (
        (other.relation, other.profiles) if other else (prepared.relation, prepared.profiles)
    )
    name = (other.named if other else prepared.roles.named).get("truth")
    if reading.correct:
        return YES
    if name is None:
        return None
    if not reading.no_truth:
        return profiles[name]
    column = relation.columns.index(name)
    engine.put("no_truth", {"value": np.array(reading.no_truth, dtype=object)})
    engine.view(
        "told",
        f"select a.* from {relation.name} as a left join no_truth as z on cast(a.c{column} as string) = z.value "
        "where z.value is null",
    )
    return profile(engine, replace(relation, name="told"), [column])[name]


def _check_labels(
    engine: Engine, prepared: Prepared, truth: Profile | None, reading: TableOptions
) -> None:
    """Refuse answers that were meant as numbers, where nobody says what they are."""
    known = [prepared.profiles[name] for name in prepared.roles.rest if name in prepared.profiles]
    if (
        truth is not None
        and truth.pair
        and not reading.kinds
        and all(one.kind not in {yesno, score} for one in known)
    ):
        checks.check_no_scores(engine, prepared.relation, known, truth.pair)


def _truth_kind(truth: Profile | None) -> str | None:
    return None if truth is None else yesno if truth.pair else label


def _coded(prepared: Prepared, systems: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the labels that the systems' distributions are over, if every system gives one."""
    shares = prepared.roles.shares
    if not all(name in shares for name in systems):
        return None
    return tuple(dict.fromkeys(text for name in systems for text in shares[name]))


def _shares(
    prepared: Prepared, systems: tuple[str, ...], labels: tuple[str, ...]
) -> dict[str, str]:
    """Return SQL for each system's confidence in each label."""
    places = {
        f"q{k}_{j}": prepared.roles.shares[name].get(text)
        for k, name in enumerate(systems)
        for j, text in enumerate(labels)
    }
    cells = {
        name: column and layout.cell(("a", prepared.relation, column))
        for name, column in places.items()
    }
    return {name: f"cast({cell or 'null'} as double)" for name, cell in cells.items()}


def _answer(
    engine: Engine, prepared: Prepared, name: str, kind: str, coded: tuple[str, ...] | None
) -> str:
    relation = prepared.relation
    if coded is not None:
        shares = prepared.roles.shares[name]
        for column in shares.values():
            checks.check_numbers(engine, relation, prepared.profiles[column], what="probability")
        # Of two labels that are as likely the first by name is taken, wherever their columns stand.
        return layout.likeliest(
            {coded.index(text): ("a", relation, shares[text]) for text in ordered(shares)}
        )
    known = prepared.profiles[name]
    if kind == score and not prepared.uses:
        checks.check_numbers(engine, relation, known, what="score")
    return layout.value(("a", relation, name), known, kind=kind)


def _parts(
    engine: Engine, prepared: Prepared, other: TruthFile | None, reading: TableOptions
) -> dict[str, str]:
    """Return SQL for item, truth, group, cluster, weight, count and run, from the table or the truth file."""
    places = {role: ("a", prepared.relation, name) for role, name in prepared.roles.named.items()}
    known = {role: prepared.profiles.get(name) for role, name in prepared.roles.named.items()}
    if other:
        places |= {
            role: ("b", other.relation, name)
            for role, name in other.named.items()
            if role != "item"
        }
        known |= {
            role: other.profiles[name] for role, name in other.named.items() if role != "item"
        }
    for role in ("weight", "count", "error"):
        if role in known and known[role] is None:
            name = places[role][2]
            raise RoleError(
                f"{places[role][1].origin}: {name!r} names the items; --{role} needs a column of numbers"
            )
    truth = places.get("truth")
    parts = {
        layout.SHORT.get(role, role): _part(engine, role, place, known[role], truth)
        for role, place in places.items()
    }
    if reading.correct:
        parts["t"] = "1"
    if "r" in parts or reading.repeats == "keep":
        if "item" not in parts:
            raise RoleError(
                f"{prepared.relation.origin}: runs need an item column, to know what belongs together"
            )
        parts.setdefault("c", parts["item"])
    return parts


def _part(
    engine: Engine,
    role: str,
    place: layout.Place,
    known: Profile | None,
    truth: layout.Place | None,
) -> str:
    if known is None:
        return layout.cell(place)
    if role in {"truth", "second_truth"}:
        return layout.value(place, known)
    fresh = (
        known.name in place[1].columns
    )  # the columns of a long file were checked before it was pivoted
    if role in {"weight", "count"}:
        if fresh:
            checks.check_weights(engine, place[1], known, role=role)
        return f"cast({layout.cell(place)} as {'double' if role == 'weight' else 'bigint'})"
    if role == "error":
        if fresh:
            beside = truth[2] if truth and truth[:2] == place[:2] else None
            checks.check_chances(engine, place[1], known, beside)
        return f"cast({layout.cell(place)} as double)"
    if fresh and role in {"cluster", "run"}:
        checks.check_told(place[1], known, role=role)
    return layout.cell(place)


def _lay_out(
    engine: Engine,
    prepared: Prepared,
    other: TruthFile | None,
    parts: dict[str, str],
    reading: TableOptions,
    joins: str,
) -> None:
    relation, item = prepared.relation, prepared.roles.named.get("item")
    if other:
        if item is None:
            raise RoleError(
                f"{relation.origin} has no item column to find the truth by; name it with --item COL"
            )
        joins += layout.join(("a", relation, item), ("b", other.relation, other.named["item"]))
    for truth in {"t", "u"} & set(parts) if reading.no_truth else ():
        joins += f" left join no_truth as no_{truth} on cast({parts[truth]} as string) = no_{truth}.value"
        parts[truth] = f"case when no_{truth}.value is null then {parts[truth]} end"
    if joins:
        engine.keep("answers", layout.joined(layout.columns(parts), relation.name, joins, engine))
    else:
        engine.view("answers", f"select {layout.columns(parts)} from {relation.name} as a")


def _confidences(
    engine: Engine,
    prepared: Prepared,
    systems: tuple[str, ...],
    scores: Relation | None,
    parts: dict[str, str],
) -> str:
    """Add the confidences beside the answers as p0, p1, ...; return the join that a file of them needs."""
    relation, item = prepared.relation, prepared.roles.named.get("item")
    beside = {name: ("a", relation, column) for name, column in prepared.roles.beside.items()}
    joins = ""
    if scores is not None:
        scores = _kept(engine, scores, "kept_scores")
        named = [name for name in systems if name in scores.columns]
        if item is None or item not in scores.columns or not named:
            raise RoleError(
                f"{scores.origin} does not fit {relation.origin}: a file of --scores has the item column {item!r} and "
                f"columns called like the systems, {listing(systems)}; it has {listing(scores.columns)}"
            )
        known = profile(engine, scores, [scores.columns.index(name) for name in named])
        for name in named:
            checks.check_numbers(engine, scores, known[name], what="score")
        checks.check_items(
            engine, scores, item, remedy="an item has one confidence a system; remove the copies"
        )
        beside |= {name: ("d", scores, name) for name in named}
        joins = layout.join(("a", relation, item), ("d", scores, item))
    parts |= {
        f"p{k}": f"cast({layout.cell(beside[name])} as double)"
        for k, name in enumerate(systems)
        if name in beside
    }
    return joins


def _unreadable(engine: Engine) -> tuple[str, ...]:
    """Return what lenient reading left out: how many lines, and the first of them with their places."""
    lines = engine.rejected()
    if not lines:
        return ()
    return (
        f"{counted(len(lines), 'unreadable line')} left out: {'; '.join(lines[:5])}{'; ...' * (len(lines) > 5)}",
    )


def _counts(
    engine: Engine,
    prepared: Prepared,
    systems: tuple[str, ...],
    other: TruthFile | None,
    parts: Mapping[str, str],
) -> Counts:
    has_truth = "t" in parts
    number = "n" if "n" in parts else "1"
    told = "t is not null" if has_truth else "true"

    def total(condition: str, name: str) -> str:
        return f"sum(case when {condition} then {number} else 0 end) as {name}"

    counts = [
        f"count(*) - count(s{k}) as m{k}"
        if number == "1" and not has_truth
        else total(f"{told} and s{k} is null", f"m{k}")
        for k in range(len(systems))
    ]
    absent = ", ".join(counts)
    truths = total(told, "truths") if has_truth else "0 as truths"
    found = engine.query(f"select sum({number}) as items, {truths}, {absent} from answers")
    items, truths_found = int(found["items"][0]), int(found["truths"][0])
    if has_truth and not truths_found:
        raise _no_truth(engine, prepared, other)
    missing = {name: int(found[f"m{k}"][0]) for k, name in enumerate(systems)}
    return Counts(items, items - truths_found, missing, _unanswered(engine, prepared, other))


def _unanswered(engine: Engine, prepared: Prepared, other: TruthFile | None) -> int:
    """Return how many items of the truth file the table does not have."""
    if other is None:
        return 0
    relation, item = prepared.relation, prepared.roles.named["item"]
    join = layout.join(("b", other.relation, other.named["item"]), ("a", relation, item))
    cell = layout.cell(("a", relation, item))
    found = engine.query(
        f"select sum(case when {cell} is null then 1 else 0 end) as n from {other.relation.name} as b{join}"
    )
    return int(found["n"][0])


def _no_truth(engine: Engine, prepared: Prepared, other: TruthFile | None) -> InputError:
    relation, item = prepared.relation, prepared.roles.named.get("item")
    if other is None or item is None:
        return InputError(
            f"{relation.origin}: the truth column is empty; name another with --truth"
        )
    mine = _first(engine, ("a", relation, item))
    theirs = _first(engine, ("a", other.relation, other.named["item"]))
    return InputError(
        f"{other.relation.origin} has no truth for any item of {relation.origin}: its items are like {theirs!r}, the "
        f"table's like {mine!r}; check --item and which files belong together"
    )


def _first(engine: Engine, place: layout.Place) -> str:
    found = engine.query(f"select min({layout.cell(place)}) as first from {place[1].name} as a")
    return str(found["first"][0])


def _uses(
    prepared: Prepared, systems: tuple[str, ...], others: Mapping[str, str], reading: TableOptions
) -> tuple[Use, ...]:
    roles = prepared.roles

    def use(name: str, role: str, why: str = "") -> Use:
        return _use(name, role, prepared.profiles.get(name), why)

    parts = [use(name, role) for role, name in roles.named.items()]
    parts += [
        _of_kind(use(name, "system"), name, reading)
        for name in systems
        if name in prepared.profiles
    ]
    parts += [
        use(column, "confidence", f"of {name}, {UNUSED}")
        for name, column in roles.beside.items()
        if name in systems
    ]
    for name in systems:
        parts += [
            use(column, "share", f"of {text} by {name}")
            for text, column in roles.shares.get(name, {}).items()
        ]
    left_out = {**roles.left_out, **others}
    return (*parts, *(use(name, "left out", why) for name, why in left_out.items()))


def _of_kind(use: Use, system: str, reading: TableOptions) -> Use:
    """Return the use of a system's column with the kind that somebody said it has, if anybody did."""
    return replace(use, kind=reading.kind_of(system) or use.kind)


def _uses_of_truth(other: TruthFile | None) -> tuple[Use, ...]:
    if other is None:
        return ()
    origin = f"in {other.relation.origin}"
    roles = {role: "item of the truth" if role == "item" else role for role in other.named}
    return tuple(
        _use(name, roles[role], other.profiles[name], origin) for role, name in other.named.items()
    )


def _use(name: str, role: str, known: Profile | None, why: str) -> Use:
    if known is None:
        return Use(name, role, "", None, None, why)
    kind = known.kind if role in {"truth", "system", "confidence", "share", "left out"} else ""
    return Use(name, role, kind, known.filled, min(known.distinct, known.filled), why)


def _left_out(prepared: Prepared, others: Mapping[str, str]) -> tuple[str, ...]:
    unasked = {name for name, why in prepared.roles.left_out.items() if why != NOT_ASKED}
    names = [
        name for name in (*prepared.roles.left_out, *others) if name in unasked or name in others
    ]
    if not names or prepared.roles.named.get("item", "").startswith("\x00"):
        return ()
    return (f"left out: {listing(names)}",)


def _labels(kind: str, columns: list[Profile], reading: TableOptions) -> Labels:
    filled = [known for known in columns if known.filled]
    pairs = {known.pair for known in filled if known.pair}
    pair = None
    if kind == yesno or (kind == score and pairs and reading.positive is None):
        pair = pairs.pop() if len(pairs) == 1 else ("1", "0")
    positive = reading.positive or (pair[0] if pair else None)
    if pair and positive not in pair:
        raise OptionError(
            f"--positive is {positive!r}, but the answers are {pair[0]!r} and {pair[1]!r}"
        )
    return Labels(
        pair=pair,
        whole=bool(filled) and all(known.whole for known in filled) and not pair,
        positive=positive,
        nothing=reading.nothing,
        truth_sep=reading.truth_sep,
        missing=reading.missing,
    )
