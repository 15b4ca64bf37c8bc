"""The ways of arrows between boxes."""

from collections.abc import Sequence
from typing import NamedTuple

from karat.graphs.model.boxes import Box
from karat.graphs.model.places import IDS, STUB

FAR = 70.0
"""Beyond this height an arrow to a raised or lowered object goes around the corner, past what stands between."""


class Route(NamedTuple):
    """The way of an arrow as an SVG path, the middle of its label, and the lowest place it comes to."""

    path: str
    label: tuple[float, float]
    low: float


def straight(parent: Box, child: Box, *, inside: bool = False) -> Route:
    """Return the shortest way between two boxes: level, upright, or from corner to corner."""
    right, end = parent.x + parent.w, child.x + child.w
    if inside:
        return _line((2 * parent.tx - parent.x - 4, parent.ty), (child.x, child.ty), above=5)
    level = max(parent.y, child.y), min(parent.y + parent.h, child.y + child.h)
    if level[0] + 6 < level[1] and not parent.x < child.x < right:
        y = min(max(child.ty, level[0] + 3), level[1] - 3)
        return (
            _line((right, y), (child.x, y), above=5)
            if child.x >= right
            else _line((parent.x, y), (end, y), above=5)
        )
    shared = max(parent.x, child.x), min(right, end)
    if shared[0] + 6 < shared[1]:
        return upright(parent, child, sum(shared) / 2)
    return _corner(parent, child)


def upright(parent: Box, child: Box, x: float) -> Route:
    """Return the way up or down at a place."""
    if child.y < parent.y:
        return _line((x, parent.y), (x, child.y + child.h + IDS), beside=True)
    return _line((x, parent.y + parent.h), (x, child.y), beside=True)


def _corner(parent: Box, child: Box) -> Route:
    """Return the way to a box that is neither beside nor above nor below."""
    right, high = parent.x + parent.w, child.y < parent.y
    edge = parent.y if high else parent.y + parent.h
    if child.x >= right and abs(child.ty - parent.ty) > FAR:
        y = edge + (8 if high else -8)
        way = f"M{right:.0f} {y:.0f}h7L{right + 7:.0f} {child.ty:.0f}L{child.x:.0f} {child.ty:.0f}"
        return Route(way, ((right + child.x) / 2, child.ty - 5), child.ty)
    if child.x >= right:
        return _line((right, edge + (6 if high else -6)), (child.x, child.ty))
    x = child.x + child.w / 2
    return _line(
        (min(max(x, parent.x + 4), right - 4), edge),
        (x, child.y + child.h + IDS if high else child.y),
    )


def over_ink(parent: Box, child: Box) -> Route:
    """Return the way from the middle of a box to that of another, as far as it runs outside both."""
    start, end = _middle(parent), _middle(child)
    if parent.x <= child.x and child.x + child.w <= parent.x + parent.w:
        start = (parent.x + 0.15 * parent.w, start[1])
    if not parent.y < end[1] < parent.y + parent.h and parent.w > 2 * child.w:
        start = (min(max(end[0], parent.x + 4), parent.x + parent.w - 4), start[1])
    leave, reach = _leaves(start, end, parent), 1 - _leaves(end, start, child)
    if leave < reach:
        start, end = _along(start, end, leave), _along(start, end, reach)
    return _line(start, end, above=4 if abs(start[1] - end[1]) < 12 else 0)


def _middle(box: Box) -> tuple[float, float]:
    return box.x + box.w / 2, box.y + box.h / 2


def _leaves(start: tuple[float, float], end: tuple[float, float], box: Box) -> float:
    """Return at which share of the way a line from within a box leaves it."""
    shares = [1.0]
    for here, there, low, high in (
        (start[0], end[0], box.x, box.x + box.w),
        (start[1], end[1], box.y, box.y + box.h),
    ):
        if there != here:
            shares.append(max((low - here) / (there - here), (high - here) / (there - here)))
    return max(0.0, min(shares))


def _along(
    start: tuple[float, float], end: tuple[float, float], share: float
) -> tuple[float, float]:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def broken(parent: Box, child: Box) -> Route:
    """Return the two ends of an arrow that goes on in the next line."""
    right = parent.x + parent.w
    ways = f"M{right:.0f} {parent.ty:.0f}h{STUB:.0f}M{child.x - 2 * STUB:.0f} {child.ty:.0f}h{2 * STUB:.0f}"
    return Route(ways, (child.x - STUB, child.ty - 6), child.ty)


def bent(parent: Box, child: Box) -> Route:
    """Return a way around what stands between two boxes."""
    x, y = parent.x + parent.w / 2, parent.y + parent.h
    u, v = child.x + child.w / 2, child.y + child.h
    low = max(y, v) + min(60.0, 18 + abs(u - x) / 8)
    label = (x + u) / 2, (y + v + 6 * low) / 8
    return Route(
        f"M{x:.0f} {y:.0f}C{x:.0f} {low:.0f} {u:.0f} {low:.0f} {u:.0f} {v:.0f}", label, low
    )


def around(boxes: Sequence[Box], level: Sequence[Box], room: float) -> Box:
    """Return the box around some boxes that is as high as others together, its text at the lower edge."""
    left, right = min(box.x for box in boxes) - room, max(box.x + box.w for box in boxes) + room
    top, bottom = min(box.y for box in level) - room, max(box.y + box.h for box in level) + room
    return Box(left, top, right - left, bottom - top, (left + right) / 2, bottom + 10)


def _line(
    start: tuple[float, float], end: tuple[float, float], *, above: float = 0, beside: bool = False
) -> Route:
    (x, y), (u, v) = start, end
    label = ((x + u) / 2, (y + v) / 2 - above)
    if beside:
        label = (x + 4, (y + v) / 2 + 3)
    return Route(f"M{x:.0f} {y:.0f}L{u:.0f} {v:.0f}", label, max(y, v))
