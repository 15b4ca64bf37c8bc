"""How a file must be read for a measure: whole texts, or the entities of whole documents, instead of single rows."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from karat.ask.preconditions import quantities_named
from karat.errors import KaratError
from karat.measure.measure import Source
from karat.source.guess import guess
from karat.source.text.table_of_texts import is_table

TEXTS = {"text", "words", "bag"}
"""Formats whose rows are characters or words of texts, unless whole texts are requested."""
ENTITIES = {"conll", "spans"}
"""Formats whose rows are single entities, unless whole documents are requested."""
PLAIN = {".txt", ".ref", ".hyp"}
"""How files of nothing but text end."""


def reading_for(
    measure: str | Sequence[str] | None,
    paths: Sequence[str],
    *,
    form: str | None,
    using: Mapping[str, Any],
    is_long: bool,
) -> tuple[str | None, Mapping[str, Any]]:
    """Return the format and its options as all named measures need them; as they are given where that is no matter.

    `is_long` is whether a row is one answer, which a table of texts has not: then it is a table like any other.
    """
    of = _counted_from(measure)
    if "rows" in using or of not in {"texts", "spans"}:
        return form, using
    own = form or guess(list(paths))
    if of == "spans":
        return (own, {**using, "rows": "documents"}) if own in ENTITIES else (form, using)
    if own in TEXTS:
        return own, {**using, "rows": "texts"}
    if form is None and _are_texts(paths, is_long=is_long):
        return "text", {**using, "rows": "texts"}
    return form, using


def _counted_from(measure: str | Sequence[str] | None) -> Source | None:
    """Return what all named measures are counted from, if it is one."""
    if not measure:
        return None
    try:
        sources = {one.counted_from for one in quantities_named(measure)}
    except KaratError:
        return None
    return sources.pop() if len(sources) == 1 else None


def _are_texts(paths: Sequence[str], *, is_long: bool) -> bool:
    """Return whether paths are tables whose cells are texts, or plain texts side by side."""
    if all(is_table(path) for path in paths):
        return not is_long
    names = [path.partition("=")[2] or path for path in paths]
    return len(paths) > 1 and all(Path(name).suffix in PLAIN for name in names)
