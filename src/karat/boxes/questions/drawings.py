"""Files with the errors of every image, drawn."""

from pathlib import Path

from karat.boxes.draw.errors import drawn_image
from karat.boxes.draw.placed import placed_boxes
from karat.boxes.matching.box_rows import BoxTable
from karat.report.writing import folder, write


def write_drawings(table: BoxTable, into: str | Path) -> int:
    """Write an SVG for every image and system; return how many images there are."""
    written = folder(into)
    gallery = table.truth.gallery
    for place, image in enumerate(gallery.images):
        for system in table.systems:
            drawn = drawn_image(placed_boxes(table, system, place))
            write(written / f"{place + 1:05d}_{_safe(image)}_{_safe(system)}.svg", drawn)
    return len(gallery.images)


def _safe(name: str) -> str:
    """Return a name with nothing in it that a file's name may not hold."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)
