"""COCO: a JSON file of images, categories and annotations, and one of results for each system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from karat.boxes.formats.checks import BoxRows, box_set
from karat.boxes.formats.json_file import read_json, start_of
from karat.boxes.formats.segmentations import MASK, masks_of
from karat.boxes.model.box_set import BoxSet, Gallery
from karat.boxes.model.masks import Masks
from karat.errors import InputError
from karat.numeric.arrays import FloatArray

IDS = {"image_id", "category_id"}
IN_TURN = "{}: its category_ids are those of classes counted from 0; should they be those of the categories?"
HAS_MASKS = "{} has masks beside its boxes; --using shape=mask compares these."


class CocoTruth:
    """A file of annotations, and how its results are read."""

    def __init__(self, path: str | Path, *, shape: str = "box") -> None:
        self.path = str(path)
        self.shape = shape
        data = read_json(path)
        self._check_parts(data)
        images = sorted(data["images"], key=lambda image: image["id"])
        classes = sorted(data["categories"], key=lambda one: one["id"])
        self.images = self._places(images, "images")
        self.classes = self._places(classes, "categories")
        self.gallery = Gallery(
            tuple(str(image["id"]) for image in images),
            _names(classes),
            self._sizes(images),
            tuple(str(image.get("file_name", image["id"])) for image in images),
        )
        self._annotations = data["annotations"]

    def truth(self) -> BoxSet:
        """Return the boxes of the truth."""
        columns = self._columns(self._annotations, "annotation", self.path)
        rows = columns.rows
        shapes = self._shapes(columns)
        area = [row.get("area", size) for row, size in zip(rows, shapes.area.tolist(), strict=True)]
        crowd = [bool(row.get("iscrowd", 0)) for row in rows]
        ids = [row.get("id", number) for number, row in enumerate(rows, 1)]
        if len(set(ids)) < len(ids):
            twice = max(ids, key=ids.count)
            raise InputError(
                f"{self.path}: two annotations have the id {twice}; each needs its own"
            )
        return box_set(
            "truth",
            self.gallery,
            columns,
            shapes.box,
            area=area,
            crowd=crowd,
            ids=ids,
            masks=shapes.masks,
        )

    def results(self, path: str | Path, name: str, *, lenient: bool = False) -> BoxSet:
        """Return the boxes of a system."""
        data = read_json(path)
        if isinstance(data, Mapping) and "annotations" in data:
            data = data["annotations"]
        if not isinstance(data, list):
            raise InputError(
                f"{path} is not a list of results; COCO's are [{{image_id, category_id, bbox, score}}, ...]"
            )
        columns = self._columns(data, "result", str(path), lenient=lenient)
        shapes = self._shapes(columns)
        has_both = self.shape == "box" and any(
            row.get(MASK) and "bbox" in row for row in columns.rows[:1]
        )
        if has_both:
            columns = replace(columns, notes=(*columns.notes, HAS_MASKS.format(path)))
        return box_set(
            name,
            self.gallery,
            columns,
            shapes.box,
            score=columns.scores(),
            area=shapes.area.tolist(),
            masks=shapes.masks,
        )

    def _shapes(self, columns: BoxRows) -> "_Shapes":
        """Return boxes, or masks and the boxes around them."""
        if self.shape == "mask":
            masks = masks_of(columns, self.gallery)
            return _Shapes(masks.boxes(), masks.areas(), masks)
        if any("bbox" not in row and row.get(MASK) for row in columns.rows):
            masks = masks_of(columns, self.gallery)
            return _Shapes(masks.boxes(), masks.areas(), None)
        boxes = columns.boxes()
        return _Shapes(boxes, boxes[:, 2] * boxes[:, 3], None)

    def _columns(
        self, rows: Sequence[Any], what: str, path: str, *, lenient: bool = False
    ) -> BoxRows:
        """Return rows with the places of their images and classes."""
        columns = BoxRows.of(rows, what, path, needed=IDS)
        if what == "result":
            columns = self._by_name(columns)
        columns = columns.placed(
            "image", "image_id", self.images, among=f"images of {self.path}", strict=not lenient
        )
        # As pycocotools: a system may know more classes than the truth has.
        strict = what == "annotation"
        numbers = {
            row["category_id"] for row in columns.rows if isinstance(row["category_id"], int)
        }
        if (
            not strict
            and numbers - self.classes.keys()
            and numbers <= set(range(len(self.classes)))
        ):
            columns = replace(columns, notes=(*columns.notes, IN_TURN.format(path)))
        return columns.placed(
            "label",
            "category_id",
            self.classes,
            among=f"categories of {self.path}",
            strict=strict,
        )

    def _by_name(self, columns: BoxRows) -> BoxRows:
        """Return results with the ids of images, where a tool wrote these as text or wrote names of files instead."""
        called = {row["image_id"] for row in columns.rows if isinstance(row["image_id"], str)}
        if not called - self.images.keys():
            return columns
        files = self.gallery.files
        for names in (map(str, self.images), files, (Path(file).stem for file in files)):
            known = dict(zip(names, self.images, strict=True))
            if called <= known.keys() and len(known) == len(self.images):
                break
        else:
            return columns
        rows = [
            {**row, "image_id": known.get(row["image_id"], row["image_id"])} for row in columns.rows
        ]
        first = min(called)
        note = f"{columns.path}: the image_id {first!r} and others like it are taken as {known[first]!r}."
        return replace(columns, rows=rows, notes=(*columns.notes, note))

    def _check_parts(self, data: Any) -> None:
        """Refuse a file that lacks a part of COCO's truth, or has one of another form."""
        parts = ("images", "annotations", "categories")
        if not isinstance(data, Mapping) or any(part not in data for part in parts):
            raise InputError(
                f"{self.path} is not a truth file of COCO: it needs the lists images, annotations and categories"
            )
        for part in parts:
            if not isinstance(data[part], list):
                raise InputError(f"{self.path}: {part!r} is not a list")
        for part in ("images", "categories"):
            self._check_ids(part, data[part])
        if not data["images"]:
            raise InputError(f"{self.path} has no images")

    def _check_ids(self, part: str, entries: Sequence[Any]) -> None:
        """Refuse images or categories without ids, or with ids of two types."""
        for number, entry in enumerate(entries, 1):
            if not isinstance(entry, Mapping) or not isinstance(entry.get("id"), int | str):
                raise InputError(f"{self.path}: entry {number} of {part!r} has no id")
        types = {type(entry["id"]) for entry in entries}
        if len(types) > 1:
            raise InputError(
                f"{self.path}: the ids of {part!r} are a mix of numbers and texts; use one type"
            )

    def _sizes(self, images: Sequence[Mapping[str, Any]]) -> FloatArray:
        sizes = np.full((len(images), 2), np.nan)
        for place, image in enumerate(images):
            for side, name in enumerate(("width", "height")):
                given = image.get(name)
                if given is None:
                    continue
                try:
                    sizes[place, side] = float(given)
                except (TypeError, ValueError, OverflowError):
                    raise InputError(
                        f"{self.path}: the {name} of the image {image['id']!r} is {given!r}; it is a number"
                    ) from None
        return sizes

    def _places(self, entries: Sequence[Mapping[str, Any]], part: str) -> dict[Any, int]:
        places = {entry["id"]: place for place, entry in enumerate(entries)}
        if len(places) < len(entries):
            ids = [entry["id"] for entry in entries]
            twice = max(ids, key=ids.count)
            raise InputError(f"{self.path}: two entries of {part!r} have the id {twice}")
        return places


@dataclass(frozen=True, slots=True, eq=False)
class _Shapes:
    """Where objects are, and how large."""

    box: FloatArray
    area: FloatArray
    masks: Masks | None


def shape_of(paths: Sequence[str | Path]) -> str:
    """Return by what results are compared: by masks, if some have no boxes."""
    for path in paths:
        start = start_of(Path(path))
        if b'"bbox"' not in start and f'"{MASK}"'.encode() in start:
            return "mask"
    return "box"


def _names(classes: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the names of categories; those that two share get their ids too."""
    names = [str(one.get("name", one["id"])) for one in classes]
    return tuple(
        f"{name} ({one['id']})" if names.count(name) > 1 else name
        for name, one in zip(names, classes, strict=True)
    )
