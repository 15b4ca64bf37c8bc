"""Boxes as a table of answers: what counts its rows, and what may be wrong in its truth."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from karat.bench import read
from karat.boxes.matching.box_rows import IMAGE, ITEM, TRUTH, BoxTable, PlacedRow
from karat.errors import InputError, OptionError
from karat.tally.counter import Counter, from_table
from karat.verdict.audit.lists import FieldsOf

WHAT_IS_WRONG = (
    "By how many places are right, not by mAP. A row is a place in an image: a true box, or a box that only systems "
    "see, whose truth is (none). Wrong in the truth may be a class, a box where nothing is (spurious), and (none) "
    "where something is (missing); what neither the truth nor a system marks is no row."
)


def row_counter(
    table: BoxTable, origin: str, options: Mapping[str, str], *, clustered: bool
) -> Counter:
    """Return what counts the rows of boxes; those of one image are clustered, or each stands for itself."""
    if not table.rows:
        raise InputError(f"{origin} and the systems have no box to compare")
    taken = {ITEM, IMAGE, TRUTH} & set(table.systems)
    if taken:
        raise InputError(
            f"a system is called {min(taken)!r}, which has a meaning of its own; give the system another name"
        )
    columns = table.columns()
    if not clustered:
        del columns[IMAGE]
    counted = read(
        columns,
        item=ITEM,
        truth=TRUTH,
        cluster=IMAGE if clustered else None,
        systems=tuple(table.systems),
        kinds={"": "label"},
    ).counter
    note = (
        f"boxes of {origin}: {len(table.rows):,} places, with scores from {table.sure:g} on, "
        f"matched from an overlap of {table.overlap:g} on."
    )
    counter = from_table(replace(counted.table, origin=origin, notes=(note,)))  # type: ignore[attr-defined]
    facts = replace(counter.facts, options={**counter.facts.options, **options})
    return replace(counter, facts=facts)


def rows_only(options: Mapping[str, Any], command: str) -> dict[str, Any]:
    """Return options of a question about rows; refuse a threshold, which is given when boxes become rows."""
    if options.get("threshold") is not None:
        raise OptionError(
            f"karat {command} asks rows of boxes, which are those from --using sure=0.5 on; leave --threshold out"
        )
    return dict(options)


def place_fields(table: BoxTable) -> FieldsOf:
    """Return what a checker must know of a place: the image, the box there, and who sees it."""
    by_item = {row.item: row for row in table.rows}

    def fields_of(items: Sequence[str]) -> Sequence[Mapping[str, Any]]:
        return [_fields(table, by_item[item]) for item in items]

    return fields_of


def _fields(table: BoxTable, row: PlacedRow) -> dict[str, Any]:
    """Return the true box, or that of the first system that sees one."""
    gallery = table.truth.gallery
    files = gallery.files or gallery.images
    if row.truth is None:
        system, place = next(iter(row.found.items()))
        box = table.systems[system].box[place]
    else:
        box = table.truth.box[row.truth]
    sides = (round(float(side), 2) for side in box)
    return {
        "image": files[row.image],
        **dict(zip(("x", "y", "width", "height"), sides, strict=True)),
        "seen_by": " ".join(row.found),
    }
