"""Notes on what was read: numbers of boxes, images and classes, and what looks wrong about them."""

from collections.abc import Sequence

from karat.boxes.formats.suspicions import repeated, suspicions
from karat.boxes.model.box_set import BoxSet
from karat.words import counted


def reading_notes(truth: BoxSet, systems: Sequence[BoxSet]) -> tuple[str, ...]:
    """Return how many boxes, images and classes there are, and what looks wrong about them."""
    sizes = [_size_of_truth(truth)]
    notes: dict[str, None] = {}
    copies: list[str] = []
    likely_mistakes: list[str] = []
    for boxes in (truth, *systems):
        notes |= dict.fromkeys(boxes.notes)
        copies += repeated(boxes)
    for system in systems:
        scores = "" if system.has_scores else ", without scores"
        sizes.append(f"{system.name}: {_boxes(system)}{scores}")
        likely_mistakes += suspicions(truth, system)
    return (*sizes, *notes, *copies, *likely_mistakes)


def _size_of_truth(truth: BoxSet) -> str:
    number = len(truth.gallery.classes)
    classes = "1 class" if number == 1 else f"{number:,} classes"
    size = f"truth: {_boxes(truth)} of {classes} in {counted(len(truth.gallery.images), 'image')}"
    crowds = int(truth.crowd.sum())
    if crowds:
        size += f", {crowds:,} of them crowds"
    difficult = int(truth.ignored.sum()) - crowds
    if difficult:
        size += f", {difficult:,} of them marked difficult, which are neither to be found nor wrong if found"
    return size


def _boxes(boxes: BoxSet) -> str:
    return "1 box" if len(boxes) == 1 else f"{len(boxes):,} boxes"
