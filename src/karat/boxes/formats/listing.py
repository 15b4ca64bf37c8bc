"""Boxes as rows of image, class, box and score, whatever file they come from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from karat.boxes.formats.checks import BoxRows, box_set
from karat.boxes.model.box_set import BoxSet, Gallery
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Listing:
    """What a file or folder holds: its images, also those without a box, and its boxes."""

    images: Sequence[str]
    rows: Sequence[Mapping[str, Any]]
    """Each with image, label, bbox, and maybe score."""
    sizes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    what: str = "line"
    numbers: Sequence[int] | None = None
    """The line of each row, where it is not its number."""
    notes: tuple[str, ...] = ()


Read = Callable[[str | Path], Listing]


class ListedTruth:
    """A truth of rows, and how its results are read: as the same kind of file."""

    def __init__(self, path: str | Path, read: Read, systems: Sequence[str | Path] = ()) -> None:
        self.path = str(path)
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
        return box_set("truth", self.gallery, rows, rows.boxes())

    def results(self, path: str | Path, name: str, *, lenient: bool = False) -> BoxSet:
        """Return the boxes of a system; without scores all are equally sure."""
        rows = self._rows(str(path), lenient=lenient)
        has_scores = any(row.get("score") is not None for row in rows.rows)
        score = rows.scores() if has_scores else None
        return box_set(name, self.gallery, rows, rows.boxes(), score=score)

    def _rows(self, path: str, *, lenient: bool) -> BoxRows:
        listing = self._listings[path]
        rows = BoxRows(
            listing.rows, listing.what, path, numbers=listing.numbers, notes=listing.notes
        )
        among = f"images of {self.path}"
        rows = rows.placed("image", "image", self.images, among=among, strict=not lenient)
        return rows.placed("label", "label", self.classes, among="classes", strict=True)


def _sizes(images: Sequence[str], sizes: Mapping[str, tuple[float, float]]) -> FloatArray | None:
    if not sizes:
        return None
    unknown = (np.nan, np.nan)
    return np.array([sizes.get(name, unknown) for name in images], dtype=float)
