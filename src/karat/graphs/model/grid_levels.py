"""Matrices over strokes: cells, rows, columns and the matrix itself share the strokes of the symbols they hold.

Files with strokes have a matrix in levels: an object `*M` over all its strokes, `*R` over those of a row, `*C` over
those of a column, `*Cell` over those of a cell. Which holds which follows from their strokes. A formula has it as a
tree: `*M` holds its first row, that its first cell, that its first symbol.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from karat.errors import InputError
from karat.graphs.model.only_order import only_order
from karat.graphs.model.structure import LabelGraph, Object, Relation
from karat.words import listing

MATRIX = "*M"
ROW = "*R"
CELL = "*Cell"
COLUMN = "*C"
NEXT_ROW = "Nrow"
NEXT_CELL = "NcellR"
CELL_BELOW = "NcellC"
NEXT_COLUMN = "Ncol"
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
    of_parts: set[str] = set()
    of_symbols: set[str] = set()
    for one in graph.objects:
        strokes = of_parts if kind_of(one.label) else of_symbols
        strokes.update(one.primitives)
    return not of_parts.isdisjoint(of_symbols)


def without_levels(graph: LabelGraph) -> LabelGraph:
    """Return the graph with matrices as trees: each part of one has a primitive of its own, named by its strokes.

    A cell without strokes, known from its row and its column, is there too.
    """
    if has_grid_levels(graph):
        return _GridTree(graph).tree()
    return graph


def without_shared_strokes(*graphs: LabelGraph) -> list[LabelGraph]:
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
    objects = [one._replace(primitives=(one.id,)) for one in graph.objects]
    return replace(graph, objects=tuple(objects))


@dataclass(slots=True)
class _Part:
    """A matrix, a row, a column or a cell, and what holds it."""

    id: str
    kind: str
    strokes: frozenset[str]
    weight: float
    home: "_Part | None" = None
    inside: list["_Part"] = field(default_factory=list)


class _GridTree:
    """Builds the tree of a graph whose matrices are levels over strokes."""

    def __init__(self, graph: LabelGraph) -> None:
        self.graph = graph
        self.where = graph.name or "the graph"
        self.parts: dict[str, _Part] = {}
        for one in graph.objects:
            kind = kind_of(one.label)
            if kind:
                self.parts[one.id] = _Part(one.id, kind, frozenset(one.primitives), one.weight)
        self.objects = [one for one in graph.objects if one.id not in self.parts]
        """The symbols, and then the parts of matrices as they are added."""
        self.links = [
            (one.parent, one.child, NEXT.get(one.label, one.label)) for one in graph.relations
        ]
        self.columns = [one for one in self.parts.values() if one.kind == COLUMN]
        """Those that no matrix has yet."""
        self.relations: list[Relation] = []
        self.held: dict[str, list[str]] = {}
        """The symbols in each cell."""
        self.number: Counter[str] = Counter()

    def tree(self) -> LabelGraph:
        """Return the graph as a tree."""
        self._nest()
        self._refuse_overlaps()
        for symbol in self.objects:
            cell = self._cell_of(symbol)
            if cell is not None:
                self.held.setdefault(cell.id, []).append(symbol.id)
        self._keep_outer_relations()
        matrices = [one for one in self.parts.values() if one.kind == MATRIX]
        for matrix in sorted(matrices, key=_depth):
            self._add_matrix(matrix)
        return replace(self.graph, objects=tuple(self.objects), relations=tuple(self.relations))

    def _nest(self) -> None:
        """Find what holds each part: the smallest that has all its strokes and may hold it.

        Of parts with the same strokes a matrix holds a row, a row a cell, and a cell a matrix again.
        """
        groups: dict[frozenset[str], list[_Part]] = defaultdict(list)
        for one in self.parts.values():
            if one.kind != COLUMN:
                groups[one.strokes].append(one)
        # Of the parts with some strokes the one that was put into its home last.
        innermost: dict[frozenset[str], _Part] = {}
        for strokes in sorted(groups, key=len, reverse=True):
            larger = [each for each in innermost if each > strokes]
            home = innermost[min(larger, key=len)] if larger else None
            left = self._outer_first(groups[strokes])
            while left:
                one = self._next_inside(home, left)
                left.remove(one)
                one.home = home
                if home is not None:
                    home.inside.append(one)
                home = one
                innermost[strokes] = one

    def _next_inside(self, home: _Part | None, parts: Sequence[_Part]) -> _Part:
        """Return the first of some parts that may be directly in another."""
        wanted = HOLDS[home.kind if home else None]
        for one in parts:
            if one.kind == wanted:
                return one
        first = parts[0]
        raise InputError(
            f"{self.where}: {first.id!r} ({first.kind}) is in no {_holder(first.kind)}"
        )

    def _refuse_overlaps(self) -> None:
        """Refuse parts side by side that share strokes."""
        for one in self.parts.values():
            number = sum(len(part.strokes) for part in one.inside)
            different = frozenset().union(*(part.strokes for part in one.inside))
            if number > len(different):
                shared = listing([part.id for part in one.inside], most=4)
                raise InputError(
                    f"{self.where}: of {shared}, which are in {one.id!r}, two share strokes"
                )

    def _keep_outer_relations(self) -> None:
        """Keep the relations of symbols and matrices; those within a matrix only put its parts in order."""
        inner = {name: one.kind for name, one in self.parts.items() if one.kind != MATRIX}
        for written, (parent, child, label) in zip(self.graph.relations, self.links, strict=True):
            if parent not in inner and child not in inner:
                self.relations.append(written)
                continue
            kind = inner.get(parent)
            if kind is None or kind != inner.get(child) or label not in ORDER[kind]:
                raise InputError(
                    f"{self.where}: {parent!r} and {child!r} have the relation {label}; within a matrix there are "
                    f"{NEXT_ROW} of rows, {NEXT_COLUMN} of columns, {NEXT_CELL} and {CELL_BELOW} of cells"
                )

    def _outer_first(self, group: list[_Part]) -> list[_Part]:
        """Return parts, of the same strokes those first that something with other strokes is next to."""
        if len({(one.kind, one.strokes) for one in group}) == len(group):
            return list(group)
        strokes = {name: frozenset(held) for name, held in self.graph.members().items()}
        near: set[str] = set()
        for parent, child, _ in self.links:
            if strokes[parent] != strokes[child]:
                near.update((parent, child))
        return sorted(group, key=lambda one: one.id not in near)

    def _add_matrix(self, matrix: _Part) -> None:
        """Add a matrix with its rows and cells."""
        self._add(matrix)
        rows = self._ordered(matrix.inside, NEXT_ROW, "rows")
        if not rows or not all(row.inside for row in rows):
            lack = "a row without cells" if rows else "no rows"
            raise InputError(f"{self.where}: the matrix {matrix.id!r} has {lack}")
        columns = self._columns(matrix, rows)
        for row in rows:
            self._add(row)
            self._add_cells(row, columns)
        self._chain([matrix.id, *(row.id for row in rows)], NEXT_ROW)

    def _add_cells(self, row: _Part, columns: Sequence[frozenset[str]]) -> None:
        """Add the cells of a row, in every column one."""
        cells: list[_Part | None] = []
        if columns:
            by_column = {self._column(cell, columns): cell for cell in row.inside}
            if len(by_column) < len(row.inside):
                raise InputError(f"{self.where}: two cells of the row {row.id!r} are in one column")
            cells += (by_column.get(place) for place in range(len(columns)))
        else:
            cells += self._ordered(row.inside, NEXT_CELL, "cells")
        ids = [row.id]
        for place, cell in enumerate(cells, 1):
            if cell is None:
                empty = f"{CELL}({row.id} {place})"
                self.objects.append(Object(empty, CELL, 1.0, (empty,)))
                ids.append(empty)
            else:
                self._add_cell(cell)
                ids.append(cell.id)
        self._chain(ids, NEXT_CELL)

    def _add_cell(self, cell: _Part) -> None:
        """Add a cell, which holds what has no parent."""
        self._add(cell)
        held = [*self.held.get(cell.id, ()), *(one.id for one in cell.inside)]
        hung = {link.child for link in self.relations if link.parent in held}
        for one in held:
            if one not in hung:
                self.relations.append(Relation(cell.id, one, INSIDE, 1.0))

    def _cell_of(self, symbol: Object) -> _Part | None:
        """Return the smallest cell that a symbol is in, and in no matrix within that cell."""
        strokes = frozenset(symbol.primitives)
        cells = [one for one in self.parts.values() if one.kind == CELL and strokes <= one.strokes]
        inner = [one for one in cells if not any(part.strokes >= strokes for part in one.inside)]
        return min(inner, key=lambda one: len(one.strokes), default=None)

    def _columns(self, matrix: _Part, rows: Sequence[_Part]) -> list[frozenset[str]]:
        """Return the strokes of every column in order; none where the file has no columns."""
        across = [one for one in self.columns if _crosses(one, rows)]
        # A column of a matrix that fills a cell of this one may look like a column of this one too, but never larger.
        largest = [
            one for one in across if not any(other.strokes > one.strokes for other in across)
        ]
        own = {one.strokes: one for one in reversed(self._outer_first(largest))}
        self.columns = [one for one in self.columns if own.get(one.strokes) is not one]
        columns = list(own)
        place = {one.id: number for number, one in enumerate(own.values())}
        before = self._before(NEXT_COLUMN, place)
        if columns:
            column_of = {}
            for row in rows:
                for cell in row.inside:
                    column_of[cell.id] = self._column(cell, columns)
            before += self._before(NEXT_CELL, column_of)
        what = f"columns of {matrix.id!r}"
        order = only_order(len(columns), before, where=self.where, what=what)
        return [columns[number] for number in order]

    def _column(self, cell: _Part, columns: Sequence[frozenset[str]]) -> int:
        """Return the number of the column that a cell is in."""
        for number, strokes in enumerate(columns):
            if strokes >= cell.strokes:
                return number
        raise InputError(f"{self.where}: the cell {cell.id!r} is in no column")

    def _ordered(self, parts: Sequence[_Part], relation: str, what: str) -> list[_Part]:
        """Return parts in the order that a relation puts them in."""
        place = {one.id: number for number, one in enumerate(parts)}
        named = f"{what} {listing(sorted(place), most=4)}"
        before = self._before(relation, place)
        order = only_order(len(parts), before, where=self.where, what=named)
        return [parts[number] for number in order]

    def _before(self, relation: str, place: Mapping[str, int]) -> list[tuple[int, int]]:
        """Return which place a relation puts before which."""
        return [
            (place[parent], place[child])
            for parent, child, label in self.links
            if label == relation and parent in place and child in place
        ]

    def _add(self, part: _Part) -> None:
        name = _own(part.kind, part.strokes)
        primes = "'" * self.number[name]
        self.objects.append(Object(part.id, part.kind, part.weight, (name + primes,)))
        self.number[name] += 1

    def _chain(self, ids: Sequence[str], relation: str) -> None:
        """Relate the first, which holds the others, to the second, and each of these to the next."""
        for place, (one, following) in enumerate(pairwise(ids)):
            label = INSIDE if place == 0 else relation
            self.relations.append(Relation(one, following, label, 1.0))


def _own(kind: str, strokes: Iterable[str]) -> str:
    """Return the primitive that a part of a matrix has for itself."""
    return f"{kind}({' '.join(sorted(strokes))})"


def _depth(part: _Part) -> int:
    return 0 if part.home is None else 1 + _depth(part.home)


def _crosses(column: _Part, rows: Sequence[_Part]) -> bool:
    """Return whether a column is made of cells of these rows, of each one or none."""
    crossed: frozenset[str] = frozenset()
    for row in rows:
        cells = [cell.strokes for cell in row.inside if cell.strokes <= column.strokes]
        if len(cells) > 1:
            return False
        crossed = crossed.union(*cells)
    return bool(crossed) and crossed == column.strokes


def _holder(kind: str) -> str:
    """Return the kind of part that holds a part of a matrix."""
    outer = next(outer for outer, inner in HOLDS.items() if inner == kind)
    return outer or "free place"
