"""Text files as Python reads them, plain or compressed with gzip; the place of every fault is known."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from karat.errors import InputError
from karat.source.faults import Faults

LATIN = "not UTF-8 text; save the file as UTF-8 (iconv -f latin1 -t utf-8)"
WIDE = "UTF-16 text; save the file as UTF-8 (iconv -f utf-16 -t utf-8)"
BOM = b"\xef\xbb\xbf"


def content(path: str | Path) -> bytes:
    """Return the bytes of a file, unpacked."""
    try:
        data = Path(path).read_bytes()
        return gzip.decompress(data) if str(path).endswith(".gz") else data
    except FileNotFoundError:
        raise InputError(
            f"there is no file {path}; check its name and the folder you are in"
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            f"{path} cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None


def whole(path: str | Path, faults: Faults) -> str | None:
    """Return the text of a file; None, and a fault, if it is no UTF-8."""
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
    """Yield the number and the text of each line; one that is no UTF-8 is a fault."""
    number = 0
    try:
        with gzip.open(path, "rb") if str(path).endswith(".gz") else Path(path).open("rb") as file:
            for number, line in enumerate(file, 1):
                if number == 1:
                    line = line.removeprefix(BOM)  # noqa: PLW2901 (no part of the text)
                try:
                    text = line.decode()
                except UnicodeDecodeError:
                    what = _encoding(line) if number == 1 else LATIN
                    faults.add(f"{path}, line {number}", what)
                else:
                    yield number, text.rstrip("\r\n")
    except FileNotFoundError:
        raise InputError(
            f"there is no file {path}; check its name and the folder you are in"
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        fault = getattr(error, "strerror", None) or error
        raise InputError(
            f"{path}, after line {number:,}: the rest cannot be read, {fault}; copy it anew"
        ) from None


def objects(path: str | Path, faults: Faults) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the object of each line of JSON lines."""
    for number, line in lines(path, faults):
        if not line.strip():
            continue
        try:
            value = sound(json.loads(line), line)
        except (json.JSONDecodeError, RecursionError) as error:
            what = "too deep"
            if isinstance(error, json.JSONDecodeError):
                what = f"from character {error.colno} on"
            faults.add(f"{path}, line {number}", f"no JSON, {what}: {line[:60]!r}")
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            faults.add(f"{path}, line {number}", "no JSON object, karat needs {name: value, ...}")


def sound(value: Any, text: str) -> Any:
    """Return a value read from JSON with question marks for halves of characters, which no file can hold."""
    if r"\ud" not in text and r"\uD" not in text:
        return value
    return json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
