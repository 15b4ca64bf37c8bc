"""What a checker sees of an item: its fields, as text or as a picture, and its given label."""

from collections.abc import Mapping, Sequence
from typing import Any

from karat.serve.pictures import (
    NoPictureError,
    PictureFolder,
    ServedPicture,
    looks_like_a_picture,
)
from karat.verdict.audit.audit import Audit

LONGEST = 100_000
"""So many characters of a field are shown."""


class Items:
    """The fields of items, fetched some at a time: a table may have to be read for them."""

    def __init__(
        self,
        audit: Audit,
        *,
        blind: bool = False,
        pictures: PictureFolder | None = None,
        ahead: int = 60,
    ) -> None:
        """Take the audit whose items are shown; `ahead` is how many are fetched at a time."""
        self.blind = blind
        self.ahead = ahead
        self._audit = audit
        self._pictures = pictures
        self._fields: dict[str, Mapping[str, Any]] = {}

    def fetch(self, item: str, following: Sequence[str]) -> None:
        """See to it that the fields of an item are there; with them those of the items that follow."""
        if item in self._fields:
            return
        names = list(dict.fromkeys([item, *following]))
        for name, fields in zip(names, self._audit.fields_of(names), strict=True):
            self._fields[name] = fields

    def given(self, place: int) -> str | None:
        """Return the given label of an item; None where it is not to be seen."""
        if self.blind:
            return None
        return self._audit.setup.reader.given(place).text

    def fields(self, item: str) -> list[dict[str, Any]]:
        """Return the fields of an item that say something: their names, texts, and whether they are pictures."""
        shown = []
        for number, (name, value) in enumerate(self._fields[item].items()):
            text = _text(value)
            if not text.strip():
                continue
            field: dict[str, Any] = {"name": str(name), "text": text, "number": number}
            problem = self._problem(text)
            field["picture"] = problem == ""
            if problem:
                field["problem"] = problem
            shown.append(field)
        return shown

    def text(self, item: str, number: int) -> str:
        """Return the text of a field by its number."""
        self.fetch(item, [])
        values = list(self._fields[item].values())
        if not 0 <= number < len(values):
            raise NoPictureError("there is no such field")
        return _text(values[number])

    def picture(self, name: str) -> ServedPicture:
        """Return a picture."""
        if self._pictures is None:
            raise NoPictureError("no folder of pictures was named")
        return self._pictures.read(name)

    def _problem(self, text: str) -> str | None:
        """Return why what looks like a picture is none; nothing where it is one, None where it is a text."""
        if not looks_like_a_picture(text):
            return None
        if self._pictures is None:
            return "name its folder with --fields FOLDER"
        return self._pictures.problem(text) or ""


def _text(value: Any) -> str:
    text = "" if value is None else str(value)
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]} … ({len(text) - LONGEST:,} more characters)"
