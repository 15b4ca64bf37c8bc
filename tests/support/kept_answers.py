"""Answers as they are kept: plain values, long lists in short, and the words that a person reads."""

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from numbers import Real
from tempfile import gettempdir
from typing import Any

import numpy as np

from karat.result import Result
from karat.version import VERSION

OF_THE_VERSION = {"karat", "signature"}
LONG = 6
"""Lists of more entries are kept in short."""
TEMPORARY = re.compile(re.escape(gettempdir()) + r"[/\\]\w+[/\\]")
"""A folder that is another one each time."""
DRAWN = re.compile("[ ─├┤◆]+")
"""Spaces and intervals as they are drawn, whose places depend on the width of the terminal."""


def plain(found: Any) -> Any:  # noqa: PLR0911 (a kind of value each)
    """Return an answer as plain values: JSON of a result, fields by name, arrays as lists."""
    if isinstance(found, Result):
        whole = json.loads(found.to_json())
        return {key: plain(value) for key, value in whole.items() if key not in OF_THE_VERSION}
    if is_dataclass(found) and not isinstance(found, type):
        return {one.name: plain(getattr(found, one.name)) for one in fields(found)}
    if isinstance(found, Mapping):
        return {str(name): plain(value) for name, value in found.items()}
    if isinstance(found, np.ndarray):
        return plain(np.ma.filled(found, -1).tolist())
    if isinstance(found, list | tuple):
        return [plain(value) for value in found]
    if isinstance(found, np.generic):
        return plain(found.item())
    if isinstance(found, float) and not np.isfinite(found):
        return str(found)
    if found is None or isinstance(found, bool | int | float):
        return found
    return TEMPORARY.sub("", str(found)).replace(VERSION, "VERSION")


def in_short(found: Any) -> Any:
    """Return plain values with each long list as sums: of its numbers, and of its numbers times their places."""
    if isinstance(found, dict):
        return {key: in_short(value) for key, value in found.items()}
    if not isinstance(found, list):
        return found
    if len(found) > LONG and all(isinstance(one, Real) for one in found):
        return _sums(found)
    if len(found) > LONG and _are_alike(found):
        return {key: in_short([one[key] for one in found]) for key in found[0]}
    if len(found) > LONG and all(isinstance(one, list) for one in found):
        return {"rows": len(found), "in a row": in_short([value for row in found for value in row])}
    return [in_short(one) for one in found]


def _are_alike(found: list[Any]) -> bool:
    """Return whether all entries are rows with the same names."""
    return all(isinstance(one, dict) and one.keys() == found[0].keys() for one in found)


def _sums(found: list[float]) -> dict[str, float]:
    numbers = np.array(found, float)
    places = 1 + np.arange(len(numbers))
    return {
        "numbers": len(found),
        "sum": float(numbers.sum()),
        "by place": float(numbers @ places) / len(found),
    }


def words_of(found: Result) -> list[str]:
    """Return the lines that a person reads, without what is drawn."""
    lines = str(found).replace(VERSION, "VERSION").splitlines()
    shown = [DRAWN.sub(" ", line).strip() for line in lines]
    return [line for line in shown if line]


def leaves(found: Any, place: str = "") -> dict[str, Any]:
    """Return every number and word of plain values by its place in them."""
    if isinstance(found, dict):
        parts = {f"{place}/{key}": value for key, value in found.items()}
    elif isinstance(found, list):
        parts = {f"{place}/{number}": value for number, value in enumerate(found)}
    else:
        return {place: found}
    return {key: leaf for name, part in parts.items() for key, leaf in leaves(part, name).items()}


def rounded(found: Any, digits: int = 12) -> Any:
    """Return plain values whose numbers have so many digits, more than another platform may change."""
    if isinstance(found, dict):
        return {key: rounded(value, digits) for key, value in found.items()}
    if isinstance(found, list):
        return [rounded(value, digits) for value in found]
    return float(f"{found:.{digits}g}") if isinstance(found, float) else found
