"""An image file as bands of grey values: whatever else it holds is refused, not dropped.

Pillow decodes. It would cut 16-bit colours to 8 bits, blend palettes and forget transparency without a word; here each
of these is looked at first.
"""

import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.pixels.tiff_segments import segment_bands, segments_of

Band = npt.NDArray[Any]
"""Some rows of an image."""

ENDINGS = (".png", ".tif", ".tiff", ".gif", ".bmp", ".pgm", ".pbm", ".ppm", ".pnm", ".npy")
LOSSY = (".jpg", ".jpeg", ".webp", ".jp2")
BAND_PIXELS = 2_000_000
"""About how many pixels are looked at together."""
ARRAYS = ".npy"
PACKED = ".gz"
ALL_ENDINGS = (*ENDINGS, *(ending + PACKED for ending in ENDINGS if ending != ARRAYS))
WHOLE = 64 * 2**20
"""Up to how many bytes a TIFF is decoded at once, and not by its strips or tiles."""
BROKEN = (
    OSError, SyntaxError, ValueError, TypeError, EOFError, LookupError, struct.error, zlib.error,
)  # fmt: skip
"""What Pillow raises where a file is damaged or no image."""
OPAQUE = 255
_LIMIT = RLock()


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """What an image is, before its pixels are decoded."""

    path: Path
    height: int
    width: int
    dtype: npt.DTypeLike

    @property
    def pixels(self) -> int:
        """How many pixels it has."""
        return self.height * self.width

    @property
    def bytes(self) -> int:
        """How much memory its grey values take."""
        return self.pixels * np.dtype(self.dtype).itemsize

    @property
    def band(self) -> int:
        """How many rows are looked at together."""
        return max(1, BAND_PIXELS // max(1, self.width))


def check_size(path: Path, width: int, height: int, most_pixels: int) -> None:
    """Refuse an image that is larger than allowed, before anything of it is decoded."""
    if width * height > most_pixels:
        raise InputError(
            f"{path} would have {width:,} x {height:,} pixels when decoded; karat decodes up to {most_pixels:,} "
            "a file, since a small file can unpack to a very large image. If it really is that large, use "
            f"--using most-pixels={width * height}"
        )
    if not width or not height:
        raise InputError(f"{path} has {width} x {height} pixels; an image needs some")


@contextmanager
def decoded(
    path: Path, *, most_pixels: int, file: Path | None = None
) -> Iterator[tuple[ImageHeader, Iterator[Band]]]:
    """Give what an image is, and its rows as bands of grey values, from the top down.

    `file` holds its bytes, if that is another than the path that the user knows.
    """
    try:
        from PIL import Image  # noqa: PLC0415 (optional)
    except ImportError:
        raise InputError("reading images needs Pillow: pip install pillow") from None
    with _LIMIT, warnings.catch_warnings():
        # Pillow's own limit is lower than what karat counts in bands; karat's is checked right after the header. What
        # else it warns of, such as damage to a photograph's description, is not about pixels.
        warnings.simplefilter("ignore")
        limit = Image.MAX_IMAGE_PIXELS
        Image.MAX_IMAGE_PIXELS = None
        try:
            image = Image.open(file or path)
        except BROKEN as error:
            raise InputError(
                f"{path} cannot be read as an image ({_in_words(error)}); save it again as PNG or TIFF"
            ) from None
        finally:
            Image.MAX_IMAGE_PIXELS = limit
    with image:
        width, height = image.size
        check_size(path, width, height, most_pixels)
        _check_frames(path, _frames(path, image))
        _check_depth(path, image)
        _check_order(path, image)
        dtype = _dtype(path, image)
        header = ImageHeader(path, image.height, image.width, dtype)
        yield header, _bands(header, image)


def _in_words(error: Exception) -> str:
    text = str(error).partition("\n")[0]
    return text.replace("cannot identify image file", "no known format of images") or "damaged"


def _frames(path: Path, image: Any) -> int:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return getattr(image, "n_frames", 1)
    except BROKEN as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(
        f"{path} is damaged ({_in_words(error)}); nothing of it is counted: save it again"
    )


def _check_frames(path: Path, frames: int) -> None:
    if frames > 1:
        raise InputError(
            f"{path} holds {frames} images; a mask or score map is one: save each in a file of its own"
        )


def _check_depth(path: Path, image: Any) -> None:
    """Refuse colours or transparency of 16 bits, which would be cut to 8."""
    bits = _bits(image)
    if bits > 8 and len(image.getbands()) > 1:
        raise InputError(
            f"{path} has {bits} bits a channel and {len(image.getbands())} channels; "
            "save it as one grey channel, so that no bits are lost"
        )


def _check_order(path: Path, image: Any) -> None:
    """Refuse fractions that Pillow misreads: packed ones with the highest byte first are turned round twice."""
    if image.format != "TIFF" or image.mode != "F":
        return
    is_packed = image.tag_v2.get(259, 1) != 1
    if is_packed and image.tag_v2.prefix == b"MM":
        raise InputError(
            f"{path} holds compressed fractions with the highest byte first (big-endian), which Pillow misreads; "
            "save it little-endian, or without compression"
        )


def _bits(image: Any) -> int:
    if image.format == "PNG":
        with Path(image.filename).open("rb") as file:
            start = file.read(25)
        return start[24]  # in the header: eight bytes of length and name, two sizes, then the depth
    if image.format == "TIFF":
        return int(max(image.tag_v2.get(258, (1,))))
    return 8


def _dtype(path: Path, image: Any) -> npt.DTypeLike:
    """Return how the grey values are stored."""
    mode = image.mode
    if mode.startswith("I;16"):
        return np.uint16
    stored: dict[str, npt.DTypeLike] = {"I": np.int32, "F": np.float32}
    if mode in stored:
        return stored[mode]
    if mode in {"1", "L", "P", "LA", "PA", "RGB", "RGBA"}:
        return np.uint8
    raise InputError(
        f"{path} has colours ({mode}); a mask or score map is one grey channel: save it so"
    )


def _bands(header: ImageHeader, image: Any) -> Iterator[Band]:
    """Yield grey values; the file is decoded whole, or by its strips or tiles where it is a large TIFF."""
    from PIL import Image  # noqa: PLC0415 (optional)

    try:
        segments = segments_of(image) if header.bytes > WHOLE else None
        if segments is not None:
            yield from segment_bands(segments)
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image.load()
    except (*BROKEN, Image.DecompressionBombError) as error:
        raise _damaged(header.path, error) from None
    top = 0
    while top < header.height:
        bottom = min(header.height, top + header.band)
        band = np.asarray(image.crop((0, top, header.width, bottom)))
        yield _grey(header, image, band, top)
        top = bottom


def _grey(header: ImageHeader, image: Any, band: Band, top: int) -> Band:
    """Return the grey values of a band; refuse colours, and pixels that are not opaque."""
    mode = image.mode
    has_palette = mode in {"P", "PA"}
    transparent = image.info.get("transparency")
    if transparent is not None and not has_palette:
        alpha = np.where(_is_value(band, transparent), 0, OPAQUE)
        _check_opaque(header, alpha, top)
    if mode == "1":
        return band.astype(np.uint8)
    if has_palette:
        band = _from_palette(image, band)
    if has_palette or mode in {"LA", "RGBA"}:
        # The last channel is the opacity of each pixel.
        _check_opaque(header, band[..., -1], top)
        band = band[..., :-1]
    if band.ndim == 2:
        return band
    if band.shape[2] == 3:
        _check_grey(header, band, top)
    return band[..., 0]


def _from_palette(image: Any, band: Band) -> Band:
    """Return red, green, blue and opacity of pixels that are places in a palette, with or without their own opacity."""
    if image.mode == "P":
        return _palette(image)[band]
    colours = _palette(image)[band[..., 0]]
    return np.dstack([colours[..., :3], band[..., 1]])


def _is_value(band: Band, value: Any) -> Band:
    """Return which pixels have the grey value, or the colour, that means transparent."""
    if isinstance(value, bytes):
        value = value[0]
    same = np.asarray(band == np.asarray(value))
    return np.asarray(same.all(axis=-1)) if same.ndim == 3 else same


def _palette(image: Any) -> npt.NDArray[np.uint8]:
    """Return the colours of a palette, and how opaque each is."""
    colours = np.zeros((256, 4), np.uint8)
    given = np.array(image.getpalette("RGB"), np.uint8).reshape(-1, 3)
    colours[: len(given), :3] = given
    colours[:, 3] = OPAQUE
    transparent = image.info.get("transparency")
    if isinstance(transparent, int):
        colours[transparent, 3] = 0
    elif isinstance(transparent, bytes):
        colours[: len(transparent), 3] = np.frombuffer(transparent, np.uint8)
    return colours


def _check_opaque(header: ImageHeader, alpha: Band, top: int) -> None:
    rows, columns = np.nonzero(alpha != OPAQUE)
    if len(rows):
        raise InputError(
            f"{header.path} has an alpha channel that is not opaque everywhere, first in row {top + rows[0]}, "
            f"column {columns[0]} (from 0): what lies under it is unclear. Save the image without it; pixels that do "
            "not count are named with --using ignore=FOLDER"
        )


def _check_grey(header: ImageHeader, band: Band, top: int) -> None:
    is_colour = (band[..., 0] != band[..., 1]) | (band[..., 0] != band[..., 2])
    rows, columns = np.nonzero(is_colour)
    if len(rows):
        red, green, blue = band[rows[0], columns[0], :3].tolist()
        raise InputError(
            f"{header.path} has colours, first in row {top + rows[0]}, column {columns[0]} (from 0): red {red}, green "
            f"{green}, blue {blue}. A mask or score map is grey: name another folder if this is the photograph itself, "
            "or save the marks as black and white"
        )
