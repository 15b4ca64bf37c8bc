"""Which column plays which part, by what the user said and by the usual names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from karat.errors import RoleError, UnknownNameError
from karat.table.options import TableOptions
from karat.words import listing

USUAL = {
    "item": ("item", "id", "item_id", "sample_id", "question_id", "doc_id", "example_id"),
    "truth": (
        "truth",
        "gold",
        "y_true",
        "target",
        "ground_truth",
        "actual",
        "expected",
        "reference",
    ),
    "weight": ("weight",),
    "group": ("group", "query", "subject", "task"),
}
SYSTEM = ("system", "model", "annotator", "worker")
ANSWER = ("answer", "label", "score", "prediction")
RIGHT = (
    "correct",
    "is_correct",
    "right",
    "acc",
    "accuracy",
    "exact_match",
    "passed",
    "pass",
    "success",
    "resolved",
)
"""Names for whether an answer was right."""
PROBABILITY = ("p", "probability")
THINGS = ("image", "file", "filename", "sample", "document", "sentence")
NO_ITEM = (
    "model_id",
    "system_id",
    "worker_id",
    "annotator_id",
    "user_id",
    "run_id",
    "group_id",
    "cluster_id",
)
"""Names that end as an item's do, and say something else."""
NOT_ASKED = "not among --systems"
UNUSED = "used by no question"
BESIDE = ("run", "seed", "fold", "cluster", "count", "weight", "split")
"""Names that describe an item or a run: never a system unless the user says so."""


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


def is_long(columns: Sequence[str], reading: TableOptions) -> bool:
    """Return whether rows are single answers: a column says which system gave it."""
    if reading.long:
        return True
    if reading.systems and set(reading.systems) & set(columns):
        return False
    names = {name.lower() for name in columns}
    answers = {*ANSWER, *PROBABILITY, *(RIGHT if reading.correct else ())}
    return bool(names & set(SYSTEM)) and bool(names & answers)


def wide_roles(
    columns: Sequence[str], reading: TableOptions, *, origin: str, elsewhere: Iterable[str] = ()
) -> Roles:
    """Return the roles of a table that has a column per system."""
    named, notes = _named(columns, reading, origin=origin, elsewhere=set(elsewhere), wide=True)
    taken = set(named.values())
    free = [name for name in columns if name not in taken]
    if reading.systems is not None:
        return _given_systems(columns, free, named, notes, reading, origin)
    left_out = {name: "another truth" for name in free if name.lower().startswith("truth_")}
    left_out |= {name: "describes the item" for name in free if name.lower() in BESIDE}
    left_out |= {
        name: f"another {role}"
        for role, usual in USUAL.items()
        for name in free
        if _plain(name) in usual
    }
    left_out |= {name: "has no name" for name in free if not name or name.startswith("Unnamed:")}
    free = [name for name in free if name not in left_out]
    beside = {name: f"{name}.score" for name in free if f"{name}.score" in free}
    shares = _shares(free)
    attached = {*beside.values(), *(column for part in shares.values() for column in part.values())}
    rest = [name for name in free if name not in attached]
    rest += [name for name in shares if name not in rest]
    return Roles(named, tuple(rest), beside, shares, left_out, tuple(notes))


def _given_systems(
    columns: Sequence[str],
    free: Sequence[str],
    named: dict[str, str],
    notes: list[str],
    reading: TableOptions,
    origin: str,
) -> Roles:
    shares = _shares(free)
    systems = tuple(dict.fromkeys(reading.systems or ()))
    for name in systems:
        if name not in shares:
            _require(name, columns, "--systems", origin)
    beside = {name: f"{name}.score" for name in systems if f"{name}.score" in free}
    attached = {
        *beside.values(),
        *(column for name in systems for column in shares.get(name, {}).values()),
    }
    left_out = {name: NOT_ASKED for name in free if name not in {*systems, *attached}}
    return Roles(
        named,
        systems,
        beside,
        {name: shares[name] for name in systems if name in shares},
        left_out,
        tuple(notes),
    )


def _shares(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the columns `name.p.LABEL` as a distribution by system."""
    found: dict[str, dict[str, str]] = {}
    for column in names:
        if match := re.fullmatch(r"(.+?)\.p\.(.+)", column, re.DOTALL):
            found.setdefault(match[1], {})[match[2]] = column
    return found


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


def long_roles(
    columns: Sequence[str], reading: TableOptions, *, origin: str, elsewhere: Iterable[str] = ()
) -> LongRoles:
    """Return the roles of a table that has a row per answer."""
    named, notes = _named(columns, reading, origin=origin, elsewhere=set(elsewhere), wide=False)
    if reading.long:
        item, system, answer = reading.long
        for name in reading.long:
            _require(name, columns, "--long", origin)
    else:
        system = _one(columns, SYSTEM, "--long ITEM,SYSTEM,ANSWER", "which system answered", origin)
        free = [name for name in columns if name not in {system, *named.values()}]
        answer = (reading.correct and _first(free, RIGHT)) or _answer(free, origin)
        item = named.get("item", "")
        if not item:
            raise RoleError(
                f"{origin} has a row per answer, but no column says of which item; it has {listing(columns)}. "
                "Name it with --item COL, or all three with --long ITEM,SYSTEM,ANSWER"
            )
        notes.append(f"a row is one answer: {system!r} says whose, {answer!r} what")
    share = _first([name for name in columns if name != answer], PROBABILITY)
    beside = _first([name for name in columns if name != answer], ("score",))
    used = {item, system, answer, share, beside, *named.values()}
    left_out = {name: "plays no part in a table of answers" for name in columns if name not in used}
    named = {role: name for role, name in named.items() if role != "item"}
    return LongRoles(item, system, answer, named, share, beside, left_out, tuple(notes))


def _answer(free: Sequence[str], origin: str) -> str:
    """Return the column of answers: a label goes before the score beside it."""
    labels = _first(free, [name for name in ANSWER if name != "score"])
    return labels or _one(free, ANSWER, "--long ITEM,SYSTEM,ANSWER", "the answer", origin)


def truth_roles(
    columns: Sequence[str], reading: TableOptions, *, column: str | None, origin: str
) -> dict[str, str]:
    """Return which columns of a truth file hold the item, the truth, and what else the user named."""
    said = reading.item if reading.item in columns else None
    item = said or _one(columns, USUAL["item"], "--item COL", "the item", origin)
    if column:
        _require(column, columns, "--truth FILE:COL", origin)
    truth = column or _truth_in_file(columns, origin)
    named = {"item": item, "truth": truth}
    for role in ("group", "cluster", "weight", "count", "error", "second_truth"):
        if (name := getattr(reading, role)) in columns:
            named[role] = name
    return named


def _truth_in_file(columns: Sequence[str], origin: str) -> str:
    usual = _first(columns, (*USUAL["truth"], "label"))
    if usual:
        return usual
    candidates = [name for name in columns if name.lower().startswith("truth_")] or list(columns)
    raise RoleError(
        f"{origin} has no column called truth; say which of {listing(candidates)} with --truth FILE:COL"
    )


def _named(
    columns: Sequence[str], reading: TableOptions, *, origin: str, elsewhere: set[str], wide: bool
) -> tuple[dict[str, str], list[str]]:
    named: dict[str, str] = {}
    notes: list[str] = []
    for role in (
        "item",
        "truth",
        "group",
        "cluster",
        "weight",
        "count",
        "run",
        "error",
        "second_truth",
    ):
        said = getattr(reading, role)
        if said is not None and said in columns:
            named[role] = said
        elif said is not None and said not in elsewhere:
            option = "--truths" if role == "second_truth" else f"--{role}"
            _require(said, [*columns, *sorted(elsewhere)], option, origin)
        elif (
            said is None
            and role in USUAL
            and not (role == "truth" and elsewhere)
            and not _replaced(role, reading)
        ):
            usual = USUAL[role] + (("label",) if role == "truth" and wide else ())
            found = _only(columns, usual, role, origin) or (
                _identifier(columns, reading) if role == "item" else None
            )
            if found and found not in (reading.systems or ()):
                named[role] = found
                notes.append(f"{role} = {found!r}, by its name")
    return named, notes


def _replaced(role: str, reading: TableOptions) -> bool:
    """Return whether another option makes a guess at this role wrong."""
    return (role == "weight" and reading.count is not None) or (role == "truth" and reading.correct)


def _only(columns: Sequence[str], usual: Sequence[str], role: str, origin: str) -> str | None:
    found = [name for name in columns if _plain(name) in usual]
    exact = [name for name in found if _plain(name) == usual[0]]
    if len(found) > 1 and len(exact) != 1:
        raise RoleError(
            f"{origin}: {listing(found)} could each be the {role}; settle it with --{role} COL"
        )
    return next(iter(exact or found), None)


def _identifier(columns: Sequence[str], reading: TableOptions) -> str | None:
    """Return the one column that ends in _id or is called image or the like, where nothing else names the item."""
    said = {
        reading.group,
        reading.cluster,
        reading.run,
        *(reading.systems or ()),
        *(reading.long or ()),
    }
    plain = {name: _plain(name) for name in columns if _plain(name) not in NO_ITEM}
    found = [name for name, usual in plain.items() if usual.endswith("_id") or usual in THINGS]
    return found[0] if len(found) == 1 and found[0] not in said else None


def _plain(name: str) -> str:
    """Return a name as the usual ones are written: ground_truth for Ground truth."""
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _first(columns: Sequence[str], usual: Sequence[str]) -> str | None:
    lower = {_plain(name): name for name in reversed(columns)}
    return next((lower[name] for name in usual if name in lower), None)


def _one(columns: Sequence[str], usual: Sequence[str], option: str, what: str, origin: str) -> str:
    found = [name for name in columns if _plain(name) in usual]
    if len(found) == 1:
        return found[0]
    problem = (
        f"{listing(found)} could each say" if found else f"no column of {listing(columns)} says"
    )
    raise RoleError(f"{origin}: {problem} {what}; settle it with {option}")


def _require(name: str, columns: Sequence[str], option: str, origin: str) -> None:
    if name not in columns:
        hint = str(UnknownNameError("column", name, columns)).partition("; ")[2]
        raise RoleError(f"{origin} has no column {name!r}, which {option} names; {hint}")
