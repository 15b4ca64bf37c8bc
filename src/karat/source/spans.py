"""Entities in JSON lines: a document a line, with its spans by their characters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from karat.errors import OptionError
from karat.source.counted import COUNT, PLACE, Page, counted_rows
from karat.source.entities import against_truth, first_overlap, spans_voted_on
from karat.source.faults import Faults
from karat.source.lines import objects
from karat.source.origin import Source
from karat.source.systems import check_same, parted, some
from karat.source.tags import Span
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
    faults, parts = Faults(lenient=lenient), parted(paths, taken=(DOCUMENT, PLACE, COUNT))
    if match == "partial" and not parts.truth:
        raise OptionError("--using match=partial needs a truth; without one, spans are the same or they are not")
    files = {
        path: _documents(path, faults, overlap == "yes") for path in (parts.truth, *parts.systems.values()) if path
    }
    systems = [files[path] for path in parts.systems.values()]
    truth = files[parts.truth] if parts.truth else None
    names = list(truth) if truth is not None else list(dict.fromkeys(name for found in systems for name in found))
    for path, found in zip(parts.systems.values(), systems, strict=True):
        _check(path, names, list(found), faults)
    pages = _pages(names, truth, systems, partial=match == "partial")
    columns = [*(["truth"] if parts.truth else []), *parts.systems]
    source = counted_rows(pages, columns, origin=parts.origin, asked=asked, page=DOCUMENT)
    kinds = {"": "label" if parts.truth else "yesno"}
    roles = {**parts.roles(), **source.roles, "kinds": kinds, "source": f"spans(match={match})"}
    roles |= {"nothing": NOTHING} if parts.truth else {}
    return replace(source, roles=roles, notes=faults.notes())


Documents = dict[str, list[Span]]


def _pages(
    names: Sequence[str], truth: Documents | None, systems: Sequence[Documents], *, partial: bool
) -> Iterator[Page]:
    for name in names:
        found = [document.get(name) for document in systems]
        if truth is None:
            yield Page(name, *spans_voted_on(found))
        else:
            yield Page(name, *against_truth(truth[name], found, partial=partial))


def _check(path: Path, names: Sequence[str], found: Sequence[str], faults: Faults) -> None:
    lacks, beside = check_same(names, found)
    if lacks:
        faults.add(str(path), f"{counted(len(lacks), 'document')} missing, {some(lacks)}")
    if beside:
        faults.add(str(path), f"{counted(len(beside), 'document')} not in the truth, {some(beside)}")


def _documents(path: Path, faults: Faults, overlap: bool) -> Documents:
    found: Documents = {}
    for number, document in objects(path, faults):
        place = f"{path}, line {number}"
        name = str(next((document[key] for key in NAMES if key in document), number))
        if name in found:
            faults.add(place, f"the document {name!r} is there twice")
            continue
        found[name] = _spans(document, place, faults)
        if not overlap and (pair := first_overlap(found[name])):
            what = f"the spans {list(pair[0])} and {list(pair[1])} overlap"
            faults.add(place, what, remedy="mend it, or allow it with --using overlap=yes")
    return found


def _spans(document: Mapping[str, Any], place: str, faults: Faults) -> list[Span]:
    listed = next((document[key] for key in LISTS if key in document), None)
    if not isinstance(listed, list):
        faults.add(place, f"no list of spans; it has {listing(document, most=5)}, and needs 'spans'")
        return []
    length = len(document["text"]) if isinstance(document.get("text"), str) else None
    found = []
    for one in listed:
        span = _span(one)
        if span is None or not 0 <= span.start < span.end or (length is not None and span.end > length):
            where = "" if length is None else f", with 0 <= start < end <= {length}"
            faults.add(place, f"{str(one)[:80]} is no span; one is {{start, end, label}} or [start, end, label]{where}")
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
    fits = type(start) is int and type(end) is int and isinstance(label, str | int) and label not in {"", NOTHING}
    return Span(start, end, str(label)) if fits else None
