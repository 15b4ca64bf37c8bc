"""Where the objects of a graph are drawn if their strokes are known: where they were written."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from karat.graphs.model.grid_levels import CELL, COLUMN, MATRIX, ROW, kind_of
from karat.graphs.model.scenes.boxes import Box, Places
from karat.graphs.model.scenes.scene import RANKS, Scene, Thing

Point = tuple[float, float]
Traces = Mapping[str, Sequence[Point]]
"""The points of every stroke, by its name."""
MARGIN = 26.0
SMALLEST = 46.0
LARGEST = 60.0
"""Between these the median stroke is drawn, whatever the width of the sheet."""
WIDEST = 860.0


def by_ink(scene: Scene, traces: Traces, *, width: float = WIDEST) -> tuple[Places, Traces]:
    """Return places where the strokes are, and the strokes on that sheet.

    The sheet is as wide as `width`, but wider where strokes would be smaller than 46 at the median, and narrower where
    they would be larger than 60.
    """
    whole = _around(traces.values())
    if whole is None:
        return Places({}, 0, 0), {}
    sheet = _Sheet(whole.x, whole.y, _scale(traces, whole, width))
    boxes: dict[Thing, Box] = {}
    for thing in scene.things:
        group, label = thing
        box = _around(traces[name] for name in sorted(group) if name in traces)
        if box is not None:
            boxes[thing] = _with_label(sheet.box(box), label)
    drawn = {}
    for name, points in traces.items():
        if points:
            drawn[name] = [sheet.point(point) for point in points]
    wide = whole.w * sheet.scale + 2 * MARGIN
    high = whole.h * sheet.scale + 2 * MARGIN
    return Places(boxes, wide, high), drawn


class _Sheet(NamedTuple):
    """From the coordinates of strokes to those of a drawing."""

    left: float
    top: float
    scale: float

    def point(self, point: Point) -> Point:
        x, y = point
        return (x - self.left) * self.scale + MARGIN, (y - self.top) * self.scale + MARGIN

    def box(self, box: Box) -> Box:
        """Return a box on the sheet, with its text above its middle."""
        x, y = self.point((box.x, box.y))
        w = box.w * self.scale
        h = box.h * self.scale
        return Box(x, y, w, h, x + w / 2, y - 11)


def _scale(traces: Traces, whole: Box, width: float) -> float:
    """Return how much larger the strokes are drawn than they were written."""
    sizes = []
    for points in traces.values():
        box = _around([points])
        if box is not None:
            sizes.append(max(box.w, box.h))
    sizes.sort()
    longest = max(whole.w, whole.h) or 1.0
    median = sizes[len(sizes) // 2] or longest
    return max(SMALLEST / median, min(width / longest, LARGEST / median))


def _with_label(box: Box, label: str) -> Box:
    """Return a box with room around it, more for what holds others, and its label beside it."""
    room = 5 + 3 * RANKS.get(label, 0)
    x = box.x - room
    y = box.y - room
    w = box.w + 2 * room
    h = box.h + 2 * room
    places = {
        ROW: (x - 11, y + h / 2 + 4),
        COLUMN: (box.tx, y + h + 11),
        MATRIX: (x + 4, y - 4),
        CELL: (x + 8, y - 3),
    }
    tx, ty = places.get(kind_of(label) or "", (box.tx, box.ty))
    return Box(x, y, w, h, tx, ty)


def _around(strokes: Iterable[Sequence[Point]]) -> Box | None:
    """Return the smallest box around strokes; None around no point."""
    xs = []
    ys = []
    for points in strokes:
        for x, y in points:
            xs.append(x)
            ys.append(y)
    if not xs:
        return None
    left = min(xs)
    top = min(ys)
    return Box(left, top, max(xs) - left, max(ys) - top, 0, 0)
