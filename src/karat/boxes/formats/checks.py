"""Rows of a file of boxes become columns; each bad one is named with its number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from karat.boxes.model.box_set import BoxSet, Gallery
from karat.boxes.model.masks import Masks
from karat.errors import InputError
from karat.numeric.arrays import BoolArray, FloatArray, IntArray
from karat.words import counted

WIDTH = 2
HEIGHT = 3


@dataclass(frozen=True, slots=True)
class BoxRows:
    """The rows of a file, and what is known of them so far."""

    rows: Sequence[Mapping[str, Any]]
    what: str
    """What a row is called in messages: a result, an annotation, a line."""
    path: str
    numbers: Sequence[int] | None = None
    """The number of each row in the file, where some were left out, or it does not count from 1."""
    image: IntArray | None = None
    label: IntArray | None = None
    notes: tuple[str, ...] = ()
    hint: str = ""
    """What else may be the reason if an image is not known."""

    @classmethod
    def of(cls, rows: Sequence[Any], what: str, path: str, *, needed: set[str]) -> "BoxRows":
        """Return the rows of a file, each of which has what is needed."""
        for number, row in enumerate(rows, 1):
            if not isinstance(row, Mapping):
                raise InputError(f"{path}: {what} {number} is not an object but {row!r}")
            if not needed <= row.keys():
                lacking = min(needed - row.keys())
                raise InputError(f"{path}: {what} {number} has no {lacking!r}")
        return cls(rows, what, path)

    def placed(
        self, role: str, key: str, known: Mapping[Any, int], *, among: str, strict: bool
    ) -> "BoxRows":
        """Return the rows with the places of their images, or classes; unknown ones are refused, or left out."""
        try:
            places = np.array([known.get(row[key], -1) for row in self.rows], np.int64)
        except TypeError:
            raise InputError(f"{self.path}: a {key!r} is neither a number nor a text") from None
        unknown = places < 0
        notes = self.notes
        if unknown.any():
            words = self._unknown(unknown, key, among)
            if strict or unknown.all():
                raise InputError(f"{self.path}: {words}; is it of another set?{self.hint}")
            notes = (*notes, f"{self.path}: left out, {words}.")
        kept = self._kept(~unknown)
        known_places = places[~unknown]
        if role == "image":
            return replace(kept, notes=notes, image=known_places)
        return replace(kept, notes=notes, label=known_places)

    def _unknown(self, unknown: BoolArray, key: str, among: str) -> str:
        first = int(np.flatnonzero(unknown)[0])
        number = int(unknown.sum())
        value = self.rows[first][key]
        words = f"{self.named(first)} has the {key} {value!r}, which is not among the {among}"
        if number > 1:
            words += f"; so have {counted(number - 1, f'other {self.what}')}"
        return words

    def _kept(self, rows: BoolArray) -> "BoxRows":
        if rows.all():
            return self
        places = np.flatnonzero(rows).tolist()
        return replace(
            self,
            rows=[self.rows[place] for place in places],
            numbers=[self._number(place) for place in places],
            image=None if self.image is None else self.image[rows],
            label=None if self.label is None else self.label[rows],
        )

    def _number(self, place: int) -> int:
        return place + 1 if self.numbers is None else self.numbers[place]

    def named(self, place: int) -> str:
        """Return how a message names a row."""
        return f"{self.what} {self._number(place):,}"

    def boxes(self, key: str = "bbox") -> FloatArray:
        """Return x, y, width and height of each row."""
        if not self.rows:
            return np.zeros((0, 4))
        try:
            boxes = np.array([row[key] for row in self.rows], dtype=np.float64)
        except (KeyError, TypeError, ValueError):
            boxes = np.zeros(0)
        if boxes.shape != (len(self.rows), 4):
            raise InputError(self._bad_box(key))
        return boxes

    def _bad_box(self, key: str) -> str:
        """Return the error for the first box that is not one."""
        for place, row in enumerate(self.rows):
            box = row.get(key)
            if box is None:
                return f"{self.path}: {self.named(place)} has no {key!r}, which is [x, y, width, height]"
            if not isinstance(box, list | tuple) or len(box) != 4 or not all(map(_is_number, box)):
                return (
                    f"{self.path}: the {key} of {self.named(place)} is {box!r}; "
                    "it is [x, y, width, height]"
                )
        return f"{self.path}: its boxes cannot be read"

    def scores(self, key: str = "score") -> FloatArray:
        """Return the score of each row."""
        try:
            return np.array([row[key] for row in self.rows], dtype=np.float64)
        except KeyError:
            pass
        except (TypeError, ValueError):
            for place, row in enumerate(self.rows):
                if not _is_number(row.get(key)):
                    raise InputError(
                        f"{self.path}: the score of {self.named(place)} is {row.get(key)!r}; it is a number"
                    ) from None
        place = next(place for place, row in enumerate(self.rows) if key not in row)
        raise InputError(
            f"{self.path}: {self.named(place)} has no {key!r}; is it a file of results?"
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def box_set(
    name: str,
    gallery: Gallery,
    rows: BoxRows,
    box: FloatArray,
    *,
    score: FloatArray | None = None,
    area: Sequence[float] | None = None,
    crowd: Sequence[bool] | None = None,
    ignored: Sequence[bool] | None = None,
    ids: Sequence[Any] = (),
    masks: Masks | None = None,
) -> BoxSet:
    """Return boxes after a look at their numbers: none is undefined, and no box has less than no size."""
    number = len(rows.rows)
    areas = box[:, WIDTH] * box[:, HEIGHT] if area is None else np.array(area, dtype=np.float64)
    scores = np.ones(number) if score is None else score
    _check(rows, ~np.isfinite(box).all(axis=1), box, "the box of {} is {}; its numbers are finite")
    _check(rows, ~np.isfinite(scores), scores, "the score of {} is {}; it is a finite number")
    _check(rows, ~np.isfinite(areas), areas, "the area of {} is {}; it is a finite number")
    negative = (box[:, WIDTH] < 0) | (box[:, HEIGHT] < 0)
    _check(rows, negative, box, "the box of {} is {}; its width and height are not below 0")
    crowds = np.zeros(number, bool) if crowd is None else np.array(crowd, dtype=bool)
    aside = crowds if ignored is None else crowds | np.array(ignored, dtype=bool)
    image = np.zeros(0, np.int64) if rows.image is None else rows.image
    label = np.zeros(0, np.int64) if rows.label is None else rows.label
    notes = [*rows.notes, *_without_size(rows, box), *_outside(rows, box, gallery, image)]
    return BoxSet(
        name=name,
        origin=rows.path,
        gallery=gallery,
        image=image,
        label=label,
        box=box,
        score=scores,
        area=areas,
        crowd=crowds,
        ignored=aside,
        ids=tuple(ids),
        has_scores=score is not None,
        notes=tuple(notes),
        masks=masks,
    )


def _check(rows: BoxRows, bad: Any, values: FloatArray, words: str) -> None:
    if bad.any():
        place = int(np.flatnonzero(bad)[0])
        raise InputError(f"{rows.path}: {words.format(rows.named(place), values[place].tolist())}")


def _without_size(rows: BoxRows, box: FloatArray) -> list[str]:
    """Return a note on boxes of no size, which nothing can match."""
    flat = (box[:, WIDTH] == 0) | (box[:, HEIGHT] == 0)
    if not flat.any():
        return []
    first = rows.named(int(np.flatnonzero(flat)[0]))
    many = counted(int(flat.sum()), "box") if flat.sum() == 1 else f"{flat.sum():,} boxes"
    return [f"{rows.path}: {many} of no size, which nothing can match, the first is {first}."]


def _outside(rows: BoxRows, box: FloatArray, gallery: Gallery, image: IntArray) -> list[str]:
    """Return a note on boxes that are wholly outside of their images."""
    if gallery.sizes is None or not len(box):
        return []
    size = gallery.sizes[image]
    right = box[:, 0] + box[:, WIDTH]
    bottom = box[:, 1] + box[:, HEIGHT]
    outside = (right < 0) | (bottom < 0) | (box[:, 0] > size[:, 0]) | (box[:, 1] > size[:, 1])
    if not outside.any():
        return []
    place = int(np.flatnonzero(outside)[0])
    within = ""
    if np.isfinite(size[place]).all():
        width, height = map(int, size[place])
        within = f" in an image of {width} x {height}"
    many = "1 box lies" if outside.sum() == 1 else f"{outside.sum():,} boxes lie"
    words = (
        f"{rows.path}: {many} outside of their images: {rows.named(place)} is {box[place].tolist()}"
        f"{within}; are they in pixels, as [x, y, width, height]?"
    )
    return [words]
