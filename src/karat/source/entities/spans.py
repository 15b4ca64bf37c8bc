"""Entities in JSON lines: a document a line, with its spans by their characters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import starmap, zip_longest
from pathlib import Path
from typing import Any

from karat.errors import OptionError
from karat.source.counted_rows import COUNT, PLACE, Page, counted_rows
from karat.source.entities.entities import against_truth, first_overlap, spans_voted_on
from karat.source.entities.tags import Span
from karat.source.faults import Faults
from karat.source.lines import objects
from karat.source.origin import Source
from karat.source.spill import Twice
from karat.source.truth_and_systems import Parts, check_same, parted, some
from karat.words import NOTHING, counted, listing

DOCUMENT = "document"
NAMES = ("id", "doc_id", "document", "item", "doc")
LISTS = ("spans", "entities", "labels", "label")
LABELS = ("label", "type", "tag", "entity_group")


def spans(
    paths: Sequence[str],
    *,
    match: str = "exact",
    overlap: str = "no",
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Spans in JSON lines: {"id": ..., "spans": [{"start": 0, "end": 5, "label": "PER"}, ...]} a document.

    `match` is exact or partial (overlap is enough); `overlap=yes` allows spans of one file that share characters.
    """
    if match not in {"exact", "partial"} or overlap not in {"yes", "no"}:
        raise OptionError("--using match takes exact or partial, --using overlap yes or no")
    parts = parted(paths, taken=(DOCUMENT, PLACE, COUNT))
    if match == "partial" and not parts.truth:
        raise OptionError(
            "--using match=partial needs a truth; without one, spans are the same or they are not"
        )
    columns = [*(["truth"] if parts.truth else []), *parts.systems]
    for read in (_in_step, _whole):
        faults = Faults(lenient=lenient)
        rows = partial(_page, told=parts.truth is not None, overlaps=match == "partial")
        pages = starmap(rows, read(parts, faults, overlap == "yes"))
        try:
            source = counted_rows(pages, columns, origin=parts.origin, asked=asked, page=DOCUMENT)
            break
        except UntidyError:
            continue
    roles = {**parts.roles(), **source.roles, "source": f"spans(match={match})"}
    roles |= (
        {"kinds": {"": "label"}, "nothing": NOTHING} if parts.truth else {"kinds": {"": "yesno"}}
    )
    return replace(source, roles=roles, notes=faults.notes())


Documents = dict[str, list[Span]]
Said = tuple[str, list[list[Span] | None]]
"""The name of a document, and what each file says of it, the truth first."""


class UntidyError(Exception):
    """The files do not have the same documents, once each; only all of them together tell which are at fault."""


def _page(name: str, found: list[list[Span] | None], *, told: bool, overlaps: bool) -> Page:
    if told:
        return Page(name, *against_truth(found[0] or [], found[1:], partial=overlaps))
    return Page(name, *spans_voted_on(found))


def _in_step(parts: Parts, faults: Faults, overlap: bool) -> Iterator[Said]:
    """Yield documents as soon as every file has told of them; those that others have not yet told of wait."""
    files = [_documents(path, faults, overlap) for path in parts.paths]
    waiting: list[Documents] = [{} for _ in files]
    seen = [Twice() for _ in files]
    for row in zip_longest(*files):
        for one, own, names in zip(row, waiting, seen, strict=True):
            if one is not None:
                own[one[0]] = one[2]
                names.add(one[0])
        for name in dict.fromkeys(one[0] for one in row if one is not None):
            if all(name in own for own in waiting):
                yield name, [own.pop(name) for own in waiting]
    if any(waiting) or any(names.number() for names in seen):
        raise UntidyError


def _whole(parts: Parts, faults: Faults, overlap: bool) -> Iterator[Said]:
    """Yield documents once all of every file are known, and say which are not in all of them."""
    files = [_by_name(path, faults, overlap) for path in parts.paths]
    told = files[:1] if parts.truth else files
    names = list(dict.fromkeys(name for found in told for name in found))
    for path, found in zip(parts.paths, files, strict=True):
        _check(path, names, list(found), faults)
    yield from ((name, [found.get(name) for found in files]) for name in names)


def _check(path: Path, names: Sequence[str], found: Sequence[str], faults: Faults) -> None:
    lacks, beside = check_same(names, found)
    if lacks:
        faults.add(str(path), f"{counted(len(lacks), 'document')} missing, {some(lacks)}")
    if beside:
        faults.add(
            str(path), f"{counted(len(beside), 'document')} not in the truth, {some(beside)}"
        )


def _by_name(path: Path, faults: Faults, overlap: bool) -> Documents:
    found: Documents = {}
    for name, place, listed in _documents(path, faults, overlap):
        if name in found:
            faults.add(place, f"the document {name!r} is there twice")
        else:
            found[name] = listed
    return found


def _documents(path: Path, faults: Faults, overlap: bool) -> Iterator[tuple[str, str, list[Span]]]:
    """Yield the name of each document, its place, and its spans."""
    for number, document in objects(path, faults):
        place = f"{path}, line {number}"
        found = _spans(document, place, faults)
        if not overlap and (pair := first_overlap(found)):
            what = f"the spans {list(pair[0])} and {list(pair[1])} overlap"
            faults.add(place, what, remedy="mend it, or allow it with --using overlap=yes")
        yield str(next((document[key] for key in NAMES if key in document), number)), place, found


def _spans(document: Mapping[str, Any], place: str, faults: Faults) -> list[Span]:
    listed = next((document[key] for key in LISTS if key in document), None)
    if not isinstance(listed, list):
        faults.add(
            place, f"no list of spans; it has {listing(document, most=5)}, and needs 'spans'"
        )
        return []
    length = len(document["text"]) if isinstance(document.get("text"), str) else None
    found = []
    for one in listed:
        span = _span(one)
        if (
            span is None
            or not 0 <= span.start < span.end
            or (length is not None and span.end > length)
        ):
            where = "" if length is None else f", with 0 <= start < end <= {length}"
            faults.add(
                place,
                f"{str(one)[:80]} is no span; one is {{start, end, label}} or [start, end, label]{where}",
            )
        else:
            found.append(span)
    return found


def _span(one: Any) -> Span | None:
    if isinstance(one, dict):
        label = next((one[key] for key in LABELS if key in one), None)
        one = [one.get("start"), one.get("end"), label]
    if not isinstance(one, list) or len(one) != 3:
        return None
    start, end, label = one
    fits = (
        type(start) is int
        and type(end) is int
        and isinstance(label, str | int)
        and label not in {"", NOTHING}
    )
    return Span(start, end, str(label)) if fits else None
