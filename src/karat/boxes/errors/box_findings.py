"""What a page shows of boxes."""

from dataclasses import dataclass

from karat.boxes.draw.placed import PlacedBoxes
from karat.boxes.errors.segmentation import BoxResult


@dataclass(frozen=True, slots=True)
class BoxFindings:
    """Errors in numbers, and the images with most of them."""

    errors: BoxResult
    drawn: tuple[tuple[PlacedBoxes, ...], ...]
    """Of each image, what every system has there."""
    images: int
