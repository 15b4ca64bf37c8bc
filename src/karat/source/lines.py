"""Text files as Python reads them, plain or compressed with gzip; the place of every fault is known."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from karat.source.faults import Faults
from karat.source.unpacking import HELD, opened, too_long

LATIN = "not UTF-8 text; save the file as UTF-8 (iconv -f latin1 -t utf-8)"
WIDE = "UTF-16 text; save the file as UTF-8 (iconv -f utf-16 -t utf-8)"
BOM = b"\xef\xbb\xbf"
DECODER = json.JSONDecoder()


def content(path: str | Path) -> bytes:
    """Return the bytes of a file, unpacked."""
    with opened(path) as file:
        data = file.read(HELD + 1)
    if len(data) > HELD:
        raise too_long(str(path), "the text")
    return data


def whole(path: str | Path, faults: Faults) -> str | None:
    """Return the text of a file; None, and a fault, if it is not UTF-8."""
    data = content(path).removeprefix(BOM)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        faults.add(f"{path}, line {line}", _encoding(data))
        return None


def _encoding(data: bytes) -> str:
    return WIDE if data.startswith((b"\xff\xfe", b"\xfe\xff")) else LATIN


def lines(path: str | Path, faults: Faults) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line; one that is not UTF-8 is a fault."""
    for number, line in raw_lines(path):
        try:
            text = line.decode()
        except UnicodeDecodeError:
            what = _encoding(line) if number == 1 else LATIN
            faults.add(f"{path}, line {number}", what)
        else:
            yield number, text.rstrip("\r\n")


def raw_lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the bytes of each line."""
    number = 0
    with opened(path, place=lambda: f"{path}, after line {number:,},") as file:
        some_line = partial(file.readline, HELD + 1)
        for number, line in enumerate(iter(some_line, b""), 1):
            if len(line) > HELD:
                raise too_long(f"{path}, line {number:,}", "the line")
            yield number, line.removeprefix(BOM) if number == 1 else line


def objects(path: str | Path, faults: Faults) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the object of each line of JSON lines."""
    for number, line in lines(path, faults):
        if not line.strip():
            continue
        try:
            value = sound(DECODER.decode(line), line)
        except (ValueError, RecursionError) as error:
            what = "nested too deeply, or with too long a number"
            if isinstance(error, json.JSONDecodeError):
                what = f"from character {error.colno} on"
            faults.add(f"{path}, line {number}", f"not valid JSON, {what}: {line[:60]!r}")
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            faults.add(
                f"{path}, line {number}", "not a JSON object; karat needs {name: value, ...}"
            )


def sound(value: Any, text: str) -> Any:
    """Return a value read from JSON with question marks for halves of characters, which no file can hold."""
    # One character is looked for ten times as fast as two, and most texts have no backslash.
    if "\\" not in text or (r"\ud" not in text and r"\uD" not in text):
        return value
    return json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
