"""Whole texts as rows: a row a page, with its true text and each system's, from which error rates are counted."""

import numpy as np

from karat.errors import InputError, OptionError
from karat.source.counted_rows import PAGE
from karat.source.each import Each
from karat.source.faults import Faults
from karat.source.origin import Source
from karat.source.text.page_readers import TextReader, read_pages
from karat.source.text.texts import TextPages
from karat.words import EMPTY_TEXT


def whole_texts(
    pages: TextPages, reader: TextReader, faults: Faults, described: str, each: Each
) -> Source:
    """Return a table with a row a page; a page that a system lacks is a missing answer."""
    if pages.truth is None:
        raise OptionError(
            "--using rows=texts needs a truth: error rates are of texts beside the true ones"
        )
    columns: dict[str, list[str | None]] = {PAGE: [], pages.truth: []}
    for column in (*pages.systems, *pages.beside):
        columns[column] = []
    for texts in read_pages(reader, pages.pages, faults, each):
        columns[PAGE].append(texts.name)
        for column, text in zip(
            (pages.truth, *pages.systems), (texts.truth, *texts.answers), strict=True
        ):
            columns[column].append(None if text is None else text or EMPTY_TEXT)
        for column, value in zip(pages.beside, texts.beside, strict=True):
            columns[column].append(value)
    if not columns[PAGE]:
        raise InputError(f"{pages.origin} holds no page; karat needs at least one")
    data = {name: np.array(texts, object) for name, texts in columns.items()}
    roles = {
        "item": PAGE,
        "truth": pages.truth,
        "systems": pages.systems,
        "kinds": {"": "label"},
        "source": described,
    }
    return Source(
        pages.origin, "frame", data=data, roles=roles, notes=(*pages.notes, *faults.notes())
    )
