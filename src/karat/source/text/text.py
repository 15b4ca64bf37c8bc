"""Texts that were recognised: characters, words, or words without their order; with truth and without it."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain

from karat.errors import OptionError
from karat.source.counted_rows import COUNT, PAGE, PLACE, Page, Row, counted_rows
from karat.source.faults import Faults
from karat.source.origin import Source
from karat.source.text.alignment import against
from karat.source.text.multiple_alignment import multiple_alignment
from karat.source.text.normalise import normaliser
from karat.source.text.pages import Texts, book
from karat.source.vote_rows import as_votes
from karat.words import NOTHING

SIGN, OTHER = "read", "other"
"""What stands for every sign, and for every wrong one, where signs are no classes."""
TOGETHER = "the signs of a page hang together; with --cluster page intervals go over pages"
Split = Callable[[str], Sequence[str]]


def text(
    paths: Sequence[str],
    *,
    normalise: str = "nfc,space",
    page: str = "file",
    rows: str = "",
    classes: str = "yes",
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Characters of recognised texts, aligned to the truth, or to each other where there is none (-).

    `normalise` is what makes no difference: nfc, nfd, nfkc, nfkd, case, punctuation, space, none; `page` is file, or
    line where every line is a text; `rows` is labels (what was read at each place) or votes (each reading of a place is
    a row, yes or no of each system), if nothing is said labels with truth and votes without; `classes=no` counts signs
    without telling them apart.
    """
    options = (normalise, page, rows, classes)
    return _source("text", paths, _characters, options, truth, systems, asked, lenient=lenient)


def words(
    paths: Sequence[str],
    *,
    normalise: str = "nfc,space",
    page: str = "file",
    rows: str = "",
    classes: str = "yes",
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Words of recognised texts, aligned to the truth, or to each other where there is none (-).

    Options as for `text`.
    """
    options = (normalise, page, rows, classes)
    return _source("words", paths, _words, options, truth, systems, asked, lenient=lenient)


def bag(
    paths: Sequence[str],
    *,
    normalise: str = "nfc,space",
    page: str = "file",
    rows: str = "",
    classes: str = "yes",
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    asked: frozenset[str] = frozenset(),
    lenient: bool = False,
) -> Source:
    """Words of recognised texts without their order: the second 'the' of a page counts as such.

    Options as for `text`.
    """
    options = (normalise, page, rows, classes)
    return _source("bag", paths, _words, options, truth, systems, asked, lenient=lenient)


def _source(
    name: str,
    paths: Sequence[str],
    split: Split,
    options: tuple[str, str, str, str],
    truth: str | None,
    systems: Sequence[str] | None,
    asked: frozenset[str],
    *,
    lenient: bool,
) -> Source:
    normalise, page, rows, classes = options
    if rows not in {"", "labels", "votes"} or classes not in {"yes", "no"}:
        raise OptionError("--using rows takes labels or votes, --using classes yes or no")
    tidy, written = normaliser(normalise)
    faults = Faults(lenient=lenient)
    read = book(paths, faults, page=page, truth=truth, systems=systems, taken=(PAGE, PLACE, COUNT))
    form = rows or ("labels" if read.truth else "votes")
    if classes == "no" and not (read.truth and form == "labels"):
        raise OptionError(
            "--using classes=no is for labels with a truth: without one, who agrees must be known"
        )
    pages = (
        _page(one, tidy, split, bag=name == "bag", votes=form == "votes") for one in read.pages
    )
    if classes == "no":
        pages = (Page(one.name, map(_classless, one.rows), one.places) for one in pages)
    columns = [*([read.truth] if read.truth else []), *read.systems]
    found = counted_rows(pages, columns, origin=read.origin, asked=asked)
    roles = {
        "systems": read.systems,
        "kinds": {"": "label" if form == "labels" else "yesno"},
        **found.roles,
    }
    said = [f"normalise={written}", *(["page=line"] if page == "line" else []), f"rows={form}"]
    roles["source"] = f"{name}({', '.join([*said, *(['classes=no'] if classes == 'no' else [])])})"
    if read.truth:
        roles["truth"] = read.truth
    if form == "labels":
        roles["nothing"] = NOTHING
    return replace(
        found,
        roles=roles,
        notes=(*faults.notes(), *([TOGETHER] if read.truth and PAGE not in asked else [])),
    )


def _characters(text: str) -> Sequence[str]:
    return text if NOTHING not in text else [_own(sign) for sign in text]


def _words(text: str) -> Sequence[str]:
    return text.split() if NOTHING not in text else [_own(word) for word in text.split()]


def _own(sign: str) -> str:
    """Return a sign that is not taken for nothing."""
    return f"'{NOTHING}'" if sign == NOTHING else sign


def _page(
    texts: Texts, tidy: Callable[[str], str], split: Split, *, bag: bool, votes: bool
) -> Page:
    truth = None if texts.truth is None else split(tidy(texts.truth))
    answers = [None if answer is None else split(tidy(answer)) for answer in texts.answers]
    places: Iterable[str]
    if bag:
        rows, places = _counted_words(truth, answers)
    elif truth is not None:
        rows, extra, after = against(truth, answers)
        places = chain(map(str, range(1, len(rows) + 1)), after)
        rows += extra
    else:
        rows, places = _mutual(answers)
    if votes:
        rows, places = as_votes(rows, places)
    return Page(texts.name, rows, places)


def _mutual(answers: Sequence[Sequence[str] | None]) -> tuple[list[Row], list[str]]:
    """Return texts aligned to each other; a page that a system has not is a missing answer all along."""
    there = [answer for answer in answers if answer is not None]
    found = [iter(row) for row in multiple_alignment(there)]
    rows = [tuple(None if answer is None else next(row) for answer in answers) for row in found]
    return rows, [str(place) for place in range(1, len(rows) + 1)]


def _counted_words(
    truth: Sequence[str] | None, answers: Sequence[Sequence[str] | None]
) -> tuple[list[Row], list[str]]:
    """Return a row per word and copy of it: who has at least so many copies."""
    texts = [*([truth] if truth is not None else []), *answers]
    bags = [None if one is None else Counter(one) for one in texts]
    own = Counter(truth)
    rows: list[Row] = []
    places: list[str] = []
    for word in dict.fromkeys(chain.from_iterable(one for one in texts if one is not None)):
        for copy in range(1, max(one[word] for one in bags if one is not None) + 1):
            absent = NOTHING if truth is not None and own[word] < copy else None
            rows.append(
                tuple(
                    absent if one is None else word if one[word] >= copy else NOTHING
                    for one in bags
                )
            )
            places.append(f"{word}/{copy}")
    return rows, places


def _classless(row: Row) -> Row:
    """Return a row that says only who read rightly, wrongly, or nothing."""
    truth, *answers = row
    said = [one if one in {None, NOTHING} else SIGN if one == truth else OTHER for one in answers]
    return (NOTHING if truth == NOTHING else SIGN, *said)
