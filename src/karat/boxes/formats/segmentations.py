"""Masks as COCO writes them in a row: polygons, or run lengths as numbers or as text."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from karat.boxes.formats.checks import BoxRows
from karat.boxes.formats.outlines import Outlines, masks_of_outlines
from karat.boxes.formats.run_lengths import lengths_of_texts, runs_of_lengths
from karat.boxes.model.box_set import Gallery
from karat.boxes.model.masks import Masks, in_order, joined_masks
from karat.errors import InputError
from karat.numeric.arrays import FloatArray, IntArray

MASK = "segmentation"
FORMS = "[[x, y, x, y, x, y, ...], ...], or {size: [height, width], counts}"
FEWEST = 6
"""The numbers of a polygon: three corners."""
FARTHEST = 1_000_000
"""Pixels from the corner of its image that a corner of a polygon may lie; what is beyond is no corner."""
LARGEST = 1_000_000_000
"""Pixels that a side of an image may have."""


def masks_of(rows: BoxRows, gallery: Gallery) -> Masks:
    """Return the mask of each row."""
    texts: dict[int, bytes] = {}
    numbers: dict[int, Any] = {}
    polygons: dict[int, list[FloatArray]] = {}
    for place, row in enumerate(rows.rows):
        mask = row.get(MASK)
        if isinstance(mask, Mapping) and isinstance(mask.get("counts"), str | bytes):
            texts[place] = _bytes(mask["counts"])
        elif isinstance(mask, Mapping) and isinstance(mask.get("counts"), list):
            numbers[place] = mask["counts"]
        elif isinstance(mask, list) and mask:
            polygons[place] = _polygons(mask, rows, place)
        else:
            raise InputError(_no_mask(rows, place, mask))
    sizes = _sizes(rows, gallery, [*texts, *numbers])
    places = np.array([*texts, *numbers, *polygons], np.int64)
    coded = len(texts) + len(numbers)
    parts = [
        _of_texts(rows, list(texts), list(texts.values()), sizes[: len(texts)]),
        _of_numbers(rows, list(numbers), list(numbers.values()), sizes[len(texts) :]),
        _of_polygons(rows, polygons, gallery, places[coded:]),
    ]
    return in_order(joined_masks(parts), places)


def _bytes(counts: str | bytes) -> bytes:
    return counts.encode(errors="replace") if isinstance(counts, str) else counts


def _no_mask(rows: BoxRows, place: int, mask: Any) -> str:
    if mask is None or mask == []:
        return (
            f"{rows.path}: {rows.named(place)} has no {MASK}; give one, or compare boxes with "
            "--using shape=box"
        )
    return f"{rows.path}: the {MASK} of {rows.named(place)} is {_short(mask)}; it is {FORMS}"


def _short(mask: Any) -> str:
    text = repr(mask)
    return text if len(text) < 60 else f"{text[:57]}..."


def _polygons(mask: list[Any], rows: BoxRows, place: int) -> list[FloatArray]:
    """Return the corners of each polygon; one alone may come without a list around it."""
    given = mask if isinstance(mask[0], list) else [mask]
    try:
        polygons = [np.array(one, np.float64) for one in given]
    except (TypeError, ValueError):
        raise InputError(_no_mask(rows, place, mask)) from None
    for one in polygons:
        if one.ndim != 1 or len(one) % 2 or len(one) < FEWEST or not np.isfinite(one).all():
            raise InputError(
                f"{rows.path}: a polygon of {rows.named(place)} is {_short(one.tolist())}; "
                "it is x, y of three corners or more"
            )
    return polygons


def _sizes(rows: BoxRows, gallery: Gallery, places: Sequence[int]) -> IntArray:
    """Return height and width of masks of run lengths, which are those of their images."""
    sizes = np.zeros((len(places), 2), np.int64)
    for number, place in enumerate(places):
        size = rows.rows[place][MASK].get("size")
        try:
            height, width = map(int, size)
            sizes[number] = height, width
        except (TypeError, ValueError):
            raise InputError(
                f"{rows.path}: the size of the mask of {rows.named(place)} is {size!r}; "
                "it is [height, width]"
            ) from None
    if gallery.sizes is not None and rows.image is not None and len(places):
        images = gallery.sizes[rows.image[list(places)]][:, ::-1]
        differ = (images != sizes).any(axis=1) & ~np.isnan(images).any(axis=1)
        if differ.any():
            first = int(np.flatnonzero(differ)[0])
            # A side may be too large for a whole number of NumPy's.
            high, wide = (f"{side:.10g}" for side in images[first].tolist())
            raise InputError(
                f"{rows.path}: the mask of {rows.named(places[first])} has the size "
                f"{sizes[first].tolist()}, [height, width]; its image has [{high}, {wide}]"
            )
    return sizes


def _of_texts(
    rows: BoxRows, places: Sequence[int], texts: Sequence[bytes], sizes: IntArray
) -> Masks:
    lengths, numbers = lengths_of_texts(texts)
    return _of_lengths(rows, places, lengths, numbers, sizes)


def _of_numbers(
    rows: BoxRows, places: Sequence[int], counts: Sequence[list[Any]], sizes: IntArray
) -> Masks:
    arrays = []
    for place, one in zip(places, counts, strict=True):
        try:
            arrays.append(np.array(one, np.int64))
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                f"{rows.path}: the counts of {rows.named(place)} are not whole numbers"
            ) from None
    numbers = np.array([len(one) for one in arrays], np.int64)
    lengths = np.concatenate(arrays) if arrays else np.zeros(0, np.int64)
    return _of_lengths(rows, places, lengths, numbers, sizes)


def _of_lengths(
    rows: BoxRows, places: Sequence[int], lengths: IntArray, numbers: IntArray, sizes: IntArray
) -> Masks:
    """Return masks from run lengths, if these fit into their images."""
    of_mask = np.repeat(np.arange(len(numbers)), numbers)
    bad = np.zeros(len(numbers), bool)
    bad[of_mask[lengths < 0]] = True
    total = np.bincount(of_mask, lengths, minlength=len(numbers))
    pixels = sizes.prod(axis=1)
    bad |= total > pixels
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        raise InputError(
            f"{rows.path}: the counts of {rows.named(places[first])} are not run lengths of an image of "
            f"{pixels[first]:,} pixels"
        )
    begin, end, counts = runs_of_lengths(lengths, numbers)
    bounds = np.concatenate([[0], counts.cumsum()])
    return Masks(bounds, begin, end, sizes[:, 0])


def _of_polygons(
    rows: BoxRows, polygons: Mapping[int, list[FloatArray]], gallery: Gallery, places: IntArray
) -> Masks:
    """Return masks from polygons, whose images have known sizes."""
    if not polygons:
        none = np.zeros(0, np.int64)
        return Masks(np.zeros(1, np.int64), none, none, none)
    unknown = np.full((len(polygons), 2), np.nan)
    sizes = unknown
    if gallery.sizes is not None and rows.image is not None:
        sizes = gallery.sizes[rows.image[places]]
    is_known = ((sizes > 0) & (sizes <= LARGEST)).all(axis=1)
    if not is_known.all():
        first = int(np.flatnonzero(~is_known)[0])
        raise InputError(
            f"{rows.path}: {rows.named(int(places[first]))} is a polygon in an image of unknown size; "
            "give width and height of the image"
        )
    for place, of_object in polygons.items():
        if max(float(np.abs(one).max()) for one in of_object) > FARTHEST:
            raise InputError(
                f"{rows.path}: a polygon of {rows.named(place)} has a corner more than {FARTHEST:,} pixels away from "
                "its image; are its corners in pixels, as x, y, x, y?"
            )
    corners = [one for of_object in polygons.values() for one in of_object]
    counts = [len(of_object) for of_object in polygons.values()]
    whole = sizes.astype(np.int64)
    outlines = Outlines(
        corners, np.repeat(np.arange(len(polygons)), counts), whole[:, 1], whole[:, 0]
    )
    return masks_of_outlines(outlines)
