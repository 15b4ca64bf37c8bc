"""Where objects are drawn: nothing covers anything else, and every relation leads where its name says."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.graphs.draw.differences import EXTRA, MISSING, SAME, WRONG
from karat.graphs.draw.drawing import drawing, sketches
from karat.graphs.draw.matrix import matrix
from karat.graphs.formats.formulas.latex import parse_latex
from karat.graphs.formats.label_graph import parse, read_lg
from karat.graphs.model.formula import formula_of
from karat.graphs.model.scenes.forest import forest
from karat.graphs.model.scenes.places import by_relations
from karat.graphs.model.scenes.scene import has_levels, scene
from karat.graphs.model.structure import LabelGraph, Object, Relation
from support.graphs import graphs
from support.matrices import drawn as on_strokes
from support.perturbed import expression, misread

EXAMPLES = Path(__file__).parents[2] / "paper_examples"
MATRIX = """
O, [, [, 1.0, s1
O, x, x, 1.0, s2, s3
O, 2, 2, 1.0, s4
O, 1, 1, 1.0, s5
O, c1, Cell, 1.0, s2, s3, s4
O, c2, Cell, 1.0, s5
O, r, Row, 1.0, s2, s3, s4, s5
O, k1, Col, 1.0, s2, s3, s4
O, k2, Col, 1.0, s5
O, m, Matrix, 1.0, s2, s3, s4, s5
R, x, 2, Sup, 1.0
R, c1, c2, NextCell-Row, 1.0
R, k1, k2, NextCol, 1.0
R, [, m, Right, 1.0
"""


def drawn(text):
    """The boxes of objects by their class, in the order of the file."""
    found = scene(parse(text).graph, levels=has_levels(parse(text).graph))
    places = by_relations(
        forest(found), dict.fromkeys(found.things, 30.0), dict.fromkeys(found.things, "Right")
    )
    return {
        min(labels): places.boxes[thing]
        for thing, labels in found.things.items()
        if thing in places.boxes
    }, places


def pair(mark):
    boxes, _ = drawn(f"O, a, a, 1.0, s1\nO, b, b, 1.0, s2\nR, a, b, {mark}, 1.0")
    return boxes["a"], boxes["b"]


def apart(one, other):
    return (
        one.x + one.w <= other.x
        or other.x + other.w <= one.x
        or one.y + one.h <= other.y
        or other.y + other.h <= one.y
    )


@pytest.mark.parametrize("mark", ["Right", "R", "HOR"])
def test_right_is_to_the_right_on_the_same_line(mark):
    a, b = pair(mark)
    assert b.x > a.x + a.w
    assert b.ty == a.ty


def test_scripts_are_raised_and_lowered_to_the_right():
    for mark, sign in (("Sup", -1), ("Sub", 1)):
        a, b = pair(mark)
        assert b.x > a.x + a.w - 1
        assert sign * (b.ty - a.ty) > 0


def test_above_and_below_are_so_and_the_line_of_a_fraction_spans_both():
    boxes, _ = drawn(
        "O, l, -, 1.0, s1\nO, a, a, 1.0, s2\nO, b, b, 1.0, s3\nO, c, c, 1.0, s4\n"
        "R, l, a, Above, 1.0\nR, a, b, Right, 1.0\nR, l, c, B, 1.0"
    )
    line = boxes["-"]
    assert boxes["a"].y + boxes["a"].h < line.y < line.y + line.h < boxes["c"].y
    assert line.x <= boxes["a"].x < boxes["b"].x + boxes["b"].w <= line.x + line.w


def test_inside_is_inside():
    a, b = pair("Inside")
    assert a.x < b.x < b.x + b.w < a.x + a.w
    assert a.y < b.y < b.y + b.h < a.y + a.h


def test_other_relations_lead_below_as_in_a_tree():
    boxes, _ = drawn(
        "O, a, +, 1.0, s1\nO, b, b, 1.0, s2\nO, c, c, 1.0, s3\nR, a, b, Arg1, 1.0\nR, a, c, Arg2, 1.0"
    )
    assert boxes["b"].y == boxes["c"].y > boxes["+"].y + boxes["+"].h


def test_a_matrix_holds_its_rows_and_these_their_cells():
    boxes, _ = drawn(MATRIX)
    for inner, outer in (("1", "Cell"), ("Cell", "Row"), ("Row", "Matrix"), ("x", "Row")):
        small, large = boxes[inner], boxes[outer]
        assert large.x < small.x < small.x + small.w < large.x + large.w
        assert large.y < small.y < small.y + small.h < large.y + large.h
    assert boxes["["].x + boxes["["].w < boxes["Matrix"].x
    columns = [one for one in sketches(parse(MATRIX).graph)[0].symbols if one.text == "Col"]
    assert [one.hint for one in columns] == ["Col: s2 s3 s4", "Col: s5"]


TABLE = r"A=\begin{pmatrix} a & b^3 & c \\ & \frac{1}{2} \end{pmatrix}"


@pytest.mark.parametrize(
    "make",
    [
        lambda text: parse_latex(text).graph,
        lambda text: on_strokes(formula_of(parse_latex(text).graph)),
    ],
)
def test_the_cells_of_a_matrix_stand_in_columns(make):
    found = sketches(make(TABLE))[0]
    boxes = {one.text: one.box for one in found.symbols if one.text.isalnum() or one.text == "-"}
    assert boxes["a"].y == boxes["b"].y == boxes["c"].y < boxes["-"].y
    cells = sorted(
        {(one.box.x, one.box.w) for one in found.symbols if one.hint.startswith("*Cell")}
    )
    assert len(cells) == 3
    assert cells[1][0] < boxes["b"].x < boxes["3"].x < cells[1][0] + cells[1][1]
    assert cells[1][0] < boxes["-"].x < cells[1][0] + cells[1][1]
    assert all(left[0] + left[1] < right[0] for left, right in pairwise(cells))
    assert "Inside" not in {one.text for one in found.arrows}


def test_what_is_wrong_in_a_matrix_is_marked():
    truth, output = (parse_latex(text).graph for text in (TABLE, TABLE.replace(" c", " e")))
    ours, theirs = sketches(output, truth)
    assert [(one.text, one.note) for one in ours.symbols if one.state != SAME] == [("e", "≠ c")]
    assert [(one.text, one.note) for one in theirs.symbols if one.state != SAME] == [("c", "≠ e")]


def test_a_matrix_read_as_something_else_shows_its_arrows():
    truth = parse_latex(r"\begin{matrix} a \\ b \end{matrix}").graph
    output = replace(truth, relations=tuple(one._replace(label="Sup") for one in truth.relations))
    assert {one.text for one in sketches(output, truth)[0].arrows} >= {"Sup ≠ Inside", "Sup ≠ Nrow"}


PART_LABELS = ["*M", "*R", "*Cell", "*C", "x"]
PART_RELATIONS = ["Inside", "Nrow", "NcellR", "NcellC", "Ncol", "Right"]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_what_looks_like_a_matrix_but_is_none_is_drawn_all_the_same(data):
    number = data.draw(st.integers(1, 7))
    strokes = st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True).map(tuple)
    own = data.draw(st.booleans())
    objects = tuple(
        Object(
            f"o{k}",
            data.draw(st.sampled_from(PART_LABELS)),
            1.0,
            (f"s{k}",) if own else data.draw(strokes),
        )
        for k in range(number)
    )
    ends = st.tuples(
        st.integers(0, number - 1), st.integers(0, number - 1), st.sampled_from(PART_RELATIONS)
    )
    relations = [
        Relation(f"o{a}", f"o{b}", label, 1.0)
        for a, b, label in data.draw(st.lists(ends, max_size=10))
        if a != b
    ]
    graph = LabelGraph(objects=objects, relations=tuple(relations))
    if own:
        assert len(sketches(graph)[0].symbols) == number
    ET.fromstring(drawing(graph))  # noqa: S314 (our own)
    ET.fromstring(drawing(graph, parse_latex(TABLE).graph))  # noqa: S314


@pytest.mark.parametrize("seed", range(40))
def test_no_symbol_covers_another(seed):
    found = scene(misread(expression(seed), 1, share=0.5), levels=False)
    boxes = list(
        by_relations(
            forest(found), dict.fromkeys(found.things, 30.0), dict.fromkeys(found.things, "Right")
        ).boxes.values()
    )
    assert len(boxes) == len(found.things)
    assert all(apart(one, other) for place, one in enumerate(boxes) for other in boxes[:place])


@pytest.mark.parametrize("label", ["x", "*M", "*Cell"])
@pytest.mark.parametrize("nested", ["Right", "Sup", "Above", "Inside", "Arg1"])
def test_a_long_chain_is_drawn_within_the_page_or_at_least_drawn(nested, label):
    objects = tuple(Object(f"o{k}", label, 1.0, (f"s{k}",)) for k in range(600))
    relations = tuple(Relation(f"o{k}", f"o{k + 1}", nested, 1.0) for k in range(599))
    found = scene(LabelGraph(objects=objects, relations=relations), levels=False)
    places = by_relations(
        forest(found),
        dict.fromkeys(found.things, 30.0),
        dict.fromkeys(found.things, "Right"),
        width=800,
    )
    assert len(places.boxes) == 600
    if nested == "Right":
        assert places.width < 860
        assert len(places.broken) > 40


@given(graphs(most=2), graphs(most=2))
def test_every_graph_can_be_drawn_beside_every_other(first, second):
    picture = ET.fromstring(drawing(first, second))  # noqa: S314 (our own)
    assert picture.get("width") is not None
    assert ET.fromstring(drawing(first)).tag.endswith("svg")  # noqa: S314


def states(first, second):
    output, truth = sketches(parse(first).graph, parse(second).graph)
    return (
        {(one.text, one.note): one.state for one in output.symbols},
        {one.text: one.state for one in output.arrows},
        {(one.text, one.note): one.state for one in truth.symbols},
        {one.text: one.state for one in truth.arrows},
    )


def test_what_differs_is_marked_and_what_is_missing_is_drawn():
    truth = "O, a, x, 1.0, s1\nO, b, 2, 1.0, s2\nO, c, +, 1.0, s3, s4\nR, a, b, Sup, 1.0\nR, a, c, Right, 1.0"
    output = (
        "O, a, X, 1.0, s1\nO, b, 2, 1.0, s2\nO, d, -, 1.0, s3\nR, a, b, Sub, 1.0\nR, a, d, R, 1.0"
    )
    ours, arrows, theirs, lost = states(output, truth)
    assert ours == {("X", "≠ x"): WRONG, ("2", ""): SAME, ("-", ""): EXTRA}
    assert arrows == {"Sub ≠ Sup": WRONG, "R": EXTRA}
    assert theirs == {("x", "≠ X"): WRONG, ("2", ""): SAME, ("+", ""): MISSING}
    assert lost == {"Sup ≠ Sub": WRONG, "Right": MISSING}


def test_an_absent_symbol_is_drawn_in_the_output_too_where_it_should_be():
    truth = "O, a, x, 1.0, s1\nO, b, 2, 1.0, s2\nR, a, b, Sup, 1.0"
    ours, arrows, *_ = states("O, a, x, 1.0, s1", truth)
    assert ours == {("x", ""): SAME, ("2", ""): MISSING}
    assert arrows == {"Sup": MISSING}


def test_an_empty_graph_says_that_it_is_empty():
    assert sketches(LabelGraph())[0].notes == ("This graph has no objects.",)


def test_inherited_relations_are_not_drawn_but_counted():
    (found,) = sketches(read_lg(EXAMPLES / "fig1b.lg"))
    assert [one.text for one in found.arrows] == ["R", "R"]
    assert found.notes == ("Not drawn: 1 inherited relation.",)


def test_strokes_are_drawn_where_they_were_written():
    ink = {
        "s1": [(0.0, 0.0), (1.0, 1.0)],
        "s2": [(2.0, 0.0), (2.0, 1.0)],
        "s3": [(1.5, 0.5), (2.5, 0.5)],
        "s4": [(4.0, 0.5)],
    }
    output, truth = sketches(
        read_lg(EXAMPLES / "fig3a.lg"), read_lg(EXAMPLES / "fig1b.lg"), traces=ink
    )
    assert len(output.strokes) == len(truth.strokes) == 4
    assert [state for state, _ in output.strokes] == [SAME, SAME, SAME, MISSING]
    boxes = {one.names: one.box for one in truth.symbols}
    assert boxes["s1"].x < boxes["s2 s3"].x < boxes["s4"].x
    assert output.width == truth.width
    assert ET.fromstring(drawing(read_lg(EXAMPLES / "fig3a.lg"), traces=ink)) is not None  # noqa: S314


def test_labels_cannot_hurt_a_drawing():
    picture = drawing(parse("N, <b>&\"', <script>alert(1)</script>").graph.named("<x>"))
    assert "<script" not in picture
    ET.fromstring(picture)  # noqa: S314


def test_the_matrix_is_that_of_the_papers_figure_2c():
    expected = "s1  2  R  R  R\ns2  _  +  *  R\ns3  _  *  +  R\ns4  _  _  _  2\n"
    assert matrix(read_lg(EXAMPLES / "fig1b.lg")) == expected


def test_the_matrix_of_two_graphs_shows_where_they_differ():
    rows = [
        line.split()
        for line in matrix(
            read_lg(EXAMPLES / "fig3a.lg"), read_lg(EXAMPLES / "fig1b.lg")
        ).splitlines()
    ]
    assert rows[3] == ["s4", "?≠_", "?≠_", "?≠_", "?≠2"]
    assert sum("≠" in cell for row in rows for cell in row) == 7
    assert matrix(LabelGraph()) == ""
