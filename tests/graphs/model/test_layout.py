"""The tree of relations that are inherited in full, in part or not at all."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.errors import InputError
from karat.graphs.convert.label_graph import tree as to_tree
from karat.graphs.formats.folder import of_graphs
from karat.graphs.formats.label_graph import parse
from karat.graphs.model.formula import formula_of
from karat.graphs.model.inherit import first_edges, implied_relations, inherited
from karat.graphs.model.labelling import by_star
from karat.graphs.model.layout import layout
from karat.graphs.model.legality import illegal
from karat.graphs.model.reshape import as_inherited, as_tree
from karat.graphs.model.scenes.forest import forest
from karat.graphs.model.scenes.scene import scene
from karat.graphs.model.segments import segments
from karat.graphs.model.structure import LabelGraph
from support.perturbed import expression

OBJECTS = """O, root, \\sqrt, 1.0, s1
O, b, b, 1.0, s2
O, two, 2, 1.0, s3
O, minus, -, 1.0, s4
O, four, 4, 1.0, s5
"""
TREE = """R, root, b, Inside, 1.0
R, b, two, Sup, 1.0
R, b, minus, Right, 1.0
R, minus, four, Right, 1.0
"""
SECOND = "R, root, minus, Inside, 1.0\n"
"""The second edge that crohme2lg gives a root: inherited, while the rest of the closure is absent."""


def graph(text):
    return parse(text).graph


def tree_of(text):
    return layout(segments(by_star(graph(text))))


def test_a_partly_inherited_root_is_the_tree_that_it_follows_from():
    partly = graph(OBJECTS + SECOND + TREE)
    whole = graph(OBJECTS + TREE)
    assert illegal(partly) == []
    assert as_tree(partly).relations == whole.relations
    assert to_tree(partly) == to_tree(whole)
    assert inherited(by_star(partly)) == inherited(by_star(whole))
    assert [one.label for one in formula_of(partly)] == ["\\sqrt"]
    assert forest(scene(partly, levels=False)).rest == ()


def test_a_partly_inherited_truth_counts_for_structure_and_says_what_is_wrong():
    truth = of_graphs("truth", {"f": graph(OBJECTS + SECOND + TREE)})
    output = of_graphs("tree", {"f": graph(OBJECTS + TREE)})
    (row,) = karat.read_graphs(truth.graphs, {"tree": output.graphs}).graph().rows()
    # As given the second edge is one wrong label; the tree is right.
    assert (row["dB"], row["EXP"], row["trees"]) == (1, 0.0, 1)
    assert (row["STRUCT"], row["REL-1"]) == (1.0, 1.0)
    closed = karat.read_graphs(truth.graphs, {"tree": output.graphs}, inherit=True).graph()
    assert closed.rows()[0]["EXP"] == 1.0
    (warning,) = karat.read_graphs(truth.graphs, {"tree": output.graphs}).graph().warnings()
    assert "only in the truth of 1 and only in the output of 0 of 1 expression" in warning
    assert not closed.warnings()


@pytest.mark.parametrize(
    ("line", "kind", "what"),
    [
        (
            "R, root, four, Right, 1.0\n",
            "not inherited",
            "s1 to s5 is Right, but the path between them begins with Inside, to s2",
        ),
        ("R, two, four, Sup, 1.0\n", "two parents", "s5 has two parents, s4 and s3"),
    ],
)
def test_what_makes_no_tree_is_told_by_check_and_refused_by_convert(line, kind, what):
    text = OBJECTS + TREE + line
    assert tree_of(text) is None
    (fault,) = illegal(graph(text))
    assert fault.kind == kind
    assert fault.what.startswith(what)
    with pytest.raises(InputError, match=re.escape(what)):
        as_tree(graph(text))


def test_truths_that_are_no_trees_are_named_beside_the_denominator():
    truths = {"good": graph(OBJECTS + TREE), "odd": graph(OBJECTS + TREE + "R, two, four, Sup, 1")}
    scores = karat.read_graphs(truths, {"same": truths}).graph()
    (row,) = scores.rows()
    assert (row["files"], row["trees"], row["STRUCT"]) == (2, 1, 1.0)
    assert any(
        "1 expression whose truth is a tree, not of all 2: 'odd'" in each
        for each in scores.warnings()
    )
    shown = scores.parts()["expressions by the measures of CROHME 2012"]
    assert [(one["files"], one["trees"]) for one in shown] == [(2, 1)]


def test_an_edge_with_several_labels_hands_any_of_them_down():
    text = "N, a, x\nN, b, y\nN, c, z\nE, a, b, HOR\nE, a, b, SUP\nE, b, c, HOR\nE, a, c, HOR\n"
    assert tree_of(text) is not None
    assert tree_of(text.replace("a, c, HOR", "a, c, SUB")) is None


@given(st.integers(0, 2**32))
def test_whichever_inherited_relations_are_written_the_tree_is_the_same(seed):
    chance = Random(seed)  # noqa: S311 (no secret)
    whole = expression(seed)
    closed = as_inherited(whole)
    added = [one for one in closed.relations if one not in whole.relations]
    some = [one for one in added if chance.random() < 0.5]
    partly = LabelGraph(objects=whole.objects, relations=(*some, *whole.relations))
    assert set(as_tree(partly).relations) == set(whole.relations)
    assert inherited(by_star(partly)) == inherited(by_star(whole))
    assert not [one for one in illegal(partly) if one.kind in {"two parents", "not inherited"}]


@given(st.integers(0, 2**32))
def test_what_a_tree_implies_is_what_all_paths_imply(seed):
    chance = Random(seed)  # noqa: S311 (no secret)
    relations = dict(segments(by_star(expression(seed))).relations)
    implied = implied_relations(relations)
    # Some of them are written.
    relations |= {ends: marks for ends, marks in implied.items() if chance.random() < 0.4}
    slowly = {
        (start, far): frozenset().union(*(relations[start, first] for first in firsts))
        for (start, far), firsts in first_edges(relations).items()
    }
    assert implied_relations(relations) == slowly
    assert {**relations, **slowly} == {**segments(by_star(expression(seed))).relations, **implied}


def test_the_closure_of_a_long_chain_has_one_relation_a_pair():
    text = "".join(f"O, o{i}, x, 1, s{i}\n" for i in range(300))
    text += "".join(f"R, o{i}, o{i + 1}, Right, 1\n" for i in range(299))
    bench = karat.read_graphs({"f": graph(text)}, {"same": {"f": graph(text)}}, inherit=True)
    (row,) = bench.graph().rows()
    assert row["relation_truth"] == 300 * 299 // 2
    assert (row["EXP"], row["STRUCT"]) == (1.0, 1.0)
