"""Formulas and graphs: rows of symbols become relations and come back; inherited relations are added and taken away."""

import pytest

from karat.errors import InputError
from karat.graphs.formats.formulas.latex import parse_latex
from karat.graphs.formats.label_graph import parse
from karat.graphs.formats.label_graph_text import to_lg
from karat.graphs.model.formula import formula_of, graph_of, walk
from karat.graphs.model.labelling import by_star
from karat.graphs.model.reshape import as_inherited, as_tree, renamed

FRACTION = (
    "O, b, -, 1.0, s1\nO, x, x, 0.5, s2, s3\nO, 2, 2, 1.0, s4\nO, y, y, 1.0, s5\nO, z, z, 1.0, s6\n"
)
FRACTION += "R, b, x, Above, 0.7\nR, x, 2, Sup, 1.0\nR, b, y, Below, 1.0\nR, b, z, Right, 1.0\n"


def graph(text):
    found = parse(text)
    assert found.problems == ()
    return found.graph


def places(row):
    return {step.path: step.symbol.label for step in walk(row)}


def test_a_tree_of_relations_is_rows_of_symbols():
    expected = {"O": "-", "OAbove": "x", "OAboveSup": "2", "OBelow": "y", "OR": "z"}
    assert places(formula_of(graph(FRACTION))) == expected


def test_ids_and_strokes_survive():
    found = graph_of(formula_of(graph(FRACTION)))
    assert {(one.id, one.label, one.primitives) for one in found.objects} == {
        (one.id, one.label, one.primitives) for one in graph(FRACTION).objects
    }


def test_inherited_relations_lead_from_every_symbol_to_all_that_hangs_on_it():
    found = as_inherited(graph(FRACTION))
    relations = {(one.parent, one.child, one.label, one.weight) for one in found.relations}
    assert relations == {
        ("b", "x", "Above", 0.7),
        ("b", "2", "Above", 1.0),
        ("b", "y", "Below", 1.0),
        ("b", "z", "Right", 1.0),
        ("x", "2", "Sup", 1.0),
    }


@pytest.mark.parametrize("lines", ["or", "ne"])
@pytest.mark.parametrize(
    "text", [r"\frac{x^2}{y}z", r"\sqrt{a+b_i}^3c", r"\sum_{i=1}^{n}x_i^2", "x"]
)
def test_what_is_inherited_can_be_taken_away_again(text, lines):
    tree = graph(to_lg(parse_latex(text).graph, form=lines))
    assert by_star(as_tree(as_inherited(tree))) == by_star(tree)
    assert by_star(as_tree(tree)) == by_star(tree)


def test_the_same_formula_is_seen_in_every_way_to_write_its_graph():
    tree = parse_latex(r"\frac{x^2}{y}z").graph
    for lines in ("or", "ne"):
        for names in ("short", "long"):
            other = graph(to_lg(renamed(as_inherited(tree), names), form=lines))
            assert places(formula_of(other)) == places(formula_of(tree))


def test_relations_are_renamed_but_classes_are_not():
    short = "N, a, R, 1.0\nN, b, R, 1.0\nN, c, x, 1.0\nE, a, b, R, 1.0\nE, b, a, R, 1.0\nE, a, c, R, 1.0\n"
    edges = renamed(graph(short), "long").edges
    assert edges == {("a", "b"): {"R": 1.0}, ("b", "a"): {"R": 1.0}, ("a", "c"): {"Right": 1.0}}
    assert renamed(graph("N,a,x\nN,b,y\nE,a,b,SUP"), "short").edges == {("a", "b"): {"Sup": 1.0}}
    assert renamed(graph(short), "given") == graph(short)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("N,a,x\nN,b,y", "2 of its objects have no parent, 'a', 'b'; a formula begins with one"),
        ("N,a,x\nN,b,y\nE,a,b,R\nE,b,a,R", "its relations do not form a tree"),
        ("N,a,x\nN,b,y\nN,c,z\nE,a,b,Sup\nE,a,c,Sup", "'x' has two parts Sup, 'y' and 'z'"),
        ("N,a,x\nN,a,y", r"the object of 'a' has 2 classes \(x, y\); a symbol has one"),
        (
            "N,a,x\nN,b,y\nE,a,b,Sup\nE,a,b,Sub",
            "a relation of 'x' has the labels 'Sub', 'Sup'; give it one",
        ),
    ],
)
def test_what_is_no_formula_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        formula_of(graph(text))


def test_what_is_no_tree_has_no_tree():
    with pytest.raises(InputError, match="its relations do not form a tree"):
        as_tree(graph("N,a,x\nN,b,y\nE,a,b,R\nE,b,a,R"))


def test_a_formula_of_nothing_is_no_row():
    assert formula_of(graph("")) == []
