"""Places of the labels of arrows: on their arrow, and not on each other or on a symbol if that can be."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from karat.graphs.draw.arrows import Point, Route
from karat.graphs.model.scenes.boxes import Box

LETTER = 5.8
"""The width of a letter of a label."""
HEIGHT = 11.0
SHARES = (0.5, 0.38, 0.62, 0.26, 0.74, 0.15, 0.85)
"""At which shares of its way an arrow may have its label."""
TILE = 80.0
"""The size of the tiles by which what is near is looked up."""
Tile = tuple[int, int]
STEPS = 12
"""As so many straight lines a curve is taken."""
_COMMAND = re.compile(r"([MLhC])([^MLhC]*)")


class Area(NamedTuple):
    """A rectangle that a text fills."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "Area") -> float:
        """Return how much of two areas is the same."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0

    def holds(self, point: Point) -> bool:
        """Return whether a point is in the area."""
        return self.left < point.x < self.right and self.top < point.y < self.bottom


class LabelPlaces:
    """Finds places for labels one after another; those that are placed first have the choice.

    What is near is looked up by tiles of the sheet, so that large graphs take no longer for each label.
    """

    def __init__(self, texts: Sequence[Area], routes: Sequence[Route]) -> None:
        self.texts: dict[Tile, list[Area]] = {}
        self.points: dict[Tile, list[tuple[str, Point]]] = {}
        for text in texts:
            self._take(text)
        for route in routes:
            for point in _points(route.path):
                tile = _tile(point.x, point.y)
                self.points.setdefault(tile, []).append((route.path, point))

    def _take(self, area: Area) -> None:
        for tile in _tiles(area):
            self.texts.setdefault(tile, []).append(area)

    def place(self, route: Route, text: str) -> Route:
        """Return the way of an arrow with the place of its label that covers the least."""
        best = Point(*route.label)
        least = inf
        for spot in _spots(route, text):
            cost = self._cost(route, label_area(spot, text))
            if cost < least:
                best = spot
                least = cost
            if not least:
                break
        self._take(label_area(best, text))
        return route._replace(label=(best.x, best.y))

    def _cost(self, route: Route, area: Area) -> float:
        """Return how much a label would cover: other texts, and, which is less bad, other arrows."""
        near: set[Area] = set()
        crossed: set[str] = set()
        for tile in _tiles(area):
            near.update(self.texts.get(tile, ()))
            for path, point in self.points.get(tile, ()):
                if path != route.path and area.holds(point):
                    crossed.add(path)
        covered = sum(area.overlap(other) for other in near)
        return covered + 8.0 * len(crossed)


def _tile(x: float, y: float) -> Tile:
    return int(x // TILE), int(y // TILE)


def _tiles(area: Area) -> Iterator[Tile]:
    """Give the tiles that an area touches."""
    first = _tile(area.left, area.top)
    last = _tile(area.right, area.bottom)
    for column in range(first[0], last[0] + 1):
        for row in range(first[1], last[1] + 1):
            yield column, row


def label_area(at: Point, text: str) -> Area:
    """Return what a label covers; it is on its line, in the middle."""
    half = LETTER * len(text) / 2
    return Area(at.x - half, at.y - HEIGHT + 2, at.x + half, at.y + 2)


def symbol_area(box: Box, text: str) -> Area:
    """Return what the label of a symbol covers."""
    half = max(8.0, 5.5 * len(text))
    return Area(box.tx - half, box.ty - 11, box.tx + half, box.ty + 9)


def names_area(box: Box, names: str) -> Area:
    """Return what the names of primitives below a symbol cover."""
    bottom = box.y + box.h
    width = min(4.8 * len(names), box.w + 14)
    return Area(box.x + 2, bottom + 3, box.x + 2 + width, bottom + 11)


def _spots(route: Route, text: str) -> Iterator[Point]:
    """Give the places that a label may have: the usual one first, and then others along the way and beside it."""
    half = LETTER * len(text) / 2
    yield _inside(Point(*route.label), half)
    way = _points(route.path)
    for at in (Point(*route.label), *(_at(way, share) for share in SHARES)):
        yield _inside(at, half)
        yield _inside(Point(at.x, at.y - 5), half)
        yield _inside(Point(at.x + half + 4, at.y + 3), half)
        yield _inside(Point(at.x, at.y + 13), half)


def _inside(at: Point, half: float) -> Point:
    """Return a place at which the label begins on the sheet."""
    return Point(max(at.x, half + 2), max(at.y, HEIGHT))


def _points(path: str) -> list[Point]:
    """Return many points along the path of an arrow, given as the commands M, L, h and C of SVG."""
    corners: list[Point] = []
    for name, text in _COMMAND.findall(path):
        numbers = [float(part) for part in text.split()]
        if name == "h":
            last = corners[-1]
            corners.append(Point(last.x + numbers[0], last.y))
        elif name == "C":
            start = corners[-1]
            controls = [Point(*numbers[place : place + 2]) for place in (0, 2, 4)]
            steps = range(1, STEPS + 1)
            corners += [_on_curve(start, controls, step / STEPS) for step in steps]
        else:
            corners.append(Point(*numbers))
    points = []
    for one, two in pairwise(corners):
        points += [_between(one, two, step / 4) for step in range(5)]
    return points


def _on_curve(start: Point, controls: Sequence[Point], t: float) -> Point:
    """Return the point of a cubic Bézier curve at t, from 0 at its start to 1 at its last control point."""
    points = (start, *controls)
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    x = sum(weight * point.x for weight, point in zip(weights, points, strict=True))
    y = sum(weight * point.y for weight, point in zip(weights, points, strict=True))
    return Point(x, y)


def _between(one: Point, two: Point, share: float) -> Point:
    return Point(one.x + share * (two.x - one.x), one.y + share * (two.y - one.y))


def _at(way: Sequence[Point], share: float) -> Point:
    """Return the point at a share of the way."""
    lengths = [abs(two.x - one.x) + abs(two.y - one.y) for one, two in pairwise(way)]
    left = share * sum(lengths)
    for point, length in zip(way, lengths, strict=False):
        if left <= length:
            return point
        left -= length
    return way[-1]
