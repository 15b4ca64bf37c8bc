"""Entities in CoNLL columns: a token a line with its tag, an empty line between sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path

from karat.errors import InputError, OptionError
from karat.source.counted_rows import COUNT, PLACE, Page, Row, counted_rows
from karat.source.entities.entities import against_truth, spans_voted_on
from karat.source.entities.tags import Span, spans, split
from karat.source.faults import Faults
from karat.source.lines import lines
from karat.source.origin import Source
from karat.source.truth_and_systems import Parts, parted, stem
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
    """Entities in CoNLL columns (BIO, BIOES, BILOU): a row per entity that is true or that somebody found.

    `match` is exact or partial (overlap is enough); `column` the place of the tag, -1 the last. A single file has the
    truth in the column before the system's.
    """
    if match not in {"exact", "partial"}:
        raise OptionError(f"--using match is {match!r}; it takes exact or partial")
    faults, parts, alone = Faults(lenient=lenient), _parts(paths), len(paths) == 1
    if match == "partial" and not parts.truth:
        raise OptionError(
            "--using match=partial needs a truth; without one, spans are the same or they are not"
        )
    pages = (
        _entities(*page, partial=match == "partial")
        for page in _pages(parts, column, faults, alone=alone)
    )
    kind = "label" if parts.truth else "yesno"
    found = _source(
        parts, pages, asked, faults, kind=kind, how=f"conll(match={match}, column={column})"
    )
    notes = (*([_alone(column)] if alone else []), *found.notes)
    return replace(
        found, roles={**found.roles, **({"nothing": NOTHING} if parts.truth else {})}, notes=notes
    )


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
    faults, parts, alone = Faults(lenient=lenient), _parts(paths), len(paths) == 1
    pages = (_tokens(*page) for page in _pages(parts, column, faults, alone=alone))
    found = _source(parts, pages, asked, faults, kind="label", how=f"tokens(column={column})")
    return replace(found, notes=(*([_alone(column)] if alone else []), *found.notes))


def _alone(column: str) -> str:
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
    return Parts(path, {f"{name}." if name in {"truth", *taken} else name: path})


def _source(
    parts: Parts,
    pages: Iterator[Page],
    asked: frozenset[str],
    faults: Faults,
    *,
    kind: str,
    how: str,
) -> Source:
    columns = [*(["truth"] if parts.truth else []), *parts.systems]
    found = counted_rows(pages, columns, origin=parts.origin, asked=asked, page=SENTENCE)
    roles = {**parts.roles(), **found.roles, "kinds": {"": kind}, "source": how}
    return replace(found, roles=roles, notes=faults.notes())


Answers = tuple[str, Sentence | None, list[Sentence | None]]


def _entities(
    name: str, truth: Sentence | None, answers: list[Sentence | None], *, partial: bool
) -> Page:
    found = [None if answer is None else answer.spans() for answer in answers]
    if truth is None:
        return Page(name, *spans_voted_on(found))
    return Page(name, *against_truth(truth.spans(), found, partial=partial))


def _tokens(name: str, truth: Sentence | None, answers: list[Sentence | None]) -> Page:
    length = max(len(one.written) for one in (truth, *answers) if one)
    columns = [[None] * length if one is None else one.written for one in answers]
    rows: list[Row] = list(zip(*([truth.written] if truth else []), *columns, strict=True))
    return Page(name, rows)


def _pages(parts: Parts, column: str, faults: Faults, *, alone: bool) -> Iterator[Answers]:
    """Yield each sentence as the truth has it and as every system has it, None where a system's does not fit."""
    try:
        place = int(column)
    except ValueError:
        raise OptionError(
            f"--using column is {column!r}; it is a number, -1 for the last column"
        ) from None
    paths = parts.paths
    columns = [place - 1, place] if alone else [place] * len(paths)
    files = [_sentences(path, own, faults) for path, own in zip(paths, columns, strict=True)]
    for number, row in enumerate(zip_longest(*files), 1):
        first = next(place for place, one in enumerate(row) if one is not None)
        if parts.truth and row[0] is None:
            faults.add(
                f"{paths[first]}, line {row[first].line}",
                f"sentence {number:,} is not in the truth, {paths[0]}",
            )
            continue
        fitting = [
            _fitting(row[first], one, number, paths[first], path, faults)
            for one, path in zip(row, paths, strict=True)
        ]
        yield (
            (str(number), fitting[0], fitting[1:]) if parts.truth else (str(number), None, fitting)
        )


def _fitting(
    model: Sentence, found: Sentence | None, number: int, whose: Path, path: Path, faults: Faults
) -> Sentence | None:
    if found is None:
        faults.add(
            str(path),
            f"it ends before sentence {number:,}, which begins on line {model.line} of {whose}",
        )
        return None
    if len(found.tokens) != len(model.tokens):
        what = f"sentence {number:,} has {len(found.tokens)} tokens, in {whose}, line {model.line}, {len(model.tokens)}"
        faults.add(f"{path}, line {found.line}", what)
        return None
    if found.tokens != model.tokens:
        place = next(
            place for place, token in enumerate(model.tokens) if token != found.tokens[place]
        )
        what = f"the token is {found.tokens[place]!r}, in {whose}, line {model.line + place}, {model.tokens[place]!r}"
        faults.add(f"{path}, line {found.line + place}", what)
    return found


def _sentences(path: Path, column: int, faults: Faults) -> Iterator[Sentence]:
    """Yield the sentences of a file."""
    sentence: Sentence | None = None
    for number, line in lines(path, faults):
        cells = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or cells[0] == DOCUMENT_START:
            if sentence:
                yield sentence
            sentence = None
        elif not (line.startswith("# ") and (" = " in line or len(cells) == 1)):
            sentence = sentence or Sentence(number)
            _add(sentence, cells, column, f"{path}, line {number}", faults)
    if sentence:
        yield sentence


def _add(sentence: Sentence, cells: Sequence[str], column: int, place: str, faults: Faults) -> None:
    """Add a token; one whose tag cannot be read is outside of every entity."""
    there = -len(cells) <= column < len(cells)
    written = cells[column].strip() if there else ""
    tag = split(written) if len(cells) > 1 else None
    if tag is None:
        what = (
            f"{written!r} is no tag"
            if there
            else f"{len(cells)} columns, and column {column} is not among them"
        )
        what = what if len(cells) > 1 else f"a token alone, {cells[0]!r}, without a tag"
        faults.add(place, f"{what}; a tag is O or like B-PER, I-PER, E-PER, S-PER")
    sentence.tokens.append(cells[0])
    sentence.tags.append(tag or ("O", ""))
    sentence.written.append(written if tag else "O")
