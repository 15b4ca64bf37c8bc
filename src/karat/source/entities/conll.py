"""Entities in CoNLL columns: a token a line with its tag, an empty line between sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from karat.errors import InputError, OptionError
from karat.source.counted_rows import COUNT, PLACE, Page, Row, counted_rows
from karat.source.entities.entities import against_truth, spans_voted_on
from karat.source.entities.tags import Span, spans, split
from karat.source.faults import Faults
from karat.source.lines import lines
from karat.source.origin import Source
from karat.source.truth_and_systems import TRUTH, Parts, parted, stem
from karat.words import NOTHING

SENTENCE = "sentence"
DOCUMENT_START = "-DOCSTART-"


@dataclass(slots=True)
class Sentence:
    """Tokens and tags, and the line on which they begin."""

    line: int
    tokens: list[str] = field(default_factory=list)
    tags: list[tuple[str, str]] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    def spans(self) -> list[Span]:
        """Return the entities."""
        return spans(self.tags)


def conll(
    paths: Sequence[str],
    *,
    match: str = "exact",
    column: str = "-1",
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Entities in CoNLL columns (BIO, BIOES, BILOU): a row per entity that is true or that a system gave.

    `match` is exact or partial (overlap is enough); `column` the place of the tag, -1 the last. A single file has the
    truth in the column before the system's.
    """
    if match not in {"exact", "partial"}:
        raise OptionError(f"--using match is {match!r}; it takes exact or partial")
    parts = _parts(paths)
    is_single = len(paths) == 1
    if match == "partial" and not parts.truth:
        raise OptionError(
            "--using match=partial needs a truth; without one, spans are the same or they are not"
        )
    faults = Faults(lenient=lenient)
    sentences = _sentences_of_files(parts, column, faults, is_single=is_single)
    pages = (_entities(one, partial=match == "partial") for one in sentences)
    roles: dict[str, Any] = {"source": f"conll(match={match}, column={column})"}
    if parts.truth:
        roles |= {"kinds": {"": "label"}, "nothing": NOTHING}
    else:
        roles["kinds"] = {"": "yesno"}
    notes = [_note_on_single_file(column)] if is_single else []
    return _source(parts, pages, asked, faults, roles, notes)


def tokens(
    paths: Sequence[str],
    *,
    column: str = "-1",
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Tags in CoNLL columns, token by token, as they are written.

    `column` is the place of the tag, -1 the last.
    """
    parts = _parts(paths)
    is_single = len(paths) == 1
    faults = Faults(lenient=lenient)
    sentences = _sentences_of_files(parts, column, faults, is_single=is_single)
    roles = {"kinds": {"": "label"}, "source": f"tokens(column={column})"}
    notes = [_note_on_single_file(column)] if is_single else []
    return _source(parts, map(_tokens, sentences), asked, faults, roles, notes)


def _note_on_single_file(column: str) -> str:
    which = "the last column" if column == "-1" else f"column {column}"
    return f"one file: {which} is the system's, the one before it the truth"


def _parts(paths: Sequence[str]) -> Parts:
    taken = (SENTENCE, PLACE, COUNT)
    if len(paths) > 1:
        return parted(paths, taken=taken)
    path = Path(paths[0])
    name = stem(path)
    if not path.is_file():
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
    return replace(source, roles=all_roles, notes=(*notes, *faults.notes()))


@dataclass(frozen=True, slots=True)
class SentenceOfFiles:
    """A sentence in the truth, if there is one, and in every system's file; None where that does not fit."""

    name: str
    truth: Sentence | None
    answers: list[Sentence | None]


def _entities(sentence: SentenceOfFiles, *, partial: bool) -> Page:
    answers = [None if answer is None else answer.spans() for answer in sentence.answers]
    if sentence.truth is None:
        rows, places = spans_voted_on(answers)
    else:
        rows, places = against_truth(sentence.truth.spans(), answers, partial=partial)
    return Page(sentence.name, rows, places)


def _tokens(sentence: SentenceOfFiles) -> Page:
    all_files = sentence.answers
    if sentence.truth is not None:
        all_files = [sentence.truth, *all_files]
    length = max(len(one.written) for one in all_files if one is not None)
    columns = [[None] * length if one is None else one.written for one in all_files]
    rows: list[Row] = list(zip(*columns, strict=True))
    return Page(sentence.name, rows)


def _sentences_of_files(
    parts: Parts, column: str, faults: Faults, *, is_single: bool
) -> Iterator[SentenceOfFiles]:
    """Yield each sentence as all files have it; what does not fit together is a fault."""
    place = _column(column)
    paths = parts.paths
    columns = [place - 1, place] if is_single else [place] * len(paths)
    files = [_sentences(path, own, faults) for path, own in zip(paths, columns, strict=True)]
    for number, row in enumerate(zip_longest(*files), 1):
        first = next(file for file, sentence in enumerate(row) if sentence is not None)
        model = ReferenceSentence(row[first], paths[first], number)
        if parts.truth and row[0] is None:
            what = f"sentence {number:,} is not in the truth, {paths[0]}"
            faults.add(f"{model.path}, line {model.sentence.line}", what)
            continue
        fitting = []
        for sentence, path in zip(row, paths, strict=True):
            fitting.append(_fitting(model, sentence, path, faults))
        if parts.truth:
            yield SentenceOfFiles(str(number), fitting[0], fitting[1:])
        else:
            yield SentenceOfFiles(str(number), None, fitting)


def _column(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise OptionError(
            f"--using column is {text!r}; it is a number, -1 for the last column"
        ) from None


@dataclass(frozen=True, slots=True)
class ReferenceSentence:
    """The sentence that others must equal: that of the first file which has it."""

    sentence: Sentence
    path: Path
    number: int


def _fitting(
    model: ReferenceSentence, sentence: Sentence | None, path: Path, faults: Faults
) -> Sentence | None:
    """Return a sentence if it has as many tokens as the model; other tokens are a fault too."""
    expected = model.sentence.tokens
    first_line = model.sentence.line
    if sentence is None:
        what = f"it ends before sentence {model.number:,}, which begins on line {first_line} of {model.path}"
        faults.add(str(path), what)
        return None
    tokens = sentence.tokens
    if len(tokens) != len(expected):
        what = f"sentence {model.number:,} has {len(tokens)} tokens, "
        what += f"in {model.path}, line {first_line}, {len(expected)}"
        faults.add(f"{path}, line {sentence.line}", what)
        return None
    for place, (token, other) in enumerate(zip(tokens, expected, strict=True)):
        if token != other:
            what = f"the token is {token!r}, in {model.path}, line {first_line + place}, {other!r}"
            faults.add(f"{path}, line {sentence.line + place}", what)
            break
    return sentence


def _sentences(path: Path, column: int, faults: Faults) -> Iterator[Sentence]:
    """Yield the sentences of a file."""
    sentence: Sentence | None = None
    for number, line in lines(path, faults):
        cells = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or cells[0] == DOCUMENT_START:
            if sentence:
                yield sentence
            sentence = None
        elif not _is_comment(line, cells):
            sentence = sentence or Sentence(number)
            _add(sentence, cells, column, f"{path}, line {number}", faults)
    if sentence:
        yield sentence


def _is_comment(line: str, cells: Sequence[str]) -> bool:
    return line.startswith("# ") and (" = " in line or len(cells) == 1)


def _add(sentence: Sentence, cells: Sequence[str], column: int, place: str, faults: Faults) -> None:
    """Add a token; one whose tag cannot be read is outside of every entity."""
    has_column = -len(cells) <= column < len(cells)
    written = cells[column].strip() if has_column else ""
    tag = split(written) if len(cells) > 1 else None
    if tag is None:
        if len(cells) == 1:
            what = f"a token alone, {cells[0]!r}, without a tag"
        elif has_column:
            what = f"{written!r} is no tag"
        else:
            what = f"{len(cells)} columns, and column {column} is not among them"
        faults.add(place, f"{what}; a tag is O or like B-PER, I-PER, E-PER, S-PER")
        tag = ("O", "")
        written = "O"
    sentence.tokens.append(cells[0])
    sentence.tags.append(tag)
    sentence.written.append(written)
