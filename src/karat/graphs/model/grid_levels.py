"""Matrices over strokes: cells, rows, columns and the matrix itself share the strokes of the symbols they hold.

Files with strokes have a matrix in levels: an object `*M` over all its strokes, `*R` over those of a row, `*C` over
those of a column, `*Cell` over those of a cell. Which holds which follows from their strokes. A formula has it as a
tree: `*M` holds its first row, that its first cell, that its first symbol.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from karat.errors import InputError
from karat.graphs.model.structure import LabelGraph, Object, Relation
from karat.words import listing

MATRIX, ROW, CELL, COLUMN = "*M", "*R", "*Cell", "*C"
NEXT_ROW, NEXT_CELL, CELL_BELOW, NEXT_COLUMN = "Nrow", "NcellR", "NcellC", "Ncol"
INSIDE = "Inside"
KINDS = {
    "*M": MATRIX, "*R": ROW, "*Cell": CELL, "*C": COLUMN, "Matrix": MATRIX, "Row": ROW, "Cell": CELL, "Col": COLUMN,
}  # fmt: skip
"""The parts of a matrix by their label; names without a star count only where objects share strokes."""
NEXT = {
    "NextRow": NEXT_ROW, "NextCell-Row": NEXT_CELL, "NextCell-Col": CELL_BELOW, "NextCol": NEXT_COLUMN,
}  # fmt: skip
"""Other names of the relations between them."""
HOLDS = {None: MATRIX, MATRIX: ROW, ROW: CELL, CELL: MATRIX}
"""What is directly in what."""
ORDER = {ROW: {NEXT_ROW}, CELL: {NEXT_CELL, CELL_BELOW}, COLUMN: {NEXT_COLUMN}}
"""The relations that put rows, cells and columns in order."""


def kind_of(label: str) -> str | None:
    """Return which part of a matrix a label names, if it does."""
    return KINDS.get(label)


def has_grid_levels(graph: LabelGraph) -> bool:
    """Return whether parts of matrices share the strokes of what they hold."""
    parts = [one for one in graph.objects if kind_of(one.label)]
    if not parts:
        return False
    other = {name for one in graph.objects if not kind_of(one.label) for name in one.primitives}
    return any(name in other for one in parts for name in one.primitives)


def without_levels(graph: LabelGraph) -> LabelGraph:
    """Return the graph with matrices as trees: each part of one has a primitive of its own, named by its strokes.

    A cell without strokes, known from its row and its column, is there too.
    """
    return _Grids(graph).tree() if has_grid_levels(graph) else graph


def told_apart(*graphs: LabelGraph) -> list[LabelGraph]:
    """Return graphs with no shared strokes: matrices as trees, or, where one makes none, in all each part by itself."""
    try:
        return [without_levels(graph) for graph in graphs]
    except InputError:
        return [replace(graph, objects=tuple(map(_by_itself, graph.objects))) for graph in graphs]


def _by_itself(one: Object) -> Object:
    kind = kind_of(one.label)
    return one._replace(primitives=(_own(kind, one.primitives),)) if kind else one


def by_ids(graph: LabelGraph) -> LabelGraph:
    """Return the graph with the id of every object for its only primitive."""
    return replace(
        graph, objects=tuple(one._replace(primitives=(one.id,)) for one in graph.objects)
    )


@dataclass(slots=True)
class _Part:
    """A matrix, a row, a column or a cell, and what holds it."""

    id: str
    kind: str
    strokes: frozenset[str]
    weight: float
    home: "_Part | None" = None
    inside: list["_Part"] = field(default_factory=list)


class _Grids:
    def __init__(self, graph: LabelGraph) -> None:
        self.graph = graph
        self.where = graph.name or "the graph"
        self.parts = {
            one.id: _Part(one.id, kind, frozenset(one.primitives), one.weight)
            for one in graph.objects
            if (kind := kind_of(one.label))
        }
        self.ends = [
            (one.parent, one.child, NEXT.get(one.label, one.label)) for one in graph.relations
        ]
        self.columns = [one for one in self.parts.values() if one.kind == COLUMN]
        """Those that no matrix has yet."""
        self.objects = [one for one in graph.objects if one.id not in self.parts]
        self.relations: list[Relation] = []
        self.held: dict[str, list[str]] = {}
        """The symbols in each cell."""
        self.number: Counter[str] = Counter()

    def tree(self) -> LabelGraph:
        """Return the graph as a tree."""
        self._nest()
        self._settle()
        inner = {name for name, one in self.parts.items() if one.kind != MATRIX}
        for link, (parent, child, label) in zip(self.graph.relations, self.ends, strict=True):
            known = [self.parts[name].kind for name in (parent, child) if name in inner]
            if not known:
                self.relations.append(link)
            elif len(known) == 1 or label not in ORDER[known[0]] or known[0] != known[1]:
                raise InputError(
                    f"{self.where}: {parent!r} and {child!r} have the relation {label}; within a matrix there are "
                    f"{NEXT_ROW} of rows, {NEXT_COLUMN} of columns, {NEXT_CELL} and {CELL_BELOW} of cells"
                )
        for one in sorted(self.parts.values(), key=_depth):
            if one.kind == MATRIX:
                self._matrix(one)
        return replace(self.graph, objects=tuple(self.objects), relations=tuple(self.relations))

    def _nest(self) -> None:
        """Find what holds each part: the smallest that has all its strokes and may hold it.

        Of parts with the same strokes a matrix holds a row, a row a cell, and a cell a matrix again.
        """
        groups: dict[frozenset[str], list[_Part]] = defaultdict(list)
        for one in self.parts.values():
            if one.kind != COLUMN:
                groups[one.strokes].append(one)
        last: dict[frozenset[str], _Part] = {}
        for strokes in sorted(groups, key=len, reverse=True):
            home: _Part | None = last.get(
                min((each for each in last if each > strokes), key=len, default=frozenset())
            )
            left = self._outer_first(groups[strokes])
            while left:
                fits = [one for one in left if one.kind == HOLDS[home.kind if home else None]]
                if not fits:
                    raise InputError(
                        f"{self.where}: {left[0].id!r} ({left[0].kind}) lies in no {_holder(left[0].kind)}"
                    )
                one = fits[0]
                left.remove(one)
                one.home = home
                if home is not None:
                    home.inside.append(one)
                last[strokes] = home = one

    def _settle(self) -> None:
        """Find the cell of every symbol; parts side by side that share strokes are an error."""
        for one in self.parts.values():
            held = [part.strokes for part in one.inside]
            if sum(map(len, held)) > len(frozenset().union(*held)):
                shared = listing([part.id for part in one.inside], most=4)
                raise InputError(
                    f"{self.where}: of {shared}, which lie in {one.id!r}, two share strokes"
                )
        for symbol in self.objects:
            if (cell := self._home(symbol)) is not None:
                self.held.setdefault(cell.id, []).append(symbol.id)

    def _outer_first(self, group: list[_Part]) -> list[_Part]:
        """Return parts, of the same strokes those first that something with other strokes is next to."""
        if len({(one.kind, one.strokes) for one in group}) == len(group):
            return list(group)
        strokes = {name: frozenset(held) for name, held in self.graph.members().items()}
        near = {end for a, b, _ in self.ends if strokes[a] != strokes[b] for end in (a, b)}
        return sorted(group, key=lambda one: one.id not in near)

    def _matrix(self, matrix: _Part) -> None:
        """Add a matrix with its rows and cells."""
        self._add(matrix)
        rows = self._ordered(matrix.inside, NEXT_ROW, "rows")
        if not rows or not all(row.inside for row in rows):
            raise InputError(
                f"{self.where}: the matrix {matrix.id!r} has {'a row without cells' if rows else 'no rows'}"
            )
        columns = self._columns(matrix, rows)
        for row in rows:
            self._add(row)
            self._row(row, columns)
        self._chain([matrix.id, *(row.id for row in rows)], NEXT_ROW)

    def _row(self, row: _Part, columns: Sequence[frozenset[str]]) -> None:
        """Add the cells of a row, in every column one."""
        if columns:
            found = {self._column(cell, columns): cell for cell in row.inside}
            if len(found) < len(row.inside):
                raise InputError(f"{self.where}: two cells of the row {row.id!r} are in one column")
            cells = [found.get(place) for place in range(len(columns))]
        else:
            cells = [*self._ordered(row.inside, NEXT_CELL, "cells")]
        ids = [row.id]
        for place, cell in enumerate(cells, 1):
            if cell is None:
                empty = f"{CELL}({row.id} {place})"
                self.objects.append(Object(empty, CELL, 1.0, (empty,)))
            else:
                self._cell(cell)
            ids.append(cell.id if cell else empty)
        self._chain(ids, NEXT_CELL)

    def _cell(self, cell: _Part) -> None:
        """Add a cell, which holds what hangs on nothing."""
        self._add(cell)
        held = [*self.held.get(cell.id, ()), *(one.id for one in cell.inside)]
        hung = {link.child for link in self.relations if link.parent in held}
        self.relations += (Relation(cell.id, one, INSIDE, 1.0) for one in held if one not in hung)

    def _home(self, symbol: Object) -> _Part | None:
        """Return the cell that a symbol is in."""
        strokes = frozenset(symbol.primitives)
        cells = [one for one in self.parts.values() if one.kind == CELL and strokes <= one.strokes]
        inner = [one for one in cells if not any(part.strokes >= strokes for part in one.inside)]
        return min(inner, key=lambda one: len(one.strokes), default=None)

    def _columns(self, matrix: _Part, rows: Sequence[_Part]) -> list[frozenset[str]]:
        """Return the strokes of every column in order; none where the file has no columns."""
        every = [cell for row in rows for cell in row.inside]
        across = [one for one in self.columns if _crosses(one, rows)]
        # A column of a matrix that fills a cell of this one may look like a column of this one too, but never larger.
        largest = [
            one for one in across if not any(other.strokes > one.strokes for other in across)
        ]
        parts = {one.strokes: one for one in reversed(self._outer_first(largest))}
        self.columns = [one for one in self.columns if parts.get(one.strokes) is not one]
        found = list(parts)
        place = {one.id: number for number, one in enumerate(parts.values())}
        before = [
            (place[a], place[b])
            for a, b, label in self.ends
            if label == NEXT_COLUMN and {a, b} <= place.keys()
        ]
        if found:
            known = {cell.id: self._column(cell, found) for cell in every}
            before += [
                (known[a], known[b])
                for a, b, label in self.ends
                if label == NEXT_CELL and {a, b} <= known.keys()
            ]
        return [
            found[one]
            for one in self._sorted(range(len(found)), before, f"columns of {matrix.id!r}")
        ]

    def _column(self, cell: _Part, columns: Sequence[frozenset[str]]) -> int:
        found = [place for place, strokes in enumerate(columns) if strokes >= cell.strokes]
        if not found:
            raise InputError(f"{self.where}: the cell {cell.id!r} is in no column")
        return found[0]

    def _ordered(self, parts: Sequence[_Part], relation: str, what: str) -> list[_Part]:
        place = {one.id: number for number, one in enumerate(parts)}
        before = [
            (place[a], place[b])
            for a, b, label in self.ends
            if label == relation and {a, b} <= place.keys()
        ]
        return [
            parts[one]
            for one in self._sorted(
                range(len(parts)), before, f"{what} {listing(sorted(place), most=4)}"
            )
        ]

    def _sorted(
        self, places: Iterable[int], before: Iterable[tuple[int, int]], what: str
    ) -> list[int]:
        """Return places in the one order that what stands before what allows."""
        sorter: TopologicalSorter[int] = TopologicalSorter(dict.fromkeys(places, ()))
        for a, b in before:
            if a != b:
                sorter.add(b, a)
        found: list[int] = []
        try:
            sorter.prepare()
        except CycleError:
            raise InputError(f"{self.where}: the {what} follow each other in a ring") from None
        while sorter.is_active():
            ready = sorter.get_ready()
            if len(ready) > 1:
                raise InputError(f"{self.where}: nothing says in which order the {what} are")
            found += ready
            sorter.done(*ready)
        return found

    def _add(self, part: _Part) -> None:
        name = _own(part.kind, part.strokes)
        self.objects.append(
            Object(part.id, part.kind, part.weight, (name + "'" * self.number[name],))
        )
        self.number[name] += 1

    def _chain(self, ids: Sequence[str], relation: str) -> None:
        """Relate the first, which holds the others, to the second, and each of these to the next."""
        self.relations += (
            Relation(a, b, relation if place else INSIDE, 1.0)
            for place, (a, b) in enumerate(pairwise(ids))
        )


def _own(kind: str, strokes: Iterable[str]) -> str:
    """Return the primitive that a part of a matrix has for itself."""
    return f"{kind}({' '.join(sorted(strokes))})"


def _depth(part: _Part) -> int:
    return 0 if part.home is None else 1 + _depth(part.home)


def _crosses(column: _Part, rows: Sequence[_Part]) -> bool:
    """Return whether a column is made of cells of these rows, of each one or none."""
    held = [[cell.strokes for cell in row.inside if cell.strokes <= column.strokes] for row in rows]
    return max(map(len, held)) == 1 and column.strokes == frozenset().union(
        *(cells[0] for cells in held if cells)
    )


def _holder(kind: str) -> str:
    return next(str(outer or "free place") for outer, inner in HOLDS.items() if inner == kind)
