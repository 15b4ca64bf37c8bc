"""Matrices among what is drawn: which objects are the cells of which row and column."""

from collections.abc import Iterator, Mapping, Sequence

from karat.graphs.model.formula import INSIDE, LONG
from karat.graphs.model.grid_levels import CELL, COLUMN, MATRIX, NEXT_COLUMN, ROW, kind_of
from karat.graphs.model.grid_levels import NEXT as OTHER_NAMES
from karat.graphs.model.labelling import Labels
from karat.graphs.model.scenes.scene import Scene, Thing

Line = tuple[Thing, tuple[Thing | None, ...]]
"""A row of a matrix, and its cell in each column, if it has one there."""
Grids = Mapping[Thing, tuple[Line, ...]]
Below = Mapping[Thing | None, Sequence[Thing]]


def holds(scene: Scene, parent: Thing, child: Thing) -> bool:
    """Return whether an object is the first in a part of a matrix."""
    marks = scene.relations.get((parent, child), frozenset())
    inside = any(LONG.get(mark, mark) == INSIDE for mark in marks)
    return inside and part_of(scene.things[parent]) is not None


def part_of(labels: Labels) -> str | None:
    """Return which part of a matrix an object is, if it is one."""
    for label in sorted(labels):
        kind = kind_of(label)
        if kind:
            return kind
    return None


def grids(scene: Scene, roots: Below, children: Below) -> Grids:
    """Return the rows and cells of every matrix that consists of these alone."""
    matrices = {}
    for matrix in scene.things:
        if not _is(scene, matrix, MATRIX):
            continue
        rows = list(_chained(matrix, roots, children))
        cells = [list(_chained(row, roots, children)) for row in rows]
        if _is_grid(scene, rows, cells):
            matrices[matrix] = tuple(zip(rows, _aligned(scene, matrix, cells), strict=True))
    return matrices


def _is_grid(scene: Scene, rows: Sequence[Thing], cells: Sequence[Sequence[Thing]]) -> bool:
    """Return whether a matrix has rows, and all of these cells, and nothing else."""
    if not rows or not all(_is(scene, row, ROW) for row in rows):
        return False
    return all(line and all(_is(scene, cell, CELL) for cell in line) for line in cells)


def _is(scene: Scene, thing: Thing, kind: str) -> bool:
    return part_of(scene.things[thing]) == kind


def _chained(home: Thing, roots: Below, children: Below) -> Iterator[Thing]:
    """Give what an object holds: what has no parent there, and its descendants."""
    todo = list(reversed(roots.get(home, ())))
    while todo:
        thing = todo.pop()
        yield thing
        todo += reversed(children.get(thing, ()))


def _aligned(
    scene: Scene, matrix: Thing, cells: Sequence[Sequence[Thing]]
) -> list[tuple[Thing | None, ...]]:
    """Return the cells of each row by column; where no objects show the columns, by their place in the row."""
    columns = _columns(scene, matrix)
    aligned: list[tuple[Thing | None, ...]] = []
    for line in cells:
        by_column = {}
        for cell in line:
            place = _place_of(cell, columns)
            if place is not None:
                by_column[place] = cell
        if len(by_column) < len(line):
            return _by_place(cells)
        aligned.append(tuple(by_column.get(place) for place in range(len(columns))))
    return aligned


def _place_of(cell: Thing, columns: Sequence[frozenset[str]]) -> int | None:
    """Return the first column that has all strokes of a cell."""
    for place, strokes in enumerate(columns):
        if strokes >= cell[0]:
            return place
    return None


def _by_place(cells: Sequence[Sequence[Thing]]) -> list[tuple[Thing | None, ...]]:
    """Return rows of cells, the shorter ones filled up."""
    width = max(map(len, cells))
    return [(*line, *[None] * (width - len(line))) for line in cells]


def _columns(scene: Scene, matrix: Thing) -> list[frozenset[str]]:
    """Return the strokes of the columns of a matrix, in order."""
    inside = [one for one in scene.things if _is(scene, one, COLUMN) and one[0] <= matrix[0]]
    # Columns of a matrix in a cell of this one are smaller than its own.
    columns = []
    for one in inside:
        is_part = any(other[0] > one[0] for other in inside)
        if not is_part:
            columns.append(one)
    before = {}
    for (parent, child), labels in scene.relations.items():
        names = {OTHER_NAMES.get(label, label) for label in labels}
        if child in columns and NEXT_COLUMN in names:
            before[child] = parent
    columns.sort(key=lambda one: _place(one, before))
    return [strokes for strokes, _ in columns]


def _place(thing: Thing, before: Mapping[Thing, Thing]) -> int:
    """Return the place in an order, counted from the first: how often another is before."""
    seen = {thing}
    while (thing := before.get(thing, thing)) not in seen:
        seen.add(thing)
    return len(seen)
