"""Label graph files: what is read, what is refused and where, and that writing loses nothing."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError
from karat.graphs.formats.label_graph import FileProblem, parse, read_leniently, read_lg
from karat.graphs.formats.label_graph_text import as_edges, as_objects, to_lg
from karat.graphs.model.labelling import by_class, by_star
from karat.graphs.model.structure import LabelGraph, Object, Relation

SHARED = Path(__file__).parents[4] / "shared" / "data" / "labelgraphs"
OBJECTS = "# 2+2\nO, 2_a, 2, 1.0, s1\nO, +_a, +, 0.5, s2, s3\nEO, 2_a, +_a, Right, 0.25\n"


def graph(text):
    found = parse(text)
    assert found.problems == ()
    return found.graph


def same_labels(one, other):
    return by_star(one) == by_star(other) and by_class(one) == by_class(other)


def test_objects_and_relations_keep_their_ids_weights_and_comments():
    found = graph(OBJECTS)
    assert found.objects == (
        Object("2_a", "2", 1.0, ("s1",)),
        Object("+_a", "+", 0.5, ("s2", "s3")),
    )
    assert found.relations == (Relation("2_a", "+_a", "Right", 0.25),)
    assert found.comments == ("2+2",)
    assert graph(to_lg(found)) == found


def test_a_weight_that_is_not_there_is_one():
    found = graph("N, a, x\nN, a, y\nE, a, b, R\nO, o, z, 1, c\nO, p, z, 1, d\nR, o, p, R")
    assert found.nodes == {"a": {"x": 1.0, "y": 1.0}}
    assert found.edges == {("a", "b"): {"R": 1.0}}
    assert found.relations[0].weight == 1.0


def test_several_lines_make_a_set_and_the_last_weight_counts():
    assert graph("N, a, x, 0.5\nN, a, y, 0.25\nN, a, x, 0.75").nodes == {
        "a": {"x": 0.75, "y": 0.25}
    }


def test_a_merge_may_stand_before_its_nodes_and_have_other_confidences():
    found = graph("E, a, b, *, 0.9\nE, b, a, *, 0.8\nN, a, x, 0.7\nN, b, x, 0.6")
    assert by_star(found).edges == {("a", "b"): {"*"}, ("b", "a"): {"*"}}
    assert by_class(found).edges == {("a", "b"): {"x"}, ("b", "a"): {"x"}}


def test_a_relation_may_stand_before_its_objects():
    assert graph("R, o, p, Sup, 1.0\nO, o, x, 1.0, a\nO, p, 2, 1.0, b").relations == (
        Relation("o", "p", "Sup", 1.0),
    )


def test_a_class_on_an_edge_is_a_merge_unless_the_file_writes_stars():
    text = "N, a, R, 1.0\nN, b, R, 1.0\nN, c, R, 1.0\nE, a, b, R, 1.0\n"
    assert by_star(graph(text)).edges == {("a", "b"): {"*"}}
    assert by_star(graph(text + "E, b, c, *, 1.0")).edges == {("a", "b"): {"R"}, ("b", "c"): {"*"}}


def test_a_comma_is_written_as_a_word_and_other_labels_in_quotes():
    found = graph('N, a, COMMA, 1.0\nN,b,",",1.0\nN,c,"x,y",1.0\nN, d, ", 1.0')
    assert by_star(found).nodes == {"a": {"COMMA"}, "b": {"COMMA"}, "c": {"x,y"}, "d": {'"'}}
    assert graph(to_lg(found)) == found


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("K, a, x", "'K' is not a kind of line"),
        ("N, a", "'N' needs a primitive and a label"),
        ("N, a, x, heavy", "the weight 'heavy' is not a number"),
        ("N, a, x, nan", "the weight 'nan' is not a number"),
        ("E, a, a, R, 1.0", "'a' has an edge to itself"),
        ("E, a, b", "'E' needs two primitives and a label"),
        ("O, o, x, 1.0", "'O' needs an id, a label, a weight and primitives"),
        ("O, o, x, 1.0, a, , b", "'O' needs an id, a label, a weight and primitives"),
        ("R, o, nobody, Sup, 1.0", "there is no object 'o'"),
    ],
)
def test_a_line_that_means_nothing_is_told_with_its_place(line, said, tmp_path):
    file = tmp_path / "wrong.lg"
    file.write_text(f"# fine\nN, z, x, 1.0\n{line}\n")
    with pytest.raises(InputError, match=f"wrong.lg, line 3: {said}"):
        read_lg(file)
    found = read_leniently(file)
    assert [(problem.line, problem.file) for problem in found.problems] == [(3, str(file))]
    assert found.graph.nodes == {"z": {"x": 1.0}}


def test_a_problem_reads_as_a_place_and_a_reason():
    assert str(FileProblem("a.lg", 3, "no weight")) == "a.lg, line 3: no weight"


def test_what_is_no_text_is_an_error(tmp_path):
    (tmp_path / "bad.lg").write_bytes(b"N, a, \xff")
    with pytest.raises(InputError, match="not UTF-8 text: byte 6 is 0xff"):
        read_lg(tmp_path / "bad.lg")
    with pytest.raises(InputError, match="there is no file"):
        read_lg(tmp_path / "none.lg")


names = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=3
).filter(lambda text: text == text.strip() and text not in {",", "*", "_"})
weights = st.floats(allow_nan=False, allow_infinity=False)
prims = st.sampled_from("abcdef")
labels = st.dictionaries(names, weights, min_size=1, max_size=3)
single = st.dictionaries(st.just("x"), st.just(1.0), min_size=1, max_size=1)


@st.composite
def graphs(draw, classes=labels, names=names):
    nodes = draw(st.dictionaries(prims, classes))
    pairs = st.tuples(prims, prims).filter(lambda pair: pair[0] != pair[1])
    marks = st.dictionaries(
        st.one_of(names.map("to {}".format), st.just("*")), weights, min_size=1, max_size=2
    )
    objects = [
        Object(f"o{number}", label, weight, tuple(dict.fromkeys(members)))
        for number, (label, weight, members) in enumerate(
            draw(st.lists(st.tuples(names, weights, st.lists(prims, min_size=1)), max_size=3))
        )
    ]
    ends = [(a.id, b.id) for a in objects for b in objects if a != b]
    links = (
        draw(st.lists(st.tuples(st.sampled_from(ends), names, weights), max_size=3)) if ends else []
    )
    relations = tuple(Relation(*pair, f"to {label}", weight) for pair, label, weight in links)
    return LabelGraph(
        "the text", nodes, draw(st.dictionaries(pairs, marks)), tuple(objects), relations
    )


@given(graphs())
def test_writing_and_reading_is_the_identity(found):
    assert graph(to_lg(found)) == found


@given(graphs(single, names.filter(lambda name: name != "x")))
def test_either_form_has_the_same_labels(found):
    for form in ("ne", "or"):
        try:
            written = graph(to_lg(found, form=form))
        except InputError:
            refused = as_edges(found) if form == "ne" else as_objects(found)
            assert by_star(refused) != by_star(found)
        else:
            assert by_star(written) == by_star(found)


@given(st.text(alphabet='NEORx*,_# \n"1.a\r', max_size=200))
def test_no_text_crashes_the_reader(text):
    found = parse(text)
    assert graph(to_lg(found.graph)).nodes == found.graph.nodes
    for form in ("or", "ne"):
        with suppress(InputError):
            to_lg(found.graph, form=form)


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the real data sets beside the project")
def test_every_real_graph_survives_every_form():
    files = sorted(SHARED.rglob("*.lg"))
    assert len(files) > 4000
    for file in files[:: 1 if len(files) < 2000 else 5]:
        found = read_leniently(file).graph
        for form in ("given", "ne", "or"):
            written = parse(to_lg(found, form=form), str(file))
            assert written.problems == ()
            assert same_labels(written.graph, found)
            assert form != "given" or written.graph == found


def test_a_relation_called_like_the_class_of_both_ends_is_not_written_as_a_merge():
    twins = graph("O, a, R, 1.0, s1\nO, b, R, 1.0, s2\nR, a, b, R, 1.0\n")
    with pytest.raises(
        InputError, match=r"the pair 's1', 's2' would be read as '\*' in place of 'R'"
    ):
        to_lg(twins, form="ne")
    assert same_labels(graph(to_lg(twins, form="or")), twins)


def test_a_merge_written_as_a_class_keeps_its_own_weight():
    doubted = graph("N, a, x\nN, b, x\nE, a, b, x, 0.1\nE, a, b, Right, 0.9\n")
    assert "E, a, b, *, 0.1\nE, a, b, Right, 0.9\n" in to_lg(doubted, form="ne")


def test_a_pair_without_a_relation_is_written_as_such_beside_several_labels():
    found = graph("N, a, x, 0.6\nN, a, y, 0.4\nN, b, z\nE, a, b, _, 1.0\n")
    assert "E, a, b, _, 1.0\n" in to_lg(found, form="ne")


def test_a_line_without_commas_is_told_to_have_some():
    (problem,) = parse("N, a, x\nE a b Right\n").problems
    assert problem.what == "'E a b Right' has no comma after E; fields are separated by commas"
