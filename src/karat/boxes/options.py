"""The options of boxes: those of `--using`, and of `karat.read_boxes`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from karat.errors import ChoiceError, OptionError, UnknownNameError

BOX_FORMATS = ("coco", "yolo", "voc", "page", "hocr", "boxes")
"""What `--format` takes for boxes."""
SHAPES = ("box", "mask")
"""What of an object overlaps."""
SURE = 0.5
OVERLAP = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxOptions:
    """How boxes are read and matched."""

    matching: str = "greedy"
    """greedy, as COCO matches, or optimal, with as many matches as there can be."""
    most: int = 100
    """How many boxes of an image and class count, the surest first."""
    overlap: float = OVERLAP
    """The overlap from which on two boxes are one row of the table that stability and audit ask."""
    sure: float = SURE
    """The score from which on a box is a row of that table."""
    shape: str | None = None
    """box, or mask, whose pixels are compared; unless given, mask where results have masks and no boxes."""
    sizes: str | None = None
    """Of YOLO: a folder of the images, or a table of image, width and height."""
    names: str | None = None
    """Of YOLO: a file with the classes' names, a line each, or the YAML of the data set."""
    element: str | None = None
    """Which elements are boxes: of hOCR ocr_carea, ocr_line or ocrx_word; of PAGE-XML TextLine, or regions."""

    @classmethod
    def of(cls, given: Mapping[str, Any] | None) -> "BoxOptions":
        """Return options from texts, as `--using` gives them, or from values."""
        values: dict[str, Any] = {}
        for name, value in (given or {}).items():
            if name not in cls.__slots__:
                raise UnknownNameError("option of boxes", name, cls.__slots__)
            values[name] = value
        for name, kind in (("most", int), ("overlap", float), ("sure", float)):
            if name in values:
                values[name] = _number(name, values[name], kind)
        return cls(**values)

    def __post_init__(self) -> None:
        """Refuse options out of range."""
        if self.shape is not None and self.shape not in SHAPES:
            raise ChoiceError("--using shape", self.shape, SHAPES)
        if not 0 < self.overlap <= 1:
            raise OptionError(
                f"--using overlap is {self.overlap:g}; it must be above 0 and at most 1, such as 0.5"
            )


def _number(name: str, value: Any, kind: Any) -> Any:
    try:
        return kind(value)
    except (TypeError, ValueError):
        raise OptionError(f"--using {name} is {value!r}; it is a number") from None
