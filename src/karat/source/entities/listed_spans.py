"""The spans of documents in JSON lines, as objects or as [start, end, label]."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from karat.source.entities.tags import Span
from karat.source.faults import Faults
from karat.source.lines import objects
from karat.words import NOTHING, listing

NAMES = ("id", "doc_id", "document", "item", "doc")
LISTS = ("spans", "entities", "labels", "label")
LABELS = ("label", "type", "tag", "entity_group")


@dataclass(frozen=True, slots=True)
class DocumentSpans:
    """A document of one file, with its place and its spans."""

    name: str
    place: str
    spans: list[Span]


def listed_spans(path: Path, faults: Faults) -> Iterator[DocumentSpans]:
    """Yield the documents of a file, one a line."""
    for number, document in objects(path, faults):
        place = f"{path}, line {number}"
        name = next((document[key] for key in NAMES if key in document), number)
        yield DocumentSpans(str(name), place, _spans(document, place, faults))


def _spans(document: Mapping[str, Any], place: str, faults: Faults) -> list[Span]:
    listed = next((document[key] for key in LISTS if key in document), None)
    if not isinstance(listed, list):
        faults.add(
            place, f"no list of spans; it has {listing(document, most=5)}, and needs 'spans'"
        )
        return []
    text = document.get("text")
    length = len(text) if isinstance(text, str) else None
    sound: list[Span] = []
    for one in listed:
        span = _span(one)
        if span is not None and _is_inside(span, length):
            sound.append(span)
            continue
        limits = "" if length is None else f", with 0 <= start < end <= {length}"
        what = f"{str(one)[:80]} is not a span; a span is {{start, end, label}} or [start, end, label]{limits}"
        faults.add(place, what)
    return sound


def _is_inside(span: Span, length: int | None) -> bool:
    """Return whether a span holds characters of its text, as far as the text is known."""
    if not 0 <= span.start < span.end:
        return False
    return length is None or span.end <= length


def _span(one: Any) -> Span | None:
    """Return a span written as [start, end, label] or as an object with these names; None if it is not one."""
    if isinstance(one, dict):
        start = one.get("start", one.get("start_offset"))
        end = one.get("end", one.get("end_offset"))
        label = next((one[key] for key in LABELS if key in one), None)
    elif isinstance(one, list) and len(one) == 3:
        start, end, label = one
    else:
        return None
    if type(start) is not int or type(end) is not int:
        return None
    if not isinstance(label, str | int) or label in {"", NOTHING}:
        return None
    return Span(start, end, str(label))
