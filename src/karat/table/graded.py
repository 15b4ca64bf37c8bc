"""A table with a row per output that a judge graded, and people some of them: both grades become answers of an item."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from karat.engine import Engine, OpenedSource
from karat.errors import RoleError
from karat.table.kinds import PAIRS, Profile, profile, yesno
from karat.table.options import TableOptions
from karat.table.roles import is_long
from karat.table.usual_names import (
    SYSTEM,
    USUAL,
    first_called,
    one_called,
    only_called,
    require_column,
)
from karat.words import listing

MAJORITY = "majority"
"""The judge that is the majority of the systems."""
PEOPLE = " (people)"
"""Ends the name of a system's column of people's grades, beside that of the judge's."""


@dataclass(frozen=True, slots=True)
class Graded:
    """The relation and the options under which it is read."""

    relation: OpenedSource
    options: TableOptions
    notes: tuple[str, ...] = ()


def graded(engine: Engine, relation: OpenedSource, options: TableOptions) -> Graded:
    """Return the outputs' grades as a long table of right and wrong answers, where a judge graded outputs.

    Every row (item, system, judge's grade, people's grade) becomes two answers of the item: that of the system by the
    judge, and that by people, which is missing where they did not grade it.
    """
    judge = options.judge
    if judge is None:
        return Graded(relation, options)
    columns = relation.columns
    origin = relation.origin
    system = options.long[1] if options.long else first_called(columns, SYSTEM)
    has_judge = judge in columns
    if system and not has_judge and judge != MAJORITY and not is_long(columns, options):
        require_column(judge, columns, "--judge", origin)
    if system is None or not has_judge or options.correct:
        # The judge is one of the systems, or their majority.
        return Graded(relation, _with_judge(options, columns))
    require_column(system, columns, "--long", origin)
    item = _item(columns, options, origin)
    people = _people(columns, options, origin)
    known = profile(engine, relation, [columns.index(judge), columns.index(people)])
    _check_grades(known[judge], "--judge", origin)
    _check_grades(known[people], "--truth", origin)
    engine.keep("graded", _sql(relation, item, system, judge, people))
    stored = relation.stored[columns.index(item)]
    long = OpenedSource(
        "graded", relation.origin, (item, system, judge), (stored, "text", "whole"), columnar=True
    )
    systems = options.systems
    if systems is not None:
        systems = (*systems, *(name + PEOPLE for name in systems))
    read = replace(
        options,
        long=(item, system, judge),
        item=None,
        truth=None,
        correct=True,
        systems=systems,
        people=people,
    )
    note = f"a row is an output: {system!r} says whose, {judge!r} is the judge's grade, {people!r} that of people"
    return Graded(long, read, (note,))


def _with_judge(options: TableOptions, columns: Sequence[str]) -> TableOptions:
    """Return the options with the judge's column among those of the systems."""
    systems = options.systems
    judge = options.judge
    if systems is None or judge is None or judge in systems or judge not in columns:
        return options
    return replace(options, systems=(*systems, judge))


def _item(columns: Sequence[str], options: TableOptions, origin: str) -> str:
    if options.long:
        return options.long[0]
    if options.item is not None:
        require_column(options.item, columns, "--item", origin)
        return options.item
    return one_called(columns, USUAL["item"], "--item COL", "the item", origin)


def _people(columns: Sequence[str], options: TableOptions, origin: str) -> str:
    """Return the column of people's grades."""
    given = options.truth or only_called(columns, (*USUAL["truth"], "human"), "truth", origin)
    if given is None:
        raise RoleError(
            f"{origin}: the judge's grades are corrected by those of people; name their column with --truth COL, one "
            f"of {listing(columns)}"
        )
    require_column(given, columns, "--truth", origin)
    return given


def _check_grades(known: Profile, option: str, origin: str) -> None:
    if known.kind != yesno:
        raise RoleError(
            f"{origin}: {known.name!r}, which {option} names, holds {known.kind} values; a judge's and people's grades "
            "are 1/0, true/false or yes/no"
        )


def _sql(relation: OpenedSource, item: str, system: str, judge: str, people: str) -> str:
    """Return both grades of every output as rows of item, system and 1 or 0."""
    columns = relation.columns
    rows = []
    for column, ending in ((judge, ""), (people, f", '{PEOPLE}'")):
        name = f"concat(cast(c{columns.index(system)} as string){ending})"
        grade = _grade(f"c{columns.index(column)}")
        rows.append(
            f"select c{columns.index(item)} as c0, {name} as c1, {grade} as c2 from {relation.name}"
        )
    return " union all ".join(rows)


def _grade(cell: str) -> str:
    """Return SQL for a grade as 1 or 0."""
    yes = [pair[0] for pair in PAIRS]
    words = ", ".join(f"'{word}'" for word in (*yes, "1.0"))
    text = f"lower(trim(cast({cell} as string)))"
    return f"case when {cell} is null then null when {text} in ({words}) then 1 else 0 end"
