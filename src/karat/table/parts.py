"""SQL for each column of the rows that are counted, from the columns of what was read."""

from collections.abc import Mapping
from dataclasses import dataclass

from karat.engine import Engine, Stored
from karat.errors import RoleError
from karat.table import checks, layout, number_checks
from karat.table.kinds import Profile, score
from karat.table.labels import ordered
from karat.table.layout import Place
from karat.table.options import TableOptions
from karat.table.prepare import PreparedTable
from karat.table.truth_file import TruthFile

WHOLE: Stored = "whole"


@dataclass(frozen=True, slots=True)
class _Role:
    """A column that plays a role, and what it holds; unknown of an item's names."""

    place: Place
    known: Profile | None


def role_parts(
    engine: Engine, prepared: PreparedTable, truth_file: TruthFile | None, options: TableOptions
) -> dict[str, str]:
    """Return SQL for item, truth, group, cluster, weight, count and run, from the table or the truth file."""
    roles = _roles(prepared, truth_file)
    truth = roles["truth"].place if "truth" in roles else None
    parts = {}
    for name, role in roles.items():
        parts[layout.SHORT.get(name, name)] = _part(engine, name, role, truth)
    if options.correct:
        parts["t"] = "1"
    if "r" in parts or options.repeats == "keep":
        if "item" not in parts:
            raise RoleError(
                f"{prepared.relation.origin}: runs need an item column, to know what belongs together"
            )
        # Runs and repeated answers of one item are correlated: the item is their cluster.
        parts.setdefault("c", parts["item"])
    return parts


def _roles(prepared: PreparedTable, truth_file: TruthFile | None) -> dict[str, _Role]:
    """Return the columns by role; those of the truth file go before those of the table."""
    roles = {}
    for name, column in prepared.roles.named.items():
        place = Place("a", prepared.relation, column)
        roles[name] = _Role(place, prepared.profiles.get(column))
    if truth_file:
        for name, column in truth_file.named.items():
            if name != "item":
                place = Place("b", truth_file.relation, column)
                roles[name] = _Role(place, truth_file.profiles[column])
    for name in ("weight", "count", "error"):
        if name in roles and roles[name].known is None:
            place = roles[name].place
            raise RoleError(
                f"{place.relation.origin}: {place.column!r} names the items; --{name} needs a column of numbers"
            )
    return roles


def _part(engine: Engine, name: str, role: _Role, truth: Place | None) -> str:
    """Return SQL for the column of one role, once it is checked."""
    place = role.place
    known = role.known
    if known is None:
        return layout.cell(place)
    if name in {"truth", "second_truth"}:
        return layout.value(place, known)
    # The columns of a long file have other names by now: they were checked before it was pivoted.
    unchecked = known.name in place.relation.columns
    if name in {"weight", "count"}:
        if unchecked:
            number_checks.check_weights(engine, place.relation, known, role=name)
        number = "double" if name == "weight" else "bigint"
        return f"cast({layout.cell(place)} as {number})"
    if name == "grade":
        if unchecked:
            number_checks.check_numbers(engine, place.relation, known, what="grade")
        return f"cast({layout.cell(place)} as double)"
    if name == "error":
        if unchecked:
            number_checks.check_chances(engine, place.relation, known, _beside(truth, place))
        return f"cast({layout.cell(place)} as double)"
    if unchecked and name in {"cluster", "run"}:
        checks.check_in_every_row(place.relation, known, role=name)
    return layout.cell(place)


def _beside(truth: Place | None, place: Place) -> str | None:
    """Return the column of the truth, if it is in the same relation as another column."""
    if truth and truth.relation == place.relation and truth.alias == place.alias:
        return truth.column
    return None


def answer_parts(
    engine: Engine,
    prepared: PreparedTable,
    systems: tuple[str, ...],
    kind: str,
    coded: tuple[str, ...] | None,
) -> dict[str, str]:
    """Return SQL for each system's answer: s0, s1, ..."""
    parts = {}
    for k, name in enumerate(systems):
        if coded is not None:
            parts[f"s{k}"] = _likeliest(engine, prepared, name, coded)
        else:
            parts[f"s{k}"] = _answer(engine, prepared, name, kind)
    return parts


def _likeliest(engine: Engine, prepared: PreparedTable, name: str, coded: tuple[str, ...]) -> str:
    """Return SQL for the number of the label that a system holds for the likeliest."""
    shares = prepared.roles.shares[name]
    for column in shares.values():
        number_checks.check_numbers(
            engine, prepared.relation, prepared.profiles[column], what="probability"
        )
    places = {}
    # Of equally likely labels the first by name is used, in whatever order their columns are.
    for text in ordered(shares):
        places[coded.index(text)] = Place("a", prepared.relation, shares[text])
    return layout.likeliest(places)


def _answer(engine: Engine, prepared: PreparedTable, name: str, kind: str) -> str:
    known = prepared.profiles[name]
    is_long = bool(prepared.uses)  # the answers of a long file were checked before it was pivoted
    if kind == score and not is_long:
        number_checks.check_numbers(engine, prepared.relation, known, what="score")
    return layout.value(Place("a", prepared.relation, name), known, kind=kind)


def stored_answers(
    prepared: PreparedTable, systems: tuple[str, ...], kind: str, coded: tuple[str, ...] | None
) -> tuple[Stored, ...]:
    """Return how each system's answer is stored in the rows that are counted."""
    if coded is not None:
        return tuple(WHOLE for _ in systems)
    stored: list[Stored] = []
    for name in systems:
        place = Place("a", prepared.relation, name)
        stored.append(layout.stored_as(place, prepared.profiles[name], kind=kind))
    return tuple(stored)


def share_parts(
    prepared: PreparedTable, systems: tuple[str, ...], labels: tuple[str, ...]
) -> dict[str, str]:
    """Return SQL for each system's confidence in each label: q0_0, q0_1, ..."""
    parts = {}
    for k, name in enumerate(systems):
        for j, text in enumerate(labels):
            column = prepared.roles.shares[name].get(text)
            sql = layout.cell(Place("a", prepared.relation, column)) if column else "null"
            parts[f"q{k}_{j}"] = f"cast({sql} as double)"
    return parts


def confidence_parts(systems: tuple[str, ...], places: Mapping[str, Place]) -> dict[str, str]:
    """Return SQL for the confidences beside the answers, where there are any: p0, p1, ..."""
    parts = {}
    for k, name in enumerate(systems):
        if name in places:
            parts[f"p{k}"] = f"cast({layout.cell(places[name])} as double)"
    return parts
