"""Graphs in other forms: LaTeX and MathML read back as the same tree, drawings show errors."""

from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.errors import InputError, UnknownNameError
from karat.graphs.convert.dot import VIEWS, dot
from karat.graphs.convert.label_graph import symlg
from karat.graphs.convert.latex import latex
from karat.graphs.convert.mathml import mathml
from karat.graphs.formats.formulas.latex import parse_latex
from karat.graphs.formats.label_graph import parse
from karat.graphs.model.characters import BAR, INTEGRALS, LIMITS, OVER, ROOT, UNDER, characters
from karat.graphs.model.formula import REGIONS, Symbol, formula_of, graph_of, walk
from karat.graphs.model.grid import BRACKETS, grid

PLAIN = [
    "x",
    "Y",
    "2",
    "+",
    "(",
    "|",
    "COMMA",
    "数",
    "\\{",
    "\\#",
    "\\%",
    "\\_",
    "\\ast",
    "\\lt",
    "\\prime",
    "\\not\\subset",
]
LABELS = sorted({*PLAIN, BAR, ROOT, *characters(), *OVER, *UNDER, *LIMITS, *INTEGRALS})


def symbols(inside):
    def built(label, regions):
        held = {name: row for name, row in regions.items() if name != "Inside" or label == ROOT}
        return Symbol(label, regions={name: held[name] for name in REGIONS if name in held})

    rows = st.lists(inside, min_size=1, max_size=3).map(joined)
    single = st.builds(
        built, st.sampled_from(LABELS), st.dictionaries(st.sampled_from(REGIONS), rows, max_size=4)
    )
    cells = st.lists(st.lists(rows | st.just([]), max_size=3), max_size=3)
    return single.map(lambda one: [one]) | st.builds(bracketed, st.sampled_from(KINDS), cells, rows)


def joined(parts):
    return [symbol for part in parts for symbol in part]


def bracketed(kind, cells, script):
    """A matrix between the brackets of its kind, with a script at the last of them; or at a letter if it is empty."""
    left, right = BRACKETS.get(kind, ("", ""))
    found = [
        *([Symbol(left)] if left else []),
        *grid(cells),
        *([Symbol(right)] if right else []),
    ] or [Symbol("e")]
    found[-1].regions["Sup"] = script
    return found


KINDS = ["matrix", *BRACKETS]
PIECES = st.recursive(
    st.sampled_from(LABELS).map(lambda label: [Symbol(label)]), symbols, max_leaves=6
)
TABLES = st.builds(
    bracketed,
    st.sampled_from(KINDS),
    st.lists(st.lists(PIECES | st.just([]), min_size=2, max_size=3), min_size=2, max_size=3),
    PIECES,
)
ROWS = st.lists(PIECES | TABLES, min_size=1, max_size=3).map(joined)


def places(row):
    return {step.path: step.symbol.label for step in walk(row)}


@settings(max_examples=200, deadline=None, derandomize=True)
@given(ROWS)
def test_a_formula_in_latex_reads_back_as_the_same_tree(row):
    found = parse_latex(latex(graph_of(row)))
    assert found.problems == ()
    assert places(formula_of(found.graph)) == places(row)


@pytest.mark.skipif(find_spec("lxml") is None, reason="needs lxml")
@settings(max_examples=200, deadline=None, derandomize=True)
@given(ROWS)
def test_a_formula_in_mathml_reads_back_as_the_same_tree(row):
    from karat.graphs.formats.formulas.mathml import parse_mathml

    found = parse_mathml(mathml(graph_of(row)))
    assert found.problems == ()
    assert places(formula_of(found.graph)) == places(row)


@pytest.mark.parametrize("form", [latex, mathml])
@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("N,a,x\nN,b,y\nE,a,b,Inside", "something is inside 'x'"),
        ("N,a,x\nN,b,y\nE,a,b,Arg1", "'x' has a part 'Arg1', which is not a place in a formula"),
        (
            "N,a0,x\n" + "".join(f"N,a{n + 1},x\nE,a{n},a{n + 1},Sup\n" for n in range(150)),
            "more than 100 rows are nested",
        ),
    ],
)
def test_what_has_no_place_in_a_formula_is_refused(form, lines, message):
    with pytest.raises(InputError, match=message):
        form(parse(lines).graph)


def test_a_label_that_latex_cannot_say_is_refused():
    with pytest.raises(InputError, match=r"the label 'a\+b' cannot be written in LaTeX"):
        latex(parse("N,a,a+b").graph)
    assert latex(parse("N,a,sqrt").graph) == r"\operatorname{sqrt}"


def test_symbols_without_strokes_are_named_by_their_place():
    drawn = parse("O,x_1,x,1.0,s1,s2\nO,2_1,2,1.0,s3\nR,x_1,2_1,Sup,1.0").graph
    assert symlg(drawn) == "O, x_1, x, 1.0, O\nO, 2_1, 2, 1.0, OSup\nR, x_1, 2_1, Sup, 1.0\n"


CORRECT = "O,a,2,1.0,s1\nO,p,+,1.0,s2,s3\nO,b,2,1.0,s4\nR,a,p,R,1.0\nR,p,b,R,1.0\nR,a,b,R,1.0"
SPLIT = "O,a,2,1.0,s1\nO,m,-,1.0,s3\nO,o,1,1.0,s2\nO,b,2,1.0,s4\nR,a,m,R,1.0\nR,m,o,R,1.0\nR,o,b,Sup,1.0"


def drawn(view, lines, against=None):
    truth = None if against is None else parse(against).graph
    return dot(parse(lines).graph, view=view, against=truth).splitlines()[2:-1]


@pytest.mark.parametrize(("view", "nodes", "edges"), [
    ("primitives", 4, 6), ("objects", 3, 3), ("tree", 3, 2), ("bipartite", 8, 7), ("segmentation", 7, 4),
])  # fmt: skip
def test_each_view_draws_its_things_and_lines(view, nodes, edges):
    found = drawn(view, CORRECT)
    assert sum(" -> " not in line and "rank" not in line for line in found) == nodes
    assert sum(" -> " in line for line in found) == edges


def test_merges_are_dashed_and_have_no_arrow():
    assert [line for line in drawn("primitives", CORRECT) if "dashed" in line] == [
        "  n1 -> n2 [style=dashed, dir=none];"
    ]


@pytest.mark.parametrize("view", VIEWS)
def test_the_same_graph_shows_no_difference(view):
    assert drawn(view, CORRECT, CORRECT) == drawn(view, CORRECT)


@pytest.mark.parametrize("view", VIEWS)
def test_what_is_wrong_and_what_is_missing_is_drawn(view):
    found = "\n".join(drawn(view, SPLIT, CORRECT))
    assert "#d55e00" in found
    assert "#0072b2" in found
    assert "+" in found


def test_a_wrong_label_stands_before_the_right_one():
    assert '  n0 [label="y (x)\\na", color="#d55e00", fontcolor="#d55e00", style=bold];' in drawn(
        "primitives", "N,a,y", "N,a,x"
    )


def test_names_cannot_leave_their_quotes():
    assert drawn("primitives", 'N,a,"x""];\\"') == ['  n0 [label="x\\"];\\\\\\na"];']


def test_an_unknown_view_is_told():
    with pytest.raises(UnknownNameError, match="no view is called 'trees'; did you mean 'tree'"):
        drawn("trees", CORRECT)


LEVELS = """
O, a, a, 1.0, s1
O, b, b, 1.0, s2
O, M, *M, 1.0, s1, s2
O, R, *R, 1.0, s1, s2
O, X, *Cell, 1.0, s1
O, Y, *Cell, 1.0, s2
R, X, Y, NcellR, 1.0
"""


def test_a_matrix_over_strokes_is_drawn_as_a_tree():
    edges = [
        line.partition("[label=")[2]
        for line in dot(parse(LEVELS).graph, view="tree").splitlines()
        if "->" in line
    ]
    assert edges == ['"Inside"];', '"Inside"];', '"Inside"];', '"NcellR"];', '"Inside"];']
    assert dot(parse(LEVELS).graph, view="segmentation").count("->") == 8


def test_of_a_matrix_that_is_none_only_what_differs_is_marked():
    output = parse(LEVELS.replace("NcellR", "Right")).graph
    drawn = dot(output, view="objects", against=parse(LEVELS).graph)
    assert [
        line for line in drawn.splitlines() if "color" in line and "font" in line and "bold" in line
    ] == [next(line for line in drawn.splitlines() if "Right (NcellR)" in line)]
    assert "dotted" not in drawn
