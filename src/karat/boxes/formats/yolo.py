"""YOLO: a folder with a text file an image; a line a box: class, centre and size as parts of the image, and a score."""

import re
import struct
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from karat.boxes.formats.class_names import class_names
from karat.boxes.formats.listing import Listing, Read
from karat.boxes.formats.text_file import read_text
from karat.errors import InputError
from karat.source.paths import is_folder
from karat.words import counted, listing

LINE = re.compile(r"\d+(\s+[-+.\deE]+){4,5}\s*")
OUTLINE = re.compile(r"\d+(\s+(0?\.\d+|[01](\.0*)?)){6,}")
"""A class and the corners of an outline, or of a rotated box: refused by name, where text would not be."""
CLASSES = "classes.txt"
PICTURES = (".jpg", ".jpeg", ".png")
EMPTY = (
    " An image without an object needs an empty file, or a size by --using sizes=DIR; --lenient leaves results for "
    "other images out."
)
LARGEST = 2.0
"""No box of YOLO reaches so far: its numbers are parts of the image."""
UNKNOWN = (
    "The images' sizes are not known, so that boxes cannot be small, medium or large: all sizes together count; "
    "use --using sizes=DIR, a folder of the images, or a CSV of image,width,height."
)


def yolo(sizes: str | None, names: str | None) -> Read:
    """Return the reader of folders, with the images' sizes and a file of the classes' names."""
    return partial(
        _read,
        sizes=_sizes(sizes) if sizes else {},
        classes=None if names is None else class_names(names),
    )


def names_beside(folder: Path) -> str | None:
    """Return the file of names in a folder of labels, if there is one."""
    path = folder / CLASSES
    return str(path) if path.exists() else None


def is_yolo(folder: Path) -> bool:
    """Return whether the text files of a folder hold boxes as YOLO writes them."""
    seen = 0
    for path in _label_files(folder)[:20]:
        lines = [line.strip() for line in read_text(path).splitlines() if line.strip()]
        if not all(LINE.fullmatch(line) or OUTLINE.fullmatch(line) for line in lines):
            return False
        seen += len(lines)
    return seen > 0


def parts_inside(folder: Path) -> list[Path]:
    """Return the folders of labels in a folder that holds no labels itself, as train and val."""
    return [one for one in sorted(folder.iterdir()) if is_folder(one) and is_yolo(one)]


def _read(
    folder: str | Path,
    *,
    sizes: Mapping[str, tuple[float, float]],
    classes: Mapping[int, str] | None,
) -> Listing:
    """Return the boxes of a folder; without the images' sizes in parts of the image, which overlap as pixels do."""
    paths = _label_files(Path(folder))
    if not paths:
        parts = [str(part) for part in parts_inside(Path(folder))]
        inside = f"; name a folder in it: {listing(parts)}" if parts else ""
        raise InputError(f"{folder} holds no .txt; YOLO has one for each image{inside}")
    rows: list[Mapping[str, Any]] = []
    for path in paths:
        width, height = sizes.get(path.stem, (1.0, 1.0))
        if sizes and path.stem not in sizes:
            raise InputError(
                f"the size of the image of {path} is not known; add it to --using sizes"
            )
        for number, line in enumerate(read_text(path).splitlines(), 1):
            if line.strip():
                rows.append(_row(line.split(), f"{path}, line {number}", path.stem, width, height))
    for row in rows:
        place = int(row["label"])
        if classes is not None and place in classes:
            row["label"] = classes[place]  # type: ignore[index]
    notes = () if sizes else (UNKNOWN,)
    # An image without an object may have no file, but it has a size.
    images = sorted({*sizes, *(path.stem for path in paths)})
    return Listing(images, rows, sizes, what="box", notes=notes, hint=EMPTY)


def _label_files(folder: Path) -> list[Path]:
    """Return the files of boxes in a folder; classes.txt, which LabelImg writes beside them, is not one."""
    return sorted(path for path in folder.glob("*.txt") if path.name != CLASSES)


def _row(parts: list[str], place: str, image: str, width: float, height: float) -> dict[str, Any]:
    try:
        label = int(parts[0])
        x, y, w, h, *score = (float(part) for part in parts[1:])
    except ValueError:
        raise InputError(
            f"{place}: {' '.join(parts)!r} is not a box; write class, x and y of the centre, width, height"
        ) from None
    if len(score) > 1:
        raise InputError(
            f"{place} has {counted(len(parts), 'number')}; a box has 5, or 6 with its score; outlines are not read"
        )
    if max(abs(x), abs(y), w, h) > LARGEST:
        raise InputError(
            f"{place}: {' '.join(parts)!r} is in pixels; YOLO's boxes are parts of the image, from 0 to 1"
        )
    box = [(x - w / 2) * width, (y - h / 2) * height, w * width, h * height]
    row: dict[str, Any] = {"image": image, "label": str(label), "bbox": box}
    if score:
        row["score"] = score[0]
    return row


def _sizes(given: str) -> dict[str, tuple[float, float]]:
    """Return the size of each image: from the pictures of a folder, or from a table of image, width and height."""
    path = Path(given)
    if is_folder(path):
        found = {}
        for picture in sorted(path.iterdir()):
            if picture.suffix.lower() in PICTURES:
                found[picture.stem] = picture_size(picture)
        return found
    rows = read_plain_sizes(path)
    return {Path(image).stem: size for image, size in rows.items()}


def read_plain_sizes(path: Path) -> dict[str, tuple[float, float]]:
    """Return width and height of each image from a table."""
    lines = read_text(path).splitlines()
    sizes = {}
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in line.split(",")]
        if number == 1 and cells[0].lower() in {"image", "file", "name"}:
            continue
        try:
            sizes[cells[0]] = (float(cells[1]), float(cells[2]))
        except (IndexError, ValueError):
            raise InputError(
                f"{path}, line {number}: {line!r} is not a size; write image,width,height"
            ) from None
    return sizes


def picture_size(path: Path) -> tuple[float, float]:
    """Return width and height of a PNG or JPEG picture, from its first bytes."""
    data = path.read_bytes()
    if data.startswith(b"\x89PNG"):
        width, height = struct.unpack(">II", data[16:24])
        return float(width), float(height)
    place = 2
    while place + 9 < len(data) and data[place] == 0xFF:
        kind, length = struct.unpack(">xBH", data[place : place + 4])
        # Frames hold the size; C4, C8 and CC are tables between them.
        if 0xC0 <= kind <= 0xCF and kind not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return float(width), float(height)
        place += 2 + length
    raise InputError(f"{path} is not a PNG or JPEG whose size can be read")
