"""Looking graphs up by symbols and relations, whatever their primitives."""

import pytest

from karat.errors import InputError
from karat.graphs.compare.search import GraphSearch, features
from karat.graphs.formats.formulas.latex import parse_latex
from karat.graphs.formats.label_graph import parse
from karat.graphs.formats.label_graph_text import as_edges
from karat.graphs.model.structure import LabelGraph
from support.perturbed import expression, misread

SQUARE = "O, a, x, 1.0, s1\nO, b, 2, 1.0, s2\nR, a, b, Sup, 1.0"


def graph(text):
    return parse(text).graph


def found(query, **texts):
    return [
        (one.name, round(one.distance, 4))
        for one in GraphSearch({k: graph(v) for k, v in texts.items()}).find(graph(query))
    ]


def test_symbols_relations_and_chains_count():
    # x, 2 and x Sup 2 against x, 3 and x Sup 3: of 3 + 3 features one is shared twice.
    assert found(SQUARE, same=SQUARE, cube=SQUARE.replace("2, 1.0", "3, 1.0"), other="N, q, k") == [
        ("same", 0.0),
        ("cube", round(1 - 2 / 6, 4)),
        ("other", 1.0),
    ]
    chain = "O, a, a, 1.0, 1\nO, b, b, 1.0, 2\nO, c, c, 1.0, 3\nR, a, b, R, 1.0\nR, b, c, R, 1.0"
    assert features(graph(chain)).total() == 3 + 2 + 1


def test_primitives_names_of_relations_and_inheritance_do_not_matter():
    old = "N, q, x\nN, r, 2\nE, q, r, SUP"
    assert found(SQUARE, old=old) == [("old", 0.0)]
    whole = expression(5)
    closed = graph(
        "O, a, a, 1.0, 1\nO, b, b, 1.0, 2\nO, c, c, 1.0, 3\nR, a, b, R, 1.0\nR, b, c, Sup, 1.0\nR, a, c, R, 1.0"
    )
    tree = LabelGraph(objects=closed.objects, relations=closed.relations[:2])
    assert features(closed) == features(tree)
    assert features(whole) == features(as_edges(whole))


def test_among_equals_the_one_with_the_same_primitives_comes_first_and_then_the_namesake():
    moved = SQUARE.replace("s1", "t1")
    assert [name for name, _ in found(SQUARE, a=moved, b=SQUARE)] == ["b", "a"]
    shelf = GraphSearch({"a": graph(SQUARE), "b": graph(SQUARE)})
    assert shelf.find(graph(SQUARE).named("b"))[0].name == "b"
    assert shelf.find(graph(SQUARE))[0].name == "a"


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_a_misread_expression_is_still_nearest_to_itself_most_of_the_time(seed):
    shelf = GraphSearch({f"e{number}": expression(number) for number in range(60)})
    query = misread(expression(seed), "q", share=0.1)
    assert f"e{seed}" in [one.name for one in shelf.find(query, most=3)]


def test_distances_are_symmetric_and_between_0_and_1():
    graphs = {f"e{seed}": expression(seed) for seed in range(25)}
    shelf = GraphSearch(graphs)
    far = {
        (name, one.name): one.distance
        for name, query in graphs.items()
        for one in shelf.find(query, most=25)
    }
    assert all(0 <= value <= 1 and value == far[b, a] for (a, b), value in far.items())
    assert all(far[name, name] == 0 for name in graphs)


def test_nothing_can_be_found_among_nothing():
    with pytest.raises(InputError, match="there are no graphs to search"):
        GraphSearch({})
    assert [one.distance for one in GraphSearch({"e": LabelGraph()}).find(LabelGraph())] == [0.0]


def test_a_matrix_is_found_by_its_cells_whether_it_has_strokes_or_not():
    cells = "O,a,a,1.0,s1\nO,b,b,1.0,s2\nO,M,*M,1.0,s1,s2\nO,R,*R,1.0,s1,s2\nO,X,*Cell,1.0,s1\nO,Y,*Cell,1.0,s2"
    strokes = parse(f"{cells}\nR,X,Y,NcellR,1.0").graph
    found = GraphSearch(
        {
            text: parse_latex(rf"\begin{{matrix}} {text} \end{{matrix}}").graph
            for text in ("a & c", "a & b")
        }
    )
    nearest, other = found.find(strokes)
    assert (nearest.name, nearest.distance) == ("a & b", 0)
    assert other.distance > 0
    unordered = parse(cells).graph
    assert GraphSearch({"itself": unordered}).find(unordered)[0].distance == 0
