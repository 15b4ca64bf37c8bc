"""Entities by their characters: JSON lines with the spans of a document a line, or brat's files, one a document."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from pathlib import Path

from karat.errors import ChoiceError
from karat.source.counted_rows import COUNT, PLACE, Page, counted_rows
from karat.source.entities.brat import annotated_spans, annotation_files, holds_brat
from karat.source.entities.entities import (
    against_truth,
    check_match,
    first_overlap,
    spans_voted_on,
    without_types,
)
from karat.source.entities.listed_spans import DocumentSpans, listed_spans
from karat.source.entities.tags import Span
from karat.source.entities.type_names import TypesOfFiles
from karat.source.entities.whole_documents import (
    DOCUMENTS,
    ENTITIES,
    SpansOfDocument,
    check_rows,
    whole_documents,
)
from karat.source.faults import Faults
from karat.source.origin import Source
from karat.source.spill import RepeatCounter
from karat.source.truth_and_systems import TRUTH, Parts, check_same, some, truth_and_systems
from karat.words import NOTHING, counted

DOCUMENT = "document"


def spans(
    paths: Sequence[str],
    *,
    match: str = "exact",
    overlap: str = "no",
    types: str = "yes",
    rows: str = ENTITIES,
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Spans in JSON lines, {"id": ..., "spans": [{"start": 0, "end": 5, "label": "PER"}, ...]} a document, or in brat's
    files (.ann), a folder for the truth and for each system.

    `match` is exact, partial (overlap is enough, the best pairs first) or fuzzy (overlap is enough, as CLEF-HIPE and
    SemEval-2013 match); `overlap=yes` allows spans of a file that share characters; with `types=no` all types are one;
    `rows` is entities, or documents for measures such as partial-f1.
    """
    for option, value in {"overlap": overlap, "types": types}.items():
        if value not in {"yes", "no"}:
            raise ChoiceError(f"--using {option}", value, ("yes", "no"))
    parts = truth_and_systems(paths, taken=(DOCUMENT, PLACE, COUNT))
    has_truth = parts.truth is not None
    check_match(match, has_truth=has_truth)
    check_rows(rows, has_truth=has_truth)
    columns = [TRUTH, *parts.systems] if has_truth else list(parts.systems)
    seen = TypesOfFiles([str(path) for path in parts.paths])

    def counted_by(read: Reader, faults: Faults) -> Source:
        documents = read(parts, faults, overlap == "yes")
        if types == "no":
            documents = map(_of_one_type, documents)
        documents = _with_types_seen(documents, seen)
        if rows == DOCUMENTS:
            return whole_documents(map(_whole, documents), parts, item=DOCUMENT)
        pages = (_page(one, has_truth=has_truth, match=match) for one in documents)
        return counted_rows(pages, columns, origin=parts.origin, asked=asked, page=DOCUMENT)

    faults = Faults(lenient=lenient)
    try:
        source = counted_by(_in_step, faults)
    except UnlikeDocumentsError:
        faults = Faults(lenient=lenient)
        source = counted_by(_after_all_are_read, faults)
    kinds = ", types=no" if types == "no" else ""
    described = f"spans(match={match}{kinds})"
    if rows == DOCUMENTS:
        described = f"spans(rows={rows}{kinds})"
    roles = {**parts.roles(), **source.roles, "source": described}
    if not has_truth:
        roles["kinds"] = {"": "yesno"}
    elif rows == ENTITIES:
        roles |= {"kinds": {"": "label"}, "nothing": NOTHING}
    notes = seen.notes(remedy="spell them the same") if has_truth else []
    return replace(source, roles=roles, notes=(*faults.notes(), *notes))


Documents = dict[str, list[Span]]
"""The spans of a file by document."""


@dataclass(frozen=True, slots=True)
class SpansOfFiles:
    """A document, and its spans in each file, the truth first; None where a file has no such document."""

    name: str
    spans: list[list[Span] | None]


Reader = Callable[[Parts, Faults, bool], Iterator[SpansOfFiles]]


class UnlikeDocumentsError(Exception):
    """The files do not have the same documents, once each; only reading all of them shows which are at fault."""


@dataclass(frozen=True, slots=True)
class _WaitingDocuments:
    """Documents of one file that other files have not reached yet, and the names of all that it has."""

    waiting: Documents = field(default_factory=dict)
    names: RepeatCounter = field(default_factory=RepeatCounter)


def _with_types_seen(
    documents: Iterator[SpansOfFiles], seen: TypesOfFiles
) -> Iterator[SpansOfFiles]:
    for document in documents:
        seen.add({span.label for span in one or ()} for one in document.spans)
        yield document


def _of_one_type(document: SpansOfFiles) -> SpansOfFiles:
    spans_of_files = [None if one is None else without_types(one) for one in document.spans]
    return SpansOfFiles(document.name, spans_of_files)


def _whole(document: SpansOfFiles) -> SpansOfDocument:
    truth, *answers = document.spans
    return SpansOfDocument(document.name, truth or [], answers)


def _page(document: SpansOfFiles, *, has_truth: bool, match: str) -> Page:
    if not has_truth:
        rows, places = spans_voted_on(document.spans)
    else:
        truth, *answers = document.spans
        rows, places = against_truth(truth or [], answers, match=match)
    return Page(document.name, rows, places)


def _in_step(parts: Parts, faults: Faults, overlap: bool) -> Iterator[SpansOfFiles]:
    """Yield documents as soon as every file has been read up to them; the others wait."""
    files = [_WaitingDocuments() for _ in parts.paths]
    readers = [_documents(path, faults, overlap) for path in parts.paths]
    for row in zip_longest(*readers):
        new: dict[str, None] = {}
        for document, file in zip(row, files, strict=True):
            if document is not None:
                file.waiting[document.name] = document.spans
                file.names.add(document.name)
                new[document.name] = None
        for name in new:
            if all(name in file.waiting for file in files):
                yield SpansOfFiles(name, [file.waiting.pop(name) for file in files])
    if any(file.waiting or file.names.number() for file in files):
        raise UnlikeDocumentsError


def _after_all_are_read(parts: Parts, faults: Faults, overlap: bool) -> Iterator[SpansOfFiles]:
    """Yield documents once every file is read; a document that is not in all of them is a fault."""
    files = [_by_name(path, faults, overlap) for path in parts.paths]
    that_count = files[:1] if parts.truth else files
    names = list(dict.fromkeys(chain.from_iterable(that_count)))
    for path, documents in zip(parts.paths, files, strict=True):
        _check(path, names, list(documents), faults)
    for name in names:
        yield SpansOfFiles(name, [documents.get(name) for documents in files])


def _check(path: Path, names: Sequence[str], own: Sequence[str], faults: Faults) -> None:
    missing, extra = check_same(names, own)
    if missing:
        faults.add(str(path), f"{counted(len(missing), 'document')} missing, {some(missing)}")
    if extra:
        faults.add(str(path), f"{counted(len(extra), 'document')} not in the truth, {some(extra)}")


def _by_name(path: Path, faults: Faults, overlap: bool) -> Documents:
    documents: Documents = {}
    for document in _documents(path, faults, overlap):
        if document.name in documents:
            faults.add(document.place, f"the document {document.name!r} is there twice")
        else:
            documents[document.name] = document.spans
    return documents


def _documents(path: Path, faults: Faults, overlap: bool) -> Iterator[DocumentSpans]:
    read = _annotated if holds_brat(path) else listed_spans
    for document in read(path, faults):
        pair = None if overlap else first_overlap(document.spans)
        if pair:
            what = f"the spans {list(pair[0])} and {list(pair[1])} overlap"
            remedy = "fix it, or allow it with --using overlap=yes"
            faults.add(document.place, what, remedy=remedy)
        yield document


def _annotated(path: Path, faults: Faults) -> Iterator[DocumentSpans]:
    for name, file in annotation_files(path):
        yield DocumentSpans(name, str(file), annotated_spans(file, faults))
