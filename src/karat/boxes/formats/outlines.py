"""Polygons become masks: the pixels inside of an outline, on the grid that COCO uses."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.boxes.model.masks import Masks
from karat.numeric.arrays import FloatArray, IntArray
from karat.numeric.ragged import portions, positions
from karat.numeric.sorted_pairs import sorted_pairs

FINE = 5
"""So many steps of the grid on which outlines are drawn are one pixel."""
MIDDLE = FINE // 2
"""Where on that grid the middle of a pixel is."""
AT_ONCE = 100_000
"""How many steps are drawn at once: as many as stay in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """Polygons: of each object one or several, one after the other."""

    corners: Sequence[FloatArray]
    """By polygon, x and y in turn."""
    of_object: IntArray
    """Which object each polygon belongs to."""
    height: IntArray
    """By object, the size of its image."""
    width: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """Edges on the fine grid: from which point to which, and of which polygon."""

    x: IntArray
    y: IntArray
    to_x: IntArray
    to_y: IntArray
    polygon: IntArray

    def chosen(self, rows: "IntArray | slice") -> "_Edges":
        return _Edges(
            self.x[rows], self.y[rows], self.to_x[rows], self.to_y[rows], self.polygon[rows]
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Crossings:
    """Where outlines cross the middle line between two columns of pixels, from one to the next on the fine grid."""

    column: IntArray
    line: IntArray
    polygon: IntArray


def masks_of_outlines(outlines: Outlines) -> Masks:
    """Return the mask of each object: the union of its polygons.

    Corners are rounded to a grid of a fifth of a pixel, and edges drawn on it; a column of pixels is inside from one
    crossing of the line through its middle to the next. The same pixels as those of pycocotools 2.0.
    Reference: Lin et al., Microsoft COCO, ECCV 2014. doi:10.1007/978-3-319-10602-1_48
    """
    edges = _edges(outlines.corners)
    flat = np.abs(edges.to_x - edges.x) >= np.abs(edges.to_y - edges.y)
    parts = [_crossings_of_flat(_rightward(edges.chosen(flat)))]
    steep = _downward(edges.chosen(~flat))
    drawn = portions(steep.to_y - steep.y + 1, most=AT_ONCE)
    parts += [_crossings_of_steep(steep.chosen(part)) for part in drawn]
    crossings = _Crossings(
        np.concatenate([one.column for one in parts]),
        np.concatenate([one.line for one in parts]),
        np.concatenate([one.polygon for one in parts]),
    )
    return _filled(crossings, outlines)


def _edges(corners: Sequence[FloatArray]) -> _Edges:
    """Return the edges of all polygons, each closed."""
    if not corners:
        none = np.zeros(0, np.int64)
        return _Edges(none, none, none, none, none)
    counts = np.array([len(one) // 2 for one in corners], np.int64)
    points = np.concatenate(corners).reshape(-1, 2)
    grid = (FINE * points + 0.5).astype(np.int64)
    following = np.arange(len(grid)) + 1
    ends = counts.cumsum()
    following[ends - 1] = ends - counts
    polygon = np.repeat(np.arange(len(counts)), counts)
    return _Edges(grid[:, 0], grid[:, 1], grid[following, 0], grid[following, 1], polygon)


def _rightward(edges: _Edges) -> _Edges:
    return _turned(edges, edges.x > edges.to_x)


def _downward(edges: _Edges) -> _Edges:
    return _turned(edges, edges.y > edges.to_y)


def _turned(edges: _Edges, turned: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> _Edges:
    """Return edges of which some go the other way round."""
    return _Edges(
        np.where(turned, edges.to_x, edges.x),
        np.where(turned, edges.to_y, edges.y),
        np.where(turned, edges.x, edges.to_x),
        np.where(turned, edges.y, edges.to_y),
        edges.polygon,
    )


def _crossings_of_flat(edges: _Edges) -> _Crossings:
    """Return where edges that are wider than high pass the middles of columns: one point for each step in x."""
    # The middle of column k is passed between 5k+2 and 5k+3; both lie on the edge.
    first = -((MIDDLE - edges.x) // FINE)
    last = (edges.to_x - MIDDLE - 1) // FINE
    counts = np.maximum(last - first + 1, 0)
    column = positions(first, counts)
    row = np.repeat(np.arange(len(counts)), counts)
    width = np.maximum(edges.to_x - edges.x, 1)
    slope = ((edges.to_y - edges.y) / width)[row]
    here = FINE * column + MIDDLE - edges.x[row]
    start = edges.y[row]
    line = np.minimum(_rounded(start, slope, here), _rounded(start, slope, here + 1))
    return _Crossings(column, line, edges.polygon[row])


def _crossings_of_steep(edges: _Edges) -> _Crossings:
    """Return where edges that are higher than wide pass the middles of columns: one point for each step in y."""
    steps = edges.to_y - edges.y + 1
    row = np.repeat(np.arange(len(steps)), steps)
    step = positions(np.zeros(len(steps), np.int64), steps)
    slope = ((edges.to_x - edges.x) / np.maximum(steps - 1, 1))[row]
    x = _rounded(edges.x[row], slope, step)
    line = edges.y[row] + step
    same = row[1:] == row[:-1]
    left = np.minimum(x[1:], x[:-1])
    passes = same & (x[1:] != x[:-1]) & (left % FINE == MIDDLE)
    # Of the two points the upper one.
    return _Crossings(left[passes] // FINE, line[:-1][passes], edges.polygon[row[:-1][passes]])


def _rounded(start: IntArray, slope: FloatArray, step: IntArray) -> IntArray:
    return (start + slope * step + 0.5).astype(np.int64)


def _filled(crossings: _Crossings, outlines: Outlines) -> Masks:
    """Return the pixels between every first crossing and the next one, down the columns."""
    of_object = outlines.of_object[crossings.polygon]
    height = outlines.height[of_object]
    inside = (crossings.column >= 0) & (crossings.column < outlines.width[of_object])
    line = np.ceil((crossings.line + 0.5) / FINE - 0.5)
    line = np.clip(line, 0, height).astype(np.int64)
    pixel = (crossings.column * height + line)[inside]
    polygon, pixel = sorted_pairs(crossings.polygon[inside], pixel)
    # A closed outline crosses each line an even number of times.
    begin = pixel[::2]
    end = pixel[1::2]
    return union_of_runs(begin, end, outlines.of_object[polygon[::2]], outlines.height)


def union_of_runs(begin: IntArray, end: IntArray, of_object: IntArray, height: IntArray) -> Masks:
    """Return the mask of each object from runs that may overlap, in whatever order."""
    filled = end > begin
    begin, end, of_object = begin[filled], end[filled], of_object[filled]
    # Runs that touch are one: what begins comes before what ends.
    change = np.concatenate([2 * begin, 2 * end + 1])
    owner, change = sorted_pairs(np.concatenate([of_object, of_object]), change)
    pixel = change >> 1
    is_end = change & 1
    depth = (1 - 2 * is_end).cumsum()
    starts = (depth == 1) & (is_end == 0)
    ends = depth == 0
    counts = np.bincount(owner[starts], minlength=len(height))
    bounds = np.concatenate([[0], counts.cumsum()])
    return Masks(bounds, pixel[starts], pixel[ends], height)
