"""The items of a table by name, with their given labels and every system's answers: what an audit draws from."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, TallyError
from karat.table.labels import Codes, Labels
from karat.table.table import Table
from karat.tally.codes import UNASKED, encode, filled
from karat.tally.sql import answer_sql, has_item_names
from karat.tally.tally import tally
from karat.tally.votes.confusion import meaning
from karat.words import listing

MOST = 10_000_000
NO_ORDER = "rows have no fixed order here, so that their numbers identify no item; name the item column with --item COL"


@dataclass(frozen=True, slots=True, eq=False)
class AuditItems:
    """Items in the order of their names; codes are places in `labels`, -1 is a missing label or answer."""

    names: tuple[str, ...]
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    given: Codes
    answers: npt.NDArray[np.int32]
    """One row an item, one column a system."""
    meaning: Labels
    weights: tuple[float, ...] = ()
    """Empty where all items weigh the same."""


@tally(needs="items")
def audit_items(table: Table) -> AuditItems:
    """Return all items; those without truth have no given label."""
    named = has_item_names(table)
    if not named and not table.engine.ordered:
        raise TallyError(NO_ORDER)
    stored = table.engine.query(f"select {', '.join(_columns(table, named=named))} from answers")
    size = len(stored["s0"])
    if size > MOST:
        raise TallyError(f"{size:,} items are too many to audit; audit fewer")
    names = _names(stored, size, named=named)
    values = [_truth(table, stored, size)]
    values += [stored[f"s{system}"] for system in range(len(table.systems))]
    meanings = [None, *[meaning(table)] * len(table.systems)]
    coded, labels = encode(values, meanings, table.labels)
    answers = np.stack(coded[1:], axis=1)
    given, answers, labels = filled(coded[0], answers, labels, table.labels)
    if (answers == UNASKED).any():
        raise InputError(
            "some systems were not asked about some items, so that accuracy is not over the same ones; "
            "leave --run and --repeats keep out"
        )
    order = sorted(range(size), key=names.__getitem__)
    kept = [names[place] for place in order]
    _check_unique(kept)
    weights: tuple[float, ...] = ()
    if "w" in table.keys:
        weights = tuple(float(stored["w"][place]) for place in order)
    return AuditItems(
        names=tuple(kept),
        systems=table.systems,
        labels=labels,
        given=given[order],
        answers=answers[order].astype(np.int32),
        meaning=table.labels,
        weights=weights,
    )


def _columns(table: Table, *, named: bool) -> list[str]:
    columns = [f"{answer_sql(table, place)} as s{place}" for place in range(len(table.systems))]
    if table.has_truth:
        columns.append("t")
    if named:
        columns.append("item")
    if "w" in table.keys:
        columns.append("w")
    if "n" in table.keys:
        columns.append("n")
    return columns


def _truth(table: Table, stored: dict[str, npt.NDArray[Any]], size: int) -> npt.NDArray[Any]:
    if "n" in table.keys and (np.ma.getdata(stored["n"]) > 1).any():
        raise InputError(
            "some rows stand for several items (--count), whose labels may differ; an audit needs a row an item"
        )
    if table.has_truth:
        return stored["t"]
    return np.full(size, None, dtype=object)


def _names(stored: dict[str, npt.NDArray[Any]], size: int, *, named: bool) -> list[str]:
    if not named:
        return [str(number) for number in range(1, size + 1)]
    return [str(name) for name in np.ma.getdata(stored["item"])]


def _check_unique(names: list[str]) -> None:
    """Refuse an item that occurs twice; the names are sorted."""
    twice = [one for one, other in pairwise(names) if one == other]
    if twice:
        raise InputError(
            f"the items {listing(sorted(set(twice)), most=3)} occur more than once; an audit draws items by name"
        )
