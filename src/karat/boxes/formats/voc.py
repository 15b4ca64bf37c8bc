"""Pascal VOC: an XML file an image, and of results a text file a class, or the same XML with scores."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from karat.boxes.formats.listing import Listing
from karat.boxes.formats.text_file import read_text
from karat.errors import InputError
from karat.source.paths import is_folder
from karat.source.xml_tree import Element, line_of, name_of, named, root_of, text_in

CORNERS = ("xmin", "ymin", "xmax", "ymax")
SCORES = ("score", "confidence")
LINE = re.compile(r"\S+(\s+[-+.\deE]+){5}\s*")
WITHOUT_ONE = "A box is as wide as xmax - xmin, not a pixel more as in the devkit of VOC."


def read_voc(path: str | Path) -> Listing:
    """Return the boxes of a folder of XML files, of one, or of a folder of results, a text file a class."""
    path = Path(path)
    if is_folder(path) and is_voc_results(path):
        return _results(path)
    files = [path]
    if is_folder(path):
        files = sorted(file for file in path.iterdir() if file.suffix.lower() == ".xml")
    if not files:
        raise InputError(f"{path} holds no .xml; Pascal VOC has one for each image")
    rows: list[Mapping[str, Any]] = []
    sizes = {}
    for file in files:
        root = root_of(file)
        if name_of(root) != "annotation":
            raise InputError(
                f"{file} is not a file of Pascal VOC: its outermost element is {name_of(root)}, not annotation"
            )
        size = _size(root)
        if size is not None:
            sizes[file.stem] = size
        rows += [{"image": file.stem, **box} for box in _objects(root, file)]
    return Listing([file.stem for file in files], rows, sizes, what="box", notes=(WITHOUT_ONE,))


def _size(root: Element) -> tuple[float, float] | None:
    for size in named(root, "size"):
        try:
            width, height = (float(_text(size, side) or "") for side in ("width", "height"))
        except ValueError:
            return None
        # Tools that do not know the size write 0.
        return (width, height) if width > 0 and height > 0 else None
    return None


def _objects(root: Element, file: Path) -> Iterator[dict[str, Any]]:
    for one in named(root, "object"):
        place = f"{file}, line {line_of(one)}"
        boxes = list(named(one, "bndbox"))
        label = _text(one, "name")
        if not boxes or label is None:
            raise InputError(f"{place}: an object has a name and a bndbox of {', '.join(CORNERS)}")
        corners = [_number(boxes[0], side, place) for side in CORNERS]
        scores = [_number(one, name, place) for name in SCORES if _text(one, name) is not None]
        yield {
            "label": label,
            "bbox": _sides(corners),
            "score": scores[0] if scores else None,
            "ignored": (_text(one, "difficult") or "0") == "1",
        }


def _sides(corners: list[float]) -> list[float]:
    left, top, right, bottom = corners
    return [left, top, right - left, bottom - top]


def _number(element: Element, name: str, place: str) -> float:
    text = _text(element, name)
    try:
        return float(text or "")
    except ValueError:
        raise InputError(f"{place}: {name} is {text!r}; it is a number") from None


def _text(element: Element, name: str) -> str | None:
    """Return the text of the first child of a name."""
    for child in named(element, name):
        return text_in(child).strip()
    return None


def is_voc_results(folder: Path) -> bool:
    """Return whether the text files of a folder are results: image, score and two corners a line."""
    files = sorted(folder.glob("*.txt"))[:20]
    lines = [line for file in files for line in read_text(file).splitlines() if line.strip()]
    return bool(lines) and all(LINE.fullmatch(line) for line in lines)


def _start(names: list[str]) -> str:
    """Return how all names begin, up to an underscore; what follows is the class.

    >>> _start(["comp4_det_test_dog", "comp4_det_test_dining_table"]), _start(["dog", "cat"]), _start(["det_test_dog"])
    ('comp4_det_test_', '', 'det_test_')
    """
    first, last = min(names), max(names)
    same = 0
    while same < min(len(first), len(last)) and first[same] == last[same]:
        same += 1
    return first[: first.rfind("_", 0, same) + 1]


def _results(folder: Path) -> Listing:
    """Return boxes of text files, whose names end with their class, as comp4_det_test_dog.txt."""
    files = sorted(folder.glob("*.txt"))
    start = _start([file.stem for file in files])
    rows: list[Mapping[str, Any]] = []
    for file in files:
        for number, line in enumerate(read_text(file).splitlines(), 1):
            if not line.strip():
                continue
            if not LINE.fullmatch(line):
                raise InputError(
                    f"{file}, line {number}: {line!r} is not a result; write image, score, xmin, ymin, xmax, ymax"
                )
            image, *numbers = line.split()
            score, *corners = map(float, numbers)
            label = file.stem.removeprefix(start)
            rows.append({"image": image, "label": label, "bbox": _sides(corners), "score": score})
    images = list(dict.fromkeys(row["image"] for row in rows))
    return Listing(images, rows, what="box")
