"""The boxes of one image and system, each with what it is: right, of the wrong class, spurious or missed."""

from dataclasses import dataclass

from karat.boxes.matching.box_rows import BoxTable

RIGHT = "right"
WRONG = "wrong class"
SPURIOUS = "spurious"
MISSED = "missed"
KINDS = (RIGHT, WRONG, SPURIOUS, MISSED)


@dataclass(frozen=True, slots=True)
class PlacedBox:
    """A box to be drawn."""

    kind: str
    box: tuple[float, float, float, float]
    words: str
    """Its class; of a wrong one both, the truth's after it."""


@dataclass(frozen=True, slots=True)
class PlacedBoxes:
    """What one system has in one image."""

    image: str
    system: str
    size: tuple[float, float]
    boxes: tuple[PlacedBox, ...]

    @property
    def errors(self) -> int:
        """How many boxes are not right."""
        return sum(one.kind != RIGHT for one in self.boxes)


def placed_boxes(table: BoxTable, system: str, image: int) -> PlacedBoxes:
    """Return the boxes of one system in one image."""
    own = table.systems[system]
    truth = table.truth
    classes = truth.gallery.classes
    boxes = []
    for row in table.rows:
        if row.image != image:
            continue
        place = row.found.get(system)
        if place is None and row.truth is None:
            continue
        if row.truth is None:
            label = classes[own.label[place]]
            boxes.append(PlacedBox(SPURIOUS, _corners(own.box[place]), label))
            continue
        true = classes[truth.label[row.truth]]
        if place is None:
            boxes.append(PlacedBox(MISSED, _corners(truth.box[row.truth]), true))
            continue
        given = classes[own.label[place]]
        if given == true:
            boxes.append(PlacedBox(RIGHT, _corners(own.box[place]), given))
        else:
            words = f"{given}, not {true}"
            boxes.append(PlacedBox(WRONG, _corners(own.box[place]), words))
    return PlacedBoxes(
        truth.gallery.images[image], system, _size(table, image, boxes), tuple(boxes)
    )


def _corners(box: "object") -> tuple[float, float, float, float]:
    x, y, width, height = (float(value) for value in box)  # type: ignore[attr-defined]
    return x, y, width, height


def _size(table: BoxTable, image: int, boxes: list[PlacedBox]) -> tuple[float, float]:
    """Return the size of an image, or that of what its boxes need."""
    sizes = table.truth.gallery.sizes
    if sizes is not None and sizes[image][0] > 0 and sizes[image][1] > 0:
        return float(sizes[image][0]), float(sizes[image][1])
    right = [one.box[0] + one.box[2] for one in boxes]
    bottom = [one.box[1] + one.box[3] for one in boxes]
    return max(right, default=1.0), max(bottom, default=1.0)
