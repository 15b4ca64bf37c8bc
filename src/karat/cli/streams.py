"""Standard output and error whose encoding lacks a character: our own signs in ASCII, the others as escapes."""

import codecs
import io
import os
import sys

ASCII_SIGNS = {
    "─": "-",
    "├": "|",
    "┤": "|",
    "◆": "o",
    "…": "~",
    "→": "->",
    "±": "+/-",
    "–": "-",  # noqa: RUF001
    "·": "-",
    "≤": "<=",
    "²": "^2",
    "∅": "{}",
}
"""The signs that karat itself writes. In tables they are as wide as what stands for them, but for the last."""
ASCII = "karat_ascii"
TEXT, DATA, JSON = "karat-text", "backslashreplace", "karat-json"
"""What stands for a character that cannot be encoded: in words, in values that a program reads, and in JSON."""


def use_any_encoding() -> None:
    """Let standard output and error write out what their encoding lacks; a closed standard error is silent."""
    codecs.register_error(TEXT, _as_text)
    codecs.register_error(JSON, _as_json)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 (open to the end)
    codecs.register(_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=ASCII if is_ascii else None, errors=TEXT)


def encodable(text: str, how: str) -> str:
    """Return a text with nothing in it that standard output cannot write."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, how).decode(encoding)


def _ascii(name: str) -> codecs.CodecInfo | None:
    """Return ASCII under a name of our own: Typer takes a stream of that name for an error, and writes UTF-8 to it."""
    if name != ASCII:
        return None
    known = codecs.lookup("ascii")
    return codecs.CodecInfo(
        known.encode,
        known.decode,
        incrementalencoder=known.incrementalencoder,
        incrementaldecoder=known.incrementaldecoder,
        name=ASCII,
    )


def _as_text(error: UnicodeError) -> tuple[str, int]:
    letters, end = _letters(error)
    return "".join(ASCII_SIGNS.get(letter) or _escape(letter) for letter in letters), end


def _as_json(error: UnicodeError) -> tuple[str, int]:
    from karat.result.plain import json_escape  # noqa: PLC0415 (loads what help does not need)

    letters, end = _letters(error)
    return "".join(map(json_escape, letters)), end


def _letters(error: UnicodeError) -> tuple[str, int]:
    """Return what could not be encoded, and where the text goes on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return error.object[error.start : error.end], error.end


def _escape(letter: str) -> str:
    return letter.encode("ascii", "backslashreplace").decode()
