"""Which columns are the systems, and of what kind the table is."""

from collections.abc import Mapping, Sequence

from karat.errors import OptionError, RoleError, UnknownNameError
from karat.table import KINDS
from karat.table.kinds import Profile, distribution, empty, label, score, text, yesno
from karat.table.options import TableOptions
from karat.words import listing

COUNTABLE = (yesno, label)


def systems_of(
    rest: Sequence[str],
    profiles: Mapping[str, Profile],
    truth: str | None,
    reading: TableOptions,
    *,
    origin: str,
) -> tuple[tuple[str, ...], str, dict[str, str]]:
    """Return the systems, the kind of their answers, and why other columns are none.

    A column that is given as a system, or whose kind is given, is believed; the others must be of one kind, the
    one that fits the truth.
    """
    if unknown := [name for name in reading.kind_by_system if name and name not in rest]:
        raise UnknownNameError("system", unknown[0], rest)
    kinds = {name: _kind(name, profiles, reading) for name in rest}
    if reading.correct:
        return _judged(kinds, reading, origin)
    if reading.systems is not None:
        return tuple(rest), _joint(kinds, truth, origin), {}
    left_out = {name: "free text" for name, kind in kinds.items() if kind == text}
    left_out |= {name: "empty" for name, kind in kinds.items() if kind == empty}
    groups = {
        "labels": [name for name in rest if kinds[name] in COUNTABLE],
        "scores": [name for name in rest if kinds[name] == score],
        "distributions": [name for name in rest if kinds[name] == distribution],
    }
    chosen = _fitting({what: names for what, names in groups.items() if names}, truth, origin)
    for what, names in groups.items():
        if what != chosen:
            left_out |= dict.fromkeys(names, f"{what}, while the systems give {chosen}")
    kept = groups[chosen]
    return tuple(kept), _joint({name: kinds[name] for name in kept}, truth, origin), left_out


def _judged(
    kinds: Mapping[str, str], reading: TableOptions, origin: str
) -> tuple[tuple[str, ...], str, dict[str, str]]:
    """Return the systems of a table whose answers say who was right, and why other columns are none."""
    others = {
        name: "neither right nor wrong"
        for name, kind in kinds.items()
        if kind not in {yesno, empty}
    }
    if others and (reading.systems is not None or len(others) == len(kinds)):
        name = next(iter(others))
        raise RoleError(
            f"{origin}: {name!r} holds {kinds[name]} answers; with --correct they are 1/0, true/false, yes/no"
        )
    return tuple(name for name in kinds if name not in others), yesno, others


def _kind(name: str, profiles: Mapping[str, Profile], reading: TableOptions) -> str:
    given = reading.kind_of(name)
    if given is not None:
        kind: str = KINDS[given]
        return kind
    return profiles[name].kind if name in profiles else distribution


def _fitting(groups: Mapping[str, Sequence[str]], truth: str | None, origin: str) -> str:
    if not groups:
        raise RoleError(
            f"{origin} has no column that could be a system's answers; name them with --systems a,b"
        )
    if len(groups) == 1:
        return next(iter(groups))
    if truth == label and "labels" in groups:
        return "labels"
    named = "; ".join(f"{what}: {listing(names)}" for what, names in groups.items())
    raise RoleError(
        f"{origin} has columns of several kinds ({named}); say which are systems with --systems a,b"
    )


def _joint(kinds: Mapping[str, str], truth: str | None, origin: str) -> str:
    """Return the one kind of several columns."""
    found = set(kinds.values()) - {empty}
    if not found:
        return truth or label
    if found <= {label, yesno, text}:
        return yesno if found == {yesno} and truth in {yesno, None} else label
    if score in found and distribution not in found and text not in found:
        return score
    if found == {distribution}:
        return distribution
    named = ", ".join(f"{name!r} holds {kind}" for name, kind in list(kinds.items())[:6])
    raise OptionError(
        f"{origin}: the systems are of different kinds ({named}); compare one kind at a time"
    )
