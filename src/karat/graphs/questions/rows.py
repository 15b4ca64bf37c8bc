"""Graphs as a table of answers: what counts its rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from karat.bench import read
from karat.graphs.compare.rules import Rules
from karat.graphs.compare.table import ITEM, NUMBER, TRUTH, GraphTable
from karat.table.layout import UNASKED
from karat.tally.counter import Counter, from_table


def row_counter(
    answers: GraphTable,
    rules: Rules,
    replaced: Mapping[str, Sequence[Any]],
    roles: Mapping[str, str | None],
) -> Counter:
    """Return what counts the rows of graphs.

    `replaced` holds columns that replace those of the table; `roles` names columns for cluster and count.
    """
    columns = {**answers.columns, **replaced}
    used_as = dict(roles)
    if answers.has_truth:
        used_as["truth"] = TRUTH
    if answers.unit == "pair":
        used_as["count"] = NUMBER
    needed = {ITEM, *answers.systems, *used_as.values()}
    kept = {name: values for name, values in columns.items() if name in needed}
    if answers.unit == "pair":
        kept = {name: _marked(values) for name, values in kept.items()}
    reading: dict[str, Any] = {
        "systems": answers.systems,
        "item": ITEM,
        "kinds": {"": "label"},
        **used_as,
    }
    table = read(kept, **reading).counter.table  # type: ignore[attr-defined]
    notes = (f"{answers.unit}s of {answers.origin}.", *answers.remarks)
    counter = from_table(replace(table, origin=answers.origin, notes=notes))
    options = {"unit": answers.unit, **rules.options(), **counter.facts.options}
    if answers.within:
        options["within"] = str(answers.within)
    return replace(counter, facts=replace(counter.facts, options=options))


def _marked(values: Sequence[Any]) -> list[Any]:
    """Return a column with a mark on the rows that a system need not answer."""
    return [UNASKED if each is None else each for each in values]
