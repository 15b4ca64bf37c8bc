"""Which files hold boxes, and who reads them."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from karat.boxes.formats.coco import CocoTruth, shape_of
from karat.boxes.formats.json_file import start_of
from karat.boxes.formats.listing import ListedTruth, Listing, Read
from karat.boxes.formats.pages import HOCR_ENDINGS, hocr, page_xml
from karat.boxes.formats.plain import columns_of_boxes, read_plain
from karat.boxes.formats.voc import read_voc
from karat.boxes.formats.yolo import is_yolo, names_beside, parts_inside, yolo
from karat.boxes.model.box_set import BoxSet, Gallery
from karat.boxes.options import BOX_FORMATS, BoxOptions
from karat.errors import ChoiceError, InputError
from karat.source.files.delimited import first_line, header
from karat.source.paths import is_a_file, is_folder

PARTS = re.compile(rb'"(images|annotations|categories)"\s*:\s*\[')


class BoxTruth(Protocol):
    """A truth of boxes, and how the results of systems are read with it."""

    gallery: Gallery

    def truth(self) -> BoxSet:
        """Return the boxes of the truth."""

    def results(self, path: str | Path, name: str, *, lenient: bool = False) -> BoxSet:
        """Return the boxes of a system."""


def truth_of(
    path: Path,
    systems: Sequence[Path],
    options: BoxOptions,
    *,
    format: str | None = None,  # noqa: A002
) -> BoxTruth:
    """Return the truth behind a path, by its format or its shape."""
    if format is None and is_result(path):
        raise InputError(
            f"{path} is a list of COCO's results, not a truth; name the file of annotations with --truth"
        )
    name = format or shape(path)
    if name is None:
        raise InputError(
            f"{path} holds no boxes that karat knows by their shape; say --format {'|'.join(BOX_FORMATS)}"
        )
    if name == "coco":
        return CocoTruth(path, shape=options.shape or shape_of(systems))
    by_mask = options.shape == "mask"
    readers: dict[str, Read] = {
        "yolo": yolo(options.sizes, options.names or names_beside(path)),
        "voc": _or_plain(read_voc),
        "page": _or_plain(page_xml(options.element, by_mask=by_mask)),
        "hocr": _or_plain(hocr(options.element)),
        "boxes": read_plain,
    }
    if name not in readers:
        raise ChoiceError("--format", name, BOX_FORMATS)
    return ListedTruth(path, readers[name], systems, by_mask=by_mask)


def _or_plain(read: Read) -> Read:
    """Return a reader that also takes plain tables: results are often written so, whatever the truth is."""

    def either(path: str | Path) -> Listing:
        is_table = is_a_file(path) and shape(Path(path)) == "boxes"
        return read_plain(path) if is_table else read(path)

    return either


def shape(path: Path) -> str | None:
    """Return the format of boxes that a file or folder has by its look; None if it holds none."""
    try:
        return _of_folder(path) if is_folder(path) else _of_file(path)
    except (InputError, OSError):
        return None


def _of_folder(path: Path) -> str | None:
    if any(path.glob("*.txt")):
        return "yolo" if is_yolo(path) else None
    first = next((file for file in sorted(path.iterdir()) if file.is_file()), None)
    found = _of_file(first) if first else None
    if found is None and parts_inside(path):
        found = "yolo"
    return found


def _of_file(path: Path) -> str | None:
    ending = Path(path.name.lower().removesuffix(".gz")).suffix
    if ending in {".csv", ".tsv"}:
        return _of_columns(path)
    start = start_of(path)
    if ending == ".json" and start.startswith(b"{"):
        return "coco" if PARTS.search(start) else None
    looks = {
        "boxes": ending in {".json", ".jsonl", ".ndjson"} and _names(start),
        "voc": ending == ".xml" and b"<annotation" in start,
        "page": ending == ".xml" and b"PcGts" in start,
        "hocr": ending in HOCR_ENDINGS and b"ocr_page" in start,
    }
    return next((name for name, fits in looks.items() if fits), None)


def _of_columns(path: Path) -> str | None:
    line = first_line(str(path))
    if line and columns_of_boxes(set(header(line, origin=str(path)).names)):
        return "boxes"
    return None


def _names(start: bytes) -> bool:
    """Return whether the first object of JSON has the names of a box."""
    first = start.partition(b"}")[0].decode(errors="replace")
    return columns_of_boxes(set(re.findall(r'"([^"]+)"\s*:', first)))


def is_result(path: Path) -> bool:
    """Return whether a file is a list of COCO's results, which need a truth."""
    if not is_a_file(path) or not path.name.lower().endswith((".json", ".json.gz")):
        return False
    try:
        start = start_of(path)
    except InputError:
        return False
    has_ids = b'"image_id"' in start and b'"category_id"' in start
    has_shape = b'"bbox"' in start or b'"segmentation"' in start
    return start.startswith(b"[") and has_ids and has_shape
