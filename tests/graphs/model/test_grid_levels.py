"""Matrices over strokes: cells, rows, columns and the matrix share strokes, and are one formula all the same."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from karat.errors import InputError
from karat.graphs.formats.label_graph import parse
from karat.graphs.formats.label_graph_text import to_lg
from karat.graphs.model.formula import Symbol, formula_of, graph_of, walk
from karat.graphs.model.grid import grid
from karat.graphs.model.legality import illegal
from karat.graphs.model.reshape import as_inherited, as_tree
from karat.graphs.model.structure import LabelGraph
from support.matrices import drawn

SQUARE = """
O, M, *M, 1.0, 2, 3, 4, 5
O, a, a, 1.0, 2
O, b, b, 1.0, 3
O, d, d, 1.0, 4
O, 2, 2, 1.0, 5
O, (, (, 1.0, 0
O, ), ), 1.0, 1
O, R2, *R, 1.0, 4, 5
O, R1, *R, 1.0, 2, 3
O, C2, *C, 1.0, 3, 4, 5
O, C1, *C, 1.0, 2
O, X, *Cell, 1.0, 2
O, Y, *Cell, 1.0, 3
O, Z, *Cell, 1.0, 4, 5
R, (, M, R, 1.0
R, M, ), R, 1.0
R, d, 2, Sup, 1.0
R, R1, R2, Nrow, 1.0
R, C1, C2, Ncol, 1.0
R, X, Y, NcellR, 1.0
R, Y, Z, NcellC, 1.0
"""
"""A matrix with an empty cell: a, b; nothing, d to the 2."""


def places(row):
    return {step.path: step.symbol.label for step in walk(row)}


def test_what_lies_in_what_follows_from_the_strokes():
    expected = r"(:O *M:OR *R:ORInside *Cell:ORInsideInside a:ORInsideInsideInside *Cell:ORInsideInsideNcellR "
    expected += r"b:ORInsideInsideNcellRInside *R:ORInsideNrow *Cell:ORInsideNrowInside *Cell:ORInsideNrowInsideNcellR "
    expected += r"d:ORInsideNrowInsideNcellRInside 2:ORInsideNrowInsideNcellRInsideSup ):ORR"
    assert {
        f"{label}:{path}" for path, label in places(formula_of(parse(SQUARE).graph)).items()
    } == set(expected.split())


def test_the_older_names_of_levels_are_the_same():
    renamed = (
        SQUARE.replace("*M", "Matrix")
        .replace("*R", "Row")
        .replace("*Cell", "Cell")
        .replace("*C", "Col")
    )
    renamed = (
        renamed.replace("NcellR", "NextCell-Row")
        .replace("NcellC", "NextCell-Col")
        .replace("Ncol", "NextCol")
    )
    assert places(formula_of(parse(renamed).graph)) == places(formula_of(parse(SQUARE).graph))


CELLS = st.recursive(
    st.sampled_from("ab").map(lambda label: [Symbol(label)]),
    lambda inside: st.lists(st.lists(inside | st.just([]), max_size=3), max_size=3).map(grid),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(CELLS, min_size=1, max_size=3))
def test_a_matrix_over_strokes_is_the_matrix_it_was_made_of(parts):
    row = [symbol for part in parts for symbol in part]
    assume(row)
    made = drawn(row)
    assert places(formula_of(made)) == places(row)
    shuffled = LabelGraph(objects=made.objects[::-1], relations=made.relations[::-1])
    assert places(formula_of(shuffled)) == places(row)
    again = parse(to_lg(made))
    assert again.problems == ()
    assert places(formula_of(again.graph)) == places(row)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(CELLS)
def test_what_is_inherited_in_a_matrix_can_be_taken_away_again(row):
    assume(row)
    made = drawn(row)
    assert set(as_tree(as_inherited(made)).relations) == set(made.relations)
    assert places(formula_of(as_inherited(made))) == places(row)


def test_columns_inherit_as_rows_do():
    found = drawn(grid([[[Symbol("a")]], [[Symbol("b")]], [[Symbol("c")]]]))
    new = set(as_inherited(found).relations) - set(found.relations)
    assert {one.label for one in new} == {"Nrow", "NcellC"}


def test_a_matrix_over_strokes_is_legal():
    assert illegal(parse(SQUARE).graph, tree=True) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("R, R1, R2, Nrow, 1.0", "", r"nothing says in which order the rows 'R1', 'R2' are"),
        ("R, R1, R2, Nrow, 1.0", "R, R1, R2, Nrow, 1.0\nR, R2, R1, Nrow, 1.0", "follow each other in a ring"),
        ("R, X, Y, NcellR, 1.0", "R, X, Y, Right, 1.0", "'X' and 'Y' have the relation Right; within a matrix"),
        ("R, X, Y, NcellR, 1.0", "R, X, ), Right, 1.0", "have the relation Right; within a matrix"),
        ("O, X, *Cell, 1.0, 2\n", "O, X, cell, 1.0, 2\n", "'X' and 'Y' have the relation NcellR; within a matrix"),
        ("O, C1, *C, 1.0, 2\n", "O, C1, *C, 1.0, 0\n", "the cell 'X' is in no column"),
        ("O, R1, *R, 1.0, 2, 3", "O, R1, *R, 1.0, 2, 3, 4", "of 'R1', 'R2', which are in 'M', two share strokes"),
        ("O, M, *M, 1.0, 2, 3, 4, 5", "O, M, m, 1.0, 2, 3, 4, 5", r"'R.' \(\*R\) is in no \*M"),
    ],
)  # fmt: skip
def test_a_matrix_that_is_none_is_refused(old, new, message):
    with pytest.raises(InputError, match=message):
        formula_of(parse(SQUARE.replace(old, new)).graph)


def test_parts_of_a_matrix_without_strokes_are_objects_of_a_tree():
    tree = graph_of(grid([[[Symbol("a")], []], [[], [Symbol("b")]]]))
    assert places(formula_of(tree)) == places(formula_of(parse(to_lg(tree)).graph))
    assert len(tree.primitives()) == len(tree.objects)
