"""Bytes that are nearly right: valid ones with a little damage, by a seed."""

import json
import random
from dataclasses import replace
from pathlib import Path

from support.valid_inputs import Input, plain

WORDS = [
    b"\x00", b"\xff", b"\xfe\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x1f\x8b", b"\r", b"\n\n", b'"', b"'", b",",
    b"\t", b"[", b"]", b"{", b"}", b"[" * 2000, b'{"a":' * 2000, b"null", b"NaN", b"-1", b"1e999", b"9" * 30,
    b"9" * 5000,
    b"\\ud800", b"\\u0000", b"<", b">", b"&", b"&#0;", b"&x;", b"<![CDATA[", b"<!--", b"<?x?>", b"<a>" * 300, b"-",
    b"=",
]  # fmt: skip
"""What readers stumble over: halves of characters, marks of other formats, numbers that are too large, depth."""
LONGEST = 64
"""How many bytes a block has at most."""


def damage(given: Input, folder: Path, seed: int | str) -> None:
    """Write the files of an input to a folder, one of them damaged: inside its packing, or as it lies on disk."""
    chance = random.Random(seed)  # noqa: S311 (no secret)
    name = chance.choice(list(given.files))
    file = given.files[name]
    part = chance.choice([None, *file.parts])
    if part is None:
        damaged = plain(mutated(file.packed(), chance))
    else:
        damaged = replace(file, parts=file.parts | {part: mutated(file.parts[part], chance)})
    replace(given, files=given.files | {name: damaged}).write(folder)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return the data with one to three damages."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        data = chance.choice(DAMAGES)(data, chance)
    return data


def truncate(data: bytes, chance: random.Random) -> bytes:
    """Return the beginning."""
    return data[: chance.randint(0, len(data))]


def flip(data: bytes, chance: random.Random) -> bytes:
    """Return the data with one byte replaced, or one bit of it turned."""
    if not data:
        return data
    place = chance.randrange(len(data))
    changed = bytearray(data)
    if chance.random() < 0.5:
        changed[place] ^= 1 << chance.randrange(8)
    else:
        changed[place] = chance.randrange(256)
    return bytes(changed)


def insert(data: bytes, chance: random.Random) -> bytes:
    """Return the data with something readers stumble over put in."""
    place = chance.randint(0, len(data))
    return data[:place] + chance.choice(WORDS) + data[place:]


def overwrite(data: bytes, chance: random.Random) -> bytes:
    """Return the data with something readers stumble over in place of what was there."""
    place = chance.randint(0, len(data))
    word = chance.choice(WORDS)
    return data[:place] + word + data[place + len(word) :]


def delete(data: bytes, chance: random.Random) -> bytes:
    """Return the data without a block."""
    start, end = _block(data, chance)
    return data[:start] + data[end:]


def duplicate(data: bytes, chance: random.Random) -> bytes:
    """Return the data with a block that stands somewhere else too."""
    start, end = _block(data, chance)
    place = chance.randint(0, len(data))
    return data[:place] + data[start:end] + data[place:]


def mistype(data: bytes, chance: random.Random) -> bytes:
    """Return JSON, or one of its lines, with a value of another type somewhere; anything else as it is."""
    lines = data.split(b"\n")
    number = chance.randrange(len(lines))
    try:
        value = json.loads(lines[number])
    except (ValueError, RecursionError):
        return data
    lines[number] = json.dumps(_mistyped(value, chance)).encode()
    return b"\n".join(lines)


def _mistyped(value: object, chance: random.Random) -> object:
    if not value or not isinstance(value, list | dict) or chance.random() < 0.2:
        return chance.choice(VALUES)
    key = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
    changed = value.copy()
    if chance.random() < 0.2:
        del changed[key]
    else:
        changed[key] = _mistyped(value[key], chance)
    return changed


VALUES = [
    None,
    True,
    0,
    -1,
    1.5,
    10**30,
    float("nan"),
    float("inf"),
    "",
    "x",
    "\ud800",
    [],
    [0],
    {},
    {"a": [None]},
]
"""A value of every type of JSON."""


def _block(data: bytes, chance: random.Random) -> tuple[int, int]:
    start = chance.randint(0, len(data))
    return start, min(len(data), start + chance.randint(1, LONGEST))


DAMAGES = (truncate, flip, flip, insert, overwrite, delete, duplicate, mistype, mistype)
