"""Entities in CoNLL columns: a token a line with its tag, an empty line between sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from karat.errors import ChoiceError, InputError, OptionError
from karat.source.counted_rows import COUNT, PLACE, Page, Row, counted_rows
from karat.source.entities.conll_lines import Sentence, TagColumn, sentences
from karat.source.entities.entities import (
    against_truth,
    check_match,
    spans_voted_on,
    without_types,
)
from karat.source.entities.fitting import Fit
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
from karat.source.paths import is_a_file
from karat.source.truth_and_systems import TRUTH, Parts, stem, truth_and_systems
from karat.words import NOTHING

SENTENCE = "sentence"
DOCUMENT = "document"


def conll(
    paths: Sequence[str],
    *,
    match: str = "exact",
    column: str = "-1",
    case: str = "yes",
    types: str = "yes",
    rows: str = ENTITIES,
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Entities in CoNLL columns (BIO, BIOES, BILOU): a row per entity that is true or that a system gave.

    `match` is exact, partial (overlap is enough, the best pairs first) or fuzzy (overlap is enough, as CLEF-HIPE and
    SemEval-2013 match); `column` the place of the tag, from 0 on, -1 the last, or its name in a line of names; with
    `case=no` PER and per are one type, with `types=no` all types are; `rows` is entities, or documents for measures
    such as partial-f1. Files are matched by their tokens. A single file has the truth in the column before the answers.
    """
    if types not in {"yes", "no"}:
        raise ChoiceError("--using types", types, ("yes", "no"))
    parts = _parts(paths)
    is_single = len(paths) == 1
    check_match(match, has_truth=parts.truth is not None)
    check_rows(rows, has_truth=parts.truth is not None)
    faults = Faults(lenient=lenient)
    notes = [_note_on_single_file(column)] if is_single else []
    found = _sentences_of_files(parts, _column(column, case), faults, notes, is_single=is_single)
    described = _described(column, case)
    if types == "no":
        described += ", types=no"
    elif parts.truth:
        found = _with_notes_on_types(found, parts, notes)
    if rows == DOCUMENTS:
        documents = _documents(found, types=types == "yes")
        source = whole_documents(documents, parts, item=DOCUMENT)
        own_roles = {**source.roles, "source": f"conll(rows=documents, {described})"}
        return replace(source, roles=own_roles, notes=(*faults.notes(), *notes))
    pages = (_entities(one, match=match, types=types == "yes") for one in found)
    roles: dict[str, Any] = {"source": f"conll(match={match}, {described})"}
    if parts.truth:
        roles |= {"kinds": {"": "label"}, "nothing": NOTHING}
    else:
        roles["kinds"] = {"": "yesno"}
    return _source(parts, pages, asked, faults, roles, notes)


def tokens(
    paths: Sequence[str],
    *,
    column: str = "-1",
    case: str = "yes",
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Tags in CoNLL columns, token by token, as they are written.

    `column` is the place of the tag, from 0 on, -1 the last, or its name; with `case=no` PER and per are one type.
    """
    parts = _parts(paths)
    is_single = len(paths) == 1
    faults = Faults(lenient=lenient)
    notes = [_note_on_single_file(column)] if is_single else []
    found = _sentences_of_files(parts, _column(column, case), faults, notes, is_single=is_single)
    if parts.truth:
        found = _with_notes_on_types(found, parts, notes)
    roles = {"kinds": {"": "label"}, "source": f"tokens({_described(column, case)})"}
    return _source(parts, map(_tokens, found), asked, faults, roles, notes)


def _column(column: str, case: str) -> TagColumn:
    if case not in {"yes", "no"}:
        raise OptionError(f"--using case is {case!r}; it takes yes or no")
    return TagColumn(column, ignores_case=case == "no")


def _described(column: str, case: str) -> str:
    return f"column={column}" if case == "yes" else f"column={column}, case=no"


def _note_on_single_file(column: str) -> str:
    which = "the last column" if column == "-1" else f"column {column}"
    return f"one file: {which} is the system's, the one before it the truth"


def _parts(paths: Sequence[str]) -> Parts:
    taken = (SENTENCE, PLACE, COUNT)
    if len(paths) > 1:
        return truth_and_systems(paths, taken=taken)
    path = Path(paths[0])
    name = stem(path)
    if not is_a_file(path):
        raise InputError(
            f"there is no file {path}; name TRUTH SYSTEM..., or one file with both in its last columns"
        )
    if name in {TRUTH, *taken}:
        name = f"{name}."
    return Parts(path, {name: path})


def _source(
    parts: Parts,
    pages: Iterator[Page],
    asked: frozenset[str],
    faults: Faults,
    roles: Mapping[str, Any],
    notes: Sequence[str],
) -> Source:
    columns = [TRUTH, *parts.systems] if parts.truth else list(parts.systems)
    source = counted_rows(pages, columns, origin=parts.origin, asked=asked, page=SENTENCE)
    all_roles = {**parts.roles(), **source.roles, **roles}
    return replace(source, roles=all_roles, notes=(*faults.notes(), *notes))


@dataclass(frozen=True, slots=True)
class SentenceOfFiles:
    """A sentence in the truth, if there is one, and in every system's file; None where that does not fit."""

    name: str
    truth: Sentence | None
    answers: list[Sentence | None]


def _with_notes_on_types(
    found: Iterator[SentenceOfFiles], parts: Parts, notes: list[str]
) -> Iterator[SentenceOfFiles]:
    """Yield the sentences; after the last one, note which systems call the types otherwise than the truth."""
    names = [str(path) for path in parts.paths]
    if len(set(names)) == 1:
        names = ["the truth's column", "the system's column"]
    seen = TypesOfFiles(names)
    for sentence in found:
        files = [sentence.truth, *sentence.answers]
        seen.add(set() if one is None else {label for _, label in one.tags} for one in files)
        yield sentence
    notes += seen.notes(remedy="--using case=no takes them for the same")


def _entities(sentence: SentenceOfFiles, *, match: str, types: bool) -> Page:
    answers = [
        None if answer is None else _spans(answer, types=types) for answer in sentence.answers
    ]
    if sentence.truth is None:
        rows, places = spans_voted_on(answers)
    else:
        rows, places = against_truth(_spans(sentence.truth, types=types), answers, match=match)
    return Page(sentence.name, rows, places)


def _documents(found: Iterator[SentenceOfFiles], *, types: bool) -> Iterator[SpansOfDocument]:
    """Yield the spans of each document, which -DOCSTART- begins; without such lines every sentence is one."""

    def document_of(sentence: SentenceOfFiles) -> str:
        known = sentence.truth.document if sentence.truth else None
        return sentence.name if known is None else str(known)

    for name, sentences_of_document in groupby(found, key=document_of):
        truth: list[Span] = []
        answers: list[list[Span]] | None = None
        start = 0
        for sentence in sentences_of_document:
            if sentence.truth is None:
                continue
            if answers is None:
                answers = [[] for _ in sentence.answers]
            truth += _moved(_spans(sentence.truth, types=types), start)
            for own, answer in zip(answers, sentence.answers, strict=True):
                # A sentence that does not fit has no entities there, as one that is lost.
                if answer is not None:
                    own.extend(_moved(_spans(answer, types=types), start))
            start += len(sentence.truth.tokens)
        yield SpansOfDocument(name, truth, answers or [])


def _moved(spans: Sequence[Span], by: int) -> list[Span]:
    return [Span(span.start + by, span.end + by, span.label) for span in spans]


def _spans(sentence: Sentence, *, types: bool) -> list[Span]:
    spans = sentence.spans()
    return spans if types else without_types(spans)


def _tokens(sentence: SentenceOfFiles) -> Page:
    all_files = sentence.answers
    if sentence.truth is not None:
        all_files = [sentence.truth, *all_files]
    length = max(len(one.written) for one in all_files if one is not None)
    columns = [[None] * length if one is None else one.written for one in all_files]
    rows: list[Row] = list(zip(*columns, strict=True))
    return Page(sentence.name, rows)


def _sentences_of_files(
    parts: Parts, column: TagColumn, faults: Faults, notes: list[str], *, is_single: bool
) -> Iterator[SentenceOfFiles]:
    """Yield each sentence of the first file as all files have it, by their tokens; what does not fit is a fault."""
    first, *others = parts.paths
    own_column = replace(column, before=1) if is_single else column

    def rest(number: int) -> list[Sentence]:
        quiet = Faults(lenient=True)  # what is wrong there is reported where the file is read first
        return list(islice(sentences(first, own_column, quiet), number - 1, None))

    def fit(path: Path) -> Fit:
        return Fit(sentences(path, column, faults), path, first, rest, faults)

    fits = [fit(path) for path in others]
    for number, reference in enumerate(sentences(first, own_column, faults), 1):
        answers = [one.next(reference, number) for one in fits]
        if parts.truth:
            yield SentenceOfFiles(str(number), reference, answers)
        else:
            yield SentenceOfFiles(str(number), None, [reference, *answers])
    for one in fits:
        one.finish()
        notes += one.notes
