"""Documents with several categories each: those assigned, or every cell of document x category."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
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
    """A document and its categories by the truth and by each system, None where there is no cell."""

    name: str
    sets: tuple[tuple[str, ...] | None, ...]

    def categories(self) -> Iterator[str]:
        """Yield every category that the truth or a system has, as often as they have it."""
        for categories in self.sets:
            yield from categories or ()


def categories(
    paths: Sequence[str],
    *,
    sep: str = ";",
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Categories of documents, several in a cell: a row per category that is true or that a system assigned.

    `sep` separates two categories; in JSON lines a cell may be a list. An empty cell is no category at all.
    """
    table = _read(paths, sep, truth, systems, lenient=lenient)
    pages = (_labels(document, has_truth=table.truth is not None) for document in table.documents)
    source = counted_rows(pages, table.columns, origin=table.origin, asked=asked, page=DOCUMENT)
    roles = {
        **table.roles,
        **source.roles,
        "kinds": {"": "label"},
        "nothing": NOTHING,
        "source": f"categories(sep={sep})",
    }
    return replace(source, roles=roles, notes=table.faults.notes())


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

    `sep` separates two categories; in JSON lines a cell may be a list. An empty cell is no category at all.
    """
    table = _read(paths, sep, truth, systems, lenient=lenient)
    if CATEGORY in table.columns:
        raise InputError(
            f"{table.origin}: karat has a column {CATEGORY!r} of its own; rename the one of this name"
        )
    known: set[str] = set()
    for document in table.documents:
        known.update(document.categories())
    ordered = sorted(known)
    pages = (_cells(document, ordered) for document in table.documents)
    columns = [CATEGORY, *table.columns]
    source = counted_rows(pages, columns, origin=table.origin, asked=asked, page=DOCUMENT)
    roles = {
        **table.roles,
        **source.roles,
        "group": CATEGORY,
        "kinds": {"": "yesno"},
        "source": f"cells(sep={sep})",
    }
    return replace(source, roles=roles, notes=table.faults.notes())


def _labels(document: Assigned, *, has_truth: bool) -> Page:
    """Return a row for each category of a document: its name for those who assigned it, else nothing."""
    names = list(dict.fromkeys(document.categories()))
    rows: list[Row] = []
    for name in names:
        row = [_label(name, categories) for categories in document.sets]
        if has_truth and row[0] == NOTHING:
            # A system without a cell for the document assigned no wrong category to it either.
            row = [NOTHING if label is None else label for label in row]
        rows.append(tuple(row))
    return Page(document.name, rows, names)


def _label(name: str, categories: Sequence[str] | None) -> str | None:
    if categories is None:
        return None
    return name if name in categories else NOTHING


def _cells(document: Assigned, names: Sequence[str]) -> Page:
    """Return a row for each category there is: yes or no of the truth and of each system."""

    def row(name: str) -> Row:
        return (name, *(_vote(name, categories) for categories in document.sets))

    return Page(document.name, map(row, names), names)


def _vote(name: str, categories: Sequence[str] | None) -> str | None:
    if categories is None:
        return None
    return YES if name in categories else NO


@dataclass(frozen=True, slots=True)
class CategoryTable:
    """The documents of a table, and which columns hold their categories."""

    origin: str
    documents: list[Assigned]
    truth: str | None
    systems: list[str]
    faults: Faults

    @property
    def columns(self) -> list[str]:
        """The column of the truth, if there is one, and those of the systems."""
        return [self.truth, *self.systems] if self.truth else self.systems

    @property
    def roles(self) -> dict[str, Any]:
        """What is known of the columns."""
        roles: dict[str, Any] = {"systems": tuple(self.systems)}
        if self.truth:
            roles["truth"] = self.truth
        return roles


def _read(
    paths: Sequence[str],
    sep: str,
    truth: str | None,
    systems: Sequence[str] | None,
    *,
    lenient: bool,
) -> CategoryTable:
    if not sep:
        raise OptionError(
            "--using sep is empty; it is what stands between two categories, such as ;"
        )
    faults = Faults(lenient=lenient)
    names = files(paths)
    origin = shown(names)
    rows: list[tuple[str, Mapping[str, Any]]] = []
    for path in names:
        rows += table_rows(path, faults)
    if not rows:
        raise InputError(f"{origin} has no rows; karat needs at least one document")
    columns = list(dict.fromkeys(chain.from_iterable(row for _, row in rows)))
    item = _first_named(columns, NAMES)
    truth = truth or _first_named(columns, TRUTHS)
    chosen = list(systems or [column for column in columns if column not in {item, truth}])
    needed = [truth, *chosen] if truth else chosen
    for column in needed:
        if column not in columns:
            raise InputError(f"{origin} has no column {column!r}; it has {listing(columns)}")
    if not chosen:
        raise InputError(
            f"{origin} has no column of a system's categories; it has {listing(columns)}"
        )
    documents = list(_documents(rows, item, needed, sep, faults))
    return CategoryTable(origin, documents, truth, chosen, faults)


def _first_named(columns: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the first column that has one of these names, in upper or lower case."""
    return next((column for column in columns if column.lower() in names), None)


def _documents(
    rows: Sequence[tuple[str, Mapping[str, Any]]],
    item: str | None,
    columns: Sequence[str],
    sep: str,
    faults: Faults,
) -> Iterator[Assigned]:
    seen: set[str] = set()
    for number, (place, row) in enumerate(rows, 1):
        name = str(row.get(item, number)) if item else str(number)
        if name in seen:
            faults.add(place, f"the document {name!r} is there twice")
            continue
        seen.add(name)
        nested = next((column for column in columns if isinstance(row.get(column), dict)), None)
        if nested is not None:
            faults.add(place, f"{nested!r} holds a dict; categories are a text or a list")
            continue
        yield Assigned(name, tuple(_set(row.get(column), sep) for column in columns))


def _set(value: Any, sep: str) -> tuple[str, ...] | None:
    """Return the categories in a cell, each once."""
    if value is None:
        return None
    parts = value if isinstance(value, list) else str(value).split(sep)
    names = [str(part).strip() for part in parts]
    return tuple(dict.fromkeys(name for name in names if name))
