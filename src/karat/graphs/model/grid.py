"""Matrices in formulas: `*M` holds rows `*R`, and these hold cells `*Cell`, all of them symbols without ink."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from karat.errors import InputError
from karat.graphs.model.formula import INSIDE, Row, Symbol, walk
from karat.graphs.model.grid_levels import (
    CELL,
    CELL_BELOW,
    COLUMN,
    MATRIX,
    NEXT_CELL,
    NEXT_COLUMN,
    NEXT_ROW,
    ROW,
)
from karat.graphs.model.structure import Object, Relation

PARTS = frozenset({MATRIX, ROW, CELL, COLUMN})
BRACKETS = {
    "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "Bmatrix": ("\\{", "\\}"), "vmatrix": ("|", "|"),
    "Vmatrix": ("\\|", "\\|"), "cases": ("\\{", ""), "dcases": ("\\{", ""),
    "rcases": ("", "\\}"),
}  # fmt: skip
"""The brackets that LaTeX sets around matrices of a name: symbols before and after them."""


def grid(rows: Iterable[Sequence[Row]], *, line: int = 0) -> Row:
    """Return a matrix of cells as the one symbol of a row; nothing if all cells are empty.

    Empty rows and columns show nothing, so they are left out; short rows get empty cells.

    >>> [step.path for step in walk(grid([[[Symbol("a")], []], [[], [Symbol("b")]]]))][-2:]
    ['OInsideNrowInsideNcellR', 'OInsideNrowInsideNcellRInside']
    """
    full = [cells for cells in rows if any(cells)]
    if not full:
        return []
    width = max(map(len, full))
    padded = []
    for cells in full:
        missing: list[Row] = [[] for _ in range(width - len(cells))]
        padded.append([*cells, *missing])
    kept = [place for place in range(width) if any(cells[place] for cells in padded)]
    made_rows = []
    for cells in padded:
        made_cells = [_holding(CELL, cells[place], line) for place in kept]
        made_rows.append(_holding(ROW, made_cells, line))
    return [_holding(MATRIX, made_rows, line)]


def _holding(label: str, row: Row, line: int) -> Symbol:
    return Symbol(label, regions={INSIDE: row} if row else {}, line=line)


def bracketed(matrix: Row, kind: str) -> Row:
    """Return a matrix between the brackets of its kind."""
    left, right = BRACKETS.get(kind, ("", ""))
    row = list(matrix)
    if left:
        row.insert(0, Symbol(left))
    if right:
        row.append(Symbol(right))
    return row


def column_of(above: Row, below: Row, kind: str = "") -> Row:
    """Return two rows as a matrix of one column, maybe in brackets."""
    return bracketed(grid([[above], [below]]), kind)


def cells_of(matrix: Symbol, where: str) -> list[list[Row]]:
    """Return the cells of a matrix, row by row."""
    rows = []
    for row in _held(matrix, ROW, where):
        cells = _held(row, CELL, where)
        for one in (row, *cells):
            for name in one.regions:
                if name != INSIDE:
                    raise InputError(
                        f"{where}: '{one.label}' has a part {name!r}; rows and cells of a matrix only hold others"
                    )
        rows.append([cell.regions.get(INSIDE, []) for cell in cells])
    if len({len(cells) for cells in rows}) > 1:
        numbers = ", ".join(str(len(cells)) for cells in rows)
        raise InputError(f"{where}: the rows of a matrix have {numbers} cells")
    return rows


def _held(one: Symbol, label: str, where: str) -> Row:
    row = one.regions.get(INSIDE, [])
    if not row:
        raise InputError(f"{where}: a '{one.label}' holds '{label}', found nothing")
    for each in row:
        if each.label != label:
            raise InputError(f"{where}: a '{one.label}' holds '{label}', found '{each.label}'")
    return row


def over_strokes(
    row: Row, strokes: Mapping[str, tuple[str, ...]]
) -> tuple[list[Object], list[Relation]]:
    """Return the relations of a formula's symbols with strokes, and its matrices as levels over these.

    A matrix is an object *M, its rows *R, its columns *C, its cells *Cell. A part without strokes is no object: an
    empty cell is known from its row and its column.
    """
    steps = list(walk(row))
    columns: dict[Symbol, Row] = {}
    for step in steps:
        if step.symbol.label == MATRIX:
            columns[step.symbol] = [Symbol(COLUMN) for _ in _cells(step.symbol)[0]]
    every_column = [column for across in columns.values() for column in across]
    _name([*(step.symbol for step in steps), *every_column], strokes)
    parts: list[Object] = []
    order: list[Relation] = []
    for matrix, across in columns.items():
        made = _levels(matrix, across, strokes)
        parts += made
        order += _order(matrix, across, {one.id for one in made})
    there = {*strokes, *(one.id for one in parts if one.label == MATRIX)}
    layout = [
        Relation(step.parent.id, step.symbol.id, step.relation, 1.0)
        for step in steps
        if step.parent is not None and step.parent.id in there and step.symbol.id in there
    ]
    return parts, layout + order


def _levels(matrix: Symbol, across: Row, strokes: Mapping[str, tuple[str, ...]]) -> list[Object]:
    """Return a matrix, its rows, cells and columns, those that have strokes."""
    cells = _cells(matrix)
    made = [_object(one, [one], strokes) for one in (matrix, *matrix.regions[INSIDE])]
    for line in cells:
        made += (_object(cell, [cell], strokes) for cell in line)
    for column, *held in zip(across, *cells, strict=True):
        made.append(_object(column, held, strokes))
    return [one for one in made if one.primitives]


def _order(matrix: Symbol, across: Row, there: set[str]) -> list[Relation]:
    """Return how rows, columns and cells follow each other, of those that are there."""
    cells = _cells(matrix)
    chains: list[tuple[Iterable[Symbol], str]] = [(matrix.regions[INSIDE], NEXT_ROW)]
    chains += ((line, NEXT_CELL) for line in cells)
    chains += ((line, CELL_BELOW) for line in zip(*cells, strict=True))
    chains.append((across, NEXT_COLUMN))
    return [link for line, relation in chains for link in _chained(line, relation, there)]


def _cells(matrix: Symbol) -> list[Row]:
    return [row.regions[INSIDE] for row in matrix.regions[INSIDE]]


def _object(part: Symbol, held: Iterable[Symbol], strokes: Mapping[str, tuple[str, ...]]) -> Object:
    inside: list[str] = []
    for one in held:
        for step in walk(one.regions.get(INSIDE, [])):
            inside += strokes.get(step.symbol.id, ())
    return Object(part.id, part.label, 1.0, tuple(inside))


def _name(symbols: Sequence[Symbol], taken: Iterable[str]) -> None:
    """Give parts of matrices an id where they have none."""
    known = {*taken, *(one.id for one in symbols)}
    number: Counter[str] = Counter()
    for one in symbols:
        while one.label in PARTS and not one.id:
            number[one.label] += 1
            name = f"{one.label}_{number[one.label]}"
            one.id = "" if name in known else name


def _chained(parts: Iterable[Symbol], relation: str, there: set[str]) -> Iterator[Relation]:
    ids = [one.id for one in parts if one.id in there]
    return (Relation(a, b, relation, 1.0) for a, b in pairwise(ids))
