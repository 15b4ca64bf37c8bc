"""Signs that boxes are written in another form than they are read: corners for sizes, parts for pixels."""

import numpy as np

from karat.boxes.model.box_set import BoxSet
from karat.numeric.arrays import FloatArray

A_PART = 2.0
"""No box of parts of an image reaches further."""
A_FEW_PIXELS = 10.0
MANY = 0.2
BEYOND = 0.1
"""By so much of the image a box reaches out of it that is not cut at its edge."""


def suspicions(truth: BoxSet, system: BoxSet) -> list[str]:
    """Return notes on boxes that are unlike the truth's."""
    if not len(truth) or not len(system):
        return []
    notes = []
    if _far(system.box) <= A_PART and _far(truth.box) > A_FEW_PIXELS:
        notes.append(
            f"{system.origin}: no box reaches beyond {_far(system.box):.3g}, and those of the truth reach "
            f"{_far(truth.box):.3g}; are its boxes parts of the image, and the truth's pixels?"
        )
    if _far(truth.box) <= A_PART and _far(system.box) > A_FEW_PIXELS:
        notes.append(
            f"{system.origin}: its boxes reach {_far(system.box):.3g}, and none of the truth beyond "
            f"{_far(truth.box):.3g}; are the truth's boxes parts of the image?"
        )
    share = _beyond(system)
    if share > MANY and share > 2 * _beyond(truth):
        notes.append(
            f"{system.origin}: {share:.0%} of the boxes reach out of their images; are they x1, y1, x2, y2? They are "
            "read as x, y, width, height."
        )
    return notes


def repeated(boxes: BoxSet) -> list[str]:
    """Return a note on boxes that occur more than once: of the same image, class and numbers."""
    rows = np.column_stack([boxes.image, boxes.label, boxes.box, boxes.score])
    more = len(rows) - len(np.unique(rows, axis=0))
    if not more:
        return []
    many = "1 box is" if more == 1 else f"{more:,} boxes are"
    return [f"{boxes.origin}: {many} the same as another one, of the same image and class."]


def _far(box: FloatArray) -> float:
    return float((box[:, :2] + box[:, 2:]).max())


def _beyond(boxes: BoxSet) -> float:
    """Return the share of boxes that reach out of their images, or, where sizes are not known, 0."""
    if boxes.gallery.sizes is None:
        return 0.0
    size = boxes.gallery.sizes[boxes.image]
    ends = boxes.box[:, :2] + boxes.box[:, 2:]
    return float(np.mean((ends > size * (1 + BEYOND)).any(axis=1)))
