"""What was read of boxes."""

from collections.abc import Sequence

from karat.boxes.formats.suspicions import repeated, suspicions
from karat.boxes.model.box_set import BoxSet
from karat.words import counted


def reading_notes(truth: BoxSet, systems: Sequence[BoxSet]) -> tuple[str, ...]:
    """Return how many boxes, images and classes there are, and what is odd about them."""
    gallery = truth.gallery
    classes = f"{len(gallery.classes):,} classes" if len(gallery.classes) != 1 else "1 class"
    whole = f"truth: {_boxes(truth)} of {classes} in {counted(len(gallery.images), 'image')}"
    crowds = int(truth.crowd.sum())
    if crowds:
        whole += f", {crowds:,} of them crowds"
    ignored = int(truth.ignored.sum()) - crowds
    if ignored:
        whole += f", {ignored:,} of them marked difficult, which are neither to be found nor wrong if found"
    lines = [whole]
    for one in systems:
        scores = "" if one.has_scores else ", without scores"
        lines.append(f"{one.name}: {_boxes(one)}{scores}")
    notes = dict.fromkeys(note for one in (truth, *systems) for note in one.notes)
    odd = [note for one in (truth, *systems) for note in repeated(one)]
    odd += [note for one in systems for note in suspicions(truth, one)]
    return (*lines, *notes, *odd)


def _boxes(one: BoxSet) -> str:
    return "1 box" if len(one) == 1 else f"{len(one):,} boxes"
