"""Whole documents as rows: a row a document, with the spans of the truth and of each system written as text."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from karat.errors import ChoiceError, InputError, OptionError
from karat.source.entities.tags import Span
from karat.source.origin import Source
from karat.source.truth_and_systems import TRUTH, Parts

ENTITIES, DOCUMENTS = "entities", "documents"


class SpansOfDocument(NamedTuple):
    """The spans of a document in the truth and in each system's file; None where a file has it not."""

    name: str
    truth: Sequence[Span]
    answers: Sequence[Sequence[Span] | None]


def check_rows(rows: str, *, has_truth: bool) -> None:
    """Refuse an unknown kind of rows, and whole documents without a truth."""
    if rows not in {ENTITIES, DOCUMENTS}:
        raise ChoiceError("--using rows", rows, (ENTITIES, DOCUMENTS))
    if rows == DOCUMENTS and not has_truth:
        raise OptionError(
            "--using rows=documents needs a truth: entities are matched with true ones"
        )


def whole_documents(documents: Iterable[SpansOfDocument], parts: Parts, *, item: str) -> Source:
    """Return a table with a row a document; one that a system lacks is a missing answer."""
    columns: dict[str, list[str | None]] = {name: [] for name in (item, TRUTH, *parts.systems)}
    for document in documents:
        columns[item].append(document.name)
        columns[TRUTH].append(written(document.truth))
        for system, spans in zip(parts.systems, document.answers, strict=True):
            columns[system].append(None if spans is None else written(spans))
    if not columns[item]:
        raise InputError(f"{parts.origin} holds no document; karat needs at least one")
    data = {name: np.array(texts, object) for name, texts in columns.items()}
    roles: dict[str, Any] = {**parts.roles(), "item": item, "kinds": {"": "label"}}
    return Source(parts.origin, "frame", data=data, roles=roles)


def written(spans: Sequence[Span]) -> str:
    """Return spans as text, the same for the same spans.

    >>> written([Span(5, 6, "LOC"), Span(0, 2, "PER")]), written([])
    ('[[0,2,"PER"],[5,6,"LOC"]]', '[]')
    """
    return json.dumps(sorted(spans), separators=(",", ":"), ensure_ascii=False)
