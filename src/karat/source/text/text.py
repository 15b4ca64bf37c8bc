"""Texts that were recognised: characters, words, or words without their order; with truth and without it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from karat.errors import OptionError
from karat.keywords import takes_options
from karat.source.counted_rows import COUNT, PAGE, PLACE, Page, Row, counted_rows
from karat.source.faults import Faults
from karat.source.origin import Source
from karat.source.text.alignment import against
from karat.source.text.multiple_alignment import multiple_alignment
from karat.source.text.normalise import normaliser
from karat.source.text.pages import book
from karat.source.text.whole_texts import whole_texts
from karat.source.vote_rows import as_votes
from karat.words import NOTHING

READ, OTHER = "read", "other"
"""Every character, and every wrong one, where characters are no classes."""
CORRELATED = "what is read on one page is correlated; with --cluster page intervals go over pages"
Split = Callable[[str], Sequence[str]]
Answers = Sequence[Sequence[str] | None]
"""The characters or words of each system; None where it has no such page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions:
    """The options of reading texts, as the user gives them."""

    normalise: str = "nfc,space"
    page: str = "file"
    rows: str = ""
    classes: str = "yes"
    truth: str | None = None
    systems: Sequence[str] | None = None
    asked: frozenset[str] = frozenset()
    lenient: bool = False


@dataclass(frozen=True, slots=True)
class NamedRows:
    """The rows of a page, and the name of the place of each."""

    rows: list[Row]
    places: Iterable[str]


@takes_options(TextOptions)
def text(paths: Sequence[str], **options: Any) -> Source:
    """Characters of recognised texts, aligned to the truth, or to each other where there is none (-).

    `normalise` is what makes no difference: nfc, nfd, nfkc, nfkd, case, punctuation, space, none; `page` is file, or
    line where every line is a text; `rows` is labels (what was read at each place), votes (each reading of a place is
    a row, yes or no of each system) or texts (a row a page, for CER and WER), by default labels with truth and votes
    without; `classes=no` counts characters as right or wrong only, without a class for each.
    """
    return _source("text", paths, _characters, TextOptions(**options))


@takes_options(TextOptions)
def words(paths: Sequence[str], **options: Any) -> Source:
    """Words of recognised texts, aligned to the truth, or to each other where there is none (-).

    Options as for `text`.
    """
    return _source("words", paths, _words, TextOptions(**options))


@takes_options(TextOptions)
def bag(paths: Sequence[str], **options: Any) -> Source:
    """Words of recognised texts without their order: the second 'the' of a page counts as such.

    Options as for `text`.
    """
    return _source("bag", paths, _words, TextOptions(**options))


def _source(name: str, paths: Sequence[str], split: Split, options: TextOptions) -> Source:
    _check(options)
    normalise, normalise_steps = normaliser(options.normalise)
    faults = Faults(lenient=options.lenient)
    pages = book(
        paths,
        faults,
        page=options.page,
        truth=options.truth,
        systems=options.systems,
        taken=(PAGE, PLACE, COUNT),
        asked=options.asked,
        keeps_empty_truth=options.rows == "texts",
    )
    form = options.rows or ("labels" if pages.truth else "votes")
    if form == "texts":
        described = _described(name, normalise_steps, form, options)
        return whole_texts(pages, normalise, faults, described)
    has_labels = form == "labels"
    is_classless = options.classes == "no"
    if is_classless and not (pages.truth and has_labels):
        raise OptionError(
            "--using classes=no is for labels with a truth: without one, who agrees must be known"
        )

    def rows_of_pages() -> Iterator[Page]:
        for texts in pages.pages:
            truth = None if texts.truth is None else split(normalise(texts.truth))
            answers = [None if one is None else split(normalise(one)) for one in texts.answers]
            found = _counted_words(truth, answers) if name == "bag" else _aligned(truth, answers)
            rows: Iterable[Row] = found.rows
            places = found.places
            if not has_labels:
                rows, places = as_votes(found.rows, found.places)
            elif is_classless:
                rows = map(_classless, found.rows)
            yield Page(texts.name, rows, places)

    columns = [pages.truth, *pages.systems] if pages.truth else list(pages.systems)
    source = counted_rows(rows_of_pages(), columns, origin=pages.origin, asked=options.asked)
    roles = {
        "systems": pages.systems,
        "kinds": {"": "label" if has_labels else "yesno"},
        **source.roles,
        "source": _described(name, normalise_steps, form, options),
    }
    if pages.truth:
        roles["truth"] = pages.truth
    if has_labels:
        roles["nothing"] = NOTHING
    notes = (*pages.notes, *faults.notes())
    if pages.truth and PAGE not in options.asked:
        notes = (*notes, CORRELATED)
    return replace(source, roles=roles, notes=notes)


def _check(options: TextOptions) -> None:
    if options.rows not in {"", "labels", "votes", "texts"} or options.classes not in {"yes", "no"}:
        raise OptionError("--using rows takes labels, votes or texts, --using classes yes or no")


def _described(name: str, normalise_steps: str, form: str, options: TextOptions) -> str:
    """Return the source with its options, as a signature shows it."""
    shown = [f"normalise={normalise_steps}"]
    if options.page == "line":
        shown.append("page=line")
    shown.append(f"rows={form}")
    if options.classes == "no":
        shown.append("classes=no")
    return f"{name}({', '.join(shown)})"


def _characters(text: str) -> Sequence[str]:
    return text if NOTHING not in text else list(map(_quoted, text))


def _words(text: str) -> Sequence[str]:
    words = text.split()
    return words if NOTHING not in text else list(map(_quoted, words))


def _quoted(label: str) -> str:
    """Return a character or word so that it is not taken for nothing."""
    return f"'{NOTHING}'" if label == NOTHING else label


def _aligned(truth: Sequence[str] | None, answers: Answers) -> NamedRows:
    """Return texts aligned to the truth, or to each other where there is none."""
    if truth is None:
        return _aligned_to_each_other(answers)
    alignment = against(truth, answers)
    numbers = map(str, range(1, len(alignment.rows) + 1))
    return NamedRows(
        [*alignment.rows, *alignment.insertions], chain(numbers, alignment.insertion_places)
    )


def _aligned_to_each_other(answers: Answers) -> NamedRows:
    """Return texts aligned to each other; a page that a system has not is a missing answer all along."""
    texts = [answer for answer in answers if answer is not None]
    rows: list[Row] = []
    for row_of_texts in multiple_alignment(texts):
        labels = iter(row_of_texts)
        rows.append(tuple(None if answer is None else next(labels) for answer in answers))
    return NamedRows(rows, [str(place) for place in range(1, len(rows) + 1)])


def _counted_words(truth: Sequence[str] | None, answers: Answers) -> NamedRows:
    """Return a row for each word and copy of it: who has at least so many copies."""
    texts = list(answers) if truth is None else [truth, *answers]
    bags = [None if words is None else Counter(words) for words in texts]
    present = [bag for bag in bags if bag is not None]
    in_truth = Counter(truth)
    rows: list[Row] = []
    places: list[str] = []
    for word in dict.fromkeys(chain.from_iterable(words for words in texts if words is not None)):
        most_copies = max(bag[word] for bag in present)
        for copy in range(1, most_copies + 1):
            # A missing page lacks the words of the truth; it added none that the truth has not.
            is_added = truth is not None and in_truth[word] < copy
            missing = NOTHING if is_added else None
            rows.append(tuple(_copy(word, copy, bag, missing) for bag in bags))
            places.append(f"{word}/{copy}")
    return NamedRows(rows, places)


def _copy(word: str, copy: int, bag: Counter[str] | None, missing: str | None) -> str | None:
    """Return the word if a text has so many copies of it, else nothing."""
    if bag is None:
        return missing
    return word if bag[word] >= copy else NOTHING


def _classless(row: Row) -> Row:
    """Return a row that tells only who read rightly, wrongly, or nothing."""
    truth, *answers = row
    labels: list[str | None] = [NOTHING if truth == NOTHING else READ]
    for answer in answers:
        if answer is None or answer == NOTHING:
            labels.append(answer)
        else:
            labels.append(READ if answer == truth else OTHER)
    return tuple(labels)
