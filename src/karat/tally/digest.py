"""A short hash of a tally's counts, the same on every engine."""

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

Part = bytes | str | npt.NDArray[Any]


def digest(parts: Iterable[Part]) -> str:
    """Return twelve hexadecimal digits of the SHA-256 of all parts, each with its length before it."""
    sha = hashlib.sha256()
    for part in parts:
        data = _bytes(part)
        sha.update(len(data).to_bytes(8, "little"))
        sha.update(data)
    return sha.hexdigest()[:12]


def joined(texts: Iterable[str]) -> str:
    """Return several texts as one part; no text holds the character between them."""
    return "\x00".join(texts)


def _bytes(part: Part) -> bytes | memoryview:
    if isinstance(part, bytes):
        return part
    if isinstance(part, str):
        return part.encode(errors="surrogatepass")  # bytes of a shell that are not text
    if part.dtype == object:
        return joined(map(str, part)).encode(errors="surrogatepass")
    return np.ascontiguousarray(part).reshape(-1).view(np.uint8).data
