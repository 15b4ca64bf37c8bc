"""A truth in a file or frame of its own, joined to the table by item."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from karat.engine import Engine, OpenedSource
from karat.table import checks
from karat.table.kinds import Profile, profile
from karat.table.options import TableOptions
from karat.table.prepare import PreparedTable, parsed_once
from karat.table.roles import truth_roles

YES = Profile(
    name="",
    stored="whole",
    rows=1,
    filled=1,
    distinct=1,
    numeric=1,
    fractional=0,
    nan=0,
    integers=1,
    longest=1,
    pairs=(1, 0, 0, 0),
)
"""The profile of the truth where every answer is right or wrong."""


@dataclass(frozen=True, slots=True)
class TruthFile:
    """A second relation that holds the truth: its columns by role, and what they hold."""

    relation: OpenedSource
    named: Mapping[str, str]
    profiles: Mapping[str, Profile]


def read_truth_file(
    engine: Engine, opened: OpenedSource, column: str | None, options: TableOptions
) -> TruthFile:
    """Return a truth file with the roles of its columns; the truth is in `column`, if that is given."""
    relation = parsed_once(engine, opened, "kept_truth")
    named = truth_roles(relation.columns, options, column=column, origin=relation.origin)
    checks.check_names(relation)
    if options.duplicate_check:
        checks.check_items(
            engine, relation, named["item"], remedy="an item has one truth; remove the copies"
        )
    numbers = [relation.columns.index(name) for name in dict.fromkeys(named.values())]
    profiles = profile(engine, relation, numbers)
    checks.check_filled(relation, profiles)
    return TruthFile(relation, named, profiles)


def truth_profile(
    engine: Engine, prepared: PreparedTable, truth_file: TruthFile | None, options: TableOptions
) -> Profile | None:
    """Return the profile of the truth, without the values that mean none; None if there is no truth."""
    if options.correct:
        return YES
    relation = prepared.relation
    profiles = prepared.profiles
    named = prepared.roles.named
    if truth_file:
        relation = truth_file.relation
        profiles = truth_file.profiles
        named = truth_file.named
    if "truth" not in named:
        return None
    name = named["truth"]
    if not options.no_truth:
        return profiles[name]
    number = relation.columns.index(name)
    engine.put("no_truth", {"value": np.array(options.no_truth, dtype=object)})
    engine.view(
        "with_truth",
        f"select a.* from {relation.name} as a "
        f"left join no_truth as z on cast(a.c{number} as string) = z.value where z.value is null",
    )
    return profile(engine, replace(relation, name="with_truth"), [number])[name]
