"""Matrices among what is drawn: which objects are the cells of which row and column."""

from collections.abc import Iterator, Mapping, Sequence

from karat.graphs.model.formula import INSIDE, LONG
from karat.graphs.model.grid_levels import CELL, COLUMN, MATRIX, NEXT_COLUMN, ROW, kind_of
from karat.graphs.model.grid_levels import NEXT as OTHER_NAMES
from karat.graphs.model.labelling import Labels
from karat.graphs.model.scene import Scene, Thing

Line = tuple[Thing, tuple[Thing | None, ...]]
"""A row of a matrix, and its cell in each column, if it has one there."""
Grids = Mapping[Thing, tuple[Line, ...]]
Below = Mapping[Thing | None, Sequence[Thing]]


def holds(found: Scene, parent: Thing, child: Thing) -> bool:
    """Return whether an object is the first in a part of a matrix."""
    marks = found.relations.get((parent, child), frozenset())
    return bool(part_of(found.things[parent])) and any(
        LONG.get(mark, mark) == INSIDE for mark in marks
    )


def part_of(labels: Labels) -> str | None:
    """Return which part of a matrix an object is, if it is one."""
    return next((kind for kind in map(kind_of, sorted(labels)) if kind), None)


def grids(found: Scene, roots: Below, children: Below) -> Grids:
    """Return the rows and cells of every matrix that consists of these alone."""
    made = {}
    for matrix in found.things:
        if part_of(found.things[matrix]) == MATRIX:
            rows = list(_chained(matrix, roots, children))
            cells = [list(_chained(row, roots, children)) for row in rows]
            every = [cell for line in cells for cell in line]
            if not rows or not all(cells):
                continue
            if all(_is(found, one, ROW) for one in rows) and all(
                _is(found, one, CELL) for one in every
            ):
                made[matrix] = tuple(zip(rows, _aligned(found, matrix, cells), strict=True))
    return made


def _is(found: Scene, thing: Thing, kind: str) -> bool:
    return part_of(found.things[thing]) == kind


def _chained(home: Thing, roots: Below, children: Below) -> Iterator[Thing]:
    """Give what an object holds: what hangs on nothing there, and all that follows."""
    todo = list(reversed(roots.get(home, ())))
    while todo:
        thing = todo.pop()
        yield thing
        todo += reversed(children.get(thing, ()))


def _aligned(
    found: Scene, matrix: Thing, cells: Sequence[Sequence[Thing]]
) -> list[tuple[Thing | None, ...]]:
    """Return the cells of each row by column; where objects tell no columns, by their place in the row."""
    columns = _columns(found, matrix)
    made: list[tuple[Thing | None, ...]] = []
    for line in cells:
        places = [
            next((at for at, strokes in enumerate(columns) if strokes >= cell[0]), None)
            for cell in line
        ]
        if None in places or len(set(places)) < len(places):
            wide = max(map(len, cells))
            return [(*one, *[None] * (wide - len(one))) for one in cells]
        known = dict(zip(places, line, strict=True))
        made.append(tuple(known.get(place) for place in range(len(columns))))
    return made


def _columns(found: Scene, matrix: Thing) -> list[frozenset[str]]:
    """Return the strokes of the columns of a matrix, in order."""
    across = [one for one in found.things if _is(found, one, COLUMN) and one[0] <= matrix[0]]
    largest = [one for one in across if not any(other[0] > one[0] for other in across)]
    before = {
        child: parent
        for (parent, child), marks in found.relations.items()
        if child in largest and any(OTHER_NAMES.get(mark, mark) == NEXT_COLUMN for mark in marks)
    }
    order = {one: _steps(one, before) for one in largest}
    return [one[0] for one in sorted(largest, key=lambda one: order[one])]


def _steps(thing: Thing, before: Mapping[Thing, Thing]) -> int:
    seen = {thing}
    while (thing := before.get(thing, thing)) not in seen:
        seen.add(thing)
    return len(seen)
