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
    """Return a matrix of cells as the one symbol of a row; of nothing but empty cells there is none.

    Rows and columns in which nothing stands show nothing, so they are left out; short rows get empty cells.

    >>> [step.path for step in walk(grid([[[Symbol("a")], []], [[], [Symbol("b")]]]))][-2:]
    ['OInsideNrowInsideNcellR', 'OInsideNrowInsideNcellRInside']
    """
    full = [cells for cells in rows if any(cells)]
    wide = max(map(len, full), default=0)
    padded = [[*cells, *([] for _ in range(wide - len(cells)))] for cells in full]
    kept = [place for place in range(wide) if any(cells[place] for cells in padded)]
    held = [
        _holding(ROW, [_holding(CELL, cells[place], line) for place in kept], line)
        for cells in padded
    ]
    return [_holding(MATRIX, held, line)] if held else []


def _holding(label: str, row: Row, line: int) -> Symbol:
    return Symbol(label, regions={INSIDE: row} if row else {}, line=line)


def bracketed(found: Row, kind: str) -> Row:
    """Return a matrix between the brackets of its kind."""
    left, right = (([Symbol(sign)] if sign else []) for sign in BRACKETS.get(kind, ("", "")))
    return [*left, *found, *right]


def column_of(above: Row, below: Row, kind: str = "") -> Row:
    """Return two rows as a matrix of one column, maybe in brackets."""
    return bracketed(grid([[above], [below]]), kind)


def cells_of(matrix: Symbol, where: str) -> list[list[Row]]:
    """Return the cells of a matrix, row by row."""
    found = []
    for row in _held(matrix, ROW, where):
        found.append([cell.regions.get(INSIDE, []) for cell in _held(row, CELL, where)])
        for one in (row, *row.regions[INSIDE]):
            odd = next((name for name in one.regions if name != INSIDE), None)
            if odd is not None:
                raise InputError(
                    f"{where}: '{one.label}' has a part {odd!r}; rows and cells of a matrix only hold others"
                )
    if len({len(cells) for cells in found}) > 1:
        raise InputError(
            f"{where}: the rows of a matrix have {', '.join(str(len(cells)) for cells in found)} cells"
        )
    return found


def _held(one: Symbol, label: str, where: str) -> Row:
    row = one.regions.get(INSIDE, [])
    odd = next((each.label for each in row if each.label != label), None)
    if odd is not None or not row:
        found = f"'{odd}'" if row else "nothing"
        raise InputError(f"{where}: a '{one.label}' holds '{label}', found {found}")
    return row


def over_strokes(
    row: Row, strokes: Mapping[str, tuple[str, ...]]
) -> tuple[list[Object], list[Relation]]:
    """Return the relations of a formula's symbols with strokes, and its matrices as levels over these.

    A matrix is an object *M, its rows *R, its columns *C, its cells *Cell. A part without strokes is no object: an
    empty cell is known from its row and its column.
    """
    steps = list(walk(row))
    symbols = [step.symbol for step in steps]
    columns = {
        one: [Symbol(COLUMN) for _ in _cells(one)[0]] for one in symbols if one.label == MATRIX
    }
    _name([*symbols, *(column for each in columns.values() for column in each)], strokes)
    parts: list[Object] = []
    order: list[Relation] = []
    for matrix, across in columns.items():
        made, chained = _levels(matrix, across, strokes)
        parts += made
        order += chained
    there = {*strokes, *(one.id for one in parts if one.label == MATRIX)}
    layout = [
        Relation(step.parent.id, step.symbol.id, step.relation, 1.0)
        for step in steps
        if step.parent is not None and step.parent.id in there and step.symbol.id in there
    ]
    return parts, layout + order


def _levels(
    matrix: Symbol, across: Row, strokes: Mapping[str, tuple[str, ...]]
) -> tuple[list[Object], list[Relation]]:
    """Return a matrix and its parts, and how rows, columns and cells follow each other."""
    rows, cells = matrix.regions[INSIDE], _cells(matrix)
    below = list(zip(*cells, strict=True))
    made = [
        _object(one, [one], strokes)
        for one in (matrix, *rows, *(cell for line in cells for cell in line))
    ]
    made += (_object(column, held, strokes) for column, held in zip(across, below, strict=True))
    parts = [one for one in made if one.primitives]
    there = {one.id for one in parts}
    chains = [(rows, NEXT_ROW), *((line, NEXT_CELL) for line in cells)]
    chains += [*((list(line), CELL_BELOW) for line in below), (across, NEXT_COLUMN)]
    return parts, [link for line, relation in chains for link in _chained(line, relation, there)]


def _cells(matrix: Symbol) -> list[Row]:
    return [row.regions[INSIDE] for row in matrix.regions[INSIDE]]


def _object(part: Symbol, held: Iterable[Symbol], strokes: Mapping[str, tuple[str, ...]]) -> Object:
    inside = (step.symbol for one in held for step in walk(one.regions.get(INSIDE, [])))
    return Object(
        part.id, part.label, 1.0, tuple(name for one in inside for name in strokes.get(one.id, ()))
    )


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
