"""A vote over graphs: it is legal, it says what all say, and it is no worse than its best part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.errors import InputError, OptionError, UnknownNameError
from karat.graphs.compare.distance import distance
from karat.graphs.compare.vote import merged_set
from karat.graphs.formats.folder import of_graphs
from karat.graphs.formats.label_graph import parse
from karat.graphs.formats.label_graph_text import as_edges
from karat.graphs.model.inherit import inherited
from karat.graphs.model.labelling import by_star
from karat.graphs.model.legality import illegal
from karat.graphs.model.merge import merged
from karat.graphs.model.structure import LabelGraph
from support.graphs import graphs
from support.perturbed import expression, misread


def graph(text):
    return parse(text).graph


def labels(found):
    return by_star(found)


@given(st.lists(graphs(most=2), min_size=1, max_size=4))
def test_the_vote_is_legal_whatever_its_parts_are(parts):
    found = merged(parts, [1.0] * len(parts))
    assert illegal(found, tree=False) == []
    assert len({name for one in found.objects for name in one.primitives}) == len(
        found.primitives()
    )


@given(st.lists(graphs(), min_size=1, max_size=4))
def test_where_most_give_trees_the_vote_has_no_ring_and_no_two_parents(parts):
    trees = [misread(expression(place), 0) for place in range(len(parts) + 1)]
    found = merged([*parts, *trees], [1.0] * (2 * len(parts) + 1))
    children = [one.child for one in found.relations]
    assert len(children) == len(set(children))
    assert "cycle" not in {one.kind for one in illegal(found)}


@pytest.mark.parametrize("seed", range(20))
def test_what_all_say_is_the_vote(seed):
    found = merged([expression(seed)] * 3, [1.0, 2.0, 0.5])
    assert labels(found) == labels(expression(seed))
    assert {one.weight for one in (*found.objects, *found.relations)} == {1.0}


@pytest.mark.parametrize("seed", range(5))
def test_inherited_relations_are_voted_on_as_a_tree_and_inherited_again(seed):
    closed = inherited(by_star(expression(seed)))
    nodes = {name: dict.fromkeys(marks, 1.0) for name, marks in closed.nodes.items()}
    edges = {pair: dict.fromkeys(marks, 1.0) for pair, marks in closed.edges.items()}
    assert labels(merged([LabelGraph("", nodes, edges)] * 3, [1.0] * 3)) == closed


def test_three_systems_that_err_apart_are_better_together_than_the_best_of_them():
    truth = {f"e{seed}": expression(seed) for seed in range(120)}
    systems = {
        name: {file: misread(one, name, share=share) for file, one in truth.items()}
        for name, share in (("a", 0.12), ("b", 0.15), ("c", 0.2))
    }
    vote = merged_set([of_graphs(name, found) for name, found in systems.items()], {})
    rows = {
        row["system"]: row
        for row in karat.read_graphs(truth, {**systems, "merged": vote.graphs}).graph().rows()
    }
    parts = [rows[name] for name in systems]
    assert min(row["dBn_mean"] for row in parts) > 0
    assert rows["merged"]["dBn_mean"] <= min(row["dBn_mean"] for row in parts)
    assert rows["merged"]["dE_mean"] <= min(row["dE_mean"] for row in parts)
    assert rows["merged"]["expression_rate"] >= max(row["expression_rate"] for row in parts)
    for name in ("object_recall", "class_recall", "relation_recall"):
        assert rows["merged"][name] >= max(row[name] for row in parts)


def test_confidence_decides_where_systems_differ():
    sure, unsure = graph("N, a, x, 0.9"), graph("N, a, y, 0.4")
    assert labels(merged([unsure, sure, unsure], [1.0] * 3)).nodes["a"] == {"x"}
    assert labels(merged([unsure, sure, unsure], [2.0, 1.0, 2.0])).nodes["a"] == {"y"}


def test_several_labels_of_a_primitive_share_its_vote():
    torn, firm = graph("N, a, x, 0.6\nN, a, y, 0.4"), graph("N, a, y, 0.5")
    assert labels(merged([torn, firm], [1.0, 1.0])).nodes["a"] == {"y"}


def test_the_objects_with_the_most_votes_win_and_do_not_overlap():
    whole, split = graph("O, o, +, 1.0, a, b"), graph("N, a, -\nN, b, 1")
    assert [set(one.primitives) for one in merged([whole, split, whole], [1.0] * 3).objects] == [
        {"a", "b"}
    ]
    assert len(merged([split, whole, split], [1.0] * 3).objects) == 2


def test_a_primitive_that_few_have_is_left_out_and_an_empty_graph_does_not_vote():
    extra, plain = graph("N, a, x\nN, b, y"), graph("N, a, x")
    assert merged([extra, plain, plain], [1.0] * 3).primitives() == ("a",)
    assert merged([extra, LabelGraph(), LabelGraph()], [1.0] * 3).primitives() == ("a", "b")
    assert merged([LabelGraph()] * 2, [1.0] * 2).primitives() == ()


def test_confidences_above_one_are_scaled_by_system():
    loud = of_graphs("loud", {"e": graph("N, a, x, 50.0\nN, b, x, 100.0")})
    sets = [loud, of_graphs("b", {"e": graph("N, a, y, 0.6\nN, b, y, 0.6")})]
    found = labels(merged_set(sets, {}).graphs["e"]).nodes
    assert (found["a"], found["b"]) == ({"y"}, {"x"})
    assert labels(merged_set(sets, {"b": 3}).graphs["e"]).nodes["b"] == {"y"}


def test_a_vote_that_cannot_be_held_says_why():
    one, two = (of_graphs(name, {"e": graph("N, a, x, -3.5")}) for name in "ab")
    with pytest.raises(
        InputError, match=r"a, graph e: the confidence -3\.5 is below 0, .* --equal"
    ):
        merged_set([one, two], {})
    assert merged_set([one, two], {}, equal=True).graphs["e"].objects[0].weight == 1.0
    with pytest.raises(OptionError, match="a is only one system, too few for a vote"):
        merged_set([one], {})
    with pytest.raises(UnknownNameError, match="no system is called 'c'"):
        merged_set([one, two], {"c": 1})
    with pytest.raises(OptionError, match="every vote weighs 0"):
        merged_set([one, two], {"a": 0, "b": 0})


def test_the_form_of_the_files_does_not_matter():
    whole = expression(3)
    assert distance(merged([whole, as_edges(whole)], [1.0, 1.0]), whole) == 0


def test_levels_over_the_same_strokes_are_not_voted_on():
    text = "O,a,a,1.0,s1\nO,M,*M,1.0,s1\nO,R,*R,1.0,s1\nO,X,*Cell,1.0,s1"
    systems = [of_graphs(name, {"m": graph(text)}) for name in "ab"]
    with pytest.raises(
        InputError,
        match=r"graph m: a matrix shares strokes with its cells.*karat convert --to symlg",
    ):
        merged_set(systems, {})
