"""Which column plays which part, by the user's options and by the usual names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from karat.errors import RoleError
from karat.table.options import TableOptions
from karat.table.usual_names import (
    ANSWER,
    BESIDE,
    NO_ITEM,
    PROBABILITY,
    RIGHT,
    SYSTEM,
    THINGS,
    USUAL,
    first_called,
    is_blank,
    normalised,
    one_called,
    only_called,
    require_column,
)
from karat.words import listing

NOT_ASKED = "not among --systems"
OTHER_TRUTH = "another truth"
NO_NAME = "has no name"
UNUSED = "not used by any question"
ROLES = (
    "item",
    "truth",
    "group",
    "cluster",
    "weight",
    "count",
    "run",
    "error",
    "second_truth",
    "grade",
)
LONG = "--long ITEM,SYSTEM,ANSWER"


@dataclass(frozen=True, slots=True)
class Roles:
    """The part of each column of one relation, and why the others have none."""

    named: Mapping[str, str]
    """Role to column, for item, truth, group, cluster, weight, count and run."""
    rest: tuple[str, ...]
    """Columns that may be systems."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """System to the column of its confidences."""
    shares: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """System to its distribution: label to column."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Column to the reason why it plays no part."""
    notes: tuple[str, ...] = ()
    """What was inferred, in words."""


@dataclass(frozen=True, slots=True)
class LongRoles:
    """The columns of a table with a row per answer."""

    item: str
    system: str
    answer: str
    named: Mapping[str, str]
    share: str | None
    """The column of probabilities, if a row is one label of a distribution."""
    beside: str | None
    """The column of confidences, if there is one beside the answer."""
    left_out: Mapping[str, str]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Named:
    """Role to column, and which of them were inferred, in words."""

    columns: dict[str, str]
    notes: list[str]


def is_long(columns: Sequence[str], options: TableOptions) -> bool:
    """Return whether rows are single answers: then a column names the system."""
    if options.long:
        return True
    if options.systems and set(options.systems) & set(columns):
        return False
    names = {name.lower() for name in columns}
    answers = {*ANSWER, *PROBABILITY}
    if options.correct:
        answers |= set(RIGHT)
    has_system = not names.isdisjoint(SYSTEM)
    has_answer = not names.isdisjoint(answers)
    return has_system and has_answer


def wide_roles(
    columns: Sequence[str], options: TableOptions, *, origin: str, elsewhere: Iterable[str] = ()
) -> Roles:
    """Return the roles of a table that has a column per system."""
    named = _named(columns, options, origin=origin, elsewhere=set(elsewhere), wide=True)
    taken = set(named.columns.values())
    free = [name for name in columns if name not in taken]
    if options.systems is not None:
        return _given_systems(columns, free, named, options.systems, origin)
    left_out = _no_systems(free)
    free = [name for name in free if name not in left_out]
    beside = _confidences(free, free)
    shares = _shares(free)
    attached = _attached(beside, shares)
    rest = [name for name in free if name not in attached]
    rest += [name for name in shares if name not in rest]
    return Roles(named.columns, tuple(rest), beside, shares, left_out, tuple(named.notes))


def _no_systems(free: Sequence[str]) -> dict[str, str]:
    """Return the columns whose names show that they are not systems, and why, ordered by the reason."""
    left_out = {name: OTHER_TRUTH for name in free if name.lower().startswith("truth_")}
    left_out |= {name: "describes the item" for name in free if name.lower() in BESIDE}
    for role, usual in USUAL.items():
        left_out |= {name: f"another {role}" for name in free if normalised(name) in usual}
    for name in free:
        if not name or name.startswith("Unnamed:") or is_blank(name):
            left_out[name] = NO_NAME
    return left_out


def _given_systems(
    columns: Sequence[str],
    free: Sequence[str],
    named: _Named,
    given: Sequence[str],
    origin: str,
) -> Roles:
    """Return the roles where the systems are given."""
    every_share = _shares(free)
    systems = tuple(dict.fromkeys(given))
    for name in systems:
        if name not in every_share:
            require_column(name, columns, "--systems", origin)
    beside = _confidences(systems, free)
    shares = {name: every_share[name] for name in systems if name in every_share}
    used = {*systems, *_attached(beside, shares)}
    left_out = {name: NOT_ASKED for name in free if name not in used}
    return Roles(named.columns, systems, beside, shares, left_out, tuple(named.notes))


def _confidences(systems: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Return the columns `name.score` by system."""
    return {name: f"{name}.score" for name in systems if f"{name}.score" in columns}


def _shares(columns: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the columns `name.p.LABEL` as a distribution by system."""
    shares: dict[str, dict[str, str]] = {}
    for column in columns:
        match = re.fullmatch(r"(.+?)\.p\.(.+)", column, re.DOTALL)
        if match:
            system, label = match.groups()
            shares.setdefault(system, {})[label] = column
    return shares


def _attached(beside: Mapping[str, str], shares: Mapping[str, Mapping[str, str]]) -> set[str]:
    """Return the columns that belong to a system: its confidences, and its distribution."""
    attached = set(beside.values())
    for columns in shares.values():
        attached |= set(columns.values())
    return attached


def long_roles(
    columns: Sequence[str], options: TableOptions, *, origin: str, elsewhere: Iterable[str] = ()
) -> LongRoles:
    """Return the roles of a table that has a row per answer."""
    named = _named(columns, options, origin=origin, elsewhere=set(elsewhere), wide=False)
    if options.long:
        item, system, answer = options.long
        for name in options.long:
            require_column(name, columns, "--long", origin)
    else:
        system = one_called(columns, SYSTEM, LONG, "which system answered", origin)
        free = [name for name in columns if name not in {system, *named.columns.values()}]
        answer = _answer(free, options, origin)
        item = named.columns.get("item", "")
        if not item:
            raise RoleError(
                f"{origin} has a row per answer, but no column says of which item; it has {listing(columns)}. "
                f"Name it with --item COL, or all three with {LONG}"
            )
        named.notes.append(f"a row is one answer: {system!r} says whose, {answer!r} what")
    others = [name for name in columns if name != answer]
    share = first_called(others, PROBABILITY)
    beside = first_called(others, ("score",))
    used = {item, system, answer, share, beside, *named.columns.values()}
    left_out = {name: "plays no part in a table of answers" for name in columns if name not in used}
    roles = {role: name for role, name in named.columns.items() if role != "item"}
    return LongRoles(item, system, answer, roles, share, beside, left_out, tuple(named.notes))


def _answer(free: Sequence[str], options: TableOptions, origin: str) -> str:
    """Return the column of answers: a label goes before the score beside it."""
    if options.correct:
        right = first_called(free, RIGHT)
        if right:
            return right
    labels = first_called(free, [name for name in ANSWER if name != "score"])
    return labels or one_called(free, ANSWER, LONG, "the answer", origin)


def truth_roles(
    columns: Sequence[str], options: TableOptions, *, column: str | None, origin: str
) -> dict[str, str]:
    """Return which columns of a truth file hold the item, the truth, and what else the user named."""
    if options.item in columns:
        item = str(options.item)
    else:
        item = one_called(columns, USUAL["item"], "--item COL", "the item", origin)
    if column:
        require_column(column, columns, "--truth FILE:COL", origin)
    named = {"item": item, "truth": column or _truth_in_file(columns, origin)}
    for role in ("group", "cluster", "weight", "count", "error", "second_truth", "grade"):
        name = getattr(options, role)
        if name in columns:
            named[role] = name
    return named


def _truth_in_file(columns: Sequence[str], origin: str) -> str:
    usual = first_called(columns, (*USUAL["truth"], "label"))
    if usual:
        return usual
    candidates = [name for name in columns if name.lower().startswith("truth_")] or list(columns)
    raise RoleError(
        f"{origin} has no column called truth; name one of {listing(candidates)} with --truth FILE:COL"
    )


def _named(
    columns: Sequence[str], options: TableOptions, *, origin: str, elsewhere: set[str], wide: bool
) -> _Named:
    """Return the columns that play a role: those the user names, and those with a usual name."""
    named: dict[str, str] = {}
    notes: list[str] = []
    for role in ROLES:
        given = getattr(options, role)
        if given is not None:
            if given in columns:
                named[role] = given
            elif given not in elsewhere:
                option = "--truths" if role == "second_truth" else f"--{role}"
                require_column(given, [*columns, *sorted(elsewhere)], option, origin)
        elif role in USUAL and not _replaced(role, options, elsewhere):
            inferred = _inferred(role, columns, options, origin=origin, wide=wide)
            if inferred and inferred not in (options.systems or ()):
                named[role] = inferred
                notes.append(f"{role} = {inferred!r}, by its name")
    return _Named(named, notes)


def _replaced(role: str, options: TableOptions, elsewhere: set[str]) -> bool:
    """Return whether another option makes a guess at this role wrong."""
    if role == "weight":
        return options.count is not None
    if role == "truth":
        return options.correct or bool(elsewhere)
    return False


def _inferred(
    role: str, columns: Sequence[str], options: TableOptions, *, origin: str, wide: bool
) -> str | None:
    """Return the column that plays a role by its name."""
    usual = USUAL[role]
    if role == "truth" and wide:
        usual = (*usual, "label")
    name = only_called(columns, usual, role, origin)
    if name is None and role == "item":
        return _identifier(columns, options)
    return name


def _identifier(columns: Sequence[str], options: TableOptions) -> str | None:
    """Return the one column that ends in _id or is called image or the like, where nothing else names the item."""
    candidates = []
    for column in columns:
        name = normalised(column)
        looks_like_item = name.endswith("_id") or name in THINGS
        if looks_like_item and name not in NO_ITEM:
            candidates.append(column)
    given = {options.group, options.cluster, options.run}
    given |= {*(options.systems or ()), *(options.long or ())}
    if len(candidates) == 1 and candidates[0] not in given:
        return candidates[0]
    return None
