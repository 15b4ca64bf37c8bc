"""InkML: strokes, symbols and their layout become one graph; what does not fit together is told with its line."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.errors import InputError, OptionError
from karat.graphs.formats.label_graph import parse
from karat.graphs.formats.label_graph_text import to_lg
from karat.graphs.model.labelling import by_star
from karat.graphs.model.legality import illegal
from karat.graphs.model.reshape import as_inherited, as_tree
from karat.graphs.model.structure import Object, Relation

pytest.importorskip("lxml")

from karat.graphs.convert.latex import latex
from karat.graphs.formats.inkml import parse_inkml, read_inkml, traces
from support.formulas import LAYOUT, SYMBOLS, inkml

CONTENT = '<apply><plus xml:id="+_1"/><cn xml:id="2_1">2</cn><cn xml:id="2_2">2</cn></apply>'


def graph(text):
    found = parse_inkml(text)
    assert found.problems == ()
    return found.graph


def complaints(text):
    return [f"{one.line}: {one.what}" for one in parse_inkml(text).problems]


def test_symbols_are_objects_over_strokes_and_their_layout_is_a_tree():
    found = graph(inkml())
    assert found.objects == (
        Object("2_1", "2", 1.0, ("s1",)),
        Object("+_1", "+", 1.0, ("s2", "s3")),
        Object("2_2", "2", 1.0, ("s4",)),
    )
    assert found.relations == (
        Relation("2_1", "+_1", "Right", 1.0),
        Relation("+_1", "2_2", "Right", 1.0),
    )
    assert found.comments == ("IUD, four strokes",)


def test_inherited_relations_are_those_of_figure_1_b():
    figure = (
        "N,s1,2\nN,s2,+\nN,s3,+\nN,s4,2\nE,s2,s3,*\nE,s3,s2,*\n"
        "E,s1,s2,Right\nE,s1,s3,Right\nE,s1,s4,Right\nE,s2,s4,Right\nE,s3,s4,Right\n"
    )
    assert by_star(as_inherited(graph(inkml()))) == by_star(parse(figure).graph)
    assert as_tree(as_inherited(graph(inkml()))) == graph(inkml())


def test_content_mathml_gives_arguments_from_every_stroke_of_the_operator():
    """Figure 1(c)."""
    edges = by_star(graph(inkml(CONTENT))).edges
    assert edges == {
        ("s2", "s3"): {"*"},
        ("s3", "s2"): {"*"},
        ("s2", "s1"): {"Arg1"},
        ("s3", "s1"): {"Arg1"},
        ("s2", "s4"): {"Arg2"},
        ("s3", "s4"): {"Arg2"},
    }


def test_an_operator_without_strokes_is_an_edge_that_bears_its_name():
    """Figure 3(c): the tree leads to the base, inherited relations to base and exponent."""
    math = (
        '<apply><minus xml:id="-_1"/><cn xml:id="2_1">2</cn>'
        '<apply><power/><cn xml:id="1_1">1</cn><cn xml:id="2_2">2</cn></apply></apply>'
    )
    found = graph(
        inkml(
            math, (("2_1", "2", "s1"), ("1_1", "1", "s2"), ("-_1", "-", "s3"), ("2_2", "2", "s4"))
        )
    )
    tree = {("s3", "s1"): {"Arg1"}, ("s3", "s2"): {"Arg2"}, ("s2", "s4"): {"Expt"}}
    assert by_star(found).edges == tree
    assert by_star(as_inherited(found)).edges == {**tree, ("s3", "s4"): {"Arg2"}}


def test_symbols_that_multiply_without_a_sign_have_an_edge_times():
    math = '<apply><times/><ci xml:id="a">a</ci><ci xml:id="b">b</ci></apply>'
    found = graph(inkml(math, (("a", "a", "s1"), ("b", "b", "s2")), "s1 s2"))
    assert by_star(found).edges == {("s1", "s2"): {"Times"}}


def test_a_comma_is_called_by_its_name():
    found = graph(inkml('<mo xml:id="c">,</mo>', (("c", ",", "s1"),), "s1"))
    assert found.objects[0].label == "COMMA"


def test_a_made_up_id_never_takes_the_place_of_a_real_one():
    # The first 2 has no href; the second one's is what the first would be called, and MathML means the second.
    symbols = (("", "2", "s1"), ("+_1", "+", "s2 s3"), ("2_1", "2", "s4"))
    found = parse_inkml(inkml('<mo xml:id="+_1">+</mo><mn xml:id="2_1">2</mn>', symbols)).graph
    assert [(one.id, one.primitives) for one in found.objects] == [
        ("2_2", ("s1",)),
        ("+_1", ("s2", "s3")),
        ("2_1", ("s4",)),
    ]
    assert by_star(found).edges.keys() >= {("s2", "s4"), ("s3", "s4")}
    # Nor that of an id of MathML without strokes.
    assert "4: no symbol with strokes is called '2_2'" in complaints(inkml(LAYOUT, symbols))


def test_the_new_id_of_a_second_symbol_is_no_id_of_a_third():
    symbols = (("a", "x", "s1"), ("a", "x", "s2"), ("a_1", "x", "s3"))
    found = parse_inkml(inkml('<mi xml:id="a">x</mi><mi xml:id="a_1">x</mi>', symbols, "s1 s2 s3"))
    assert [one.id for one in found.graph.objects] == ["a", "a_2", "a_1"]
    assert found.graph.relations == (Relation("a", "a_1", "Right", 1.0),)
    assert any("there are two symbols 'a'" in one.what for one in found.problems)


@pytest.mark.parametrize(
    ("first", "second", "taken", "why"),
    [
        ("2", "z", "2", "which MathML has there"),
        ("z", "2", "2", "which MathML has there"),
        ("z", "y", "y", "the last; MathML has none of them there"),
    ],
)
def test_of_two_truths_the_one_that_mathml_bears_out(first, second, taken, why):
    both = f"{first}</annotation><annotation type='truth'>{second}"
    found = parse_inkml(inkml(symbols=[("2_1", both, "s1"), *SYMBOLS[1:]]))
    assert found.graph.objects[0].label == taken
    assert found.problems == ()
    told = found.contradictions[0].what
    assert (
        told
        == f"the strokes of '2_1' have the truths '{first}' and '{second}'; taken is '{taken}', {why}"
    )


def test_the_same_truth_twice_is_one():
    both = "2</annotation><annotation type='truth'>2"
    assert parse_inkml(inkml(symbols=[("2_1", both, "s1"), *SYMBOLS[1:]])).contradictions == ()


def test_ids_with_commas_are_written_as_the_contest_writes_them():
    math = '<mi xml:id="x_1">x</mi><mo xml:id=",_1">,</mo><mo xml:id=",_2">,</mo>'
    symbols = (("x_1", "x", "s1"), (",_1", ",", "s2"), (",_2", ",", "s3"))
    text = to_lg(graph(inkml(math, symbols, "s1 s2 s3")))
    assert "O, COMMA_1, COMMA, 1.0, s2\n" in text
    assert "R, COMMA_1, COMMA_2, Right, 1.0\n" in text
    assert '"' not in text
    clash = parse(
        'O,",_1", COMMA, 1.0, a\nO, COMMA_1, COMMA, 1.0, b\nR,",_1", COMMA_1, Right, 1.0\n'
    )
    assert 'O,",_1", COMMA' in to_lg(clash.graph)
    assert parse(to_lg(clash.graph)).graph.relations == clash.graph.relations


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (inkml(LAYOUT.replace('xml:id="+_1"', "")), "4: '+' has no xml:id, so its strokes are unknown"),
        (inkml(LAYOUT.replace("+_1", "+_9")), "4: no symbol with strokes is called '+_9'"),
        (inkml(LAYOUT.replace("2_2", "2_1")), "4: '2_1' occurs 2 times in MathML"),
        (
            inkml(LAYOUT.replace("<mn", "<mglyph", 1).replace("</mn", "</mglyph", 1)),
            "4: <mglyph> is not a tag that karat understands here",
        ),
        (inkml(symbols=[*SYMBOLS, ("x", "x", "s4")]), "22: stroke 's4' is part of two symbols, '2_2' and 'x'"),
        (inkml(symbols=[*SYMBOLS, ("2_2", "x", "s5")], strokes="s1 s2 s3 s4 s5"), "25: there are two symbols '2_2'"),
        (inkml(strokes="s1 s2 s3"), "18: there is no stroke 's4', but '2_2' refers to it"),
        (inkml(strokes="s1 s2 s3 s4 s5"), "18: stroke 's5' is part of no symbol, so it is not in the graph"),
        (inkml(strokes="s1 s2 s3 s4 s4"), "18: there are two strokes 's4'"),
        (
            inkml(symbols=[("2_1", "", "s1"), *SYMBOLS[1:]]),
            "19: a symbol has no label: there is no <annotation type='truth'>",
        ),
        (inkml(more="<traceGroup/>"), "22: there are 2 segmentations; the last would count"),
        ("<ink/>", "1: there is no <math>, so no relations are known"),
        (inkml("<msub><mn xml:id='2_1'>2</mn></msub>"), "4: <msub> has 1 part; it needs 2"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_with_its_line(text, complaint):
    assert complaint in complaints(text)


def test_what_is_left_of_a_faulty_file_is_still_a_graph():
    found = parse_inkml(inkml(LAYOUT.replace('xml:id="+_1"', ""))).graph
    assert len(found.objects) == 3
    assert found.relations == ()


def test_strokes_are_points_by_id(tmp_path):
    file = tmp_path / "a.inkml"
    file.write_text(inkml())
    assert traces(file) == {f"s{place + 1}": ((0.0, place), (1.0, place)) for place in range(4)}
    assert read_inkml(file).graph.name == "a.inkml"


def test_channels_may_stand_in_another_order(tmp_path):
    file = tmp_path / "a.inkml"
    file.write_text(
        "<ink><traceFormat><channel name='T'/><channel name='Y'/><channel name='X'/></traceFormat>"
        "<trace id='0'>9 1 2, 9 3 4</trace></ink>"
    )
    assert traces(file) == {"0": ((2.0, 1.0), (4.0, 3.0))}


def test_a_stroke_that_is_no_points_is_an_error_with_its_line(tmp_path):
    file = tmp_path / "a.inkml"
    file.write_text("<ink>\n<trace id='0'>1 2, 3 x</trace></ink>")
    with pytest.raises(InputError, match=r"a\.inkml, line 2: '3 x' in stroke '0' is not a point"):
        traces(file)


BOMB = "<!DOCTYPE ink [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;'>]>"


@pytest.mark.parametrize(
    "text",
    [
        f"{BOMB}<ink>&c;</ink>",
        "<!DOCTYPE ink [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><ink>&x;</ink>",
        "<!DOCTYPE ink [<!ENTITY % x SYSTEM 'http://localhost/x.dtd'> %x;]><ink/>",
        "<!DOCTYPE ink [<!ENTITY a 'ha'>]><ink>&a;</ink>".encode("utf-16"),
    ],
)
def test_entities_are_refused(text):
    with pytest.raises(InputError, match="declares XML entities"):
        parse_inkml(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<ink>\n<trace>\n</ink>", "line 3: not well-formed XML"),
        ("", "line 1: not well-formed XML"),
        ("<math/>", "<math> is not the root of InkML"),
        ("<a>" * 300, "more than 256 elements lie inside one another"),
    ],
)
def test_what_is_no_inkml_is_an_error_with_its_line(text, message):
    with pytest.raises(InputError, match=message):
        parse_inkml(text)


def test_without_lxml_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "lxml", None)
    with pytest.raises(OptionError, match=r"pip install lxml"):
        parse_inkml(inkml())


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 2000),
            st.integers(0, 12),
            st.sampled_from(["", "<", ">", '"', "&", "mrow", "s1", "é", "\0", "</"]),
        ),
        max_size=4,
    )
)
def test_damaged_files_never_crash(edits):
    text = inkml()
    for place, length, new in edits:
        text = text[:place] + new + text[place + length :]
    try:
        found = parse_inkml(text)
    except InputError:
        return
    assert by_star(found.graph) is not None


TABLE = (
    '<mrow><mo xml:id="(_1">(</mo><mtable><mtr><mtd><mi xml:id="a_1">a</mi></mtd>'
    '<mtd><mi xml:id="b_1">b</mi></mtd></mtr>'
    '<mtr><mtd/><mtd><msup><mi xml:id="d_1">d</mi><mn xml:id="2_1">2</mn></msup></mtd></mtr></mtable>'
    '<mo xml:id=")_1">)</mo></mrow>'
)
CELLS = (
    ("(_1", "(", "s0"),
    ("a_1", "a", "s1"),
    ("b_1", "b", "s2"),
    ("d_1", "d", "s3 s4"),
    ("2_1", "2", "s5"),
)


def test_a_matrix_is_levels_over_the_strokes_of_its_symbols():
    text = inkml(TABLE, (*CELLS, (")_1", ")", "s6")), "s0 s1 s2 s3 s4 s5 s6")
    found = graph(text)
    assert [(one.id, one.primitives) for one in found.objects[6:]] == [
        ("*M_1", ("s1", "s2", "s3", "s4", "s5")),
        ("*R_1", ("s1", "s2")),
        ("*R_2", ("s3", "s4", "s5")),
        ("*Cell_1", ("s1",)),
        ("*Cell_2", ("s2",)),
        ("*Cell_4", ("s3", "s4", "s5")),
        ("*C_1", ("s1",)),
        ("*C_2", ("s2", "s3", "s4", "s5")),
    ]
    assert {(one.parent, one.child, one.label) for one in found.relations} == {
        ("(_1", "*M_1", "Right"),
        ("*M_1", ")_1", "Right"),
        ("d_1", "2_1", "Sup"),
        ("*R_1", "*R_2", "Nrow"),
        ("*Cell_1", "*Cell_2", "NcellR"),
        ("*Cell_2", "*Cell_4", "NcellC"),
        ("*C_1", "*C_2", "Ncol"),
    }
    assert latex(found) == r"\begin{pmatrix} a & b \\  & d^{2} \end{pmatrix}"
    assert illegal(found) == []


def test_a_symbol_is_not_called_like_a_part_of_a_matrix():
    assert complaints(inkml('<mi xml:id="2_1">*M</mi>', (("2_1", "2", "s1"),), "s1")) == [
        "4: '*M' is not a symbol: karat uses it for a part of a matrix"
    ]
