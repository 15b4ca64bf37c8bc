"""The ways of arrows between boxes."""

from collections.abc import Sequence
from typing import NamedTuple

from karat.graphs.model.scenes.boxes import Box
from karat.graphs.model.scenes.places import IDS, STUB

FAR = 70.0
"""Beyond this height an arrow to a raised or lowered object goes around the corner, past what is between."""


class Point(NamedTuple):
    """A place on the sheet; y grows downwards."""

    x: float
    y: float


class Route(NamedTuple):
    """The way of an arrow as an SVG path, the middle of its label, and the lowest place it comes to."""

    path: str
    label: tuple[float, float]
    low: float


def _right(box: Box) -> float:
    return box.x + box.w


def _bottom(box: Box) -> float:
    return box.y + box.h


def straight(parent: Box, child: Box, *, inside: bool = False) -> Route:
    """Return the shortest way between two boxes: level, upright, or from corner to corner."""
    if inside:
        start = Point(2 * parent.tx - parent.x - 4, parent.ty)
        return _line(start, Point(child.x, child.ty), above=5)
    right = _right(parent)
    top = max(parent.y, child.y)
    bottom = min(_bottom(parent), _bottom(child))
    if top + 6 < bottom and not parent.x < child.x < right:
        y = min(max(child.ty, top + 3), bottom - 3)
        return _level(parent, child, y)
    left = max(parent.x, child.x)
    end = min(right, _right(child))
    if left + 6 < end:
        return upright(parent, child, (left + end) / 2)
    return _corner(parent, child)


def _level(parent: Box, child: Box, y: float) -> Route:
    """Return the way to the right or to the left at a height."""
    right = _right(parent)
    if child.x >= right:
        return _line(Point(right, y), Point(child.x, y), above=5)
    return _line(Point(parent.x, y), Point(_right(child), y), above=5)


def upright(parent: Box, child: Box, x: float) -> Route:
    """Return the way up or down at a place."""
    if child.y < parent.y:
        return _line(Point(x, parent.y), Point(x, _bottom(child) + IDS), beside=True)
    return _line(Point(x, _bottom(parent)), Point(x, child.y), beside=True)


def _corner(parent: Box, child: Box) -> Route:
    """Return the way to a box that is neither beside nor above nor below."""
    right = _right(parent)
    is_up = child.y < parent.y
    edge = parent.y if is_up else _bottom(parent)
    inwards = 1 if is_up else -1
    if child.x >= right:
        if abs(child.ty - parent.ty) > FAR:
            return _around_corner(Point(right, edge + 8 * inwards), Point(child.x, child.ty))
        return _line(Point(right, edge + 6 * inwards), Point(child.x, child.ty))
    x = child.x + child.w / 2
    start = Point(_clamped(x, parent), edge)
    end = Point(x, _bottom(child) + IDS if is_up else child.y)
    return _line(start, end)


def _around_corner(start: Point, end: Point) -> Route:
    """Return the way a little to the right, then up or down, and then on to the right."""
    turn = start.x + 7
    path = f"M{start.x:.0f} {start.y:.0f}h7L{turn:.0f} {end.y:.0f}L{end.x:.0f} {end.y:.0f}"
    label = ((start.x + end.x) / 2, end.y - 5)
    return Route(path, label, end.y)


def _clamped(x: float, box: Box) -> float:
    """Return the nearest place on the upper or lower edge of a box, away from its corners."""
    return min(max(x, box.x + 4), _right(box) - 4)


def over_ink(parent: Box, child: Box) -> Route:
    """Return the part outside of both boxes of the line from the middle of one to the middle of the other."""
    start = _middle(parent)
    end = _middle(child)
    if parent.x <= child.x and _right(child) <= _right(parent):
        start = Point(parent.x + 0.15 * parent.w, start.y)
    is_level = parent.y < end.y < _bottom(parent)
    if not is_level and parent.w > 2 * child.w:
        start = Point(_clamped(end.x, parent), start.y)
    leave = _leaves(start, end, parent)
    reach = 1 - _leaves(end, start, child)
    if leave < reach:
        first = _along(start, end, leave)
        end = _along(start, end, reach)
        start = first
    nearly_level = abs(start.y - end.y) < 12
    return _line(start, end, above=4 if nearly_level else 0)


def _middle(box: Box) -> Point:
    return Point(box.x + box.w / 2, box.y + box.h / 2)


def _leaves(start: Point, end: Point, box: Box) -> float:
    """Return at which share of the way a line from within a box leaves it."""
    across = _share(start.x, end.x, box.x, _right(box))
    down = _share(start.y, end.y, box.y, _bottom(box))
    return max(0.0, min(1.0, across, down))


def _share(start: float, end: float, low: float, high: float) -> float:
    """Return at which share of the way from start to end the span from low to high is left; 1 if they are equal."""
    if start == end:
        return 1.0
    return max((low - start) / (end - start), (high - start) / (end - start))


def _along(start: Point, end: Point, share: float) -> Point:
    x = start.x + share * (end.x - start.x)
    y = start.y + share * (end.y - start.y)
    return Point(x, y)


def broken(parent: Box, child: Box) -> Route:
    """Return the two ends of an arrow that goes on in the next line."""
    right = _right(parent)
    left = child.x - 2 * STUB
    first = f"M{right:.0f} {parent.ty:.0f}h{STUB:.0f}"
    second = f"M{left:.0f} {child.ty:.0f}h{2 * STUB:.0f}"
    label = (child.x - STUB, child.ty - 6)
    return Route(first + second, label, child.ty)


def bent(parent: Box, child: Box) -> Route:
    """Return a path around what is between two boxes: a cubic curve from below the one to below the other.

    Where one is above the other it is a curve at their right.
    """
    if parent.x < _right(child) and child.x < _right(parent):
        return _bent_aside(parent, child)
    start = Point(parent.x + parent.w / 2, _bottom(parent))
    end = Point(child.x + child.w / 2, _bottom(child))
    low = max(start.y, end.y) + min(60.0, 18 + abs(end.x - start.x) / 8)
    path = (
        f"M{start.x:.0f} {start.y:.0f}"
        f"C{start.x:.0f} {low:.0f} {end.x:.0f} {low:.0f} {end.x:.0f} {end.y:.0f}"
    )
    # Half-way a cubic curve is at (start + 3 control + 3 control + end) / 8.
    label = ((start.x + end.x) / 2, (start.y + end.y + 6 * low) / 8)
    return Route(path, label, low)


def _bent_aside(parent: Box, child: Box) -> Route:
    start = Point(_right(parent), parent.ty)
    end = Point(_right(child), child.ty)
    far = max(start.x, end.x) + min(60.0, 18 + abs(end.y - start.y) / 8)
    path = (
        f"M{start.x:.0f} {start.y:.0f}"
        f"C{far:.0f} {start.y:.0f} {far:.0f} {end.y:.0f} {end.x:.0f} {end.y:.0f}"
    )
    label = ((start.x + end.x + 6 * far) / 8, (start.y + end.y) / 2)
    return Route(path, label, max(start.y, end.y))


def around(boxes: Sequence[Box], level: Sequence[Box], room: float) -> Box:
    """Return the box around some boxes that is as high as others together, its text at the lower edge."""
    left = min(box.x for box in boxes) - room
    right = max(_right(box) for box in boxes) + room
    top = min(box.y for box in level) - room
    bottom = max(_bottom(box) for box in level) + room
    return Box(left, top, right - left, bottom - top, (left + right) / 2, bottom + 10)


def _line(start: Point, end: Point, *, above: float = 0, beside: bool = False) -> Route:
    """Return a straight path; its label is in the middle, raised by `above`, or `beside` an upright one."""
    path = f"M{start.x:.0f} {start.y:.0f}L{end.x:.0f} {end.y:.0f}"
    middle = (start.y + end.y) / 2
    low = max(start.y, end.y)
    if beside:
        return Route(path, (start.x + 4, middle + 3), low)
    return Route(path, ((start.x + end.x) / 2, middle - above), low)
