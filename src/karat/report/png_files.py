"""Small pictures as PNG files in text, for a page that holds everything it shows."""

import base64
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY, PALETTE = 0, 3
"""Kinds of pixels by PNG's own numbers."""
SHADES = 16
"""Shades of grey: more are not told apart in a small picture, and take more room."""


def grey_png(values: npt.NDArray[np.float64], *, low: float, high: float) -> bytes:
    """Return a grey picture: white where values are lowest, black where they are highest.

    >>> grey_png(np.array([[0.0, 1.0]]), low=0, high=1)[:8] == SIGNATURE
    True
    """
    share = (values - low) / (high - low) if high > low else np.zeros_like(values)
    shades = np.round(share.clip(0, 1) * (SHADES - 1)) / (SHADES - 1)
    return _png(np.round(255 * (1 - shades)).astype(np.uint8), GREY)


def palette_png(numbers: npt.NDArray[Any], colours: Sequence[str]) -> bytes:
    """Return a picture of few colours, given as #rrggbb; pixels hold their places."""
    palette = b"".join(bytes.fromhex(colour[1:]) for colour in colours)
    return _png(numbers.astype(np.uint8), PALETTE, _chunk(b"PLTE", palette))


def as_address(png: bytes) -> str:
    """Return a picture as the address of an image of a page."""
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"


def _png(pixels: npt.NDArray[np.uint8], kind: int, beside: bytes = b"") -> bytes:
    height, width = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    # Every row begins with the number of its filter: 0, none.
    rows = np.insert(pixels, 0, 0, axis=1).tobytes()
    body = _chunk(b"IDAT", zlib.compress(rows, 9))
    return SIGNATURE + _chunk(b"IHDR", header) + beside + body + _chunk(b"IEND", b"")


def _chunk(name: bytes, content: bytes) -> bytes:
    """Return a part of a file: its length, its name, what it holds, and a check of both."""
    return (
        struct.pack(">I", len(content))
        + name
        + content
        + struct.pack(">I", zlib.crc32(name + content))
    )
