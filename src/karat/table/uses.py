"""What each column of the data is used for, and why: what `karat read` shows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from karat.table.kinds import Profile, score
from karat.table.not_systems import NO_LABEL
from karat.table.options import TableOptions
from karat.table.prepare import OWN, PreparedTable
from karat.table.roles import NO_NAME, NOT_ASKED, UNUSED
from karat.table.table import Use
from karat.table.truth_file import TruthFile
from karat.words import listing

SHOWS_KIND = {"truth", "system", "confidence", "share", "left out"}
"""Roles of which the kind of the values is shown."""


def uses_of_table(
    prepared: PreparedTable,
    systems: tuple[str, ...],
    not_systems: Mapping[str, str],
    options: TableOptions,
    *,
    scales: Sequence[str] = (),
) -> tuple[Use, ...]:
    """Return what the columns of the table are used for; those of a long file are known from its preparation."""
    if prepared.uses:
        return prepared.uses
    roles = prepared.roles

    def use(column: str, role: str, why: str = "") -> Use:
        return _use(column, role, prepared.profiles.get(column), why)

    uses = [use(column, role) for role, column in roles.named.items()]
    for name in systems:
        if name in prepared.profiles:
            own = use(name, "system")
            if name in scales:
                own = replace(own, kind=score)
            uses.append(replace(own, kind=options.kind_of(name) or own.kind))
    for name, column in roles.beside.items():
        if name in systems:
            uses.append(use(column, "confidence", f"of {name}, {UNUSED}"))
    for name in systems:
        for text, column in roles.shares.get(name, {}).items():
            uses.append(use(column, "share", f"of {text} by {name}"))
    left_out = {**roles.left_out, **not_systems}
    uses += [use(column, "left out", why) for column, why in left_out.items()]
    return tuple(uses)


def uses_of_truth(truth_file: TruthFile | None) -> tuple[Use, ...]:
    """Return what the columns of a truth file are used for."""
    if truth_file is None:
        return ()
    why = f"in {truth_file.relation.origin}"
    uses = []
    for role, column in truth_file.named.items():
        shown = "item of the truth" if role == "item" else role
        uses.append(_use(column, shown, truth_file.profiles[column], why))
    return tuple(uses)


def _use(column: str, role: str, known: Profile | None, why: str) -> Use:
    if known is None:
        return Use(column, role, "", None, None, why)
    kind = known.kind if role in SHOWS_KIND else ""
    distinct = known.distinct
    if distinct is not None:
        # They are counted roughly, and so may seem more than there are cells.
        distinct = min(distinct, known.filled)
    return Use(column, role, kind, known.filled, distinct, why)


def left_out_note(prepared: PreparedTable, not_systems: Mapping[str, str]) -> tuple[str, ...]:
    """Return which columns were left out, if the user did not leave them out; a long file has no such columns.

    Those without a label of the truth have a note of their own; those without a name number the rows, or are empty.
    """
    is_long = prepared.roles.named.get("item", "").startswith(OWN)
    unremarkable = {NOT_ASKED, NO_NAME}
    columns = [name for name, why in prepared.roles.left_out.items() if why not in unremarkable]
    columns += [name for name, why in not_systems.items() if why != NO_LABEL]
    if is_long or not columns:
        return ()
    return (f"left out: {listing(columns)}",)
