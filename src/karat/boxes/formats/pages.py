"""Pages: the regions of PAGE-XML, and the areas, lines and words of hOCR, as boxes around them."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from karat.boxes.formats.listing import Listing, Read
from karat.errors import InputError
from karat.source.paths import is_folder
from karat.source.xml_tree import Element, line_of, name_of, named, root_of

PAGE_ENDINGS = (".xml",)
HOCR_ENDINGS = (".hocr", ".html", ".xhtml", ".htm")
BBOX = re.compile(r"\bbbox\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)")
SURE = re.compile(r"\bx_w?conf\s+([\d.]+)")
STRUCTURE = re.compile(r"structure\s*\{[^}]*type:\s*([^;}]+)")
"""Where Transkribus writes the type of a region."""
AREA = "ocr_carea"
BOUNDS = (
    "Regions are compared by the boxes around them; --using shape=mask compares their outlines."
)
HOCR = "ocr_carea, ocr_par, ocr_line, ocrx_word"


def page_xml(element: str | None = None, *, by_mask: bool = False) -> Read:
    """Return the reader of folders of PAGE-XML, or of one file: a region is a box, its type the class; or TextLine."""
    notes = () if by_mask else (BOUNDS,)
    regions = partial(_regions, wanted=element)
    return partial(_read, endings=PAGE_ENDINGS, of_page=regions, notes=notes)


def hocr(element: str | None = None) -> Read:
    """Return the reader of folders of hOCR, or of one file: each element of a class, such as ocr_carea, is a box."""
    wanted = element or AREA
    return partial(_read, endings=HOCR_ENDINGS, of_page=partial(_elements, wanted=wanted))


def _read(
    path: str | Path, *, endings: tuple[str, ...], of_page: Any, notes: tuple[str, ...] = ()
) -> Listing:
    path = Path(path)
    files = [path]
    if is_folder(path):
        files = [file for file in sorted(path.iterdir()) if file.suffix.lower() in endings]
        if not files:
            raise InputError(f"{path} holds no file that ends with {' or '.join(endings)}")
    rows: list[Mapping[str, Any]] = []
    sizes = {}
    images = []
    for file in files:
        # One file is one page, whatever it is called.
        image = file.stem if is_folder(path) else "page"
        images.append(image)
        root = root_of(file)
        size = _size(root, file)
        if size:
            sizes[image] = size
        rows += [{"image": image, **row} for row in of_page(root, str(file))]
    return Listing(images, rows, sizes, what="box", notes=notes)


def _size(root: Element, file: Path) -> tuple[float, float] | None:
    for page in root.iter():
        width = page.get("imageWidth")
        height = page.get("imageHeight")
        if width and height:
            return _number(width, file, page), _number(height, file, page)
        if "ocr_page" in (page.get("class") or ""):
            found = BBOX.search(page.get("title") or "")
            if found:
                return _number(found[3], file, page), _number(found[4], file, page)
    return None


def _regions(root: Element, file: str, *, wanted: str | None) -> Iterator[dict[str, Any]]:
    """Yield the regions of a page, TextRegion with its type, or what else ends with Region; or other elements."""
    if name_of(root) != "PcGts":
        raise InputError(
            f"{file} is not PAGE-XML: its outermost element is {name_of(root)}, not PcGts"
        )
    for element in root.iter():
        name = name_of(element)
        if name != wanted if wanted else not name.endswith("Region"):
            continue
        kind = _type(element)
        label = name if kind is None else f"{name}:{kind}"
        confidence = element.get("conf")
        for coords in named(element, "Coords"):
            confidence = confidence or coords.get("conf")
            points = _points(coords, file)
            yield {
                "label": label,
                "bbox": _around(points),
                "score": None if confidence is None else _number(confidence, file, element),
                "segmentation": [[side for point in points for side in point]],
            }


def _type(element: Element) -> str | None:
    """Return the type of a region."""
    kind: str | None = element.get("type")
    if kind is not None:
        return kind
    found = STRUCTURE.search(element.get("custom") or "")
    return found[1].strip() if found else None


def _points(coords: Element, file: str) -> list[tuple[float, float]]:
    """Return the corners of a region: points="x,y x,y ...", or a Point element each, as older files have."""
    place = f"{file}, line {line_of(coords)}"
    text = coords.get("points")
    try:
        if text is not None:
            return [_pair(part) for part in text.split()]
        return [(float(point.get("x")), float(point.get("y"))) for point in named(coords, "Point")]
    except (TypeError, ValueError):
        raise InputError(f"{place}: the points {text!r} are not a list of x,y") from None


def _number(text: str, file: str | Path, element: Element) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"{file}, line {line_of(element)}: {text!r} is not a number, where one belongs"
        ) from None


def _pair(text: str) -> tuple[float, float]:
    x, y = text.split(",")
    return float(x), float(y)


def _around(points: list[tuple[float, float]]) -> list[float]:
    """Return the box around points; one without size where there are none."""
    if not points:
        return [0.0, 0.0, 0.0, 0.0]
    columns = [x for x, _ in points]
    lines = [y for _, y in points]
    left = min(columns)
    top = min(lines)
    return [left, top, max(columns) - left, max(lines) - top]


def _elements(root: Element, file: str, *, wanted: str) -> Iterator[dict[str, Any]]:
    """Yield the elements of a class, or of several with commas."""
    classes = set(wanted.split(","))
    for element in root.iter():
        own = set((element.get("class") or "").split()) & classes
        if not own:
            continue
        title = element.get("title") or ""
        found = BBOX.search(title)
        if not found:
            raise InputError(
                f"{file}, line {line_of(element)}: an element {min(own)} has no bbox in its title: {title!r}"
            )
        left, top, right, bottom = (_number(side, file, element) for side in found.groups())
        sure = SURE.search(title)
        yield {
            "label": min(own),
            "bbox": [left, top, right - left, bottom - top],
            "score": None if sure is None else _number(sure[1], file, element) / 100,
        }
