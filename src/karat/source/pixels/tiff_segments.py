"""A large TIFF by its strips or tiles: each is decoded as a small TIFF of its own, so that memory holds a row of them.

Pillow decodes a TIFF whole. The segments of a file are decoded without each other, so one of them, under a header that
describes it alone, is a file that the same decoder reads: any compression that it knows works here too.
"""

import io
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

WIDTH, HEIGHT, SAMPLES, ROWS_PER_STRIP = 256, 257, 277, 278
STRIP_PLACES, STRIP_SIZES = 273, 279
TILE_WIDTH, TILE_HEIGHT, TILE_PLACES, TILE_SIZES = 322, 323, 324, 325
KEPT = (258, 259, 262, 266, 277, 284, 317, 339, 347)
"""Tags that a segment has of its file: bits, compression, sense of black, bit order, samples, predictor, tables."""
ONE_SEGMENT = 256 * 2**20
"""A row of segments that unpacks to more bytes than this would not save memory."""
BYTES_OF_PIXEL = 4
"""At most, in an image of one channel."""


@dataclass(frozen=True, slots=True)
class TiffSegments:
    """The places of the strips or tiles in a TIFF file, row by row."""

    path: Path
    prefix: bytes
    tags: dict[int, Any]
    width: int
    height: int
    is_tiled: bool
    across: int
    """How many there are in a row: 1 for strips."""
    segment_width: int
    segment_height: int
    places: tuple[int, ...]
    sizes: tuple[int, ...]


def segments_of(image: Any) -> TiffSegments | None:
    """Return the segments of an open TIFF; None where it has none, or none that are small."""
    if image.format != "TIFF" or len(image.getbands()) > 1 or image.mode == "P":
        return None
    tags = image.tag_v2
    is_tiled = TILE_WIDTH in tags
    if is_tiled:
        width, height = tags[TILE_WIDTH], tags[TILE_HEIGHT]
        places, sizes = tags.get(TILE_PLACES), tags.get(TILE_SIZES)
    else:
        width = image.width
        height = min(tags.get(ROWS_PER_STRIP, image.height), image.height)
        places, sizes = tags.get(STRIP_PLACES), tags.get(STRIP_SIZES)
    if not width or not height or places is None or sizes is None:
        return None
    across = math.ceil(image.width / width)
    down = math.ceil(image.height / height)
    bytes_of_row = across * width * height * BYTES_OF_PIXEL
    if bytes_of_row > ONE_SEGMENT or len(places) != across * down:
        return None
    return TiffSegments(
        path=Path(image.filename),
        prefix=tags.prefix,
        tags={tag: tags[tag] for tag in KEPT if tag in tags},
        width=image.width,
        height=image.height,
        is_tiled=is_tiled,
        across=across,
        segment_width=width,
        segment_height=height,
        places=tuple(places),
        sizes=tuple(sizes),
    )


def segment_bands(segments: TiffSegments) -> Iterator[npt.NDArray[Any]]:
    """Yield the rows of an image, a row of segments at a time."""
    with segments.path.open("rb") as file:
        top = 0
        for first in range(0, len(segments.places), segments.across):
            rows = min(segments.segment_height, segments.height - top)
            beside = range(first, first + segments.across)
            parts = [_segment(segments, file, number, rows) for number in beside]
            yield np.hstack(parts)[:rows, : segments.width]
            top += rows


def _segment(segments: TiffSegments, file: Any, number: int, rows: int) -> npt.NDArray[Any]:
    """Return one segment: its bytes behind a header of its own, decoded."""
    from PIL import Image  # noqa: PLC0415 (optional)
    from PIL.TiffImagePlugin import ImageFileDirectory_v2  # noqa: PLC0415

    file.seek(segments.places[number])
    packed = file.read(segments.sizes[number])
    if len(packed) < segments.sizes[number]:
        raise OSError("it ends too early")
    # The last strip has only the rows that are left; a tile is always whole.
    height = segments.segment_height if segments.is_tiled else rows
    header = ImageFileDirectory_v2(prefix=segments.prefix)
    for tag, value in segments.tags.items():
        header[tag] = value
    header[WIDTH] = segments.segment_width
    header[HEIGHT] = height
    header[ROWS_PER_STRIP] = height
    header[STRIP_SIZES] = len(packed)
    header[STRIP_PLACES] = 0  # Pillow adds where the directory ends
    form = "<2sHI" if segments.prefix == b"II" else ">2sHI"
    whole = struct.pack(form, segments.prefix, 42, 8) + header.tobytes(8) + packed
    with Image.open(io.BytesIO(whole)) as image:
        values = np.asarray(image)
    return values.astype(np.uint8) if values.dtype == bool else values
