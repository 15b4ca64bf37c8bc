"""Texts that were recognised: characters, words, or words without their order; with truth and without it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from karat.errors import OptionError
from karat.keywords import takes_options
from karat.source.counted_rows import COUNT, PAGE, PLACE, counted_rows
from karat.source.each import Each, in_turn
from karat.source.faults import Faults
from karat.source.origin import Source
from karat.source.text.normalise import normaliser
from karat.source.text.page_readers import RowReader, TextReader, read_pages
from karat.source.text.pages import text_pages
from karat.source.text.whole_texts import whole_texts
from karat.words import NOTHING

CORRELATED = "what is read on one page is correlated; with --cluster page intervals go over pages"


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
    each: Each = in_turn


@takes_options(TextOptions)
def text(paths: Sequence[str], **options: Any) -> Source:
    """Characters of recognised texts, aligned to the truth, or to each other where there is none (-).

    `normalise` is what makes no difference: nfc, nfd, nfkc, nfkd, case, punctuation, space, none; `page` is file, or
    line where every line is a text; `rows` is labels (what was read at each place), votes (each reading of a place is
    a row, yes or no of each system) or texts (a row a page, for CER and WER), by default labels with truth and votes
    without; `classes=no` counts characters as right or wrong only, without a class for each.
    """
    return _source("text", paths, TextOptions(**options))


@takes_options(TextOptions)
def words(paths: Sequence[str], **options: Any) -> Source:
    """Words of recognised texts, aligned to the truth, or to each other where there is none (-).

    Options as for `text`.
    """
    return _source("words", paths, TextOptions(**options))


@takes_options(TextOptions)
def bag(paths: Sequence[str], **options: Any) -> Source:
    """Words of recognised texts without their order: the second 'the' of a page counts as such.

    Options as for `text`.
    """
    return _source("bag", paths, TextOptions(**options))


def _source(name: str, paths: Sequence[str], options: TextOptions) -> Source:
    _check(options)
    _, normalise_steps = normaliser(options.normalise)
    faults = Faults(lenient=options.lenient)
    pages = text_pages(
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
        texts = TextReader(options.normalise, lenient=options.lenient)
        return whole_texts(pages, texts, faults, described, options.each)
    has_labels = form == "labels"
    is_classless = options.classes == "no"
    if is_classless and not (pages.truth and has_labels):
        raise OptionError(
            "--using classes=no is for labels with a truth: without one, who agrees must be known"
        )
    reader = RowReader(
        unit=name,
        normalise=options.normalise,
        has_labels=has_labels,
        is_classless=is_classless,
        keeps=options.asked & {PAGE, PLACE},
        lenient=options.lenient,
    )
    rows = read_pages(reader, pages.pages, faults, options.each)
    columns = [pages.truth, *pages.systems] if pages.truth else list(pages.systems)
    source = counted_rows(rows, columns, origin=pages.origin, asked=options.asked)
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
