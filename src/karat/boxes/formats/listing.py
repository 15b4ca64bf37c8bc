"""Boxes as rows of image, class, box and score, from any kind of file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from karat.boxes.formats.checks import BoxRows, box_set
from karat.boxes.formats.segmentations import masks_of
from karat.boxes.model.box_set import BoxSet, Gallery
from karat.errors import InputError
from karat.numeric.arrays import FloatArray
from karat.source.paths import composed
from karat.words import listing as names_of


@dataclass(frozen=True, slots=True)
class Listing:
    """What a file or folder holds: its images, also those without a box, and its boxes."""

    images: Sequence[str]
    rows: Sequence[Mapping[str, Any]]
    """Each with image, label, bbox, and maybe score, crowd and ignored."""
    sizes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    what: str = "line"
    numbers: Sequence[int] | None = None
    """The line of each row, where it is not its number."""
    notes: tuple[str, ...] = ()
    hint: str = ""
    """How an image without a box is written."""


PICTURES = {"jpg", "jpeg", "png", "tif", "tiff", "bmp", "webp", "gif", "jp2"}
Read = Callable[[str | Path], Listing]


class ListedTruth:
    """A truth of rows, and how its results are read: as the same kind of file."""

    def __init__(
        self,
        path: str | Path,
        read: Read,
        systems: Sequence[str | Path] = (),
        *,
        by_mask: bool = False,
    ) -> None:
        self.path = str(path)
        self.by_mask = by_mask
        self._listings = {str(one): read(one) for one in (path, *systems)}
        own = self._listings[self.path]
        images = sorted(set(own.images))
        labels: set[str] = set()
        for listing in self._listings.values():
            labels |= {row["label"] for row in listing.rows}
        classes = sorted(labels)
        self.images = {name: place for place, name in enumerate(images)}
        self.classes = {name: place for place, name in enumerate(classes)}
        self.gallery = Gallery(tuple(images), tuple(classes), _sizes(images, own.sizes))

    def truth(self) -> BoxSet:
        """Return the boxes of the truth."""
        rows = self._rows(self.path, lenient=False)
        crowd = [bool(row.get("crowd")) for row in rows.rows]
        ignored = [bool(row.get("ignored")) for row in rows.rows]
        return self._set("truth", rows, crowd=crowd, ignored=ignored)

    def results(self, path: str | Path, name: str, *, lenient: bool = False) -> BoxSet:
        """Return the boxes of a system; without scores all are equally sure."""
        rows = self._rows(str(path), lenient=lenient)
        self._check_classes(str(path))
        scored = sum(row.get("score") is not None for row in rows.rows)
        score = rows.scores() if scored and scored == len(rows.rows) else None
        if scored and score is None:
            words = f"{path}: {len(rows.rows) - scored:,} of {len(rows.rows):,} boxes have no score, so none counts."
            rows = replace(rows, notes=(*rows.notes, words))
        return self._set(name, rows, score=score)

    def _set(self, name: str, rows: BoxRows, **columns: Any) -> BoxSet:
        """Return boxes, or masks and the boxes around them."""
        if not self.by_mask:
            return box_set(name, self.gallery, rows, rows.boxes(), **columns)
        masks = masks_of(rows, self.gallery)
        return box_set(
            name,
            self.gallery,
            rows,
            masks.boxes(),
            area=masks.areas().tolist(),
            masks=masks,
            **columns,
        )

    def _rows(self, path: str, *, lenient: bool) -> BoxRows:
        listing = self._listings[path]
        rows = BoxRows(
            self._called_alike(listing.rows),
            listing.what,
            path,
            numbers=listing.numbers,
            notes=listing.notes,
            hint=listing.hint,
        )
        among = f"images of {self.path}"
        rows = rows.placed("image", "image", self.images, among=among, strict=not lenient)
        return rows.placed("label", "label", self.classes, among="classes", strict=True)

    def _check_classes(self, path: str) -> None:
        """Refuse results whose classes are all unknown to the truth."""
        known = {row["label"] for row in self._listings[self.path].rows}
        own = {row["label"] for row in self._listings[path].rows}
        if known and own and not known & own:
            raise InputError(
                f"{path}: its classes are {names_of(sorted(own))}, and none is one of {self.path}: "
                f"{names_of(sorted(known))}; use the same names"
            )

    def _called_alike(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Return rows with images as the truth calls them: one may name p1.jpg what another calls p1."""
        by_stem = {_stem(name): name for name in self.images}
        if len(by_stem) < len(self.images):
            return rows
        called = {}
        for name in {row["image"] for row in rows}:
            if name not in self.images and _stem(name) in by_stem:
                called[name] = by_stem[_stem(name)]
        if not called:
            return rows
        return [{**row, "image": called.get(row["image"], row["image"])} for row in rows]


def _stem(image: str) -> str:
    """Return the name of an image without folder and ending.

    >>> _stem("val/p1.JPG"), _stem("p.1")
    ('p1', 'p.1')
    """
    name = composed(image.replace("\\", "/").rpartition("/")[2])
    stem, dot, ending = name.rpartition(".")
    return stem if dot and ending.lower() in PICTURES else name


def _sizes(images: Sequence[str], sizes: Mapping[str, tuple[float, float]]) -> FloatArray | None:
    if not sizes:
        return None
    unknown = (np.nan, np.nan)
    return np.array([sizes.get(name, unknown) for name in images], dtype=float)
