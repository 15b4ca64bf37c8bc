"""Files with the errors of every image, drawn."""

from pathlib import Path

from karat.boxes.draw.errors import drawn_image
from karat.boxes.draw.placed import placed_boxes
from karat.boxes.matching.box_rows import BoxTable
from karat.errors import InputError


def write_drawings(table: BoxTable, into: str | Path) -> int:
    """Write an SVG for every image and system; return how many images there are."""
    folder = Path(into)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}") from None
    gallery = table.truth.gallery
    for place, image in enumerate(gallery.images):
        safe = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in image)
        for system in table.systems:
            drawn = drawn_image(placed_boxes(table, system, place))
            own = "".join(
                letter if letter.isalnum() or letter in "-_." else "_" for letter in system
            )
            (folder / f"{place + 1:05d}_{safe}_{own}.svg").write_text(drawn, encoding="utf-8")
    return len(gallery.images)
