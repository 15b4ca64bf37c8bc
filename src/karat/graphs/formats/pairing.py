"""Which graph of a system belongs to which of the truth: names of folders and files, and what has no partner."""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from karat.errors import InputError
from karat.graphs.formats.folder import GraphSet, stem
from karat.source.paths import exists, is_a_file, is_folder
from karat.words import counted, listing

Value = TypeVar("Value")


def called(paths: Sequence[str | Path]) -> dict[str, str]:
    """Return folders by name: NAME=DIR, or the shortest end of the path that no other folder has.

    >>> called(["runs/a/out", "runs/b/out", "mine=c"])
    {'a/out': 'runs/a/out', 'b/out': 'runs/b/out', 'mine': 'c'}
    """
    texts = [str(path) for path in paths]
    without_name = [path for path in texts if "=" not in path or exists(path)]
    parts = {path: Path(os.path.normpath(path)).parts for path in without_name}
    folders: dict[str, str] = {}
    for text in texts:
        if text in parts:
            name = stem("/".join(_unique_ending(parts[text], parts.values())))
            folder = text
        else:
            name, _, folder = text.partition("=")
        if name in folders:
            raise InputError(f"two systems are called {name!r}; name them as NAME=DIR")
        folders[name] = folder
    return folders


def _unique_ending(own: tuple[str, ...], paths: Collection[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the shortest end of a path that no other one has, or the whole path."""
    for depth in range(1, len(own) + 1):
        ending = own[-depth:]
        if sum(path[-depth:] == ending for path in paths) == 1:
            return ending
    return own


def single(one: GraphSet) -> bool:
    """Return whether a set is one file of one graph."""
    graphs = len(one.graphs) + len(one.unreadable)
    return graphs == 1 and not one.duplicates and is_a_file(one.origin)


def called_like(one: GraphSet, name: str) -> GraphSet:
    """Return a set of one file whose graph has another name, by which it is paired."""
    return replace(
        one,
        graphs=_under(name, one.graphs),
        unreadable=_under(name, one.unreadable),
        formulas=_under(name, one.formulas),
    )


def _under(name: str, values: Mapping[str, Value]) -> dict[str, Value]:
    """Return the only value, if there is one, under another name."""
    return dict(zip([name], values.values(), strict=False))


def aligned(truth: GraphSet | None, systems: Sequence[GraphSet]) -> list[GraphSet]:
    """Return systems whose single files have the name of the truth's single file, or that of the first of them."""
    first = systems[0] if truth is None else truth
    if not single(first):
        return list(systems)
    if truth is None and not all(map(single, systems)):
        return list(systems)
    (name,) = (*first.graphs, *first.unreadable)
    return [called_like(one, name) if single(one) else one for one in systems]


def paired(truth: GraphSet, system: GraphSet) -> dict[str, str]:
    """Return the name in the system's set for every graph of the truth; two single files are a pair anyway."""
    one_each = len(truth.graphs) == len(system.graphs) == 1
    if one_each and not is_folder(truth.origin) and not is_folder(system.origin):
        return dict(zip(truth.graphs, system.graphs, strict=True))
    return {name: name for name in truth.graphs}


def extra(truth: GraphSet, system: GraphSet) -> tuple[str, ...]:
    """Return the graphs of a system that the truth does not have."""
    expected = {*paired(truth, system).values(), *truth.unreadable, *truth.duplicates}
    present = {*system.graphs, *system.unreadable, *system.duplicates}
    return tuple(sorted(present - expected))


def checked_truth(truth: GraphSet, *, lenient: bool) -> GraphSet:
    """Return the truth, if each of its files can be read and is there once.

    With `lenient` expressions whose truth cannot be used are left out for all systems; `truths_left_out` names them.
    """
    if lenient:
        return truth
    if truth.duplicates:
        name = min(truth.duplicates)
        files = " and ".join(truth.duplicates[name])
        raise InputError(
            f"the truth has {name!r} twice: {files}{_more(truth.duplicates)}; keep one of them, {_OR_LENIENT}"
        )
    if truth.unreadable:
        name = min(truth.unreadable)
        raise InputError(
            f"the truth of {name!r} cannot be read: {truth.unreadable[name]}{_more(truth.unreadable)}; "
            f"correct it, {_OR_LENIENT}"
        )
    return truth


_OR_LENIENT = "or leave such expressions out for all systems with --lenient"


def _more(names: Collection[str]) -> str:
    """Return which further expressions have the same trouble."""
    _, *others = sorted(names)
    if not others:
        return ""
    return f" (and {len(others):,} more: {listing(others, most=5)})"


def truths_left_out(truth: GraphSet) -> tuple[str, ...]:
    """Return in words which expressions are left out for all systems, since their truth cannot be used."""
    reasons: dict[str, Collection[str]] = {
        "as the truth cannot be read": truth.unreadable,
        "as the truth has them more than once": truth.duplicates,
    }
    left_out = []
    for reason, names in reasons.items():
        if names:
            many = counted(len(names), "expression")
            which = listing(sorted(names), most=5)
            left_out.append(f"{truth.name}: {many} left out for all systems, {reason}: {which}.")
    return tuple(left_out)
