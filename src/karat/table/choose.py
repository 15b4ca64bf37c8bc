"""Which columns are the systems, and of what kind the table is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote

from karat.errors import OptionError, RoleError, UnknownNameError
from karat.table import KINDS
from karat.table.kinds import Profile, distribution, empty, label, score, text, yesno
from karat.table.options import TableOptions
from karat.words import listing

COUNTABLE = (yesno, label)
MOST_NAMED = 6
"""How many systems a message names."""


@dataclass(frozen=True, slots=True)
class Systems:
    """The systems of a table, the kind of their answers, and why other columns are not systems."""

    systems: tuple[str, ...]
    kind: str
    left_out: Mapping[str, str] = field(default_factory=dict)
    scales: tuple[str, ...] = ()
    """The systems whose whole numbers are read as scores, because the truth is yes or no."""


def systems_of(
    rest: Sequence[str],
    profiles: Mapping[str, Profile],
    truth: str | None,
    options: TableOptions,
    *,
    origin: str,
) -> Systems:
    """Return the systems, the kind of their answers, and why other columns are not systems.

    A column that is given as a system, or whose kind is given, is believed; the others must be of one kind, the
    one that fits the truth.
    """
    for name in options.kind_by_system:
        if name and name not in rest:
            raise UnknownNameError("system", name, rest)
    kinds = {name: _kind(name, profiles, options) for name in rest}
    if options.correct:
        return _judged(kinds, options, origin)
    scales = _scales(kinds, profiles, truth, options)
    kinds |= dict.fromkeys(scales, score)
    if options.systems is not None:
        chosen = Systems(tuple(rest), _joint(kinds, truth, origin))
    else:
        chosen = _of_one_kind(kinds, truth, origin)
    return replace(chosen, scales=tuple(scales))


def _scales(
    kinds: Mapping[str, str],
    profiles: Mapping[str, Profile],
    truth: str | None,
    options: TableOptions,
) -> list[str]:
    """Return the columns of whole numbers that are scores: those on a scale, beside a truth of yes and no.

    Where other columns are answers by what they hold, a column of whole numbers may be a page or a length: it is taken
    for a system only if it is named.
    """
    has_answers = bool({yesno, score} & set(kinds.values()))
    if truth != yesno or (has_answers and options.systems is None):
        return []
    not_given = [name for name in kinds if name in profiles and options.kind_of(name) is None]
    return [name for name in not_given if profiles[name].is_scale]


def _of_one_kind(kinds: Mapping[str, str], truth: str | None, origin: str) -> Systems:
    """Return the columns that can be systems together: all of labels, of scores, or of distributions."""
    groups: dict[str, list[str]] = {"labels": [], "scores": [], "distributions": []}
    free_text = {}
    without_values = {}
    for name, kind in kinds.items():
        if kind == text:
            free_text[name] = "free text"
        elif kind == empty:
            without_values[name] = "empty"
        elif kind in COUNTABLE:
            groups["labels"].append(name)
        elif kind == score:
            groups["scores"].append(name)
        else:
            groups["distributions"].append(name)
    if free_text and truth == text:
        raise _texts_beside_texts(list(free_text), origin)
    chosen = _fitting({what: names for what, names in groups.items() if names}, truth, origin)
    left_out = free_text | without_values
    for what, names in groups.items():
        if what != chosen:
            left_out |= dict.fromkeys(names, f"{what}, while the systems give {chosen}")
    systems = tuple(groups[chosen])
    kind = _joint({name: kinds[name] for name in systems}, truth, origin)
    return Systems(systems, kind, left_out)


def _texts_beside_texts(texts: Sequence[str], origin: str) -> RoleError:
    """Return the error that asks how texts are to be judged: a column of labels beside them is hardly the system."""
    hold = "holds" if len(texts) == 1 else "hold"
    return RoleError(
        f"{origin}: {listing(texts)} {hold} texts, as the truth does. How many of their words and characters are wrong "
        "is --measure WER,CER; if answers are labels, name the columns with --systems a,b"
    )


def _judged(kinds: Mapping[str, str], options: TableOptions, origin: str) -> Systems:
    """Return the systems of a table whose answers are right or wrong, and why other columns are not systems."""
    others = [name for name, kind in kinds.items() if kind not in {yesno, empty}]
    were_given = options.systems is not None
    if others and (were_given or len(others) == len(kinds)):
        name = others[0]
        raise RoleError(
            f"{origin}: {name!r} holds {kinds[name]} answers; with --correct they are 1/0, true/false, yes/no"
        )
    systems = tuple(name for name in kinds if name not in others)
    return Systems(systems, yesno, dict.fromkeys(others, "neither right nor wrong"))


def _kind(name: str, profiles: Mapping[str, Profile], options: TableOptions) -> str:
    given = options.kind_of(name)
    if given is not None:
        kind: str = KINDS[given]
        return kind
    return profiles[name].kind if name in profiles else distribution


def _fitting(groups: Mapping[str, Sequence[str]], truth: str | None, origin: str) -> str:
    """Return the group of columns that fits the truth."""
    if not groups:
        raise RoleError(
            f"{origin} has no column that could be a system's answers; name them with --systems a,b"
        )
    if len(groups) == 1:
        return next(iter(groups))
    if truth in {label, text} and "labels" in groups:
        return "labels"
    named = "; ".join(f"{what}: {listing(names)}" for what, names in groups.items())
    labels = groups.get("labels", ())
    if truth is None and len(labels) == 1 and "scores" in groups:
        # A single column of labels beside scores is most likely the truth that the scores predict.
        raise RoleError(
            f"{origin} has columns of several kinds ({named}); if {labels[0]!r} is the truth, add --truth "
            f"{quote(labels[0])}, otherwise name the systems with --systems a,b"
        )
    raise RoleError(
        f"{origin} has columns of several kinds ({named}); name the systems with --systems a,b, "
        "or give all of them one kind, such as --kind score"
    )


def _joint(kinds: Mapping[str, str], truth: str | None, origin: str) -> str:
    """Return the one kind of several columns."""
    present = set(kinds.values()) - {empty}
    if not present:
        return label if truth in {text, None} else str(truth)
    if present <= {label, yesno, text}:
        all_yesno = present == {yesno} and truth in {yesno, None}
        return yesno if all_yesno else label
    if score in present and distribution not in present and text not in present:
        return score
    if present == {distribution}:
        return distribution
    first = list(kinds.items())[:MOST_NAMED]
    named = ", ".join(f"{name!r} holds {kind}" for name, kind in first)
    raise OptionError(
        f"{origin}: the systems are of different kinds ({named}); compare one kind at a time"
    )
