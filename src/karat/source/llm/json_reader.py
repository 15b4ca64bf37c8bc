"""A JSON document read part by part, so that a list of a million things is never in memory as a whole."""

import codecs
import json
from collections.abc import Iterator
from typing import Any

from karat.source.lines import sound
from karat.source.unpacking import HELD, Readable, in_words

SIZE = 1 << 20
DECODER = json.JSONDecoder()
WHITE = {" ", "\t", "\r", "\n"}


class TooLongError(ValueError):
    """A value that is longer than what may be in memory at once."""

    def __init__(self) -> None:
        super().__init__(f"a value is longer than {in_words(HELD)}, the most that is held at once")


class JsonReader:
    """A position in a document, before a value whose fields or elements can be read one by one."""

    def __init__(self, file: Readable) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._ended = False
        self._lines = 1

    @property
    def line(self) -> int:
        """The line of the position."""
        return self._lines + self._text.count("\n", 0, self._at)

    def fields(self) -> Iterator[str]:
        """Yield the names of an object; after each one, its `value`, `fields` or `elements` must be taken."""
        for _ in self._between("{", "}"):
            name = self.value()
            self._take(":")
            yield str(name)

    def elements(self) -> Iterator[Any]:
        """Yield the elements of a list."""
        for _ in self._between("[", "]"):
            yield self.value()

    def value(self) -> Any:
        """Return the value that comes next, whole."""
        self.next_character()
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._at)
            except ValueError:
                if self._ended:
                    raise
            else:
                # At the end of what has been read, 12 may be the first half of 1234.
                if end < len(self._text) or self._ended:
                    text = self._text[self._at : end]
                    self._at = end
                    return sound(value, text)
            self._more()

    def skip(self) -> None:
        """Pass over the value that comes next; of a list or an object only one part at a time is held."""
        opening = self.next_character()
        if opening == "[":
            for _ in self.elements():
                pass
        elif opening == "{":
            for _ in self.fields():
                self.skip()
        else:
            self.value()

    def next_character(self) -> str:
        """Return the next character that is not white space, and stop before it; an empty text at the end."""
        while True:
            while self._text[self._at : self._at + 1] in WHITE:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._more()

    def _between(self, opening: str, closing: str) -> Iterator[None]:
        self._take(opening)
        if self.next_character() != closing:
            yield None
            while self.next_character() != closing:
                self._take(",")
                yield None
        self._take(closing)

    def _take(self, character: str) -> None:
        if self.next_character() != character:
            raise ValueError(f"no {character}")
        self._at += 1

    def _more(self) -> None:
        """Read as much again as is still needed, so that a long value is tried a few times only."""
        self._lines += self._text.count("\n", 0, self._at)
        rest = self._text[self._at :]
        if len(rest) > HELD:
            raise TooLongError
        data = self._file.read(max(SIZE, len(rest)))
        self._ended = not data
        self._text = rest + self._decode.decode(data, final=self._ended)
        self._at = 0
