"""Documents with several categories each: what was assigned, or every cell of document x category."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from karat.errors import InputError, OptionError
from karat.source.counted_rows import Page, Row, counted_rows
from karat.source.faults import Faults
from karat.source.files.correct import rows as table_rows
from karat.source.origin import Source, files, shown
from karat.source.vote_rows import NO, YES
from karat.words import NOTHING, listing

NAMES = ("document", "doc", "item", "id", "doc_id", "item_id")
TRUTHS = ("truth", "gold", "y_true", "target", "labels")
DOCUMENT, CATEGORY = "document", "category"


@dataclass(frozen=True, slots=True)
class Assigned:
    """A document and its categories by the truth and by each system, None where nothing is said."""

    name: str
    sets: tuple[tuple[str, ...] | None, ...]


def categories(
    paths: Sequence[str],
    *,
    sep: str = ";",
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Categories of documents, several in a cell: a row per category that is true or that somebody assigned.

    `sep` stands between two categories; in JSON lines a cell may be a list. An empty cell is no category at all.
    """
    documents, columns, roles, faults = _read(paths, sep, truth, systems, lenient=lenient)
    pages = (Page(one.name, *_assigned(one, told="truth" in roles)) for one in documents)
    found = counted_rows(pages, columns, origin=shown(files(paths)), asked=asked, page=DOCUMENT)
    roles |= {
        **found.roles,
        "kinds": {"": "label"},
        "nothing": NOTHING,
        "source": f"categories(sep={sep})",
    }
    return replace(found, roles=roles, notes=faults.notes())


def cells(
    paths: Sequence[str],
    *,
    sep: str = ";",
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Every cell of document x category, yes or no; categories are groups.

    `sep` stands between two categories; in JSON lines a cell may be a list. An empty cell is no category at all.
    """
    documents, columns, roles, faults = _read(paths, sep, truth, systems, lenient=lenient)
    if CATEGORY in columns:
        raise InputError(
            f"{shown(files(paths))}: karat has a column {CATEGORY!r} of its own; rename the one of this name"
        )
    known = sorted({name for one in documents for labels in one.sets for name in labels or ()})
    pages = (Page(one.name, [_cell(one, name) for name in known], known) for one in documents)
    found = counted_rows(
        pages, [CATEGORY, *columns], origin=shown(files(paths)), asked=asked, page=DOCUMENT
    )
    roles |= {
        **found.roles,
        "group": CATEGORY,
        "kinds": {"": "yesno"},
        "source": f"cells(sep={sep})",
    }
    return replace(found, roles=roles, notes=faults.notes())


def _assigned(one: Assigned, *, told: bool) -> tuple[list[Row], list[str]]:
    known = list(dict.fromkeys(name for labels in one.sets for name in labels or ()))
    absent = [None if labels is None else NOTHING for labels in one.sets]
    rows: list[Row] = []
    for name in known:
        row = [
            name if labels and name in labels else none
            for labels, none in zip(one.sets, absent, strict=True)
        ]
        # Who said nothing of the document assigned no wrong category to it either.
        rows.append(
            tuple(
                NOTHING if label is None and told and row[0] == NOTHING else label for label in row
            )
        )
    return rows, known


def _cell(one: Assigned, name: str) -> Row:
    return (
        name,
        *(None if labels is None else YES if name in labels else NO for labels in one.sets),
    )


def _read(
    paths: Sequence[str],
    sep: str,
    truth: str | None,
    systems: Sequence[str] | None,
    *,
    lenient: bool,
) -> tuple[list[Assigned], list[str], dict[str, Any], Faults]:
    """Return the documents, the columns of truth and systems, what is known of them, and what is wrong."""
    if not sep:
        raise OptionError(
            "--using sep is empty; it is what stands between two categories, such as ;"
        )
    faults = Faults(lenient=lenient)
    names = files(paths)
    found = [row for path in names for row in table_rows(path, faults)]
    if not found:
        raise InputError(f"{shown(names)} has no rows; karat needs at least one document")
    first = dict.fromkeys(column for _, row in found for column in row)
    item = next((column for column in first if column.lower() in NAMES), None)
    gold = truth or next((column for column in first if column.lower() in TRUTHS), None)
    rest = list(systems) if systems else [column for column in first if column not in {item, gold}]
    columns = [*([gold] if gold else []), *rest]
    if lacking := [column for column in columns if column not in first]:
        raise InputError(f"{shown(names)} has no column {lacking[0]!r}; it has {listing(first)}")
    if not rest:
        raise InputError(
            f"{shown(names)} has no column of a system's categories; it has {listing(first)}"
        )
    roles: dict[str, Any] = {"systems": tuple(rest)} | ({"truth": gold} if gold else {})
    return list(_documents(found, item, columns, sep, faults)), columns, roles, faults


def _documents(
    found: Sequence[tuple[str, Mapping[str, Any]]],
    item: str | None,
    columns: Sequence[str],
    sep: str,
    faults: Faults,
) -> Iterator[Assigned]:
    seen: set[str] = set()
    for number, (place, row) in enumerate(found, 1):
        name = str(row.get(item, number)) if item else str(number)
        if name in seen:
            faults.add(place, f"the document {name!r} is there twice")
            continue
        seen.add(name)
        if odd := [column for column in columns if isinstance(row.get(column), dict)]:
            faults.add(place, f"{odd[0]!r} holds a dict; categories are a text or a list")
            continue
        yield Assigned(name, tuple(_set(row.get(column), sep) for column in columns))


def _set(value: Any, sep: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    parts = value if isinstance(value, list) else str(value).split(sep)
    return tuple(dict.fromkeys(text for part in parts if (text := str(part).strip())))
