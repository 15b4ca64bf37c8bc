"""Boxes in plain tables: CSV, TSV, JSON lines or one JSON list, a row a box; also spans of text."""

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from karat.boxes.formats.json_file import read_json
from karat.boxes.formats.listing import Listing
from karat.boxes.formats.text_file import read_text
from karat.errors import InputError
from karat.words import listing as names_of

IMAGES = (
    "image",
    "image_id",
    "imageid",
    "image_name",
    "filename",
    "file_name",
    "page",
    "file",
    "document",
    "doc_id",
)
LABELS = ("class", "label", "category", "type", "class_name", "labelname", "category_name")
SCORES = ("score", "confidence", "conf")
SIDES = {
    "corner and size": ("x", "y", "width", "height"),
    "corner and w, h": ("x", "y", "w", "h"),
    "two corners": ("x1", "y1", "x2", "y2"),
    "ends": ("xmin", "ymin", "xmax", "ymax"),
    "edges": ("left", "top", "right", "bottom"),
    "least and most": ("x_min", "y_min", "x_max", "y_max"),
    "one column": ("bbox",),
    "span": ("start", "end"),
}
"""How the four numbers of a box are called; a span has two, and is a box of height 1."""
OF_CORNERS = {"two corners", "ends", "edges", "least and most"}
EMPTY = (
    " An image without a box needs a row with its name and no numbers; --lenient leaves results for "
    "other images out."
)
GROUPS = "isgroupof"
"""The column of Open Images that marks a box around many objects."""
FORMS = "x,y,width,height or x1,y1,x2,y2; of spans in text start,end"


def read_plain(path: str | Path) -> Listing:
    """Return the boxes of a table; a row without numbers names an image without a box."""
    rows: list[Mapping[str, Any]] = []
    images = []
    numbers = []
    columns: _BoxColumns | None = None
    for number, row in _rows(path):
        if columns is None:
            columns = _BoxColumns.of(row, str(path))
        image = str(row.get(columns.image))
        images.append(image)
        box = columns.box(row, number)
        if box is None:
            continue
        score = columns.score_of(row, number)
        found = {"image": image, "label": columns.label_of(row), "bbox": box, "score": score}
        rows.append({**found, "crowd": columns.is_crowd(row)})
        numbers.append(number)
    if columns is None:
        raise InputError(f"{path} has no boxes; it needs a row for each, with {FORMS}")
    return Listing(images, rows, numbers=numbers, hint=EMPTY)


def columns_of_boxes(names: set[str]) -> bool:
    """Return whether columns are those of boxes in images.

    >>> columns_of_boxes({"image", "x", "y", "width", "height", "class"}), columns_of_boxes({"x", "y", "truth"})
    (True, False)
    """
    lower = {name.lower() for name in names}
    has_image = any(name in lower for name in IMAGES)
    sides = [names for form, names in SIDES.items() if form != "span"]
    return has_image and any(set(names) <= lower for names in sides)


class _BoxColumns:
    """Which column is what."""

    def __init__(self, path: str, image: str, sides: tuple[str, ...], form: str) -> None:
        self.path = path
        self.image = image
        self.sides = sides
        self.form = form

    @classmethod
    def of(cls, row: Mapping[str, Any], path: str) -> "_BoxColumns":
        image = _first(row, IMAGES)
        if image is None:
            raise InputError(
                f"{path} has no column of images; it has {names_of(row)}, and karat looks for {names_of(IMAGES)}"
            )
        for form, names in SIDES.items():
            found = [_first(row, (name,)) for name in names]
            if None not in found:
                return cls(path, image, tuple(map(str, found)), form)
        raise InputError(f"{path} has no columns of boxes: {FORMS}; it has {names_of(row)}")

    def box(self, row: Mapping[str, Any], number: int) -> list[float] | None:
        """Return x, y, width and height; None where all are empty."""
        cells = [row.get(name) for name in self.sides]
        if all(cell is None or cell == "" for cell in cells):
            return None
        if self.form == "one column":
            return self._listed(cells[0], number)
        values = [self._number(row, name, number) for name in self.sides]
        if self.form == "span":
            start, end = values
            if end < start:
                raise InputError(
                    f"{self.path}, line {number}: a span from {start:g} to {end:g} ends before it starts"
                )
            return [start, 0.0, end - start, 1.0]
        x, y, third, fourth = values
        if self.form in OF_CORNERS:
            return [x, y, third - x, fourth - y]
        return values

    def _listed(self, cell: Any, number: int) -> list[float]:
        """Return the numbers of one cell, as [x, y, width, height]."""
        try:
            values = json.loads(cell) if isinstance(cell, str) else cell
            x, y, width, height = map(float, values)
        except (TypeError, ValueError, RecursionError):
            raise InputError(
                f"{self.path}, line {number}: {self.sides[0]} is {cell!r}; it is [x, y, width, height]"
            ) from None
        return [x, y, width, height]

    def is_crowd(self, row: Mapping[str, Any]) -> bool:
        column = _first(row, (GROUPS,))
        return column is not None and str(row[column]).strip() == "1"

    def label_of(self, row: Mapping[str, Any]) -> str:
        column = _first(row, LABELS)
        return "(box)" if column is None else str(row[column])

    def score_of(self, row: Mapping[str, Any], number: int) -> float | None:
        column = _first(row, SCORES)
        if column is None:
            return None
        return self._number(row, column, number)

    def _number(self, row: Mapping[str, Any], name: str, number: int) -> float:
        try:
            return float(row[name])
        except (TypeError, ValueError):
            raise InputError(
                f"{self.path}, line {number}: {name} is {row[name]!r}; it is a number"
            ) from None


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the first column of a row that has one of these names, in whatever case."""
    by_lower = {str(name).lower(): str(name) for name in row}
    for name in names:
        if name in by_lower:
            return by_lower[name]
    return None


def _rows(path: str | Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the line, or the number, and the cells of each row."""
    ending = Path(str(path).lower().removesuffix(".gz")).suffix
    if ending == ".json":
        data = read_json(path)
        if not isinstance(data, list):
            raise InputError(
                f"{path} is not a list of boxes; write [{{image, class, x, y, width, height}}, ...]"
            )
        for number, row in enumerate(data, 1):
            yield number, _object(row, path, number)
        return
    text = read_text(path)
    if ending in {".jsonl", ".ndjson"}:
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield number, _object(_parsed(line, path, number), path, number)
        return
    reader = csv.DictReader(text.splitlines(), delimiter="\t" if ending == ".tsv" else ",")
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(
            f"{path}, line {reader.line_num}: {error}; is a quote left open?"
        ) from None


def _parsed(line: str, path: str | Path, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(f"{path}, line {number}: not valid JSON: {line[:60]!r}") from None


def _object(row: Any, path: str | Path, number: int) -> Mapping[str, Any]:
    if isinstance(row, Mapping):
        return row
    raise InputError(f"{path}: entry {number} is not an object but {row!r}")
