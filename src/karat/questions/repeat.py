"""The same result again, or what differs."""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from karat.errors import InputError, OptionError
from karat.report.signature_parts import Signature, parse_signature
from karat.result import Result
from karat.source.paths import exists, is_a_file
from karat.verdict.repeat.result import NUMBERS, RepeatedPart, RepeatResult
from karat.version import VERSION
from karat.words import listing

MOST_PLACES = 5
"""How many of the numbers that differ are shown."""
OF_SIGNATURE = {"karat", "signature", "command", "input"}
"""Entries of a result that are compared separately from its numbers."""


@dataclass(frozen=True, slots=True)
class EarlierResult:
    """What is known of the result that is to be repeated."""

    signature: Signature
    whole: Mapping[str, Any] | None = None
    """All of it, where there is a file."""


def earlier_result(text: str) -> EarlierResult:
    """Return the parts of a signature, given as text or in a JSON file; - is standard input."""
    if text == "-":
        return _of_text(sys.stdin.read(), "standard input")
    path = Path(text)
    if " | " not in text and path.suffix and not exists(path):
        raise InputError(f"there is no file {text}; check its name and the folder you are in")
    if " | " in text or not is_a_file(path):
        return EarlierResult(parse_signature(text))
    try:
        return _of_text(path.read_text(encoding="utf-8"), text)
    except UnicodeDecodeError:
        raise InputError(f"{text} is not text; it must be a signature or JSON of karat") from None


def _of_text(text: str, origin: str) -> EarlierResult:
    if not text.lstrip().startswith("{"):
        return EarlierResult(parse_signature(text))
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{origin} is not JSON: {error}") from None
    if "signature" in whole:
        return EarlierResult(parse_signature(str(whole["signature"])), whole)
    inner = [name for name, part in whole.items() if isinstance(part, dict) and "signature" in part]
    if inner:
        raise OptionError(
            f"{origin} is the JSON of a page, with the results {listing(inner)}; give the signature of one of them"
        )
    raise InputError(
        f"{origin} has no signature; it must be what a command of karat wrote with --json"
    )


def repeated(earlier: EarlierResult, result: Result) -> RepeatResult:
    """Return what of an earlier result is the same in the one that was computed now."""
    now = json.loads(result.to_json())
    before, again = earlier.signature, parse_signature(now["signature"])
    parts = [
        RepeatedPart("version", before.version, again.version),
        RepeatedPart("options", " | ".join(before.settings), " | ".join(again.settings)),
        RepeatedPart("data", before.data, again.data),
    ]
    places: list[str] = []
    if earlier.whole is not None:
        parts.append(RepeatedPart("input", _input(earlier.whole), _input(now)))
        differences = list(_differences(_numbers(earlier.whole), _numbers(now), ""))
        parts.append(RepeatedPart(NUMBERS, _differing(0), _differing(len(differences))))
        places = differences[:MOST_PLACES]
    about = {"karat": VERSION, "command": "repeat", "repeated": now["signature"]}
    return RepeatResult(tuple(parts), tuple(places), earlier.whole is not None, about)


def _differing(number: int) -> str:
    return f"{number:,} differ" if number else "none differs"


def _input(whole: Mapping[str, Any]) -> str:
    """Return the description of the input without the names of files, which may have been moved."""
    described = whole.get("input")
    if isinstance(described, Mapping):
        described = {name: value for name, value in described.items() if name != "origin"}
    return json.dumps(described, ensure_ascii=False)


def _numbers(whole: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in whole.items() if name not in OF_SIGNATURE}


def _differences(before: Any, now: Any, place: str) -> Iterator[str]:
    """Yield each place where two values of JSON differ, with both values."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in dict.fromkeys([*before, *now]):
            inner = f"{place}.{name}" if place else name
            yield from _differences(before.get(name), now.get(name), inner)
        return
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (was, is_now) in enumerate(zip(before, now, strict=True)):
            yield from _differences(was, is_now, f"{place}[{number}]")
        return
    if before != now:
        yield f"{place}: it was {_short(before)}, it is {_short(now)}"


def _short(value: Any) -> str:
    """Return a value, or how long it is."""
    if isinstance(value, list | dict):
        return f"{len(value)} long"
    return json.dumps(value, ensure_ascii=False)
